// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"context"
	"syscall"
)

// Native Go channels of an NFP channel.
//
// A rendezvous is exact when the sender goes on only after the receiver has
// taken the message. Towards the host a bridge has that for the asking: it
// shows the message to the Go channel while it lies in the ring, and gives the
// room back, which is what the sender on the card waits for, after a goroutine
// has taken it. No message goes back for that.
//
// Towards the NFP no native send alone can be exact: a channel operation in Go
// is atomic, so whoever wants to know the value has ended the send, before the
// NFP has seen anything of it. Hence there are two forms. Offer has the value
// first and a channel for the end of the rendezvous, which may stand in a
// select beside anything else. Out has a channel to send to, and one that says
// that the message was taken.

// bridge is what In and Out have in common.
type bridge struct {
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	err    error // before done is closed
}

func newBridge() bridge {
	ctx, cancel := context.WithCancel(context.Background())
	return bridge{ctx: ctx, cancel: cancel, done: make(chan struct{})}
}

// end is the last thing that the bridge's goroutine does. That it was told to
// is no failure.
func (b *bridge) end(err error) {
	if err != b.ctx.Err() {
		b.err = err
	}
	close(b.done)
}

// Done is closed when the bridge has ended.
func (b *bridge) Done() <-chan struct{} { return b.done }

// Err is why the bridge has ended, when it has: nil after Close, but for a
// message that was in its hands and could not be delivered any more.
func (b *bridge) Err() error {
	select {
	case <-b.done:
		return b.err
	default:
		return nil
	}
}

// Close ends the bridge; the channel stays open. Returns when its goroutine has
// ended, with what ended it before.
func (b *bridge) Close() error {
	b.cancel()
	<-b.done
	return b.err
}

// In is a channel to the host as a native Go channel.
type In struct {
	// C carries each message, in memory of its own. It is unbuffered; closed
	// when the bridge has ended.
	C <-chan []byte
	bridge
}

// In makes a native channel of a channel to the host. A message belongs to the
// card until a goroutine has received it: a rendezvous ends then, and a message
// that nobody has received when the bridge is closed is still the channel's
// next. Other receivers of the channel wait meanwhile.
func (c *Chan) In() (*In, error) {
	if err := c.bridgeable(true); err != nil {
		return nil, err
	}
	out := make(chan []byte)
	b := &In{C: out, bridge: newBridge()}
	go func() {
		var err error
		for err == nil {
			err = c.handOver(b.ctx, out)
		}
		b.end(err)
		close(out)
	}()
	return b, nil
}

// handOver shows one message to a goroutine that wants it, and then takes it.
func (c *Chan) handOver(ctx context.Context, out chan<- []byte) error {
	if err := c.enter(ctx, "receive"); err != nil {
		return err
	}
	defer c.leave()
	var msg []byte
	err := c.await(ctx, "receive", func(r *ring) (err error) { msg, err = r.recv(nil); return })
	if err != nil {
		return err
	}
	select {
	case out <- msg:
	case <-ctx.Done():
		return ctx.Err()
	case <-c.closing:
		return closedError(c.name)
	}
	// Delivered: so also when the channel is being closed, which waits for us.
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.r.dead != nil {
		return c.r.dead
	}
	return c.r.consume(len(msg))
}

// Out is a channel to the NFP as a pair of native Go channels.
type Out struct {
	// C takes messages and is unbuffered. To a buffered channel, a send ends
	// when there is room for the largest message. Closing C ends the bridge
	// when all is sent, and so does Close: it waits for the room of a message
	// that C took, for as long as the NFP takes none; Chan.Close ends that, and
	// Err says so. Beside a send, select Done.
	C chan<- []byte
	// Taken carries, for a rendezvous, one value for each message: nil when
	// the ME process has taken it, or why it was not delivered. The sender
	// receives it before it goes on; several senders have an Out each. Of a
	// buffered channel it is nil.
	Taken <-chan error
	bridge
}

// Out makes a pair of native channels of a channel to the NFP. A message that
// the channel does not carry (EMSGSIZE) ends the bridge of a buffered channel.
func (c *Chan) Out() (*Out, error) {
	if err := c.bridgeable(false); err != nil {
		return nil, err
	}
	in := make(chan []byte)
	b := &Out{C: in, bridge: newBridge()}
	if c.layout.depth != 0 {
		go func() { b.end(c.forward(b.ctx, in)) }()
		return b, nil
	}
	// Room for one: the verdict on a message is there even if the bridge ends.
	taken := make(chan error, 1)
	b.Taken = taken
	go func() { b.end(c.forwardEach(b.ctx, in, taken)) }()
	return b, nil
}

// forward takes a message from the Go channel when it has room.
func (c *Chan) forward(ctx context.Context, in <-chan []byte) error {
	for {
		err := c.do(ctx, "send", func(r *ring) error {
			space, err := r.space()
			if err == nil && space < r.room(r.maxSize) {
				err = errAgain
			}
			return err
		})
		if err != nil {
			return err
		}
		select {
		case msg, more := <-in:
			if !more {
				return nil
			}
			// Its sender has gone on: Close must not lose it.
			if err := c.Send(context.WithoutCancel(ctx), msg); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		case <-c.closing:
			return closedError(c.name)
		}
	}
}

// forwardEach makes a rendezvous of each message and says how it ended.
func (c *Chan) forwardEach(ctx context.Context, in <-chan []byte, taken chan<- error) error {
	for {
		select {
		case msg, more := <-in:
			if !more {
				return nil
			}
			err := c.Send(ctx, msg)
			select {
			case taken <- err:
			default: // the sender did not fetch the one before yet
				select {
				case taken <- err:
				case <-ctx.Done():
					return nil
				}
			}
			if err != nil && !isSize(err) {
				return err
			}
		case <-ctx.Done():
			return nil
		case <-c.closing:
			return closedError(c.name)
		}
	}
}

// isSize: the message is wrong, the channel is not.
func isSize(err error) bool {
	e, ok := err.(*Error)
	return ok && e.Errno == syscall.EMSGSIZE
}

func (c *Chan) bridgeable(toHost bool) error {
	if err := c.messages(); err != nil {
		return err
	}
	if c.ToHost() != toHost {
		where := "NFP"
		if c.ToHost() {
			where = "host"
		}
		return fail(c.name, syscall.EBADF, "the channel leads to the %s", where)
	}
	return nil
}

// Offer is a message on offer to the NFP.
type Offer struct {
	// Done is closed when it is decided: the ME process has taken the message
	// (of a buffered channel: it is in the ring), or it never will.
	Done   <-chan struct{}
	err    error // before Done is closed
	cancel context.CancelFunc
}

// Offer starts to send a message, which stays the caller's to keep unchanged:
//
//	o := c.Offer(msg)
//	select {
//	case <-o.Done:
//		err = o.Err() // nil: taken, the rendezvous is complete
//	case <-other:
//		err = o.Withdraw() // nil: it was taken all the same
//	}
func (c *Chan) Offer(msg []byte) *Offer {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	o := &Offer{Done: done, cancel: cancel}
	go func() {
		o.err = c.Send(ctx, msg)
		cancel()
		close(done)
	}()
	return o
}

// Err waits for Done: nil if the message was taken.
func (o *Offer) Err() error {
	<-o.Done
	return o.err
}

// Withdraw takes the message back. nil: too late, the ME process has it;
// context.Canceled: it was not delivered, nor will it be.
func (o *Offer) Withdraw() error {
	o.cancel()
	return o.Err()
}
