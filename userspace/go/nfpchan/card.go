// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

const devPrefix = "/dev/nfp_chan"

// Card is an open card.
type Card struct {
	path string
	mu   sync.RWMutex // held for reading by calls, so that Close waits for them
	fd   int
}

// CardInfo describes a card and its firmware.
type CardInfo struct {
	PCI       string // PCI function, 0000:01:00.0
	Firmware  string
	Version   string
	Channels  int // channels in the firmware's table
	Pipes     int // pipes that may be open at a time
	PipesUsed int
	MHz       int    // clock of the microengines
	BootID    uint32 // changes with each start of the firmware
}

// ChanInfo describes a channel, and has its counters.
type ChanInfo struct {
	Name     string
	ID       int
	ToHost   bool
	Stream   bool
	ElemSize int // 0: messages vary in size
	MaxSize  int
	Depth    int // 0: rendezvous
	Pipes    int // pipes that are open now
	Msgs     uint64
	Bytes    uint64
	Dropped  uint64
	Stalled  uint64
	IRQs     uint64
	Signals  uint64
}

// Open opens a card. Its name is "0" (the N of /dev/nfp_chanN), a path,
// "0000:01:00.0" (the PCI function), or "" for the card with the lowest number.
// The card is opened for reading and writing, or for what the permissions
// allow, which limits the channels that can be opened.
func Open(name string) (*Card, error) {
	switch {
	case name == "":
		if nodes := cardNodes(); len(nodes) != 0 {
			return openNode(nodes[0])
		}
		return nil, fail(devPrefix+"*", syscall.ENODEV, "no card (is nfp_chan.ko loaded?)")
	case strings.HasPrefix(name, "/"):
		return openNode(name)
	case strings.HasPrefix(name, "bpf:"):
		return nil, fail(name, syscall.EOPNOTSUPP,
			"channels by bpf(2) are package libnfpchan's, which has the C library do it")
	case strings.Contains(name, ":"):
		return openPCI(name)
	}
	if _, err := strconv.ParseUint(name, 10, 31); err != nil {
		return nil, fail(name, syscall.EINVAL,
			"neither a number, a PCI function nor a path of a card")
	}
	return openNode(devPrefix + name)
}

// cardNodes are the device nodes in the order of their numbers.
func cardNodes() []string {
	all, _ := filepath.Glob(devPrefix + "[0-9]*")
	sort.Slice(all, func(i, j int) bool {
		if len(all[i]) != len(all[j]) {
			return len(all[i]) < len(all[j])
		}
		return all[i] < all[j]
	})
	return all
}

func openNode(path string) (*Card, error) {
	var err error
	for _, mode := range []int{syscall.O_RDWR, syscall.O_RDONLY, syscall.O_WRONLY} {
		var fd int
		fd, err = syscall.Open(path, mode|syscall.O_CLOEXEC, 0)
		if err == nil {
			c := &Card{path: path, fd: fd}
			if _, err = c.Info(); err != nil {
				c.Close()
				return nil, err
			}
			return c, nil
		}
		if err != syscall.EACCES {
			break
		}
	}
	if err == syscall.ENOENT {
		return nil, fail(path, syscall.ENODEV, "no such card (is nfp_chan.ko loaded?)")
	}
	return nil, sysFail(path, "", err)
}

func openPCI(pci string) (*Card, error) {
	why := fail(pci, syscall.ENODEV, "no such card (is nfp_chan.ko loaded?)")
	for _, path := range cardNodes() {
		c, err := openNode(path)
		if err != nil {
			why = err
			continue
		}
		if info, err := c.Info(); err == nil && info.PCI == pci {
			return c, nil
		}
		c.Close()
	}
	return nil, why
}

// Close closes the card. Channels that were opened on it stay open.
func (c *Card) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fd < 0 {
		return closedError(c.path)
	}
	syscall.Close(c.fd)
	c.fd = -1
	return nil
}

// cardCall makes an ioctl of the card. name is the subject of errors.
func cardCall[T any](c *Card, name string, cmd uintptr, arg *T) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.fd < 0 {
		return closedError(c.path)
	}
	err := ioctl(c.fd, cmd, arg)
	switch err {
	case nil:
		return nil
	case syscall.ENOTTY:
		return fail(name, syscall.ENOTTY, "not a device of nfp_chan.ko")
	case syscall.ENOENT:
		return fail(name, syscall.ENOENT, "no such channel in the firmware's table")
	case syscall.EBUSY:
		return fail(name, syscall.EBUSY, "the channel is exclusive, and open already")
	case syscall.ENOSPC:
		return fail(name, syscall.ENOSPC,
			"all pipes or all interrupt vectors of the card are in use")
	case syscall.EDQUOT:
		return fail(name, syscall.EDQUOT,
			"this user has half of the card's pipes, which is the most that one may have")
	case syscall.ENOMEM:
		return fail(name, syscall.ENOMEM, "out of memory, or beyond RLIMIT_MEMLOCK")
	case syscall.EACCES:
		return fail(name, syscall.EACCES, "%s is not open for this direction", c.path)
	case syscall.EPROTOTYPE:
		return fail(name, syscall.EPROTOTYPE, "it leads to the NFP; only a channel to the host is opened for a link")
	case syscall.EOPNOTSUPP:
		return fail(name, syscall.EOPNOTSUPP, "its ME process takes no signals")
	}
	return sysFail(name, "", err)
}

// Info describes the card.
func (c *Card) Info() (CardInfo, error) {
	var i uapiInfo
	if err := cardCall(c, c.path, iocInfo, &i); err != nil {
		return CardInfo{}, err
	}
	return CardInfo{
		PCI: cString(i.pci[:]), Firmware: cString(i.fwName[:]), Version: cString(i.fwVersion[:]),
		Channels: int(i.chanCount), Pipes: int(i.pipeCount), PipesUsed: int(i.pipeUsed),
		MHz: int(i.meMHz), BootID: i.bootID,
	}, nil
}

func (c *Card) query(name string, q *uapiQuery) (ChanInfo, error) {
	if err := cardCall(c, name, iocQuery, q); err != nil {
		return ChanInfo{}, err
	}
	return ChanInfo{
		Name: cString(q.name[:]), ID: int(q.id),
		ToHost: q.dir == dirToHost, Stream: q.kind == kindStream,
		ElemSize: int(q.elemSize), MaxSize: int(q.maxSize), Depth: int(q.depth),
		Pipes: int(q.pipes), Msgs: q.msgs, Bytes: q.bytes, Dropped: q.dropped,
		Stalled: q.stalled, IRQs: q.irqs, Signals: q.signals,
	}, nil
}

// Query describes a channel. It reads the counters from the card, which takes
// microseconds.
func (c *Card) Query(name string) (ChanInfo, error) {
	var q uapiQuery
	if err := putName(&q.name, name); err != nil {
		return ChanInfo{}, err
	}
	return c.query(name, &q)
}

// Channels describes all channels of the firmware's table.
func (c *Card) Channels() ([]ChanInfo, error) {
	info, err := c.Info()
	if err != nil {
		return nil, err
	}
	all := make([]ChanInfo, info.Channels)
	for i := range all {
		q := uapiQuery{flags: queryByID, id: uint32(i)}
		if all[i], err = c.query("channel "+strconv.Itoa(i), &q); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Signal sets the signal of a channel's ME process. The channel need not be
// open. Signals that come before the process looks count as one.
func (c *Card) Signal(name string) error {
	var s uapiSignal
	if err := putName(&s.name, name); err != nil {
		return err
	}
	return cardCall(c, name, iocSignal, &s)
}
