// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"
)

// Error is a failed call. Use errors.Is(err, syscall.EPIPE) and the like to tell
// failures apart.
type Error struct {
	Name  string        // the channel or the card
	Errno syscall.Errno // the kind of failure
	Text  string        // the reason, with the value and its limit if there is one
}

func (e *Error) Error() string { return "nfpchan: " + e.Name + ": " + e.Text }

// Unwrap returns the errno.
func (e *Error) Unwrap() error { return e.Errno }

// errAgain is the result of a look that found nothing. It has no text, as no
// caller sees it.
var errAgain error = syscall.EAGAIN

func fail(name string, code syscall.Errno, format string, args ...any) error {
	return &Error{Name: name, Errno: code, Text: fmt.Sprintf(format, args...)}
}

// sysFail is a failed system call. what says what failed, if that is not the
// errno's own text.
func sysFail(name, what string, err error) error {
	code, ok := err.(syscall.Errno)
	if !ok {
		return fmt.Errorf("nfpchan: %s: %s: %w", name, what, err)
	}
	if what == "" {
		return fail(name, code, "%s", code.Error())
	}
	return fail(name, code, "%s: %s", what, code.Error())
}

// lateError is a call that a deadline has ended. errors.Is finds
// context.DeadlineExceeded, and os.IsTimeout and net.Error see a timeout.
type lateError struct {
	name, op string
	deadline time.Time
}

func (e *lateError) Error() string {
	return fmt.Sprintf("nfpchan: %s: %s not done by %s: %v", e.name, e.op,
		e.deadline.Format("2006-01-02T15:04:05.000Z07:00"), context.DeadlineExceeded)
}

func (e *lateError) Unwrap() error { return context.DeadlineExceeded }

func (e *lateError) Timeout() bool { return true }

// endedBy is the error of op on the channel after its context has ended.
func endedBy(ctx context.Context, name, op string) error {
	err := ctx.Err()
	if deadline, ok := ctx.Deadline(); ok && err == context.DeadlineExceeded {
		return &lateError{name, op, deadline}
	}
	return err
}

func closedError(name string) error {
	return fmt.Errorf("nfpchan: %s: %w", name, os.ErrClosed)
}
