// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"context"
	"os"
	"runtime"
	"syscall"
	"time"
)

// The pipe's interrupt signals an eventfd. The runtime's poller watches it
// edge-triggered, so nothing has to be read from it. A call that has to wait
// arms the pipe by a doorbell, and looks again before it sleeps. (poll() on the
// channel's own descriptor would be enough for a receiver. To a sender it tells
// of room for the largest message only, and not of messages that were taken.)

const (
	efdCloexec  = syscall.O_CLOEXEC
	efdNonblock = syscall.O_NONBLOCK
)

// listen binds the eventfd, once. The caller holds the lock.
func (c *Chan) listen() error {
	if c.event != nil {
		return nil
	}
	fd, _, errno := syscall.Syscall(syscall.SYS_EVENTFD2, 0, efdCloexec|efdNonblock, 0)
	if errno != 0 {
		return sysFail(c.name, "eventfd", errno)
	}
	f := os.NewFile(fd, "nfp_chan:"+c.name)
	// SetDeadline fails unless the poller watches the file.
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
	go conn.Read(func(uintptr) bool { // runs until the file is closed
		select {
		case c.wake <- struct{}{}:
		default: // one wake-up is enough: it means "look"
		}
		return false
	})
	return nil
}

// try looks at the ring once, with the lock held.
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

// tryArmed looks, arms the pipe and looks again. What comes after the second look
// raises the interrupt.
func (c *Chan) tryArmed(look func(*ring) error) error {
	return c.try(func(r *ring) error {
		if err := look(r); err != errAgain {
			return err
		}
		if err := c.listen(); err != nil {
			// If the card is gone, the ring has the better error.
			if again := look(r); again != errAgain {
				return again
			}
			return err
		}
		r.arm()
		return look(r)
	})
}

// enter waits for the turn, to do op.
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

// enterNow takes the turn if it is free.
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

// spinFor looks at least once, and then for as long as this channel spins.
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

// await looks until look has a result. The caller has the turn.
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

// do is a call that may wait. It does not queue if no other call is queued.
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

// doNow is a call that does not wait. It reads queued with the lock held: another
// call queues before it looks, so that call is served first.
func (c *Chan) doNow(look func(*ring) error) error {
	return c.try(func(r *ring) error {
		if c.queued.Load() != 0 {
			return errAgain
		}
		return look(r)
	})
}
