// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"sync"
	"syscall"
)

// Link has the card carry what comes on one channel to another: no message crosses PCIe.
type Link struct {
	mu   sync.Mutex
	fd   int
	ends []*Chan
	name string
}

// LinkOptions say which messages a link takes, and what it makes of them; the zero value is
// all, as they are.
type LinkOptions struct {
	// The link takes the messages that have Value at byte Offset, in the bits of Mask;
	// at most 8 bytes. Mask is nil for all bits. Other messages go to the channel's other
	// ends.
	Offset      int
	Value, Mask []byte
	// Header is put in front of each message: up to 64 bytes, a multiple of 4.
	Header []byte
	// StateLen bytes at StateOffset of Header, 4 or 8, are a number, the least significant
	// byte first, of the first message. The card adds StateStep behind each. 0 for none.
	StateOffset, StateLen int
	StateStep             uint32
	// Between two cards: by a ring in host memory, even if the one card could write into the
	// other's.
	Stage bool
}

// linkVia is how a link goes, by NFP_CHAN_LINK_ONCARD and those behind it.
var linkVia = [...]string{"card", "push", "staging"}

// LinkStats is what a link has carried.
type LinkStats struct {
	Up      bool   // false: an end was closed, or the card is gone
	Ended   bool   // an ME process has ended
	Via     string // "card", "push" or "staging"
	Msgs    uint64
	Bytes   uint64
	Dropped uint64
	Stalled uint64
}

var linkText = map[syscall.Errno]string{
	syscall.EBADF: "a link leads from a channel to the host to one to the NFP",
	syscall.EINVAL: "a link compares at most 8 " +
		"bytes, which a message has, and puts whole words in front, 64 bytes at most, and counts in " +
		"4 or 8 of these, at a multiple of 4, by steps that are not 0",
	syscall.EHOSTUNREACH: "the two cards do not reach each other; the kernel's log says how that was found",
	syscall.ERANGE:       "one card's registers are beyond the addresses that the other can write to",
	syscall.EISCONN:      "one of the two channels is in a link already",
	syscall.EBUSY: "one of the two channels shares its ring with a third; or, of two cards, the " +
		"first was opened without Link, or the second has carried something",
	syscall.EPROTOTYPE: "a stream cannot be linked with a channel of messages",
	syscall.EMSGSIZE:   "messages of the one need not fit the other",
	syscall.EPIPE:      "one of the two ME processes has ended",
	syscall.EOPNOTSUPP: "the card's firmware has no links, or no state for them",
	syscall.ENODEV:     "the card is gone",
}

func linkFail(name string, err error) error {
	if code, ok := err.(syscall.Errno); ok && linkText[code] != "" {
		return fail(name, code, "%s", linkText[code])
	}
	return sysFail(name, "link", err)
}

// request is what the options come to.
func (o *LinkOptions) request(req *uapiLink) bool {
	if o == nil {
		return true
	}
	mask := o.Mask
	if mask == nil {
		mask = []byte{255, 255, 255, 255, 255, 255, 255, 255}[:min(len(o.Value), 8)]
	}
	if len(o.Value) > 8 || len(mask) != len(o.Value) || len(o.Header) > 64 ||
		o.Offset < 0 || o.Offset > 1<<30 ||
		o.StateOffset < 0 || o.StateOffset > 64 || o.StateLen < 0 || o.StateLen > 8 {
		return false
	}
	req.matchLen, req.matchOff = uint8(len(o.Value)), uint32(o.Offset)
	copy(req.matchMask[:], mask)
	copy(req.matchValue[:], o.Value)
	req.stateOff, req.stateLen = uint8(o.StateOffset), uint8(o.StateLen)
	req.stateStep = o.StateStep
	if o.Stage {
		req.flags = linkStage
	}
	req.hdrLen = uint8(copy(req.hdr[:], o.Header))
	return true
}

// Link has the card carry what the ME process behind c, a channel to the host, sends to
// the one behind to, a channel to the NFP; with nil the messages are
// dropped, and counted. Calls that move data on the two fail with EISCONN for as long as the
// link lasts, those that wait as well: until its Close, or that of either channel. If the two are
// of two cards, c is to be opened for a link alone, and both are off when the link has ended.
func (c *Chan) Link(to *Chan, opts *LinkOptions) (*Link, error) {
	l := &Link{ends: []*Chan{c}, name: c.name + " -> nothing"}
	req := uapiLink{toFd: -1, fd: -1}
	if to != nil {
		l = &Link{ends: []*Chan{c, to}, name: c.name + " -> " + to.name}
		req.toFd = int32(to.fd)
	}
	if !c.ToHost() || to != nil && to.ToHost() {
		return nil, linkFail(l.name, syscall.EBADF)
	}
	if !opts.request(&req) {
		return nil, linkFail(l.name, syscall.EINVAL)
	}
	for _, end := range l.ends {
		end.mu.Lock()
		defer end.mu.Unlock()
		if end.closed {
			return nil, closedError(end.name)
		}
		if end.link != nil {
			return nil, linkFail(l.name, syscall.EISCONN)
		}
	}
	if err := ioctl(c.fd, iocLink, &req); err != nil {
		return nil, linkFail(l.name, err)
	}
	l.fd = int(req.fd)
	for _, end := range l.ends {
		end.link = l
	}
	return l, nil
}

// release makes its ends what they were before.
func (l *Link) release() {
	for _, end := range l.ends {
		end.mu.Lock()
		if end.link == l {
			end.link = nil
		}
		end.mu.Unlock()
	}
}

// Stats is what the link has carried; of one that is down, the last.
func (l *Link) Stats() (LinkStats, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var s uapiLinkStat
	if l.fd < 0 {
		return LinkStats{}, closedError(l.name)
	}
	if err := ioctl(l.fd, iocLinkStat, &s); err != nil {
		return LinkStats{}, sysFail(l.name, "link", err)
	}
	return LinkStats{
		Up: s.state != linkDown, Ended: s.state == linkEnded, Via: linkVia[s.via%uint32(len(linkVia))],
		Msgs: s.msgs, Bytes: s.bytes, Dropped: s.dropped, Stalled: s.stalled,
	}, nil
}

// Close takes the link down. Messages on their way have come when it returns.
func (l *Link) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fd < 0 {
		return closedError(l.name)
	}
	err := syscall.Close(l.fd)
	l.fd = -1
	l.release()
	return err
}
