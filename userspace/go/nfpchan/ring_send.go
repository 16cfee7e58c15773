// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"encoding/binary"
	"syscall"
)

// sendable checks that the channel carries messages of n bytes.
func (r *ring) sendable(n uint64) error {
	switch {
	case r.dead != nil:
		return r.dead
	case r.toHost:
		return r.fail(syscall.EBADF, "the channel leads to the host")
	case r.stream && n%r.elem != 0:
		return r.fail(syscall.EMSGSIZE, "%d bytes, the stream's elements have %d", n, r.elem)
	case r.stream:
		return nil
	case n > r.maxSize:
		return r.fail(syscall.EMSGSIZE, "message of %d bytes, the channel takes at most %d",
			n, r.maxSize)
	case r.elem != 0 && n != r.elem:
		return r.fail(syscall.EMSGSIZE, "message of %d bytes, the channel takes exactly %d",
			n, r.elem)
	}
	return nil
}

// space returns the bytes that may be written now, or why nothing may. In a
// rendezvous only one message is under way.
func (r *ring) space() (uint64, error) {
	if r.dead != nil {
		return 0, r.dead
	}
	if err := r.refresh(); err != nil {
		return 0, err
	}
	if r.state != stateOpen {
		return 0, r.why()
	}
	out := r.pos - r.peer
	if r.depth == 0 && out != 0 || out > r.limit {
		return 0, nil
	}
	return r.limit - out, nil
}

// put writes a message and rings the doorbell; errAgain: no room.
func (r *ring) put(msg []byte) error {
	n := uint64(len(msg))
	if err := r.sendable(n); err != nil {
		return err
	}
	space, err := r.space()
	if err != nil {
		return err
	}
	if space < r.room(n) {
		return errAgain
	}
	to := r.data[r.at(r.pos):]
	binary.LittleEndian.PutUint64(to, n|uint64(uint16(r.seq+1))<<32)
	copy(to[hdrSize:], msg)
	r.wrote(r.room(n), 1)
	return nil
}

// putSome writes as many whole elements of a stream as have room; errAgain: no
// element has room.
func (r *ring) putSome(data []byte) (int, error) {
	space, err := r.space()
	if err != nil {
		return 0, err
	}
	n := min(space, uint64(len(data)))
	n -= n % r.elem
	if n == 0 {
		return 0, errAgain
	}
	copy(r.data[r.at(r.pos):], data[:n])
	r.wrote(n, uint32(n/r.elem))
	return int(n), nil
}

func (r *ring) wrote(bytes uint64, count uint32) {
	r.pos += bytes
	r.seq += count
	r.released = r.pos
	r.publish()
	r.giveBack(0)
}

// taken: has the ME process taken everything up to position end?
func (r *ring) taken(end uint64) error {
	err := r.dead
	if err == nil {
		err = r.refresh()
	}
	switch {
	case r.peer >= end:
		return nil
	case err != nil:
		return err
	}
	return r.why()
}
