// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
)

// What a message of 64 bytes costs to receive, from a channel, whose ring the benchmark has
// filled as the card does, and from a channel of Go. All are filled ahead, so no call waits.
const benchCount = 1024

// benchRing is an open channel without a card: the benchmark plays the card.
func benchRing(b testing.TB) *fake {
	g := uapiLayout{dir: dirToHost, kind: kindMessage, maxSize: 2048, depth: 1024,
		ringSize: 1 << 18, unitShift: 3, limit: 1 << 18}
	f := newFake(b, g)
	f.ch = &Chan{name: "bench", layout: g, fd: -1, turn: make(chan struct{}, 1),
		wake: make(chan struct{}, 1), closing: make(chan struct{}), r: f.r}
	return f
}

// fill writes messages of 64 bytes to where the host reads them, and a record that shows them.
func (f *fake) fill(count int) {
	for range count {
		f.seq++
		to := f.ring[f.sent%uint64(f.g.ringSize):]
		binary.LittleEndian.PutUint32(to, 64)
		binary.LittleEndian.PutUint32(to[4:], uint32(uint16(f.seq)))
		f.sent += 72
	}
	f.tell()
}

// benchWay is a way to receive, and what a message has cost at best.
type benchWay struct {
	key     string
	fill    func()
	receive func() []byte
	best    time.Duration
}

func (w *benchWay) measure(t *testing.T) {
	w.fill()
	start := time.Now()
	for range benchCount {
		if len(w.receive()) != 64 {
			t.Fatalf("%s: not a message of 64 bytes", w.key)
		}
	}
	if took := time.Since(start); w.best == 0 || took < w.best {
		w.best = took
	}
}

// TestBench prints nanoseconds for a message. NFPCHAN_BENCH is the seconds of a measurement.
func TestBench(t *testing.T) {
	seconds, err := strconv.ParseFloat(os.Getenv("NFPCHAN_BENCH"), 64)
	if err != nil {
		t.Skip("NFPCHAN_BENCH is no number of seconds")
	}
	f, ctx, c := benchRing(t), context.Background(), make(chan []byte, benchCount)
	into := make([]byte, 64)
	must := func(msg []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return msg
	}
	fill := func() { f.fill(benchCount) }
	ways := []*benchWay{
		{key: "go_recv_ns", fill: fill, receive: func() []byte { return must(f.ch.Recv(ctx)) }},
		{key: "go_recv_into_ns", fill: fill, receive: func() []byte {
			n, err := f.ch.RecvInto(ctx, into)
			return must(into[:n], err)
		}},
		{key: "go_chan_ns", receive: func() []byte { return <-c }, fill: func() {
			for range benchCount {
				c <- make([]byte, 64)
			}
		}},
	}
	// In turn, so that a machine that becomes slow is as slow for all of them
	end := time.Now().Add(time.Duration(6 * seconds * float64(len(ways)) * float64(time.Second)))
	for time.Now().Before(end) {
		for _, w := range ways {
			w.measure(t)
		}
	}
	for _, w := range ways {
		fmt.Printf("%s %.1f\n", w.key, float64(w.best.Nanoseconds())/benchCount)
	}
}
