// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"context"
	"syscall"
)

// messages: is this a channel of messages?
func (c *Chan) messages() error {
	if c.layout.kind == kindStream {
		return fail(c.name, syscall.EINVAL, "a stream has no messages (see Stream)")
	}
	return nil
}

// Send sends a message.
//
// A buffered channel (depth n): returns when the message is in the ring, waits
// while that is full. A rendezvous (depth 0): returns when the ME process has
// taken the message. When the context ends first, the message is taken back;
// so after an error it was not delivered, and without one it was. EIO is the
// exception: the card may not have said whether it has taken it back.
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

// TrySend sends a message if there is room at once; EAGAIN if not. A rendezvous
// is on offer for as long as the channel spins.
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

// rendezvous puts the message on offer, waits in the caller's way until the ME
// process has taken it, and takes it back otherwise.
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
	// We have the turn, so nobody sends, and nobody closes the descriptor.
	switch back := ioctl(c.fd, iocCancel, &uapiCancel{seq: seq}); back {
	case nil:
		return err
	case syscall.EALREADY:
		return nil // the ME process was quicker
	case syscall.ETIMEDOUT, syscall.EIO:
		return fail(c.name, syscall.EIO, "the card has not said whether it has the message")
	default:
		return sysFail(c.name, "message could not be taken back", back)
	}
}

// isFinal: the pipe has ended, there is nothing to take back.
func isFinal(err error) bool {
	e, ok := err.(*Error)
	return ok && (e.Errno == syscall.EPIPE || e.Errno == syscall.EIO || e.Errno == syscall.ENODEV)
}

// recv copies the next message to buf, or to memory of its own when buf is nil.
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

// Recv receives a message, in memory of its own. Messages that came before the
// end of the ME process are received before that is reported.
func (c *Chan) Recv(ctx context.Context) (msg []byte, err error) {
	if err = c.messages(); err != nil {
		return nil, err
	}
	err = c.do(ctx, "receive", func(r *ring) (err error) { msg, err = r.recvConsume(nil); return })
	return msg, err
}

// RecvInto receives a message into buf and returns its length. One that does
// not fit stays the next one (EMSGSIZE); MaxSize bytes are always enough.
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
	err = c.doNow(func(r *ring) (err error) { msg, err = r.recvConsume(nil); return })
	return msg, err
}

// Borrow receives a message where it lies in the ring; of a stream, all that is
// there. It may be called again before the first is given back; the room of
// what is borrowed is not the card's. Read-only: a write to it ends the program.
// Valid until it is given back or the channel closed. The card can write to the
// ring at any time: copy what must not change between a check and its use.
func (c *Chan) Borrow(ctx context.Context) (data []byte, err error) {
	err = c.do(ctx, "borrow", lend(&data))
	return data, err
}

// lend borrows what there is.
func lend(data *[]byte) func(*ring) error {
	return func(r *ring) (err error) {
		if *data, err = r.peek(); err == nil {
			r.take(len(*data))
		}
		return
	}
}

// Release gives the n messages borrowed longest ago back; of a stream n bytes,
// in whole elements. ENODEV: the card was detached, and the kernel may have
// replaced the ring's memory before all of it was read. EINVAL: fewer are
// borrowed.
func (c *Chan) Release(n int) error {
	return c.try(func(r *ring) error {
		count := uint64(n) // negative: more than there can be
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

// Drain waits until the ME process has taken all that was sent: before closing
// a buffered channel, so that nothing in it is lost.
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
