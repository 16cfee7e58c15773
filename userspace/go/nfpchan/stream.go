// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"context"
	"errors"
	"io"
	"syscall"
)

// Stream is a stream channel as an io.Reader and io.WriterTo, or as an io.Writer,
// by its direction. Elements larger than a byte are moved whole.
type Stream struct {
	c   *Chan
	ctx context.Context
}

// Stream returns the channel as a stream. Its calls wait until ctx ends. EINVAL:
// the channel carries messages.
func (c *Chan) Stream(ctx context.Context) (*Stream, error) {
	if c.layout.kind != kindStream {
		return nil, fail(c.name, syscall.EINVAL, "the channel carries messages")
	}
	return &Stream{c, ctx}, nil
}

// end converts EPIPE (the ME process has ended) to io.EOF.
func end(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return io.EOF
	}
	return err
}

// readSome copies the whole elements that are there and fit p.
func (r *ring) readSome(p []byte) (int, error) {
	if r.borrowed != 0 {
		return 0, r.fail(syscall.EBUSY, "%d are borrowed: give them back first", r.borrowed)
	}
	if r.elem > uint64(len(p)) {
		return 0, r.fail(syscall.EMSGSIZE, "the buffer has %d bytes, an element %d",
			len(p), r.elem)
	}
	data, err := r.peek()
	if err != nil {
		return 0, err
	}
	n := copy(p[:len(p)-len(p)%int(r.elem)], data)
	if err := r.verify(); err != nil {
		return 0, err
	}
	return n, r.consume(n)
}

// Read waits until an element is there, and reads the elements that are there.
// io.EOF: the ME process has ended. EMSGSIZE: p is smaller than an element.
func (s *Stream) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	err = s.c.do(s.ctx, "read", func(r *ring) (err error) { n, err = r.readSome(p); return })
	return n, end(err)
}

// WriteTo writes the stream to w, directly from the ring, until the ME process
// ends. A Close of the channel waits for the Write of w that is under way.
func (s *Stream) WriteTo(w io.Writer) (total int64, err error) {
	for err == nil {
		var n int
		n, err = s.writeSome(w)
		total += int64(n)
	}
	if err == io.EOF {
		err = nil
	}
	return total, err
}

// writeSome writes the elements that have arrived to w. It keeps the turn until w has the bytes,
// because Close unmaps the ring when it gets the turn.
func (s *Stream) writeSome(w io.Writer) (n int, err error) {
	if err = s.c.enter(s.ctx, "read"); err != nil {
		return 0, err
	}
	defer s.c.leave()
	var data []byte
	if err = s.c.await(s.ctx, "read", lend(&data)); err != nil {
		return 0, end(err)
	}
	n, err = w.Write(data)
	if back := s.c.Release(len(data)); err == nil {
		err = back
	}
	return n, err
}

// Write writes all of p, in whole elements (EMSGSIZE), and returns when the last
// one is in the ring. The elements of two Writes do not mix. If the context ends
// in between, n bytes were written.
func (s *Stream) Write(p []byte) (n int, err error) {
	if err := s.c.try(func(r *ring) error { return r.sendable(uint64(len(p))) }); err != nil {
		return 0, err
	}
	if err := s.c.enter(s.ctx, "write"); err != nil {
		return 0, err
	}
	defer s.c.leave()
	for n < len(p) {
		var done int
		err := s.c.await(s.ctx, "write", func(r *ring) (err error) {
			done, err = r.putSome(p[n:])
			return
		})
		if err != nil {
			return n, err
		}
		n += done
	}
	return n, nil
}
