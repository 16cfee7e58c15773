// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"encoding/binary"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// header reads the header of the message at pos, in one load: the card can write
// to the ring at any time.
func (r *ring) header(pos uint64) (n uint64, seq uint16) {
	// Messages start at multiples of the unit, which is 8 at least.
	w := atomic.LoadUint64((*uint64)(unsafe.Pointer(&r.data[r.at(pos)])))
	return w & 0xffffffff, uint16(w >> 32)
}

// some checks that there is something after pos; errAgain: nothing.
func (r *ring) some() error {
	if r.dead != nil {
		return r.dead
	}
	if !r.toHost {
		return r.fail(syscall.EBADF, "the channel leads to the NFP")
	}
	if r.peer != r.pos {
		return nil
	}
	if err := r.refresh(); err != nil {
		return err
	}
	if r.peer == r.pos {
		r.ask()
		return r.why()
	}
	return nil
}

// peek shows the next message in place; of a stream, all elements that are there.
func (r *ring) peek() ([]byte, error) {
	if err := r.some(); err != nil {
		return nil, err
	}
	at := r.at(r.pos)
	if r.stream {
		there := r.peer - r.pos
		return r.data[at : at+there : at+there], nil
	}
	n, seq := r.header(r.pos)
	switch {
	case n > r.maxSize || r.elem != 0 && n != r.elem:
		return nil, r.kill("header at %d says %d bytes, the channel has at most %d",
			r.pos, n, r.maxSize)
	case r.room(n) > r.peer-r.pos:
		return nil, r.kill("header at %d says %d bytes, the card wrote up to %d",
			r.pos, n, r.peer)
	case seq != uint16(r.seq+1):
		return nil, r.kill("header at %d is of message %d, due is %d",
			r.pos, seq, uint16(r.seq+1))
	}
	at += hdrSize
	return r.data[at : at+n : at+n], nil
}

// aheadBytes of the ring are copied together, at most, unless the first message is larger.
const aheadBytes = 4096

// next receives the message at pos, if copied has it; nil if not, or if it is wrong.
func (r *ring) next() []byte {
	rest := r.copied[r.copiedAt:]
	if len(rest) < hdrSize {
		return nil
	}
	header := binary.LittleEndian.Uint64(rest)
	n := header & 0xffffffff
	if n > r.maxSize || r.elem != 0 && n != r.elem || uint16(header>>32) != uint16(r.seq+1) {
		return nil
	}
	room := r.room(n)
	if room > uint64(len(rest)) {
		return nil
	}
	r.copiedAt += int(room)
	r.seq++
	r.pos += room
	r.released = r.pos
	if r.pos-r.rung >= r.batch {
		r.giveBack(r.batch)
	}
	return rest[hdrSize : hdrSize+n : hdrSize+n]
}

// forget drops the copy: what follows works on the ring itself, or fails.
func (r *ring) forget() {
	r.copied, r.copiedAt = nil, 0
}

// fetch copies what is there, at least one message.
func (r *ring) fetch() error {
	if r.borrowed != 0 {
		return r.fail(syscall.EBUSY, "%d are borrowed: give them back first", r.borrowed)
	}
	first, err := r.peek()
	if err != nil {
		return err
	}
	size := min(r.peer-r.pos, max(aheadBytes, r.room(uint64(len(first)))))
	at := r.at(r.pos)
	r.copied, r.copiedAt = append([]byte(nil), r.data[at:at+size]...), 0
	return r.verify()
}

// recvNext receives the next message, in new memory.
func (r *ring) recvNext() ([]byte, error) {
	msg := r.next()
	if msg == nil {
		if err := r.fetch(); err != nil {
			return nil, err
		}
		if msg = r.next(); msg == nil {
			return nil, r.kill("header at %d has changed while it was copied", r.pos)
		}
	}
	return msg, nil
}

// verify checks, after a message was copied, that the copy came from the card.
func (r *ring) verify() error {
	if r.look(); r.state == stateGone {
		return r.gone()
	}
	return nil
}

// take borrows the message of n bytes that peek has shown, or n bytes of a
// stream, in whole elements.
//
// poll() must not report a borrowed message again, so the control page includes
// it. The card gets its room only by the doorbell.
func (r *ring) take(n int) {
	count := uint64(1)
	if r.stream {
		count = uint64(n) / r.elem
	}
	r.forget()
	r.pos += r.room(uint64(n))
	r.seq += uint32(count)
	r.borrowed += count
	r.publish()
}

// release gives back the n oldest borrowed messages or elements.
func (r *ring) release(n uint64) error {
	if r.dead != nil {
		return r.dead
	}
	if n > r.borrowed {
		return r.fail(syscall.EINVAL, "%d to give back, %d are borrowed", n, r.borrowed)
	}
	switch {
	case n == r.borrowed:
		r.released = r.pos
		r.borrowed = 0
	case r.stream:
		r.released += n * r.elem
		r.borrowed -= n
	default:
		if err := r.releaseSome(n); err != nil {
			return err
		}
	}
	r.giveBack(r.batch)
	return nil
}

// releaseSome follows the lengths in the headers. They were checked when the
// messages were borrowed, but the card may have changed them since. So it does
// not go beyond the borrowed messages.
func (r *ring) releaseSome(n uint64) error {
	for ; n != 0; n-- {
		size, _ := r.header(r.released)
		if size > r.maxSize || r.room(size) >= r.pos-r.released {
			return r.kill("header at %d has changed to %d bytes while borrowed",
				r.released, size)
		}
		r.released += r.room(size)
		r.borrowed--
	}
	return nil
}

// flush gives all released room back to the card, however little it is.
func (r *ring) flush() {
	if r.toHost && r.dead == nil {
		r.giveBack(0)
	}
}
