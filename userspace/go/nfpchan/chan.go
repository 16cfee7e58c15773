// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// Options of a channel. The zero value is the default.
type Options struct {
	// RingSize is the bytes of the data ring, a power of 2 from 4096 to
	// 4194304, or 0 for the smallest that holds the channel's depth.
	RingSize int
	// Spin is how long a call watches for the card before it sleeps. 0 means 20
	// microseconds, or not at all with one CPU. A negative Spin: not at all.
	Spin time.Duration
	// Link opens a channel to the host for use in a link only: no message comes to this
	// end, neither before the link nor after it.
	Link bool
}

// Chan is one open end of a channel.
type Chan struct {
	name   string
	layout uapiLayout
	spin   time.Duration
	fd     int

	// Calls that find nothing queue for the turn. So they are served in order,
	// and only one of them at a time waits for the card.
	turn    chan struct{}
	queued  atomic.Int32 // calls that have the turn or wait for it
	wake    chan struct{}
	closing chan struct{}

	mu     sync.Mutex // guards the fields below; never held while a call waits
	closed bool
	link   *Link // the link that the channel is an end of, or nil
	r      *ring
	maps   [4][]byte
	event  *os.File // eventfd of the pipe's interrupt, see wait.go
}

const (
	mapRing = iota
	mapNote
	mapCtl
	mapDoorbell
)

// Channel opens one end of a channel. It waits for the firmware, 1 s at most.
func (c *Card) Channel(name string, opts *Options) (*Chan, error) {
	if opts == nil {
		opts = &Options{}
	}
	if opts.RingSize < 0 || opts.RingSize > 1<<30 {
		return nil, fail(name, syscall.EINVAL, "ring size is %d", opts.RingSize)
	}
	req := uapiOpen{flags: openMapped, ringSize: uint32(opts.RingSize), fd: -1,
		ringFd: -1, portFd: -1}
	if opts.Link {
		req.flags |= openLink
	}
	if err := putName(&req.name, name); err != nil {
		return nil, err
	}
	if err := cardCall(c, name, iocOpen, &req); err != nil {
		return nil, err
	}
	ch := &Chan{
		name: name, fd: int(req.fd), spin: opts.Spin,
		turn:    make(chan struct{}, 1),
		wake:    make(chan struct{}, 1),
		closing: make(chan struct{}),
	}
	// With one CPU, spinning would only delay the card's interrupt handler.
	if ch.spin == 0 && runtime.NumCPU() > 1 {
		ch.spin = 20 * time.Microsecond
	}
	if err := ch.setup(); err != nil {
		ch.unmap()
		syscall.Close(ch.fd)
		return nil, err
	}
	return ch, nil
}

// setup reads the pipe's layout, maps the pipe, and takes over its position.
func (c *Chan) setup() error {
	g := &c.layout
	if err := ioctl(c.fd, iocLayout, g); err != nil {
		return sysFail(c.name, "layout of the ring", err)
	}
	if g.pageSize < 4096 || g.dbData > g.pageSize-4 || g.dbArm > g.pageSize-4 ||
		(g.dbData|g.dbArm)&3 != 0 {
		return fail(c.name, syscall.EIO, "doorbells at %d and %d of a page of %d bytes",
			g.dbData, g.dbArm, g.pageSize)
	}
	if err := checkGeom(c.name, g); err != nil {
		return err
	}
	const rw = syscall.PROT_READ | syscall.PROT_WRITE
	ringProt := rw
	if g.dir == dirToHost {
		ringProt = syscall.PROT_READ
	}
	for i, m := range [...]struct {
		what string
		off  uint64
		size int
		prot int
	}{
		mapRing:     {"data ring", g.ringOff, 2 * int(g.ringSize), ringProt},
		mapNote:     {"notification page", g.noteOff, int(g.pageSize), syscall.PROT_READ},
		mapCtl:      {"control page", g.ctlOff, int(g.pageSize), rw},
		mapDoorbell: {"doorbell page", g.dbOff, int(g.pageSize), rw},
	} {
		if i == mapDoorbell && g.dbMap == 0 {
			continue
		}
		var err error
		c.maps[i], err = syscall.Mmap(c.fd, int64(m.off), m.size, m.prot, syscall.MAP_SHARED)
		if err != nil {
			return sysFail(c.name, "cannot map the "+m.what, err)
		}
	}
	bells := doorbells{call: c.ring}
	if g.dbMap != 0 {
		bells = doorbells{reg: [2]*uint32{
			bellData: (*uint32)(unsafe.Pointer(&c.maps[mapDoorbell][g.dbData])),
			bellArm:  (*uint32)(unsafe.Pointer(&c.maps[mapDoorbell][g.dbArm])),
		}}
	}
	var err error
	c.r, err = newRing(c.name, g, c.maps[mapRing], c.maps[mapNote], c.maps[mapCtl], bells)
	return err
}

// ring rings a doorbell that the process may not map. It has no error: the ring
// meets the reason in its record.
func (c *Chan) ring(which int, val uint32) {
	if which == bellData {
		ioctl(c.fd, iocKick, &uapiKick{units: val})
	} else {
		ioctl(c.fd, iocArm, &uapiArm{flags: armSeq, seq: val})
	}
}

func (c *Chan) unmap() {
	for i, m := range c.maps {
		if m != nil {
			syscall.Munmap(m)
			c.maps[i] = nil
		}
	}
}

// Close closes this end. Calls under way fail with os.ErrClosed; a rendezvous
// does so after its message was taken back. Messages that the ME process has
// not taken, and messages that were not received, are lost, and the card counts
// them. Borrowed memory is unmapped: an access to it ends the program.
func (c *Chan) Close() error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return closedError(c.name)
	}
	c.closed = true
	c.r.forget()
	close(c.closing)
	c.mu.Unlock()

	c.turn <- struct{}{} // not given back: the call that had it used the descriptor
	c.mu.Lock()
	c.r.flush() // or the card would count received messages as dropped
	c.unmap()
	if c.event != nil {
		c.event.Close()
	}
	err := syscall.Close(c.fd)
	link := c.link
	c.mu.Unlock()
	if link != nil {
		link.release()
	}
	return err
}

// Name is the name of the channel.
func (c *Chan) Name() string { return c.name }

// ToHost tells whether the channel leads to the host.
func (c *Chan) ToHost() bool { return c.layout.dir == dirToHost }

// ElemSize is the bytes of each message, or of each element of a stream; 0 if
// messages vary in size.
func (c *Chan) ElemSize() int { return int(c.layout.elemSize) }

// MaxSize is the bytes of the largest message.
func (c *Chan) MaxSize() int { return int(c.layout.maxSize) }

// Depth is 0 for a rendezvous, else the messages that this end buffers.
func (c *Chan) Depth() int { return int(c.layout.depth) }

// Signal sets the signal of the channel's ME process.
func (c *Chan) Signal() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return closedError(c.name)
	}
	err := ioctl(c.fd, iocSignal, &uapiSignal{})
	if err == syscall.EOPNOTSUPP {
		return fail(c.name, syscall.EOPNOTSUPP, "its ME process takes no signals")
	}
	if err != nil {
		return sysFail(c.name, "signal", err)
	}
	return nil
}
