// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

// Example: print the records of the card's flow meter, and its totals once the
// wire is quiet, as `nfpchan flows` does. With -flush, also print the flows that
// are still in the table.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand"
	"net/netip"
	"os"
	"os/signal"

	"nfp-chan/nfpchan"
)

// The messages of nfpchan/nfp_chan_flow.h. All fields are little endian, except
// ports and addresses.
const (
	typeRecord = 1
	typeTotals = 2
	opFlush    = 1
	opTotals   = 2
	noVLAN     = 0xffff
)

type record struct {
	Type, Reason, Family, Proto uint8
	Sport, Dport                [2]byte
	VLAN, VLANInner             uint16
	TCPFlags, Port              uint8
	_                           [2]uint8
	Src, Dst                    [16]byte
	Packets, Bytes              uint64
	FirstNS, LastNS             uint64
}

type totals struct {
	Type                         uint8
	_                            [3]uint8
	Token                        uint32
	Packets, Bytes, Records      uint64
	NotIP, Truncated, Malformed  uint64
	Dropped, Seen, ActiveInTable uint64
}

type request struct {
	Op, QuietUS, Token, _ uint32
}

// decode is false if the message does not have the size of v.
func decode(msg []byte, v any) bool {
	if len(msg) != binary.Size(v) {
		return false
	}
	return binary.Read(bytes.NewReader(msg), binary.LittleEndian, v) == nil
}

func encode(v any) []byte {
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, v)
	return b.Bytes()
}

var protocols = map[uint8]string{1: "icmp", 2: "igmp", 6: "tcp", 17: "udp", 47: "gre",
	50: "esp", 58: "icmpv6", 89: "ospf", 132: "sctp"}

var reasons = [...]string{1: "fin", "rst", "idle", "evict", "flush", "active"}

func end(f *record, addr [16]byte, port [2]byte) string {
	a := netip.AddrFrom16(addr)
	if f.Family == 4 {
		a = netip.AddrFrom4([4]byte(addr[:4]))
	}
	if f.Proto != 6 && f.Proto != 17 {
		return a.String()
	}
	return netip.AddrPortFrom(a, binary.BigEndian.Uint16(port[:])).String()
}

func (f *record) String() string {
	proto := protocols[f.Proto]
	if proto == "" {
		proto = fmt.Sprint(f.Proto)
	}
	s := fmt.Sprintf("%-7s%s > %s", proto, end(f, f.Src, f.Sport), end(f, f.Dst, f.Dport))
	if f.Proto == 1 || f.Proto == 58 {
		s += fmt.Sprintf(" type %d code %d", f.Sport[0], f.Sport[1])
	}
	if f.VLAN != noVLAN {
		s += fmt.Sprintf(" vlan %d", f.VLAN)
	}
	if f.VLANInner != noVLAN {
		s += fmt.Sprintf(".%d", f.VLANInner)
	}
	us := (f.LastNS - f.FirstNS) / 1000
	return s + fmt.Sprintf("  packets %d bytes %d ms %d.%03d %s", f.Packets, f.Bytes,
		us/1000, us%1000, reasons[f.Reason])
}

func (t *totals) print() {
	fmt.Println()
	for _, row := range []struct {
		name  string
		value uint64
	}{
		{"packets in flows", t.Packets}, {"  bytes", t.Bytes}, {"  records", t.Records},
		{"  flows still in table", t.ActiveInTable}, {"not IP", t.NotIP},
		{"truncated", t.Truncated}, {"malformed", t.Malformed}, {"dropped", t.Dropped},
		{"seen at the wire", t.Seen},
	} {
		fmt.Printf("%-24s%12d\n", row.name, row.value)
	}
}

// sum is what was received so far.
type sum struct{ records, packets, bytes uint64 }

func (s *sum) got(msg []byte) error {
	var f record
	if !decode(msg, &f) || f.Type != typeRecord || f.Family != 4 && f.Family != 6 ||
		f.Reason < 1 || int(f.Reason) >= len(reasons) {
		return fmt.Errorf("a flow record makes no sense (%d bytes)", len(msg))
	}
	s.records++
	s.packets += f.Packets
	s.bytes += f.Bytes
	fmt.Println(&f)
	return nil
}

// check compares the records with the totals. before is what had been received
// when the first totals, base, came.
func (s *sum) check(before sum, base, last *totals) error {
	switch {
	case last.Packets+last.NotIP+last.Truncated+last.Malformed+last.Dropped != last.Seen:
		return fmt.Errorf("the totals do not add up to the %d packets seen", last.Seen)
	case s.records-before.records != last.Records-base.Records:
		return fmt.Errorf("%d records came, the totals say %d", s.records-before.records,
			last.Records-base.Records)
	case before.records != base.Records || last.ActiveInTable != 0:
		return nil // an earlier reader has some records, or flows are in the table
	case s.packets != last.Packets || s.bytes != last.Bytes:
		return fmt.Errorf("%d packets, %d bytes in the records, the totals say %d, %d",
			s.packets, s.bytes, last.Packets, last.Bytes)
	}
	return nil
}

func run(flush bool, quietMS uint) error {
	card, err := nfpchan.Open("")
	if err != nil {
		return err
	}
	defer card.Close()
	ctl, err := card.Channel("flow-ctl", nil)
	if err != nil {
		return err
	}
	defer ctl.Close()
	// Replay may start with the first receiver, so open this channel last.
	flows, err := card.Channel("flows", nil)
	if err != nil {
		return err
	}
	defer flows.Close()
	in, err := flows.In()
	if err != nil {
		return err
	}
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)

	token := rand.Uint32()
	base := request{Op: opTotals, Token: token}
	last := request{Op: opTotals, QuietUS: uint32(quietMS) * 1000, Token: token + 1}
	if flush {
		last.Op = opFlush
	}
	// The meter takes no request while it waits for room in "flows": send and receive together.
	asked := ctl.Offer(encode(&base))
	var all, before sum
	var first totals
	for {
		select {
		case msg, more := <-in.C:
			var t totals
			switch {
			case !more:
				return in.Err()
			case msg[0] != typeTotals:
				if err := all.got(msg); err != nil {
					return err
				}
			case !decode(msg, &t):
				return fmt.Errorf("totals of %d bytes make no sense", len(msg))
			case t.Token == base.Token:
				if err := asked.Err(); err != nil {
					return err
				}
				first, before = t, all
				asked = ctl.Offer(encode(&last))
			case t.Token == last.Token: // another token answers an earlier reader
				t.print()
				return all.check(before, &first, &t)
			}
		case <-interrupt:
			return fmt.Errorf("ended before the totals came")
		}
	}
}

func main() {
	flush := flag.Bool("flush", false, "report the flows that are still in the table")
	quiet := flag.Uint("quiet", 200, "how long no packet comes at the end, `ms`")
	flag.Parse()
	if err := run(*flush, min(*quiet, 4000000)); err != nil {
		fmt.Fprintln(os.Stderr, "flows:", err)
		os.Exit(1)
	}
}
