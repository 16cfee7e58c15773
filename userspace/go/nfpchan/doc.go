// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

// Package nfpchan carries messages and streams between goroutines and the
// microengines of a Netronome Agilio, over /dev/nfp_chanN.
//
//	card, err := nfpchan.Open("")
//	flows, err := card.Channel("flows", nil)
//	for {
//		msg, err := flows.Recv(ctx)
//		...
//	}
//
// Nothing but the standard library is used, and no cgo. While the card keeps
// up, no call makes a system call: the data ring, the card's notification
// record and the doorbells are mapped. A goroutine that has to wait is parked
// by the runtime's poller, and no thread waits with it.
//
// # Conventions
//
// All methods may be called from any number of goroutines. Those that wait
// serve their callers in order. A context ends a wait with the context's
// error, which after a deadline also names the channel, the call and the deadline
// (errors.Is finds context.DeadlineExceeded); nothing has happened then, with one
// exception that Stream.Write names. TryRecv and TrySend fail with syscall.EAGAIN
// when there is nothing, or no room. All other failures are an *Error, whose errno
// errors.Is finds:
//
//	EMSGSIZE  a message that the channel does not carry, a buffer too small
//	EBADF     the channel leads the other way
//	EPIPE     the ME process has ended, what it had sent was received
//	EIO       the card broke the protocol; the channel is dead
//	ENODEV    the card or its driver is gone
//
// or os.ErrClosed after Close. Payloads are in the byte order that the ME
// process defines.
//
// # Processors
//
// The package builds for amd64 and arm64: a doorbell is one store to the
// card's memory, with what comes before it ordered, and the language has no
// such store. (That of sync/atomic is an exchange on amd64, which reads the
// card.)
package nfpchan
