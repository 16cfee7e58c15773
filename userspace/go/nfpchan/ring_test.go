// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// fake is the memory of a pipe. The test acts as the card.
type fake struct {
	t     testing.TB
	g     uapiLayout
	r     *ring
	ch    *Chan  // of a benchmark
	data  []byte // the ring as the card sees it: once
	ring  []byte // the ring as the host sees it: twice, copied by show
	note  []uint64
	ctl   []uint64
	bells [2]uint32
	sent  uint64 // the card's position
	seq   uint32
}

// words returns n bytes, aligned to 8.
func words(n int) []byte {
	w := make([]uint64, n/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), n)
}

func messageGeom(dir uint32) uapiLayout {
	return uapiLayout{dir: dir, kind: kindMessage, maxSize: 512, depth: 7, ringSize: 4096,
		unitShift: 3, limit: 7 * 520}
}

func streamGeom(dir, elem uint32) uapiLayout {
	return uapiLayout{dir: dir, kind: kindStream, elemSize: elem, maxSize: elem, depth: 8,
		ringSize: 4096, limit: 4096}
}

func newFake(t testing.TB, g uapiLayout) *fake {
	t.Helper()
	f := &fake{t: t, g: g, data: words(int(g.ringSize)), ring: words(2 * int(g.ringSize)),
		note: make([]uint64, 2), ctl: make([]uint64, 4)}
	if err := checkGeom("fake", &f.g); err != nil {
		t.Fatal(err)
	}
	asBytes := func(w []uint64) []byte {
		return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), 8*len(w))
	}
	var err error
	f.r, err = newRing("fake", &f.g, f.ring, asBytes(f.note), asBytes(f.ctl),
		doorbells{reg: [2]*uint32{&f.bells[bellData], &f.bells[bellArm]}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// show copies what the card wrote to both mappings of the host.
func (f *fake) show() {
	copy(f.ring, f.data)
	copy(f.ring[len(f.data):], f.data)
}

func (f *fake) put(at uint64, b []byte) {
	for i := range b {
		f.data[(at+uint64(i))%uint64(len(f.data))] = b[i]
	}
	f.show()
}

func (f *fake) header(at uint64, n uint32, seq uint16) {
	var h [8]byte
	binary.LittleEndian.PutUint32(h[:], n)
	binary.LittleEndian.PutUint16(h[4:], seq)
	f.put(at, h[:])
}

// send writes a message as the card does, without a notification.
func (f *fake) send(msg []byte) {
	f.seq++
	f.header(f.sent, uint32(len(msg)), uint16(f.seq))
	f.put(f.sent+8, msg)
	f.sent += f.r.room(uint64(len(msg)))
}

func (f *fake) notify(pos uint64, seq uint32, state uint32) {
	f.note[0] = pos
	f.note[1] = uint64(state)<<32 | uint64(seq)
}

func (f *fake) tell() { f.notify(f.sent, f.seq, stateOpen) }

func (f *fake) recv(want []byte) {
	f.t.Helper()
	got, err := f.r.recvNext()
	if err != nil || !bytes.Equal(got, want) {
		f.t.Fatalf("got %q, %v, want %q", got, err, want)
	}
}

func (f *fake) wants(err error, errno syscall.Errno) {
	f.t.Helper()
	if !errors.Is(err, errno) {
		f.t.Fatalf("got %v, want %v", err, errno)
	}
}

// bell checks the value of the last store to a doorbell, and resets it.
func (f *fake) bell(i int, want uint32) {
	f.t.Helper()
	if f.bells[i] != want {
		f.t.Fatalf("doorbell %d was rung with %d, want %d", i, f.bells[i], want)
	}
	f.bells[i] = 0
}

func TestRingRecvWraps(t *testing.T) {
	f := newFake(t, messageGeom(dirToHost))
	for i := 0; i < 1000; i++ {
		msg := bytes.Repeat([]byte{byte(i)}, i*37%513)
		f.send(msg)
		f.tell()
		f.recv(msg)
		if _, err := f.r.peek(); err != errAgain {
			t.Fatalf("message %d: then %v", i, err)
		}
		f.bell(bellData, uint32(f.r.room(uint64(len(msg)))/8))
	}
	if f.ctl[0] != f.sent || uint32(f.ctl[2]) != f.seq || f.ctl[1] != f.sent {
		t.Fatalf("control page: %d, want %d, %d", f.ctl, f.sent, f.seq)
	}
}

func TestRingBatches(t *testing.T) {
	f := newFake(t, messageGeom(dirToHost))
	for i := 0; i < 7; i++ {
		f.send(make([]byte, 512))
	}
	f.tell()
	// The batch is a quarter of 3640, 910: the second message of 520 bytes reaches it.
	f.recv(make([]byte, 512))
	f.bell(bellData, 0)
	f.recv(make([]byte, 512))
	f.bell(bellData, 2*65)
	g := messageGeom(dirToHost)
	g.depth, g.limit = 0, 520
	f = newFake(t, g)
	f.send([]byte("x"))
	f.tell()
	f.recv([]byte("x")) // a rendezvous gives room back at once
	f.bell(bellData, 2)
}

func TestRingBorrowRelease(t *testing.T) {
	f := newFake(t, messageGeom(dirToHost))
	for _, n := range []int{0, 1, 8, 9, 300} {
		f.send(make([]byte, n))
	}
	f.tell()
	for _, n := range []int{0, 1, 8, 9, 300} {
		msg, err := f.r.peek()
		if err != nil || len(msg) != n || cap(msg) != n {
			t.Fatalf("got %d bytes of %d, %v, want %d", len(msg), cap(msg), err, n)
		}
		f.r.take(n)
	}
	_, err := f.r.recvNext()
	f.wants(err, syscall.EBUSY)
	f.wants(f.r.release(6), syscall.EINVAL)
	if err := f.r.release(3); err != nil {
		t.Fatal(err)
	}
	if f.r.released != 8+16+16 || f.r.borrowed != 2 {
		t.Fatalf("released up to %d, %d borrowed", f.r.released, f.r.borrowed)
	}
	if _, err := f.r.peek(); err != errAgain { // nothing new: room goes back
		t.Fatal(err)
	}
	f.bell(bellData, 5)
	if _, err := f.r.peek(); err != errAgain { // no room to give: arms once
		t.Fatal(err)
	}
	if arm := f.bells[bellArm]; arm&armSeqMask != 5 {
		t.Fatalf("armed with %#x", arm)
	}
	f.bells[bellArm] = 0
	f.r.peek()
	f.bell(bellArm, 0)
	// The card can write to borrowed messages.
	f.header(f.r.released, 400, 4)
	f.wants(f.r.release(1), syscall.EIO)
}

func TestRingArmValue(t *testing.T) {
	f := newFake(t, messageGeom(dirToHost))
	var reg uint32 // the card's register
	for i := uint32(1); i < 70000; i += 3333 {
		f.r.seq = i
		before := reg
		f.r.arm()
		reg = (reg + f.bells[bellArm]) & qcPtrMask
		if reg&armSeqMask != i&armSeqMask || (reg^before)&armToggle == 0 {
			t.Fatalf("%#x after %#x, armed for %#x", reg, before, i)
		}
	}
}

// A process that may not map the doorbells calls the kernel, which arms.
func TestRingDoorbellCalls(t *testing.T) {
	f := newFake(t, messageGeom(dirToHost))
	var rung []uint32
	f.r.bell = doorbells{call: func(which int, val uint32) {
		rung = append(rung, uint32(which), val)
	}}
	f.send([]byte("one"))
	f.tell()
	f.recv([]byte("one"))
	if _, err := f.r.peek(); err != errAgain { // room goes back
		t.Fatal(err)
	}
	f.r.arm()
	if want := []uint32{bellData, 2, bellArm, 1}; !slices.Equal(rung, want) {
		t.Fatalf("rung %d, want %d", rung, want)
	}
	if f.r.ctl.arm != 0 {
		t.Fatalf("the arm word is %#x", f.r.ctl.arm)
	}
}

func TestRingHostile(t *testing.T) {
	for _, c := range []struct {
		what string
		do   func(*fake)
		want syscall.Errno
	}{
		{"position not in units", func(f *fake) { f.notify(12, 1, 0) }, syscall.EIO},
		{"position beyond the ring", func(f *fake) { f.notify(4104, 1, 0) }, syscall.EIO},
		{"position far away", func(f *fake) { f.notify(1<<63, 1, 0) }, syscall.EIO},
		{"position goes back", func(f *fake) {
			f.send([]byte("x"))
			f.tell()
			f.recv([]byte("x"))
			f.notify(8, 1, 0)
		}, syscall.EIO},
		{"message too large", func(f *fake) { f.header(0, 513, 1); f.notify(1024, 1, 0) }, syscall.EIO},
		{"message of 4 GB", func(f *fake) { f.header(0, 1<<32-1, 1); f.notify(16, 1, 0) }, syscall.EIO},
		{"message not all there", func(f *fake) { f.header(0, 100, 1); f.notify(104, 1, 0) }, syscall.EIO},
		{"another message", func(f *fake) { f.header(0, 8, 2); f.notify(16, 1, 0) }, syscall.EIO},
		{"unknown state", func(f *fake) { f.notify(0, 0, 4) }, syscall.EIO},
		{"turned off", func(f *fake) { f.notify(0, 0, stateFault) }, syscall.EIO},
		{"ended", func(f *fake) { f.notify(0, 0, stateEPIPE) }, syscall.EPIPE},
		{"gone, and zeros", func(f *fake) { f.notify(16, 1, stateGone) }, syscall.ENODEV},
	} {
		t.Run(c.what, func(t *testing.T) {
			f := newFake(t, messageGeom(dirToHost))
			c.do(f)
			_, err := f.r.recvNext()
			f.wants(err, c.want)
			if f.r.dead == nil { // the card has ended the pipe itself
				return
			}
			// Later records do not revive the ring.
			f.notify(0, 0, stateOpen)
			_, err = f.r.recvNext()
			f.wants(err, c.want)
		})
	}
}

func TestRingElementSize(t *testing.T) {
	g := messageGeom(dirToHost)
	g.elemSize = g.maxSize
	f := newFake(t, g)
	f.send(make([]byte, 511))
	f.tell()
	_, err := f.r.recvNext()
	f.wants(err, syscall.EIO)
	g.dir = dirToNFP
	f = newFake(t, g)
	f.wants(f.r.put(make([]byte, 511)), syscall.EMSGSIZE)
}

// Messages that came together are copied together, and received one by one.
func TestRingAhead(t *testing.T) {
	f := newFake(t, messageGeom(dirToHost))
	for _, text := range []string{"one", "", "three", "four"} {
		f.send([]byte(text))
	}
	f.header(f.sent, 513, 5)
	f.sent += 16
	f.tell()
	f.recv([]byte("one"))
	if f.r.pos != 16 || f.r.released != 16 {
		t.Fatalf("at %d, released %d, after a message of 16 bytes", f.r.pos, f.r.released)
	}
	f.recv(nil)
	msg, err := f.r.peek() // in place, from where the copies are received too
	if err != nil || string(msg) != "three" {
		t.Fatalf("got %q, %v", msg, err)
	}
	f.r.take(len(msg))
	_, err = f.r.recvNext()
	f.wants(err, syscall.EBUSY)
	if err := f.r.release(1); err != nil {
		t.Fatal(err)
	}
	f.recv([]byte("four"))
	_, err = f.r.recvNext() // the wrong header is noticed when its message is due
	f.wants(err, syscall.EIO)
}

func TestRingEndComesLast(t *testing.T) {
	f := newFake(t, messageGeom(dirToHost))
	f.send([]byte("last"))
	f.notify(f.sent, 1, stateEPIPE)
	f.recv([]byte("last"))
	_, err := f.r.recvNext()
	f.wants(err, syscall.EPIPE)
}

func TestRingDetachedWhileCopied(t *testing.T) {
	f := newFake(t, messageGeom(dirToHost))
	f.send([]byte("x"))
	f.tell()
	if _, err := f.r.peek(); err != nil {
		t.Fatal(err)
	}
	f.notify(f.sent, 1, stateGone)
	_, err := f.r.recvNext()
	f.wants(err, syscall.ENODEV)
}

func TestRingSend(t *testing.T) {
	f := newFake(t, messageGeom(dirToNFP))
	want := uint64(0)
	for i := 0; i < 500; i++ {
		msg := bytes.Repeat([]byte{byte(i)}, i%513)
		for f.r.put(msg) == errAgain {
			f.notify(f.r.pos, f.r.seq, stateOpen)
		}
		f.bell(bellData, uint32(f.r.room(uint64(len(msg)))/8))
		at := want % 4096
		h := binary.LittleEndian.Uint64(f.ring[at:])
		if h != uint64(len(msg))|uint64(uint16(i+1))<<32 ||
			!bytes.Equal(f.ring[at+8:][:len(msg)], msg) {
			t.Fatalf("message %d: header %#x", i, h)
		}
		want += f.r.room(uint64(len(msg)))
	}
	f.wants(f.r.put(make([]byte, 513)), syscall.EMSGSIZE)
	_, err := f.r.recvNext()
	f.wants(err, syscall.EBADF)
}

func TestRingSendLimits(t *testing.T) {
	f := newFake(t, messageGeom(dirToNFP))
	for i := 0; i < 7; i++ {
		if err := f.r.put(make([]byte, 512)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.r.put(nil); err != errAgain {
		t.Fatalf("the eighth: %v", err)
	}
	f.notify(520, 1, stateOpen)
	if err := f.r.put(make([]byte, 512)); err != nil {
		t.Fatal(err)
	}
	f.notify(f.r.pos+520, 20, stateOpen)
	f.wants(f.r.put(nil), syscall.EIO) // the card consumed more than was sent

	g := messageGeom(dirToNFP)
	g.depth = 0
	f = newFake(t, g)
	f.r.put([]byte("x"))
	if err := f.r.put(nil); err != errAgain {
		t.Fatalf("a second message of a rendezvous: %v", err)
	}
	if err := f.r.taken(16); err != errAgain {
		t.Fatal(err)
	}
	f.notify(16, 1, stateGone) // the message was taken, then the card detached
	if err := f.r.taken(16); err != nil {
		t.Fatal(err)
	}
	f.wants(f.r.put(nil), syscall.ENODEV)
}

func TestRingStreamBytes(t *testing.T) {
	f := newFake(t, streamGeom(dirToHost, 1))
	var buf [5000]byte
	for i := 0; i < 300; i++ {
		part := bytes.Repeat([]byte{byte(i)}, 1+i*97%4096)
		f.put(f.sent, part)
		f.sent += uint64(len(part))
		f.notify(f.sent, uint32(i), stateOpen)
		for got := 0; got < len(part); {
			n, err := f.r.readSome(buf[:1+i*31%5000])
			if err != nil || !bytes.Equal(buf[:n], part[got:][:n]) {
				t.Fatalf("part %d: %d bytes, %v", i, n, err)
			}
			got += n
		}
		if _, err := f.r.readSome(buf[:]); err != errAgain {
			t.Fatal(err)
		}
	}
	if f.ctl[1] != f.sent {
		t.Fatalf("%d was given back of %d", f.ctl[1], f.sent)
	}
	f.r.peerSeq = 77 // the count of records is what it arms with
	f.bells[bellArm] = 0
	f.r.arm()
	if f.ctl[2]>>32&armSeqMask != 77 {
		t.Fatalf("armed for %#x", f.ctl[2]>>32)
	}
}

func TestRingStreamElements(t *testing.T) {
	f := newFake(t, streamGeom(dirToHost, 48)) // not a divisor of the ring
	f.put(0, make([]byte, 480))
	f.notify(480, 10, stateOpen)
	var buf [200]byte
	_, err := f.r.readSome(buf[:47])
	f.wants(err, syscall.EMSGSIZE)
	if n, err := f.r.readSome(buf[:]); n != 192 || err != nil {
		t.Fatal(n, err)
	}
	all, err := f.r.peek()
	if len(all) != 288 || err != nil {
		t.Fatal(len(all), err)
	}
	f.r.take(len(all))
	if f.r.borrowed != 6 {
		t.Fatalf("%d borrowed", f.r.borrowed)
	}
	f.notify(500, 11, stateOpen)
	_, err = f.r.peek()
	f.wants(err, syscall.EIO) // half an element

	f = newFake(t, streamGeom(dirToNFP, 64))
	f.wants(f.r.sendable(65), syscall.EMSGSIZE)
	n, err := f.r.putSome(make([]byte, 6400))
	if n != 4096 || err != nil {
		t.Fatal(n, err)
	}
	if _, err := f.r.putSome(make([]byte, 64)); err != errAgain {
		t.Fatal(err)
	}
	f.notify(64, 1, stateOpen)
	if n, err := f.r.putSome(make([]byte, 128)); n != 64 || err != nil {
		t.Fatal(n, err)
	}
}

// For any data of the card, the ring code neither panics nor accesses memory outside the ring.
func TestRingRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	for i := 0; i < 20000; i++ {
		g := messageGeom(dirToHost)
		if i%3 == 1 {
			g = streamGeom(dirToHost, 1)
		} else if i%3 == 2 {
			g = streamGeom(dirToHost, 48)
		}
		f := newFake(t, g)
		rnd.Read(f.data)
		f.header(0, uint32(rnd.Intn(600)), 1)
		f.header(f.r.room(uint64(rnd.Intn(520))), uint32(rnd.Intn(600)), 2)
		for j := 0; j < 4; j++ {
			f.notify(uint64(rnd.Intn(600))*8, rnd.Uint32(), uint32(rnd.Intn(40)/10))
			for {
				data, err := f.r.peek()
				if err != nil {
					break
				}
				f.r.take(len(data))
				if rnd.Intn(2) == 0 {
					f.header(f.r.released, uint32(rnd.Intn(600)), 1)
					f.r.release(uint64(rnd.Intn(3)))
				}
			}
		}
	}
}

func TestRingGeometry(t *testing.T) {
	for what, change := range map[string]func(*uapiLayout){
		"kind":             func(g *uapiLayout) { g.kind = 3 },
		"direction":        func(g *uapiLayout) { g.dir = 3 },
		"small ring":       func(g *uapiLayout) { g.ringSize = 2048 },
		"odd ring":         func(g *uapiLayout) { g.ringSize = 5000 },
		"unit of 4 bytes":  func(g *uapiLayout) { g.unitShift = 2 },
		"unit of 8 KiB":    func(g *uapiLayout) { g.unitShift = 13 },
		"limit > ring":     func(g *uapiLayout) { g.limit = 4104 },
		"limit < message":  func(g *uapiLayout) { g.limit = 512 },
		"message of 4 GB":  func(g *uapiLayout) { g.maxSize = 1<<32 - 1 },
		"element != max":   func(g *uapiLayout) { g.elemSize = 8 },
		"stream, no depth": func(g *uapiLayout) { g.kind, g.elemSize, g.depth = kindStream, 512, 0 },
		"stream, no elem":  func(g *uapiLayout) { g.kind = kindStream },
	} {
		g := messageGeom(dirToHost)
		if err := checkGeom("fake", &g); err != nil {
			t.Fatal(err)
		}
		change(&g)
		if err := checkGeom("fake", &g); !errors.Is(err, syscall.EINVAL) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A call that does not wait must not overtake a call that has queued, even if it
// waited for the lock first: the queued call may hold a message for a bridge.
func TestRingTurn(t *testing.T) {
	f := newFake(t, messageGeom(dirToHost))
	c := &Chan{r: f.r}
	started, ended := make(chan struct{}), make(chan error)
	const lookers = 64
	c.mu.Lock()
	for i := 0; i < lookers; i++ {
		go func() {
			started <- struct{}{}
			ended <- c.doNow(func(*ring) error { return nil })
		}()
	}
	for i := 0; i < lookers; i++ {
		<-started
	}
	for i := 0; i < 10*lookers; i++ {
		runtime.Gosched()
	}
	c.queued.Add(1)
	c.mu.Unlock()
	for i := 0; i < lookers; i++ {
		if err := <-ended; err != errAgain {
			t.Errorf("the call has looked at the ring: %v", err)
		}
	}
}

// handOut has an Out take a message while another sender has the turn, and then
// cancels the Out. The caller gives the turn back.
func handOut(t *testing.T, msg []byte) (*fake, *Chan, *Out) {
	t.Helper()
	f := newFake(t, messageGeom(dirToNFP))
	c := &Chan{name: "fake", layout: f.g, r: f.r, turn: make(chan struct{}, 1),
		wake: make(chan struct{}, 1), closing: make(chan struct{}), event: os.Stderr}
	out, err := c.Out()
	if err != nil {
		t.Fatal(err)
	}
	for taken := false; !taken; {
		if c.enterNow() {
			select {
			case out.C <- msg:
				taken = true
			default: // the bridge has not seen yet that there is room
				c.leave()
			}
		}
		runtime.Gosched()
	}
	out.cancel()
	for i := 0; i < 1000; i++ {
		runtime.Gosched()
	}
	return f, c, out
}

// An Out sends the message that it has taken, even if it is closed.
func TestRingOutSendsWhatItTook(t *testing.T) {
	for i := 0; i < 20; i++ {
		msg := []byte("accepted")
		f, c, out := handOut(t, msg)
		c.leave()
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		if f.r.pos != f.r.room(uint64(len(msg))) || !bytes.Equal(f.ring[8:8+len(msg)], msg) {
			t.Fatalf("%d: the ring is at %d, with %q", i, f.r.pos, f.ring[8:8+len(msg)])
		}
	}
}

// If the message cannot be sent, Close returns the reason.
func TestRingOutSaysWhatItLost(t *testing.T) {
	f, c, out := handOut(t, []byte("accepted"))
	f.notify(0, 0, stateEPIPE)
	c.leave()
	f.wants(out.Close(), syscall.EPIPE)
}
