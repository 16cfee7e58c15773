// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"nfp-chan/nfpchan"
)

// These tests need a card with the test processes of selftests/fw/apps. selftests/lib/languages.t
// runs them in the VM. Elsewhere they are skipped.

var bg = context.Background()

// unsure is how long a test waits for something that must not happen.
const unsure = 100 * time.Millisecond

func within(d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(bg, d)
	context.AfterFunc(ctx, cancel)
	return ctx
}

func testCard(t *testing.T) *nfpchan.Card {
	t.Helper()
	if os.Getenv("NFPCHAN_TEST_CARD") == "" {
		t.Skip("NFPCHAN_TEST_CARD is not set: no card")
	}
	card, err := nfpchan.Open("")
	must(t, err)
	t.Cleanup(func() { card.Close() })
	return card
}

func channel(t *testing.T, card *nfpchan.Card, name string) *nfpchan.Chan {
	t.Helper()
	c, err := card.Channel(name, nil)
	must(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func pair(t *testing.T, in, out string) (*nfpchan.Card, *nfpchan.Chan, *nfpchan.Chan) {
	t.Helper()
	card := testCard(t)
	return card, channel(t, card, in), channel(t, card, out)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wants(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
}

// late checks that the deadline of ctx has ended the call that what names.
func late(t *testing.T, ctx context.Context, err error, what string) {
	t.Helper()
	wants(t, err, context.DeadlineExceeded)
	deadline, _ := ctx.Deadline()
	by := deadline.Format("2006-01-02T15:04:05.000Z07:00")
	if want := fmt.Sprintf("nfpchan: %s not done by %s: context deadline exceeded", what, by); err.Error() != want {
		t.Fatalf("%q, want %q", err, want)
	}
	if !os.IsTimeout(err) {
		t.Fatalf("%v is no timeout", err)
	}
}

func send(t *testing.T, c *nfpchan.Chan, msg string) {
	t.Helper()
	must(t, c.Send(bg, []byte(msg)))
}

func recv(t *testing.T, c *nfpchan.Chan, want string) {
	t.Helper()
	got, err := c.Recv(bg)
	if err != nil || string(got) != want {
		t.Fatalf("received %.40q, %v, want %.40q", got, err, want)
	}
}

func TestCard(t *testing.T) {
	card := testCard(t)
	info, err := card.Info()
	must(t, err)
	all, err := card.Channels()
	must(t, err)
	if info.PCI == "" || info.Firmware == "" || len(all) != info.Channels || info.PipesUsed != 0 {
		t.Fatalf("%+v, %d channels", info, len(all))
	}
	q, err := card.Query("rv-in")
	if err != nil || q != all[q.ID] || q.Depth != 0 || q.ToHost || q.MaxSize != 256 {
		t.Fatalf("%+v, %v", q, err)
	}
	_, err = card.Query("nobody")
	wants(t, err, syscall.ENOENT)
	_, err = card.Channel("nobody", nil)
	wants(t, err, syscall.ENOENT)
	_, err = card.Channel("a name that is longer than any that there is", nil)
	wants(t, err, syscall.EINVAL)
	_, err = card.Channel("echo-in", &nfpchan.Options{RingSize: 5000})
	wants(t, err, syscall.EINVAL)
	_, err = nfpchan.Open("77")
	wants(t, err, syscall.ENODEV)
	_, err = nfpchan.Open("eth0")
	wants(t, err, syscall.EINVAL)
	other, err := nfpchan.Open(info.PCI)
	must(t, err)
	other.Close()
	_, err = other.Info()
	wants(t, err, os.ErrClosed)
	wants(t, card.Signal("echo-in"), syscall.EOPNOTSUPP)
}

func TestMessages(t *testing.T) {
	_, tx, rx := pair(t, "echo-in", "echo-out")
	buf := make([]byte, rx.MaxSize())
	for i := 0; i < 300; i++ {
		msg := bytes.Repeat([]byte{byte(i)}, i*29%2049)
		must(t, tx.Send(bg, msg))
		n, err := rx.RecvInto(bg, buf)
		if err != nil || !bytes.Equal(buf[:n], msg) {
			t.Fatalf("message %d: %d bytes, %v", i, n, err)
		}
	}
	_, err := rx.TryRecv()
	wants(t, err, syscall.EAGAIN)
	wants(t, tx.Send(bg, make([]byte, 2049)), syscall.EMSGSIZE)
	wants(t, rx.Send(bg, nil), syscall.EBADF)
	_, err = tx.Recv(bg)
	wants(t, err, syscall.EBADF)
	_, err = rx.Stream(bg)
	wants(t, err, syscall.EINVAL)

	must(t, tx.TrySend([]byte("four")))
	_, err = rx.RecvInto(bg, buf[:3])
	wants(t, err, syscall.EMSGSIZE)
	recv(t, rx, "four")
}

func TestInPlace(t *testing.T) {
	_, tx, rx := pair(t, "echo-in", "echo-out")
	for i := 0; i < 5; i++ {
		send(t, tx, fmt.Sprint("message ", i))
	}
	for i := 0; i < 5; i++ {
		msg, err := rx.Borrow(bg)
		if err != nil || string(msg) != fmt.Sprint("message ", i) {
			t.Fatalf("%q, %v", msg, err)
		}
	}
	_, err := rx.Recv(bg)
	wants(t, err, syscall.EBUSY)
	wants(t, rx.Release(6), syscall.EINVAL)
	wants(t, rx.Release(-1), syscall.EINVAL)
	must(t, rx.Release(2))
	must(t, rx.Release(3))
	send(t, tx, "and on")
	recv(t, rx, "and on")
}

func TestFullAndDrain(t *testing.T) {
	card, tx, rx := pair(t, "echo-in", "echo-out")
	before, err := card.Query("echo-in")
	must(t, err)
	// 16 messages fit echo-out, the process holds one, and 16 fit echo-in.
	msg := make([]byte, tx.MaxSize())
	sent := uint64(0)
	ctx := within(unsure)
	for err = nil; err == nil; {
		ctx = within(unsure)
		if err = tx.Send(ctx, msg); err == nil {
			sent++
		}
	}
	late(t, ctx, err, "echo-in: send")
	wants(t, tx.TrySend(msg), syscall.EAGAIN)
	ctx = within(unsure)
	late(t, ctx, tx.Drain(ctx), "echo-in: drain")
	if sent < 33 {
		t.Fatalf("only %d messages fit", sent)
	}
	drained := make(chan error)
	go func() { drained <- tx.Drain(bg) }()
	for i := uint64(0); i < sent; i++ {
		if _, err := rx.Recv(bg); err != nil {
			t.Fatal(err)
		}
	}
	must(t, <-drained)
	after, err := card.Query("echo-in")
	if err != nil || after.Msgs-before.Msgs != sent {
		t.Fatalf("%d sent, %d taken, %v", sent, after.Msgs-before.Msgs, err)
	}
}

// Each wait ends by its own context, and the call that waits longest is served first.
func TestWaiters(t *testing.T) {
	_, tx, rx := pair(t, "echo-in", "echo-out")
	type result struct {
		msg []byte
		err error
	}
	first := make(chan result)
	go func() {
		msg, err := rx.Recv(bg)
		first <- result{msg, err}
	}()
	ctx := within(unsure)
	_, err := rx.Recv(ctx) // the first call goes on waiting
	late(t, ctx, err, "echo-out: receive")
	ctx, cancel := context.WithCancel(bg)
	cancel()
	_, err = rx.Recv(ctx)
	wants(t, err, context.Canceled)
	send(t, tx, "at last")
	if r := <-first; r.err != nil || string(r.msg) != "at last" {
		t.Fatalf("%q, %v", r.msg, r.err)
	}
}

func TestManyGoroutines(t *testing.T) {
	const senders, receivers, each = 40, 30, 60
	_, tx, rx := pair(t, "echo-in", "echo-out")
	seen := make([]uint32, senders*each)
	ctx, cancel := context.WithCancel(bg)
	var wg, all sync.WaitGroup
	var mu sync.Mutex
	all.Add(senders * each)
	for i := 0; i < senders; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := 0; j < each; j++ {
				msg := binary.LittleEndian.AppendUint32(nil, uint32(i*each+j))
				if err := tx.Send(ctx, append(msg, make([]byte, j)...)); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	for i := 0; i < receivers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				msg, err := rx.Recv(ctx)
				if err != nil {
					if err != context.Canceled {
						t.Error(err)
					}
					return
				}
				n := binary.LittleEndian.Uint32(msg)
				if len(msg) != 4+int(n%each) {
					t.Errorf("message %d has %d bytes", n, len(msg))
				}
				mu.Lock()
				seen[n]++
				mu.Unlock()
				all.Done()
			}
		}()
	}
	all.Wait()
	cancel()
	wg.Wait()
	for n, count := range seen {
		if count != 1 {
			t.Fatalf("message %d came %d times", n, count)
		}
	}
}

func TestRendezvous(t *testing.T) {
	_, tx, rx := pair(t, "rv-in", "rv-out")
	send(t, tx, "one") // the process has it, and waits for this test to receive it
	ctx := within(unsure)
	late(t, ctx, tx.Send(ctx, []byte("two")), "rv-in: send")
	wants(t, tx.TrySend([]byte("two")), syscall.EAGAIN)
	recv(t, rx, "one")
	send(t, tx, "three")
	recv(t, rx, "three") // the send that timed out was not delivered
	_, err := rx.TryRecv()
	wants(t, err, syscall.EAGAIN)
}

// The sender on the card goes on only after a goroutine has received the message.
func TestInIsExact(t *testing.T) {
	_, tx, rx := pair(t, "rv-in", "rv-out")
	in, err := rx.In()
	must(t, err)
	send(t, tx, "one")
	wants(t, tx.Send(within(unsure), []byte("two")), context.DeadlineExceeded)
	if msg := <-in.C; string(msg) != "one" {
		t.Fatalf("%q", msg)
	}
	send(t, tx, "three")
	if msg := <-in.C; string(msg) != "three" {
		t.Fatalf("%q", msg)
	}
	send(t, tx, "four")
	must(t, in.Close())
	if _, open := <-in.C; open {
		t.Fatal("a message after Close")
	}
	recv(t, rx, "four") // no goroutine had received it
	_, err = rx.Out()
	wants(t, err, syscall.EBADF)
}

func TestOutIsExact(t *testing.T) {
	_, tx, rx := pair(t, "rv-in", "rv-out")
	out, err := tx.Out()
	must(t, err)
	out.C <- []byte("one")
	must(t, <-out.Taken)
	out.C <- []byte("two")
	select {
	case err := <-out.Taken:
		t.Fatalf("taken while the process waits to send: %v", err)
	case <-time.After(unsure):
	}
	recv(t, rx, "one")
	must(t, <-out.Taken)
	out.C <- make([]byte, 300)
	wants(t, <-out.Taken, syscall.EMSGSIZE)
	out.C <- []byte("three") // not taken: the process still holds two
	must(t, out.Close())
	wants(t, <-out.Taken, context.Canceled)
	recv(t, rx, "two")
	send(t, tx, "four")
	recv(t, rx, "four")
	_, err = tx.In()
	wants(t, err, syscall.EBADF)
}

// An offer in a select is taken, or it is not.
func TestOffer(t *testing.T) {
	_, tx, rx := pair(t, "rv-in", "rv-out")
	o := tx.Offer([]byte("one"))
	<-o.Done
	must(t, o.Err())
	must(t, o.Withdraw()) // too late
	o = tx.Offer([]byte("two"))
	select {
	case <-o.Done:
		t.Fatalf("taken while the process waits to send: %v", o.Err())
	case <-time.After(unsure):
		wants(t, o.Withdraw(), context.Canceled)
	}
	recv(t, rx, "one")
	o = tx.Offer([]byte("three"))
	recv(t, rx, "three")
	must(t, o.Err())
}

// Buffered channels bridged to Go channels, in one select.
func TestBridges(t *testing.T) {
	card, tx, rx := pair(t, "echo-in", "echo-out")
	tick := channel(t, card, "tick")
	out, err := tx.Out()
	must(t, err)
	in, err := rx.In()
	must(t, err)
	ticks, err := tick.In()
	must(t, err)
	sent, got, ticked := 0, 0, 0
	must(t, tick.Signal())
	for got < 100 || ticked == 0 {
		to := out.C
		if sent == 100 {
			to = nil
		}
		select {
		case to <- []byte(fmt.Sprint(sent)):
			sent++
		case msg := <-in.C:
			if string(msg) != fmt.Sprint(got) {
				t.Fatalf("%q, want %d", msg, got)
			}
			got++
		case msg := <-ticks.C:
			ticked += len(msg) / 8
		}
	}
	close(out.C)
	<-out.Done()
	must(t, out.Err())
	must(t, in.Close())
	out, err = tx.Out()
	must(t, err)
	out.C <- make([]byte, 2049)
	<-out.Done()
	wants(t, out.Err(), syscall.EMSGSIZE)
	must(t, ticks.Close())
}

func pattern(n int) []byte {
	p := make([]byte, n)
	x := uint32(1)
	for i := range p {
		x = x*1664525 + 1013904223
		p[i] = byte(x >> 24)
	}
	return p
}

func loop(t *testing.T, in, out string, read func(r io.Reader, want int) []byte) {
	_, tx, rx := pair(t, in, out)
	defer tx.Close() // only one end of a stream may be open
	defer rx.Close()
	w, err := tx.Stream(bg)
	must(t, err)
	r, err := rx.Stream(bg)
	must(t, err)
	want := pattern(1 << 20)
	written := make(chan error)
	go func() {
		_, err := w.Write(want)
		written <- err
	}()
	if got := read(r, len(want)); !bytes.Equal(got, want) {
		t.Fatal("not what was written")
	}
	must(t, <-written)
	_, err = w.Read(make([]byte, 64))
	wants(t, err, syscall.EBADF)
	_, err = r.Write(make([]byte, 64))
	wants(t, err, syscall.EBADF)
	_, err = rx.Recv(bg)
	wants(t, err, syscall.EINVAL)
}

func TestStream(t *testing.T) {
	loop(t, "loop-in", "loop-out", func(r io.Reader, want int) []byte {
		all := make([]byte, want)
		_, err := io.ReadFull(r, all)
		must(t, err)
		return all
	})
}

func TestStreamElements(t *testing.T) {
	loop(t, "loop64-in", "loop64-out", func(r io.Reader, want int) []byte {
		_, err := r.Read(make([]byte, 63))
		wants(t, err, syscall.EMSGSIZE)
		all, buf := make([]byte, 0, want), make([]byte, 1000)
		for len(all) < want {
			n, err := r.Read(buf)
			must(t, err)
			if n%64 != 0 {
				t.Fatalf("%d bytes", n)
			}
			all = append(all, buf[:n]...)
		}
		return all
	})
	_, tx, _ := pair(t, "loop64-in", "loop64-out")
	w, err := tx.Stream(bg)
	must(t, err)
	_, err = w.Write(make([]byte, 100))
	wants(t, err, syscall.EMSGSIZE)
}

// limited takes want bytes, then fails.
type limited struct {
	bytes.Buffer
	want int
}

var errEnough = errors.New("enough")

func (l *limited) Write(p []byte) (int, error) {
	n, _ := l.Buffer.Write(p)
	if l.Len() >= l.want {
		return n, errEnough
	}
	return n, nil
}

func TestStreamInPlace(t *testing.T) {
	loop(t, "loop-in", "loop-out", func(r io.Reader, want int) []byte {
		l := &limited{want: want}
		_, err := io.Copy(l, r)
		wants(t, err, errEnough)
		return l.Bytes()
	})
	_, tx, rx := pair(t, "loop-in", "loop-out")
	w, err := tx.Stream(bg)
	must(t, err)
	_, err = w.Write([]byte("0123456789"))
	must(t, err)
	var have []byte
	for len(have) < 10 {
		data, err := rx.Borrow(bg)
		must(t, err)
		have = append(have, data...)
	}
	must(t, rx.Release(3))
	must(t, rx.Release(7))
	if string(have) != "0123456789" {
		t.Fatalf("%q", have)
	}
}

func TestClose(t *testing.T) {
	card, tx, rx := pair(t, "rv-in", "rv-out")
	send(t, tx, "one")
	other := channel(t, card, "rv-in")
	errs := make(chan error)
	go func() { errs <- other.Send(bg, []byte("two")) }()
	go func() { errs <- other.Send(bg, []byte("two")) }()
	idle := channel(t, card, "echo-out")
	go func() {
		_, err := idle.Recv(bg)
		errs <- err
	}()
	must(t, other.Close())
	must(t, idle.Close())
	for i := 0; i < 3; i++ {
		wants(t, <-errs, os.ErrClosed)
	}
	wants(t, idle.Close(), os.ErrClosed)
	_, err := idle.TryRecv()
	wants(t, err, os.ErrClosed)
	recv(t, rx, "one")
	send(t, tx, "three")
	recv(t, rx, "three")
}

// A linked channel fails with EISCONN, and the card counts what the link carries.
func TestLink(t *testing.T) {
	card, tx, mid := pair(t, "rv-in", "rv-out")
	to, rx := channel(t, card, "echo-in"), channel(t, card, "echo-out")
	waited := make(chan error)
	go func() {
		_, err := mid.Recv(bg)
		waited <- err
	}()
	link, err := mid.Link(to, &nfpchan.LinkOptions{Value: []byte("ab"), Header: []byte("8 bytes "),
		StateOffset: 4, StateLen: 4, StateStep: 1})
	must(t, err)
	wants(t, <-waited, syscall.EISCONN)
	wants(t, to.Send(bg, nil), syscall.EISCONN)
	_, err = mid.Link(to, nil)
	wants(t, err, syscall.EISCONN)
	send(t, tx, "abc")
	recv(t, rx, "8 bytes abc")
	send(t, tx, "abc")
	recv(t, rx, "8 byues abc") // the state begins with the t of bytes, and has 1 added
	stats, err := link.Stats()
	if want := (nfpchan.LinkStats{Up: true, Via: "card", Msgs: 2, Bytes: 6}); err != nil || stats != want {
		t.Fatalf("%+v, %v, want %+v", stats, err, want)
	}
	must(t, link.Close())
	wants(t, link.Close(), os.ErrClosed)
	send(t, tx, "abd")
	recv(t, mid, "abd")
	_, err = tx.Link(mid, nil)
	wants(t, err, syscall.EBADF)
	_, err = mid.Link(to, &nfpchan.LinkOptions{Value: make([]byte, 9)})
	wants(t, err, syscall.EINVAL)
	link, err = mid.Link(nil, nil)
	must(t, err)
	send(t, tx, "nobody")
	send(t, tx, "nobody") // so the first one was taken and dropped
	if stats, err = link.Stats(); err != nil || stats.Dropped == 0 {
		t.Fatalf("%+v, %v", stats, err)
	}
	must(t, mid.Close())
	if stats, err = link.Stats(); err != nil || stats.Up {
		t.Fatalf("%+v, %v", stats, err)
	}
	must(t, link.Close())
}

func TestCloseWaitsForWrite(t *testing.T) {
	_, tx, rx := pair(t, "loop-in", "loop-out")
	w, err := tx.Stream(bg)
	must(t, err)
	_, err = w.Write([]byte("0123456789"))
	must(t, err)
	s, err := rx.Stream(bg)
	must(t, err)
	there, here := io.Pipe()
	go func() {
		_, err := io.Copy(here, s)
		here.CloseWithError(err)
	}()
	have := make([]byte, 1)
	_, err = io.ReadFull(there, have)
	must(t, err)
	closed := make(chan error)
	go func() { closed <- rx.Close() }()
	select {
	case <-closed:
		t.Fatal("closed in the midst of a Write")
	case <-time.After(unsure):
	}
	// Read one part of the stream: this Write need not have more.
	n, err := there.Read(make([]byte, 10))
	if n == 0 {
		t.Fatal(err)
	}
	for err == nil {
		_, err = there.Read(make([]byte, 10))
	}
	wants(t, err, os.ErrClosed)
	must(t, <-closed)
}

// The process of "once" ends after its first message, which one of its receivers
// gets. The caller of this test signals the process after the line "waiting".
func TestEnd(t *testing.T) {
	if os.Getenv("NFPCHAN_TEST_END") == "" {
		t.Skip("NFPCHAN_TEST_END is not set: nobody will signal the process")
	}
	card := testCard(t)
	once := channel(t, card, "once")
	in, err := once.In()
	must(t, err)
	fmt.Println("waiting for the process to end")
	n := 0
	for msg := range in.C {
		n += len(msg)
	}
	fmt.Println("received", n)
	wants(t, in.Err(), syscall.EPIPE)
	_, err = once.Recv(bg)
	wants(t, err, syscall.EPIPE)
	_, err = card.Channel("once", nil)
	wants(t, err, syscall.EPIPE)
}

// The card goes while calls wait. The caller of this test unbinds the driver after
// the line "waiting". It is the last of all tests.
func TestGone(t *testing.T) {
	if os.Getenv("NFPCHAN_TEST_GONE") == "" {
		t.Skip("NFPCHAN_TEST_GONE is not set: nobody will unbind the card")
	}
	card, tx, rx := pair(t, "rv-in", "echo-out")
	send(t, tx, "one") // stays in the process: nobody receives it
	errs := make(chan error)
	go func() { errs <- tx.Send(bg, []byte("two")) }()
	go func() {
		_, err := rx.Recv(bg)
		errs <- err
	}()
	stream := channel(t, card, "loop-out")
	s, err := stream.Stream(bg)
	must(t, err)
	go func() {
		_, err := s.Read(make([]byte, 10))
		errs <- err
	}()
	in, err := channel(t, card, "load").In()
	must(t, err)
	fmt.Println("waiting for the card to go")
	for i := 0; i < 3; i++ {
		wants(t, <-errs, syscall.ENODEV)
	}
	if _, open := <-in.C; open {
		t.Fatal("a message from nowhere")
	}
	wants(t, in.Err(), syscall.ENODEV)
	_, err = card.Info()
	wants(t, err, syscall.ENODEV)
	must(t, rx.Close())
}
