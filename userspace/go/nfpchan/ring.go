// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

// ring is the host's side of a pipe's protocol (uapi/PROTOCOL.rst). It takes no
// locks, and makes no system calls but those of doorbells. What the card writes
// (notification record, message headers) is read once and checked before use. A
// breach of the protocol ends the ring with EIO.
type ring struct {
	name string
	data []byte     // the data ring, mapped twice in a row
	note *[2]uint64 // notification record, written by the card
	ctl  *uapiCtl
	bell doorbells

	toHost   bool
	stream   bool
	numbered bool   // the record's count is of records: a stream of bytes to the host
	size     uint64 // bytes of the ring, a power of 2
	shift    uint   // log2 of a unit
	unit     uint64 // bytes for each count of the data doorbell
	grain    uint64 // the card's position is a multiple of this
	limit    uint64 // bytes that may be outstanding
	maxSize  uint64
	elem     uint64 // bytes of each message, 0 if they vary; of a stream's elements
	depth    uint32
	batch    uint64 // bytes to collect before their room goes back to the card

	pos      uint64 // end of the last message looked at, or written
	released uint64 // to host: end of the last message whose room may go back
	rung     uint64 // the position last written to the data doorbell
	peer     uint64 // the card's position at the last look
	peerSeq  uint32
	state    uint32
	seq      uint32 // messages up to pos
	borrowed uint64 // messages, or elements, between released and pos
	asked    uint64 // the card's position when the host last armed for news
	dead     error  // the error that has ended the ring, or nil

	// A copy of the ring from pos on, for next. Its messages count as received one by one.
	copied   []byte
	copiedAt int // where pos is in it
}

const (
	bellData = iota
	bellArm
)

// doorbells are how a ring reaches the card: by a store to a register, or by a
// call, if the process may not map the registers. For bellArm the call gets the
// count that was seen, and writes to the control page.
type doorbells struct {
	reg  [2]*uint32
	call func(which int, val uint32)
}

func (r *ring) fail(code syscall.Errno, format string, args ...any) error {
	return fail(r.name, code, format, args...)
}

// room is the bytes of the ring that a message of n bytes takes. n is at most
// maxSize.
func (r *ring) room(n uint64) uint64 {
	if r.stream {
		return n
	}
	return (hdrSize + n + r.unit - 1) &^ (r.unit - 1)
}

func (r *ring) at(pos uint64) uint64 { return pos & (r.size - 1) }

// checkGeom refuses a layout that contradicts itself, before anything is mapped.
func checkGeom(name string, g *uapiLayout) error {
	stream := g.kind == kindStream
	least := uint32(3)
	whole := uint64(hdrSize) + uint64(g.maxSize)
	if stream {
		least, whole = 0, uint64(g.maxSize)
	}
	bad := func(format string, args ...any) error {
		return fail(name, syscall.EINVAL, format, args...)
	}
	switch {
	case g.kind != kindMessage && !stream:
		return bad("kind of channel is %d, known are 1 and 2", g.kind)
	case g.dir != dirToHost && g.dir != dirToNFP:
		return bad("direction is %d", g.dir)
	case stream && (g.elemSize == 0 || g.depth == 0):
		return bad("stream with elements of %d bytes, depth %d", g.elemSize, g.depth)
	case g.ringSize < 4096 || g.ringSize&(g.ringSize-1) != 0:
		return bad("ring of %d bytes is no power of 2 from 4096", g.ringSize)
	case g.unitShift < least || g.unitShift > 12:
		return bad("unit shift is %d, allowed are %d to 12", g.unitShift, least)
	case g.elemSize != 0 && g.elemSize != g.maxSize:
		return bad("elements of %d bytes, messages of at most %d", g.elemSize, g.maxSize)
	}
	if unit := uint64(1) << g.unitShift; !stream {
		whole = (whole + unit - 1) &^ (unit - 1)
	}
	if g.limit > g.ringSize || whole > uint64(g.limit) {
		return bad("limit is %d: a message may have %d bytes, the ring %d",
			g.limit, g.maxSize, g.ringSize)
	}
	return nil
}

// newRing takes a pipe over at the position in its control page. checkGeom has
// accepted g, and the memory is as large as g says.
func newRing(name string, g *uapiLayout, data, note, ctl []byte, bells doorbells) (*ring, error) {
	r := &ring{
		name: name, data: data, bell: bells,
		note:    (*[2]uint64)(unsafe.Pointer(&note[0])),
		ctl:     (*uapiCtl)(unsafe.Pointer(&ctl[0])),
		toHost:  g.dir == dirToHost,
		stream:  g.kind == kindStream,
		size:    uint64(g.ringSize),
		shift:   uint(g.unitShift),
		unit:    1 << g.unitShift,
		grain:   1 << g.unitShift,
		limit:   uint64(g.limit),
		maxSize: uint64(g.maxSize),
		elem:    uint64(g.elemSize),
		depth:   g.depth,
		asked:   ^uint64(0),
	}
	if r.stream {
		r.grain = r.elem
	}
	r.numbered = r.stream && r.elem == 1 && r.toHost
	// Room goes back in batches of a quarter of the ring. The batch must leave
	// room for the largest message, or the card could not send that one. In a
	// rendezvous the sender on the card waits for this doorbell: no batch.
	if r.depth != 0 {
		r.batch = min(r.limit/4, r.limit-r.room(r.maxSize))
	}
	r.pos, r.rung, r.seq = r.ctl.pos, r.ctl.rung, r.ctl.seq
	r.released = r.pos
	r.peer = r.pos
	if !r.toHost {
		r.peer = r.look()
		r.rung = r.pos // to the NFP, the control page need not have rung
	}
	if r.pos%r.grain != 0 || r.peer > r.pos || r.pos-r.peer > r.size {
		return nil, r.fail(syscall.EINVAL, "pipe stands at %d, the card at %d (ring of %d)",
			r.pos, r.peer, r.size)
	}
	return r, nil
}

// look reads the notification record. The card writes the position before the
// word with count and state, so look reads that word first. A state that ends
// the pipe is thus seen together with the last position, and no message before
// the end is lost. (Loads of sync/atomic acquire, so what the card wrote before
// is seen after them.)
func (r *ring) look() uint64 {
	tail := atomic.LoadUint64(&r.note[1])
	pos := atomic.LoadUint64(&r.note[0])
	r.peerSeq = uint32(tail)
	r.state = uint32(tail >> 32)
	return pos
}

// gone ends the ring: the card was detached. The ring stays as it is, but a card
// that has not confirmed the end may still write to it.
func (r *ring) gone() error {
	r.dead = r.fail(syscall.ENODEV, "the card is gone")
	r.forget()
	return r.dead
}

// kill ends the ring, because the card has broken the protocol.
func (r *ring) kill(format string, args ...any) error {
	if r.look(); r.state == stateGone {
		return r.gone()
	}
	r.dead = r.fail(syscall.EIO, format, args...)
	r.forget()
	return r.dead
}

// refresh reads the record and takes over the card's position, if it is valid.
func (r *ring) refresh() error {
	pos := r.look()
	if r.state == stateGone {
		// The card took these messages before it went: their sends succeed.
		if !r.toHost && pos > r.peer && pos <= r.pos {
			r.peer = pos
		}
		return r.gone()
	}
	switch {
	case pos == r.peer:
		return nil
	case pos < r.peer || (pos-r.peer)%r.grain != 0:
		return r.kill("card's position went from %d to %d (unit %d)", r.peer, pos, r.grain)
	case r.toHost && pos-r.rung > r.size:
		return r.kill("card is at %d, but only %d was given back (ring of %d)",
			pos, r.rung, r.size)
	case !r.toHost && pos > r.pos:
		return r.kill("card consumed up to %d, only %d was sent", pos, r.pos)
	}
	r.peer = pos
	return nil
}

// why returns the reason why nothing moves; errAgain while the pipe is open.
func (r *ring) why() error {
	switch r.state {
	case stateOpen:
		return errAgain
	case stateEPIPE:
		return r.fail(syscall.EPIPE, "the ME process has ended")
	case stateFault:
		return r.fail(syscall.EIO,
			"the card has turned the pipe off at position %d: protocol fault", r.peer)
	}
	return r.kill("pipe state is %d, at most %d is known", r.state, stateGone)
}

// publish writes the position to the control page, where the kernel reads it when the pipe
// is armed. Copied messages are received without it (next).
func (r *ring) publish() {
	atomic.StoreUint32(&r.ctl.seq, r.seq)
	atomic.StoreUint64(&r.ctl.pos, r.pos)
}

// giveBack rings the data doorbell for bytes that were released or written, in
// whole units, if they are at least least.
func (r *ring) giveBack(least uint64) {
	room := (r.released - r.rung) >> r.shift << r.shift
	if room == 0 || room < least {
		return
	}
	r.rung += room
	r.publish()
	atomic.StoreUint64(&r.ctl.rung, r.rung)
	if units := uint32(room >> r.shift); r.bell.call != nil {
		r.bell.call(bellData, units)
	} else {
		bell(r.bell.reg[bellData], units)
	}
}

// arm asks for an interrupt when the card's count differs from that of the last
// look. It does not look again: if something has come since, the card raises
// the interrupt at once, so nothing is missed.
func (r *ring) arm() {
	seen := r.peerSeq
	if r.toHost && !r.numbered {
		seen = r.seq
	}
	r.publish()
	if r.bell.call != nil {
		r.bell.call(bellArm, seen)
		return
	}
	for {
		old := atomic.LoadUint32(&r.ctl.arm)
		val := seen&armSeqMask | ^old&armToggle
		// The kernel exchanges this word as well, in poll().
		if atomic.CompareAndSwapUint32(&r.ctl.arm, old, val) {
			bell(r.bell.reg[bellArm], (val-old)&qcPtrMask)
			return
		}
	}
}

// ask makes the card write its next record, after a look that found nothing. The
// card does that when it gets room back. If the host keeps all messages, ask
// arms the pipe instead, once, which costs an interrupt.
func (r *ring) ask() {
	if (r.released-r.rung)>>r.shift != 0 {
		r.giveBack(0)
	} else if (r.pos-r.rung)>>r.shift != 0 && r.asked != r.peer {
		r.asked = r.peer
		r.arm()
	}
}
