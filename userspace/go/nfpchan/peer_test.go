// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan_test

import (
	"os"
	"strconv"
	"syscall"
	"testing"

	"nfp-chan/nfpchan"
)

// peer sends messages to a process of card a, whose answers card a writes to a process of card b.
func peer(t *testing.T, a, b *nfpchan.Card, stage bool, via string) {
	const count = 100
	tx, to, rx := channel(t, a, "echo-in"), channel(t, b, "echo-in"), channel(t, b, "echo-out")
	mid, err := a.Channel("echo-out", &nfpchan.Options{Link: true})
	must(t, err)
	defer mid.Close()
	link, err := mid.Link(to, &nfpchan.LinkOptions{Value: []byte("no. "),
		Header: []byte("by card "), Stage: stage})
	must(t, err)
	for i := range count {
		send(t, tx, "no. "+strconv.Itoa(i))
		recv(t, rx, "by card no. "+strconv.Itoa(i))
	}
	stats, err := link.Stats()
	if stats.Bytes = 0; err != nil || stats != (nfpchan.LinkStats{Up: true, Via: via, Msgs: count}) {
		t.Fatalf("%+v, %v", stats, err)
	}
	must(t, link.Close())
	wants(t, to.Send(bg, nil), syscall.EIO)
}

func TestPeer(t *testing.T) {
	if os.Getenv("NFPCHAN_TEST_CARDS") != "2" {
		t.Skip("NFPCHAN_TEST_CARDS is not 2: needs two cards")
	}
	a := testCard(t)
	b, err := nfpchan.Open("1")
	must(t, err)
	t.Cleanup(func() { b.Close() })
	t.Run("push", func(t *testing.T) { peer(t, a, b, false, "push") })
	t.Run("staging", func(t *testing.T) { peer(t, a, b, true, "staging") })
}
