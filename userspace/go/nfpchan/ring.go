// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

// ring is the host's half of a pipe's protocol (uapi/PROTOCOL.rst): memory
// only, no system call. Its owner locks. Everything that the card writes, the
// notification record and the headers of messages, is read once and checked
// before it is used; what breaks the protocol ends the ring with EIO.
type ring struct {
	name string
	data []byte     // the data ring, mapped twice in a row
	note *[2]uint64 // notification record, written by the card
	ctl  *uapiCtl
	bell [2]*uint32 // doorbells: bellData, bellArm

	toHost   bool
	stream   bool
	numbered bool   // the record's seq numbers records: bytes to host
	size     uint64 // bytes of the ring, a power of 2
	shift    uint   // log2 of a unit
	unit     uint64 // bytes that a count of the data doorbell stands for
	grain    uint64 // what the card's position is a multiple of
	limit    uint64 // bytes that may be outstanding
	maxSize  uint64
	elem     uint64 // bytes of every message, or 0; of a stream's elements
	depth    uint32
	batch    uint64 // bytes to collect before they are given back

	pos      uint64 // behind the last message looked at, or written
	released uint64 // to host: behind the last one whose room may go back
	rung     uint64 // the part of it that the card was told
	peer     uint64 // the card's position when last read
	peerSeq  uint32
	state    uint32
	seq      uint32 // messages behind pos
	borrowed uint64 // messages, or elements, between released and pos
	asked    uint64 // the card's position when it was last asked for news
	dead     error  // what ended the ring
}

const (
	bellData = iota
	bellArm
)

func (r *ring) fail(code syscall.Errno, format string, args ...any) error {
	return fail(r.name, code, format, args...)
}

// room is what a message of n bytes, at most maxSize, takes of the ring.
func (r *ring) room(n uint64) uint64 {
	if r.stream {
		return n
	}
	return (hdrSize + n + r.unit - 1) &^ (r.unit - 1)
}

func (r *ring) at(pos uint64) uint64 { return pos & (r.size - 1) }

// checkGeom: a layout that makes no sense is refused before anything is mapped.
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

// newRing takes a pipe over where its control page says it stands. g was
// checked, and the memory is as large as g says.
func newRing(name string, g *uapiLayout, data, note, ctl []byte, bells [2]*uint32) (*ring, error) {
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
	// A quarter of the ring, but never so much that the card could not send
	// the largest message for want of what is kept back here. At a rendezvous
	// the sender on the card waits for exactly this doorbell.
	if r.depth != 0 {
		r.batch = min(r.limit/4, r.limit-r.room(r.maxSize))
	}
	r.pos, r.rung, r.seq = r.ctl.pos, r.ctl.rung, r.ctl.seq
	r.released = r.pos
	r.peer = r.pos
	if !r.toHost {
		r.peer = r.look()
		r.rung = r.pos // nfpchan/nfp_chan.h: the page need not say
	}
	if r.pos%r.grain != 0 || r.peer > r.pos || r.pos-r.peer > r.size {
		return nil, r.fail(syscall.EINVAL, "pipe stands at %d, the card at %d (ring of %d)",
			r.pos, r.peer, r.size)
	}
	return r, nil
}

// look reads the notification record. The card writes the position before the
// word of count and state, so that word is read first: a state that ends the
// pipe comes with its last position, and no message before the end is lost.
// (Loads of sync/atomic acquire: what the card wrote before is seen after.)
func (r *ring) look() uint64 {
	tail := atomic.LoadUint64(&r.note[1])
	pos := atomic.LoadUint64(&r.note[0])
	r.peerSeq = uint32(tail)
	r.state = uint32(tail >> 32)
	return pos
}

// gone: once the card is detached, the kernel has put zeroed pages in the place
// of the ring. What is read there is nothing that the card has sent.
func (r *ring) gone() error {
	r.dead = r.fail(syscall.ENODEV, "the card is gone")
	return r.dead
}

// kill: a peer that breaks the protocol is not believed again.
func (r *ring) kill(format string, args ...any) error {
	if r.look(); r.state == stateGone {
		return r.gone()
	}
	r.dead = r.fail(syscall.EIO, format, args...)
	return r.dead
}

// refresh takes the card's position over, if it can be one.
func (r *ring) refresh() error {
	pos := r.look()
	if r.state == stateGone {
		// A send that the card has taken was a success.
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

// why nothing moves: errAgain while the pipe is open.
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

// publish tells the kernel, for poll().
func (r *ring) publish() {
	atomic.StoreUint32(&r.ctl.seq, r.seq)
	atomic.StoreUint64(&r.ctl.pos, r.pos)
}

// giveBack rings for what was released or written, in whole units, if it is at
// least so many bytes.
func (r *ring) giveBack(least uint64) {
	room := (r.released - r.rung) >> r.shift << r.shift
	if room == 0 || room < least {
		return
	}
	r.rung += room
	atomic.StoreUint64(&r.ctl.rung, r.rung)
	bell(r.bell[bellData], uint32(room>>r.shift))
}

// arm asks for an interrupt once the card's count is another than that of the
// last look. Not of a look made now: what has come in between makes the card
// fire at once, so nothing is missed.
func (r *ring) arm() {
	seen := r.peerSeq
	if r.toHost && !r.numbered {
		seen = r.seq
	}
	for {
		old := atomic.LoadUint32(&r.ctl.arm)
		val := seen&armSeqMask | ^old&armToggle
		// The kernel exchanges this word too, for poll().
		if atomic.CompareAndSwapUint32(&r.ctl.arm, old, val) {
			bell(r.bell[bellArm], (val-old)&qcPtrMask)
			return
		}
	}
}

// ask: nothing new. The card tells of more once it has room back, or is asked;
// who keeps all that came asks once, at the price of an interrupt.
func (r *ring) ask() {
	if (r.released-r.rung)>>r.shift != 0 {
		r.giveBack(0)
	} else if (r.pos-r.rung)>>r.shift != 0 && r.asked != r.peer {
		r.asked = r.peer
		r.arm()
	}
}
