// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"
)

// The process may not map the doorbells: selftests/lib/doorbells.t has loaded the
// module with doorbells=ioctl.
func TestDoorbells(t *testing.T) {
	if os.Getenv("NFPCHAN_TEST_DOORBELLS") != "ioctl" {
		t.Skip("NFPCHAN_TEST_DOORBELLS is not ioctl")
	}
	card, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	defer card.Close()
	var ends [2]*Chan
	for i, name := range []string{"echo-in", "echo-out"} {
		c, err := card.Channel(name, &Options{Spin: -1})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, err = syscall.Mmap(c.fd, int64(c.layout.dbOff), int(c.layout.pageSize),
			syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
		if c.layout.dbMap != 0 || c.maps[mapDoorbell] != nil || err != syscall.EPERM {
			t.Fatalf("%s: db_map is %d, mmap of the doorbells: %v", name, c.layout.dbMap, err)
		}
		ends[i] = c
	}
	for i := 0; i < 400; i++ {
		msg := fmt.Sprint(i)
		if err := ends[0].Send(context.Background(), []byte(msg)); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 { // else the eventfd of Recv ends the wait
			waitReadable(t, ends[1].fd)
		}
		got, err := ends[1].Recv(context.Background())
		if err != nil || string(got) != msg {
			t.Fatalf("received %q, %v, want %q", got, err, msg)
		}
	}
}

// waitReadable waits by select(), for which the kernel polls the channel.
func waitReadable(t *testing.T, fd int) {
	t.Helper()
	var in syscall.FdSet
	in.Bits[fd/64] |= 1 << (fd % 64)
	if n, err := syscall.Select(fd+1, &in, nil, nil, &syscall.Timeval{Sec: 20}); n != 1 || err != nil {
		t.Fatalf("select: %d, %v", n, err)
	}
}
