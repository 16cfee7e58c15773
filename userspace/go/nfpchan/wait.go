// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"context"
	"os"
	"runtime"
	"syscall"
	"time"
)

// The pipe's interrupt signals an eventfd that the runtime's poller watches,
// edge-triggered, so that nothing has to be read from it. Who has to wait arms
// the pipe with a store and looks again before it sleeps. (The channel's own
// descriptor would do for a receiver; to a sender it tells of room for the
// largest message only, and not of messages taken.)

const (
	efdCloexec  = syscall.O_CLOEXEC
	efdNonblock = syscall.O_NONBLOCK
)

// listen binds the eventfd, once. Called with the lock held.
func (c *Chan) listen() error {
	if c.event != nil {
		return nil
	}
	fd, _, errno := syscall.Syscall(syscall.SYS_EVENTFD2, 0, efdCloexec|efdNonblock, 0)
	if errno != 0 {
		return sysFail(c.name, "eventfd", errno)
	}
	f := os.NewFile(fd, "nfp_chan:"+c.name)
	// Only what the poller watches has deadlines.
	err := f.SetDeadline(time.Time{})
	if err == nil {
		err = ioctl(c.fd, iocEventfd, &uapiEventfd{fd: int32(fd)})
	}
	conn, connErr := f.SyscallConn()
	if err == nil {
		err = connErr
	}
	if err != nil {
		f.Close()
		return sysFail(c.name, "interrupt", err)
	}
	c.event = f
	go conn.Read(func(uintptr) bool { // until the file is closed
		select {
		case c.wake <- struct{}{}:
		default: // one is enough, it means "look"
		}
		return false
	})
	return nil
}

// try looks at the ring once.
func (c *Chan) try(look func(*ring) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return closedError(c.name)
	}
	if c.link != nil {
		return fail(c.name, syscall.EISCONN, "the channel is linked: the card carries its messages")
	}
	return look(c.r)
}

// tryArmed looks twice, with the pipe armed in between: what comes after the
// second look wakes.
func (c *Chan) tryArmed(look func(*ring) error) error {
	return c.try(func(r *ring) error {
		if err := look(r); err != errAgain {
			return err
		}
		if err := c.listen(); err != nil {
			// That the card is gone, the ring says as well.
			if again := look(r); again != errAgain {
				return again
			}
			return err
		}
		r.arm()
		return look(r)
	})
}

// enter queues for the turn, to do op.
func (c *Chan) enter(ctx context.Context, op string) error {
	c.queued.Add(1)
	select {
	case c.turn <- struct{}{}:
		return nil
	default:
	}
	select {
	case c.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		c.queued.Add(-1)
		return endedBy(ctx, c.name, op)
	case <-c.closing:
		c.queued.Add(-1)
		return closedError(c.name)
	}
}

// enterNow takes the turn if nobody has it.
func (c *Chan) enterNow() bool {
	select {
	case c.turn <- struct{}{}:
		c.queued.Add(1)
		return true
	default:
		return false
	}
}

func (c *Chan) leave() {
	c.queued.Add(-1)
	<-c.turn
}

// spinFor looks for as long as this channel spins, once at least.
func (c *Chan) spinFor(look func(*ring) error) error {
	err := c.try(look)
	if err != errAgain || c.spin <= 0 {
		return err
	}
	for end := time.Now().Add(c.spin); err == errAgain && time.Now().Before(end); {
		runtime.Gosched()
		err = c.try(look)
	}
	return err
}

// await looks until there is an answer. The caller has the turn.
func (c *Chan) await(ctx context.Context, op string, look func(*ring) error) error {
	err := c.spinFor(look)
	for err == errAgain {
		if err = c.tryArmed(look); err != errAgain {
			break
		}
		select {
		case <-c.wake:
		case <-ctx.Done():
			return endedBy(ctx, c.name, op)
		case <-c.closing:
			return closedError(c.name)
		}
	}
	return err
}

// do is a call that may wait: at once when nobody is before us.
func (c *Chan) do(ctx context.Context, op string, look func(*ring) error) error {
	if err := c.doNow(look); err != errAgain {
		return err
	}
	if err := c.enter(ctx, op); err != nil {
		return err
	}
	defer c.leave()
	return c.await(ctx, op, look)
}

// doNow is a call that does not wait. Whether somebody is before us is asked with
// the lock held: who queues does so before a look of his own.
func (c *Chan) doNow(look func(*ring) error) error {
	return c.try(func(r *ring) error {
		if c.queued.Load() != 0 {
			return errAgain
		}
		return look(r)
	})
}
