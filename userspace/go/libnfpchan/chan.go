// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package libnfpchan

// #include <stdlib.h>
// #include <nfpchan.h>
import "C"

import (
	"context"
	"errors"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// Chan is one open end of a channel. Any number of goroutines may make calls on
// it. Close must not run beside another call.
type Chan struct {
	mu   sync.Mutex // held by Recv, which moves the deadline of file
	c    *C.struct_nfpchan
	info ChanInfo
	file *os.File // a duplicate of the channel's descriptor, for Go's poller
}

// sendSlice is how long one call of the library waits for room. Send looks at the
// context in between, as poll() cannot wait for room in a map.
const sendSlice = 10 * time.Millisecond

// Channel opens one end of a channel.
func (c *Card) Channel(name string) (*Chan, error) {
	info, err := c.Query(name)
	if err != nil {
		return nil, err
	}
	ch := &Chan{info: info}
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	err = c.use(func(card *C.struct_nfpchan_card) C.int {
		return C.nfpchan_open(&ch.c, card, cname, nil)
	})
	if err != nil {
		return nil, err
	}
	fd, err := syscall.Dup(int(C.nfpchan_fd(ch.c)))
	if err == nil {
		syscall.CloseOnExec(fd)
		err = syscall.SetNonblock(fd, true)
		ch.file = os.NewFile(uintptr(fd), name)
	}
	if err != nil {
		C.nfpchan_close(ch.c)
		return nil, err
	}
	return ch, nil
}

// Close closes this end. No other call may be under way.
func (c *Chan) Close() error {
	C.nfpchan_close(c.c)
	return c.file.Close()
}

// Info describes the channel as it was when it was opened.
func (c *Chan) Info() ChanInfo { return c.info }

func (c *Chan) fail(ret C.int) error {
	return failure(ret, func(buf *C.char, n C.size_t) { C.nfpchan_error(c.c, buf, n) })
}

func pointer(buf []byte) unsafe.Pointer {
	if len(buf) == 0 {
		return nil
	}
	return unsafe.Pointer(&buf[0])
}

// TryRecv receives a message into buf if one is there, and returns its length;
// syscall.EAGAIN if not.
func (c *Chan) TryRecv(buf []byte) (int, error) {
	n := C.nfpchan_recv(c.c, pointer(buf), C.size_t(len(buf)), C.NFPCHAN_NONBLOCK)
	if n < 0 {
		return 0, c.fail(C.int(n))
	}
	return int(n), nil
}

// Recv receives a message into buf and returns its length.
func (c *Chan) Recv(ctx context.Context, buf []byte) (n int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	conn, err := c.file.SyscallConn()
	if err != nil {
		return 0, err
	}
	c.file.SetReadDeadline(time.Time{})
	stop := context.AfterFunc(ctx, func() { c.file.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	polled := conn.Read(func(uintptr) bool {
		n, err = c.TryRecv(buf)
		return !errors.Is(err, syscall.EAGAIN)
	})
	if polled != nil && ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if polled != nil {
		return 0, polled
	}
	return n, err
}

func (c *Chan) send(msg []byte, timeout time.Duration) error {
	if ret := C.nfpchan_send(c.c, pointer(msg), C.size_t(len(msg)), C.int64_t(timeout)); ret != 0 {
		return c.fail(ret)
	}
	return nil
}

// TrySend sends a message if there is room at once; syscall.EAGAIN if not.
func (c *Chan) TrySend(msg []byte) error { return c.send(msg, 0) }

// Send sends a message, and waits while there is no room.
func (c *Chan) Send(ctx context.Context, msg []byte) error {
	for {
		err := c.send(msg, sendSlice)
		if !errors.Is(err, syscall.ETIMEDOUT) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}
