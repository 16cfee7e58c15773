// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

//go:build cgo

package libnfpchan

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net"
	"syscall"
	"testing"
	"time"
)

// These tests run in the guests of selftests/lib/bpf_languages.t and bpf_slots_languages.t,
// which have selftests/xdp/channel/orders.c on eth0. Frames come from eth1, at the other end of
// the cable.

const limit = 60 * time.Second

type wire struct {
	fd int
	to syscall.SockaddrLinklayer
}

func openWire(t *testing.T) wire {
	eth1, err := net.InterfaceByName("eth1")
	if err != nil {
		t.Skip("no eth1: only in the guest of a test")
	}
	fd, err := syscall.Socket(syscall.AF_PACKET, syscall.SOCK_RAW, 0)
	if err != nil {
		t.Fatal(err)
	}
	return wire{fd, syscall.SockaddrLinklayer{Ifindex: eth1.Index}}
}

func (w wire) frame(t *testing.T, number uint32) {
	frame := append(bytes.Repeat([]byte{2}, 12), 0x88, 0xb5, 0, 0)
	frame = binary.LittleEndian.AppendUint32(frame, number)
	if err := syscall.Sendto(w.fd, append(frame, make([]byte, 40)...), 0, &w.to); err != nil {
		t.Fatal(err)
	}
}

func order(number uint32) []byte {
	msg := binary.LittleEndian.AppendUint32(nil, number)
	return append(msg, bytes.Repeat([]byte{byte(number)}, 12)...)
}

func TestBPF(t *testing.T) {
	w := openWire(t)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	card, err := Open("bpf:eth0")
	if err != nil {
		t.Fatal(err)
	}
	defer card.Close()
	all, err := card.Channels()
	if err != nil || len(all) != 3 || all[1].Name != "orders" || all[2].Name != "told" ||
		!all[2].ToHost || all[2].ElemSize != 28 {
		t.Fatal(all, err)
	}
	orders, err := card.Channel("orders")
	if err != nil {
		t.Fatal(err)
	}
	defer orders.Close()
	told, err := card.Channel("told")
	if err != nil {
		t.Fatal(err)
	}
	defer told.Close()

	buf := make([]byte, 64)
	for i := uint32(0); i < 32; i++ {
		if err := orders.Send(ctx, order(i)); err != nil {
			t.Fatal(err)
		}
		w.frame(t, i)
		n, err := told.Recv(ctx, buf)
		want := append(binary.LittleEndian.AppendUint32(nil, i), 1, 0, 0, 0)
		want = binary.LittleEndian.AppendUint32(append(want, order(i)...), i)
		if err != nil || !bytes.Equal(buf[:n], want) {
			t.Fatal(i, buf[:n], err)
		}
	}
	check(t, w, card, orders, told)
}

// check tests calls that fail.
func check(t *testing.T, w wire, card *Card, orders, told *Chan) {
	buf := make([]byte, 64)
	if _, err := told.TryRecv(buf); !errors.Is(err, syscall.EAGAIN) {
		t.Error("nothing there:", err)
	}
	short, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := told.Recv(short, buf); !errors.Is(err, context.DeadlineExceeded) {
		t.Error("nothing comes:", err)
	}
	for i := uint32(0); i < 16; i++ {
		if err := orders.TrySend(order(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := orders.TrySend(order(16)); !errors.Is(err, syscall.EAGAIN) {
		t.Error("full:", err)
	}
	if err := orders.Send(short, order(16)); !errors.Is(err, context.DeadlineExceeded) {
		t.Error("no room comes:", err)
	}
	if err := orders.TrySend([]byte("short")); !errors.Is(err, syscall.EMSGSIZE) {
		t.Error("another size:", err)
	}
	if _, err := card.Channel("told"); !errors.Is(err, syscall.EBUSY) {
		t.Error("open twice:", err)
	}
	if _, err := Open("bpf:nobody"); !errors.Is(err, syscall.ENODEV) {
		t.Error("no such interface:", err)
	}
	w.frame(t, 1)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if _, err := told.Recv(ctx, buf); err != nil {
		t.Error("after a time out:", err)
	}
	if q, err := card.Query("told"); err != nil || q.Msgs != 33 || q.Dropped != 0 {
		t.Error("counters:", q, err)
	}
}
