// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"bytes"
	"sync"
	"syscall"
)

// Link is a link: the card carries the messages of one channel to another, so
// that no message crosses PCIe.
type Link struct {
	mu   sync.Mutex
	fd   int
	ends []*Chan
	name string
}

// LinkOptions say which messages a link takes, and what the card puts in front
// of them. With the zero value the link takes all messages, unchanged.
type LinkOptions struct {
	// The link takes the messages that have Value at byte Offset, in the bits of
	// Mask; up to 8 bytes. A nil Mask means all bits. Other messages go to the
	// channel's other open ends.
	Offset      int
	Value, Mask []byte
	// The card puts Header in front of each message: up to 64 bytes, a multiple of 4.
	Header []byte
	// StateLen bytes (4 or 8) at StateOffset of Header are a little-endian number.
	// The first message has it as given; the card adds StateStep after each
	// message. A StateLen of 0 means that there is no such number.
	StateOffset, StateLen int
	StateStep             uint32
	// Stage: between two cards, messages pass through a ring in host memory, even if
	// one card could write to the other.
	Stage bool
}

// linkVia names the path of a link, by NFP_CHAN_LINK_ONCARD, _PUSHED and _STAGED.
var linkVia = [...]string{"card", "push", "staging"}

// LinkStats are the state and the counters of a link.
type LinkStats struct {
	Up      bool   // false: a channel was closed, or the card is gone
	Ended   bool   // an ME process has ended, or a pipe is off
	Via     string // "card", "push" or "staging"
	Msgs    uint64
	Bytes   uint64
	Dropped uint64
	Stalled uint64
}

var linkText = map[syscall.Errno]string{
	syscall.EBADF: "a link needs a channel to the host, and then a channel to the NFP",
	syscall.EINVAL: "link options: at most 8 bytes to compare, within a message; at most 64 " +
		"bytes of header, a multiple of 4; a state of 4 or 8 bytes at a multiple of 4 of the header, " +
		"with a step that is not 0",
	syscall.EPERM:        "a link between two cards needs CAP_SYS_RAWIO: each card will write to the other",
	syscall.EHOSTUNREACH: "the two cards cannot write to each other; the kernel's log has what was tried",
	syscall.ERANGE:       "one card's registers are beyond the addresses that the other can write to",
	syscall.EISCONN:      "one of the two channels is in a link already",
	syscall.EBUSY: "one of the two channels shares its ring; or, with two cards, the " +
		"first was opened without Link, or the second has carried something",
	syscall.EPROTOTYPE: "a stream cannot be linked with a channel of messages",
	syscall.EMSGSIZE:   "the second channel does not take messages as long as the first can send",
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

// first is the address of bytes for the kernel; nil if there are none.
func first(b []byte) *byte {
	if len(b) == 0 {
		return nil
	}
	return &b[0]
}

// request converts the options. false: they are out of range.
func (o *LinkOptions) request(req *uapiLink) bool {
	mask := o.Mask
	if mask == nil {
		mask = bytes.Repeat([]byte{255}, len(o.Value))
	}
	for _, n := range []int{o.Offset, o.StateOffset, o.StateLen, len(o.Value), len(o.Header)} {
		if n < 0 || n > 1<<30 {
			return false
		}
	}
	if len(mask) != len(o.Value) {
		return false
	}
	req.matchLen, req.matchOff = uint32(len(o.Value)), uint32(o.Offset)
	req.mask, req.value = first(mask), first(o.Value)
	req.hdrLen, req.hdr = uint32(len(o.Header)), first(o.Header)
	if o.StateOffset != 0 || o.StateLen != 0 || o.StateStep != 0 {
		req.ops, req.opCount = &uapiLinkOp{op: linkAdd, off: uint32(o.StateOffset),
			len: uint32(o.StateLen), arg: uint64(o.StateStep)}, 1
	}
	return true
}

// linkCall makes LINK, or, if the channels are of two cards, PEER.
func linkCall(fd int, req *uapiLink, stage bool) error {
	if !stage {
		if err := ioctl(fd, iocLink, req); err != syscall.EXDEV {
			return err
		}
	} else {
		req.flags = peerStage
	}
	err := ioctl(fd, iocPeer, req)
	if err == syscall.EXDEV {
		return syscall.EINVAL // within a card no ring is in host memory
	}
	return err
}

// Link has the card carry the messages that the ME process of c, a channel to the
// host, sends to the ME process of to, a channel to the NFP. With a nil to the card
// drops and counts the messages. While the link lasts, calls that move data on the
// two channels fail with EISCONN, also calls that wait. The link lasts until its
// Close, or the Close of either channel. If the channels are of two cards, the link
// needs CAP_SYS_RAWIO, c must have been opened with Options.Link, and both channels
// are off after the link.
func (c *Chan) Link(to *Chan, opts *LinkOptions) (*Link, error) {
	if opts == nil {
		opts = &LinkOptions{}
	}
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
	if err := linkCall(c.fd, &req, opts.Stage); err != nil {
		return nil, linkFail(l.name, err)
	}
	l.fd = int(req.fd)
	for _, end := range l.ends {
		end.link = l
		end.r.forget()
		end.r.publish()
	}
	return l, nil
}

// release takes the link out of its channels.
func (l *Link) release() {
	for _, end := range l.ends {
		end.mu.Lock()
		if end.link == l {
			end.link = nil
		}
		end.mu.Unlock()
	}
}

// Stats returns the counters of the link; those of a link that is down are final.
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

// Close ends the link. Messages that were on their way have arrived when it returns.
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
