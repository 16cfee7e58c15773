// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"nfp-chan/nfpchan"
)

// These tests need a cable between the ports of the card: selftests/tool/frames.t.

func cable(t *testing.T) (*nfpchan.Card, *nfpchan.Chan) {
	t.Helper()
	if os.Getenv("NFPCHAN_TEST_CABLE") == "" {
		t.Skip("NFPCHAN_TEST_CABLE is not set: no cable between the ports")
	}
	card := testCard(t)
	return card, channel(t, card, "wire")
}

func frame(n int) []byte {
	return bytes.Repeat([]byte{byte(n), byte(n >> 8), 3}, 20+n%400)
}

func TestFrames(t *testing.T) {
	card, wire := cable(t)
	frames, err := card.Frames(within(time.Minute), &nfpchan.FramesOptions{Ports: 2})
	must(t, err)
	defer frames.Close()
	for n := 0; n < 500; n++ {
		must(t, wire.Send(bg, frame(n)))
	}
	var before time.Time
	for n := 0; n < 500; n++ {
		want := frame(n)
		data, ci, err := frames.ReadPacketData()
		must(t, err)
		if !bytes.Equal(data, want) || ci.Length != len(want) || ci.CaptureLength != len(want) ||
			ci.InterfaceIndex != 1 || ci.Timestamp.Before(before) {
			t.Fatalf("frame %d: %d bytes, %+v", n, len(data), ci)
		}
		before = ci.Timestamp
	}
	totals, err := frames.Stop()
	must(t, err)
	want := nfpchan.PortTotals{Seen: 500, Accepted: 500, Copied: 500}
	if totals[1] != want || frames.Dropped() != 0 {
		t.Fatalf("totals %+v, %d dropped", totals, frames.Dropped())
	}
}

// The filter of "ether[0] = 7", and a snap length
func TestFramesFilter(t *testing.T) {
	card, wire := cable(t)
	frames, err := card.Frames(within(time.Minute), &nfpchan.FramesOptions{
		Snap: 5,
		Filter: []nfpchan.BPFInstruction{
			{Op: 0x30, K: 0}, {Op: 0x15, Jt: 0, Jf: 1, K: 7}, {Op: 6, K: 65535}, {Op: 6}},
	})
	must(t, err)
	defer frames.Close()
	for n := 0; n < 600; n++ {
		must(t, wire.Send(bg, frame(n)))
	}
	for n := 7; n < 600; n += 256 {
		data, ci, err := frames.ZeroCopyReadPacketData()
		must(t, err)
		if !bytes.Equal(data, frame(n)[:5]) || ci.Length != len(frame(n)) {
			t.Fatalf("frame %d: %x, %+v", n, data, ci)
		}
	}
	_, err = card.Frames(bg, nil)
	wants(t, err, syscall.EBUSY)
}

func TestFramesRefused(t *testing.T) {
	card, _ := cable(t)
	_, err := card.Frames(bg, &nfpchan.FramesOptions{
		Filter: []nfpchan.BPFInstruction{{Op: 0x60, K: 16}, {Op: 6}}})
	wants(t, err, syscall.EINVAL)
	if text := "instruction 0 of the filter: the scratch memory"; !strings.Contains(fmt.Sprint(err), text) {
		t.Fatalf("%v has no %q", err, text)
	}
	frames, err := card.Frames(bg, nil)
	must(t, err)
	frames.Close()
}
