// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"context"
	"syscall"
)

// messages fails on a stream.
func (c *Chan) messages() error {
	if c.layout.kind == kindStream {
		return fail(c.name, syscall.EINVAL, "a stream has no messages (see Stream)")
	}
	return nil
}

// Send sends a message.
//
// Buffered channel (depth n): Send returns when the message is in the ring, and
// waits while the ring is full. Rendezvous (depth 0): Send returns when the ME
// process has taken the message. If the context ends first, Send takes the
// message back. So after an error the message was not delivered, except after
// EIO: the card may not have answered whether it took the message back.
func (c *Chan) Send(ctx context.Context, msg []byte) error {
	if err := c.messages(); err != nil {
		return err
	}
	if c.layout.depth != 0 {
		return c.do(ctx, "send", func(r *ring) error { return r.put(msg) })
	}
	if err := c.enter(ctx, "send"); err != nil {
		return err
	}
	defer c.leave()
	return c.rendezvous(msg, func(look func(*ring) error) error {
		return c.await(ctx, "send", look)
	})
}

// TrySend sends a message if it has room now; EAGAIN if not. A rendezvous is on
// offer for as long as the channel spins.
func (c *Chan) TrySend(msg []byte) error {
	if err := c.messages(); err != nil {
		return err
	}
	if c.layout.depth != 0 {
		return c.doNow(func(r *ring) error { return r.put(msg) })
	}
	if !c.enterNow() {
		return errAgain
	}
	defer c.leave()
	return c.rendezvous(msg, c.spinFor)
}

// rendezvous offers the message and waits, by wait, until the ME process has
// taken it. After a failure it takes the message back.
func (c *Chan) rendezvous(msg []byte, wait func(func(*ring) error) error) error {
	var end uint64
	var seq uint32
	err := wait(func(r *ring) error {
		err := r.put(msg)
		end, seq = r.pos, r.seq
		return err
	})
	if err != nil {
		return err
	}
	err = wait(func(r *ring) error { return r.taken(end) })
	if err == nil || isFinal(err) {
		return err
	}
	// This call has the turn, so no other call sends or closes the descriptor.
	switch back := ioctl(c.fd, iocCancel, &uapiCancel{seq: seq}); back {
	case nil:
		return err
	case syscall.EALREADY:
		return nil // the ME process took it first
	case syscall.ETIMEDOUT, syscall.EIO:
		return fail(c.name, syscall.EIO, "the card has not said whether it has the message")
	default:
		return sysFail(c.name, "message could not be taken back", back)
	}
}

// isFinal: the pipe has ended, so there is nothing to take back.
func isFinal(err error) bool {
	e, ok := err.(*Error)
	return ok && (e.Errno == syscall.EPIPE || e.Errno == syscall.EIO || e.Errno == syscall.ENODEV)
}

// recv copies the next message to buf, or to new memory if buf is nil. It stays the next one.
func (r *ring) recv(buf []byte) ([]byte, error) {
	if r.borrowed != 0 {
		return nil, r.fail(syscall.EBUSY, "%d are borrowed: give them back first", r.borrowed)
	}
	msg, err := r.peek()
	if err != nil {
		return nil, err
	}
	if buf == nil {
		buf = make([]byte, len(msg))
	}
	if len(msg) > len(buf) {
		return nil, r.fail(syscall.EMSGSIZE, "message of %d bytes, the buffer has %d",
			len(msg), len(buf))
	}
	buf = buf[:copy(buf, msg)]
	return buf, r.verify()
}

// consume takes the message of n bytes that was copied.
func (r *ring) consume(n int) error {
	r.take(n)
	return r.release(r.borrowed)
}

func (r *ring) recvConsume(buf []byte) ([]byte, error) {
	msg, err := r.recv(buf)
	if err == nil {
		err = r.consume(len(msg))
	}
	return msg, err
}

// Recv receives a message, in new memory, which messages that come together share: one
// that is kept keeps up to 4 KiB. Messages that came before the end of the ME process
// are received first, then EPIPE is returned.
func (c *Chan) Recv(ctx context.Context) ([]byte, error) {
	c.mu.Lock()
	if c.queued.Load() == 0 {
		if msg := c.r.next(); msg != nil {
			c.mu.Unlock()
			return msg, nil
		}
	}
	c.mu.Unlock()
	return c.recv(ctx)
}

// recv is Recv when no copy of the next message is there.
func (c *Chan) recv(ctx context.Context) (msg []byte, err error) {
	if err = c.messages(); err != nil {
		return nil, err
	}
	err = c.do(ctx, "receive", func(r *ring) (err error) { msg, err = r.recvNext(); return })
	return msg, err
}

// RecvInto receives a message into buf and returns its length. A message that
// does not fit stays the next one (EMSGSIZE). MaxSize bytes are enough for any.
func (c *Chan) RecvInto(ctx context.Context, buf []byte) (n int, err error) {
	if err = c.messages(); err != nil {
		return 0, err
	}
	if buf == nil {
		buf = []byte{}
	}
	err = c.do(ctx, "receive", func(r *ring) error {
		msg, err := r.recvConsume(buf)
		n = len(msg)
		return err
	})
	return n, err
}

// TryRecv receives a message if one is there; EAGAIN if not.
func (c *Chan) TryRecv() (msg []byte, err error) {
	if err = c.messages(); err != nil {
		return nil, err
	}
	err = c.doNow(func(r *ring) (err error) { msg, err = r.recvNext(); return })
	return msg, err
}

// Borrow receives a message in place, in the ring; of a stream, all elements that
// are there. The memory is read-only: a write to it ends the program. It is valid
// until Release gives it back or the channel is closed. The caller may borrow
// more before that. The card cannot use the room of what is borrowed, but it can
// write to the ring at any time: copy what must not change between a check and
// its use.
func (c *Chan) Borrow(ctx context.Context) (data []byte, err error) {
	err = c.do(ctx, "borrow", lend(&data))
	return data, err
}

// lend returns a function that borrows the elements that have arrived.
func lend(data *[]byte) func(*ring) error {
	return func(r *ring) (err error) {
		if *data, err = r.peek(); err == nil {
			r.take(len(*data))
		}
		return
	}
}

// Release gives back the n oldest borrowed messages; of a stream n bytes, in whole
// elements. ENODEV: the card was detached, and may have written to the ring before
// the caller had read all of it. EINVAL: fewer are borrowed.
func (c *Chan) Release(n int) error {
	return c.try(func(r *ring) error {
		count := uint64(n) // a negative n becomes more than can be borrowed
		if r.stream {
			if count%r.elem != 0 {
				return r.fail(syscall.EINVAL, "%d bytes, the stream's elements have %d",
					n, r.elem)
			}
			count /= r.elem
		}
		if err := r.release(count); err != nil {
			return err
		}
		return r.verify()
	})
}

// Drain waits until the ME process has taken all messages sent. Closing a buffered
// channel after that loses nothing.
func (c *Chan) Drain(ctx context.Context) error {
	if c.ToHost() {
		return fail(c.name, syscall.EBADF, "the channel leads to the host")
	}
	if err := c.enter(ctx, "drain"); err != nil {
		return err
	}
	defer c.leave()
	var end uint64
	if err := c.try(func(r *ring) error { end = r.pos; return nil }); err != nil {
		return err
	}
	return c.await(ctx, "drain", func(r *ring) error { return r.taken(end) })
}
