// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"context"
	"syscall"
)

// Native Go channels of an NFP channel.
//
// A rendezvous is exact if the sender goes on only after the receiver has
// taken the message. To the host, a bridge reaches that as follows: it offers
// the message to the Go channel while the message is still in the ring, and
// gives the room back after a goroutine has received it. The sender on the card
// waits for that room.
//
// To the NFP, a send on a Go channel cannot be exact. It is atomic, so a bridge
// learns the value only when the send has ended, and the NFP has not seen the
// message by then. Therefore there are two forms. Offer takes the value first,
// and has a channel that is closed at the end of the rendezvous, for use in a
// select. Out has a channel to send to, and a second one that says whether the
// ME process has taken the message.

// bridge is the common part of In and Out.
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

// end is the last thing that the bridge's goroutine does. The end of the
// bridge's own context is not a failure.
func (b *bridge) end(err error) {
	if err != b.ctx.Err() {
		b.err = err
	}
	close(b.done)
}

// Done is closed when the bridge has ended.
func (b *bridge) Done() <-chan struct{} { return b.done }

// Err returns why the bridge has ended; nil while it has not. After Close it is
// nil, unless the bridge had a message that could not be delivered any more.
func (b *bridge) Err() error {
	select {
	case <-b.done:
		return b.err
	default:
		return nil
	}
}

// Close ends the bridge and waits for its goroutine. The channel stays open.
// Close returns what Err returns.
func (b *bridge) Close() error {
	b.cancel()
	<-b.done
	return b.err
}

// In is a channel to the host as a native Go channel.
type In struct {
	// C carries each message, in memory that belongs to the receiver. It is
	// unbuffered, and is closed when the bridge has ended.
	C <-chan []byte
	bridge
}

// In bridges a channel to the host to a Go channel. A message belongs to the
// card until a goroutine has received it; only then does a rendezvous end. If
// the bridge is closed before that, the message stays the channel's next one.
// Other receivers of the channel wait while the bridge offers a message.
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

// handOver offers one message to the Go channel, and takes it from the ring when
// a goroutine has received it.
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
	// The message was delivered, so take it even if the channel is being
	// closed: Close waits for leave.
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.r.dead != nil {
		return c.r.dead
	}
	return c.r.consume(len(msg))
}

// Out is a channel to the NFP, bridged to a pair of Go channels.
type Out struct {
	// C takes messages and is unbuffered. On a buffered channel C takes a
	// message when the largest message has room. Closing C, or calling Close,
	// ends the bridge when all messages are sent. If the NFP takes no messages
	// then, Close waits for room for a message that C has taken; Chan.Close
	// ends that wait, and Err has the error. In a select, wait for Done beside
	// a send on C.
	C chan<- []byte
	// Taken carries one value for each message of a rendezvous: nil if the ME
	// process has taken the message, or why it was not delivered. A sender
	// receives that value before it sends again, so each sender needs its own
	// Out. Taken is nil on a buffered channel.
	Taken <-chan error
	bridge
}

// Out bridges a channel to the NFP to a pair of Go channels. A message that the
// channel does not carry (EMSGSIZE) ends the bridge of a buffered channel.
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
	// Room for one value: a result can be sent even when the bridge ends.
	taken := make(chan error, 1)
	b.Taken = taken
	go func() { b.end(c.forwardEach(b.ctx, in, taken)) }()
	return b, nil
}

// forward takes messages from the Go channel when they have room in the ring.
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
			// The sender has gone on, so Close must not lose the message.
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

// forwardEach sends each message as a rendezvous, and reports how it ended.
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
			default: // the sender has not received the last result yet
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

// isSize tells whether only the message was wrong, and not the channel.
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

// Offer is a message that is on offer to the NFP.
type Offer struct {
	// Done is closed when the outcome is known: the ME process has taken the
	// message (on a buffered channel: it is in the ring), or never will.
	Done   <-chan struct{}
	err    error // before Done is closed
	cancel context.CancelFunc
}

// Offer starts to send a message. The caller must not change it before Done is
// closed:
//
//	o := c.Offer(msg)
//	select {
//	case <-o.Done:
//		err = o.Err() // nil: taken, the rendezvous is complete
//	case <-other:
//		err = o.Withdraw() // nil: the ME process took it first
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

// Err waits for Done. It returns nil if the message was taken.
func (o *Offer) Err() error {
	<-o.Done
	return o.err
}

// Withdraw takes the message back. nil: too late, the ME process has it.
// context.Canceled: it was not delivered and will not be.
func (o *Offer) Withdraw() error {
	o.cancel()
	return o.Err()
}
