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
// The package uses the standard library only, and no cgo. It maps the data ring,
// the card's notification record and the doorbells, so a call makes no system
// call while the card keeps up. Where the process may not map the doorbells
// (nfp_chan.ko with doorbells=ioctl), each of them is an ioctl. The runtime's
// poller parks a goroutine that has to wait, so that no thread waits with it.
//
// # Conventions
//
// All methods may be called from any number of goroutines. Calls that wait are
// served in order. If the context of a call ends, the call returns the
// context's error. After a deadline that error also names the channel, the call
// and the deadline (errors.Is finds context.DeadlineExceeded). The call has then
// done nothing, except for Stream.Write, which says how much it has written.
// TryRecv and TrySend fail with syscall.EAGAIN if there is no message, or no
// room. Other failures are an *Error, whose errno errors.Is finds:
//
//	EMSGSIZE  the channel does not carry this message, or the buffer is too small
//	EBADF     the channel has the other direction
//	EPIPE     the ME process has ended, and its messages were received
//	EIO       the card broke the protocol; the channel is dead
//	ENODEV    the card or its driver is gone
//
// After Close calls fail with os.ErrClosed. The ME process defines the byte order
// of its messages.
//
// # Processors
//
// The package builds for amd64 and arm64. A doorbell is one store to the card's
// memory, ordered after earlier accesses. Go has no such store: that of
// sync/atomic is an exchange on amd64, which reads from the card. So bell is
// written in assembly.
package nfpchan
