// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package libnfpchan

// #cgo LDFLAGS: -lnfpchan
// #include <stdlib.h>
// #include <nfpchan.h>
import "C"

import (
	"sync"
	"syscall"
	"unsafe"
)

const textLen = 256

// Error is a failure of the library.
type Error struct {
	Errno syscall.Errno
	Text  string
}

func (e *Error) Error() string { return e.Text }

// Unwrap makes errors.Is(err, syscall.EAGAIN) work.
func (e *Error) Unwrap() error { return e.Errno }

// failure makes an error of a call's result and of the text that the call left.
func failure(ret C.int, text func(*C.char, C.size_t)) error {
	var buf [textLen]C.char
	errno := syscall.Errno(-ret)
	text(&buf[0], textLen)
	if buf[0] == 0 {
		return &Error{errno, errno.Error()}
	}
	return &Error{errno, C.GoString(&buf[0])}
}

// Card is an open card. Its calls may be made from any number of goroutines.
type Card struct {
	mu sync.RWMutex // held for reading by calls, so that Close waits for them
	c  *C.struct_nfpchan_card
}

// ChanInfo describes a channel, and has its counters.
type ChanInfo struct {
	Name     string
	ID       int
	ToHost   bool
	ElemSize int // 0: messages vary in size
	MaxSize  int
	Depth    int
	Pipes    int // pipes that are open now
	Msgs     uint64
	Bytes    uint64
	Dropped  uint64
	Repeated uint64 // times that a program without a delete took a message again
}

// Open opens a card by a name that the C library knows, such as "bpf:eth0", "0" or "".
func Open(name string) (*Card, error) {
	var buf [textLen]C.char
	card := &Card{}
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	ret := C.nfpchan_card_open(&card.c, cname, &buf[0], textLen)
	if ret != 0 {
		return nil, &Error{syscall.Errno(-ret), C.GoString(&buf[0])}
	}
	return card, nil
}

// Close closes the card. Channels that were opened on it stay open.
func (c *Card) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	C.nfpchan_card_close(c.c)
	c.c = nil
}

// use calls fn with the card, unless it is closed, and makes an error of its result.
func (c *Card) use(fn func(*C.struct_nfpchan_card) C.int) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.c == nil {
		return &Error{syscall.EBADF, "the card is closed"}
	}
	if ret := fn(c.c); ret != 0 {
		return failure(ret, func(buf *C.char, n C.size_t) { C.nfpchan_card_error(c.c, buf, n) })
	}
	return nil
}

func chanInfo(q *C.struct_nfp_chan_query) ChanInfo {
	return ChanInfo{
		Name: C.GoString((*C.char)(unsafe.Pointer(&q.name[0]))), ID: int(q.id),
		ToHost: q.dir == C.NFP_CHAN_TO_HOST, ElemSize: int(q.elem_size),
		MaxSize: int(q.max_size), Depth: int(q.depth), Pipes: int(q.pipes),
		Msgs: uint64(q.msgs), Bytes: uint64(q.bytes), Dropped: uint64(q.dropped),
	}
}

// chanInfo makes the description of a channel of the properties that the C library has told.
func (c *Card) chanInfo(q *C.struct_nfp_chan_query) (ChanInfo, error) {
	var repeated C.uint64_t
	err := c.use(func(card *C.struct_nfpchan_card) C.int {
		return min(C.nfpchan_repeats(card, (*C.char)(unsafe.Pointer(&q.name[0])), &repeated), 0)
	})
	info := chanInfo(q)
	info.Repeated = uint64(repeated)
	return info, err
}

// Query describes a channel.
func (c *Card) Query(name string) (ChanInfo, error) {
	var q C.struct_nfp_chan_query
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	err := c.use(func(card *C.struct_nfpchan_card) C.int { return C.nfpchan_query(card, cname, &q) })
	if err != nil {
		return ChanInfo{}, err
	}
	return c.chanInfo(&q)
}

// Channels describes all channels of the card.
func (c *Card) Channels() ([]ChanInfo, error) {
	var info C.struct_nfp_chan_info
	err := c.use(func(card *C.struct_nfpchan_card) C.int { return C.nfpchan_card_info(card, &info) })
	var all []ChanInfo
	for id := C.uint32_t(0); err == nil && id < info.chan_count; id++ {
		var q C.struct_nfp_chan_query
		err = c.use(func(card *C.struct_nfpchan_card) C.int {
			return C.nfpchan_query_id(card, id, &q)
		})
		if err == nil {
			var one ChanInfo
			one, err = c.chanInfo(&q)
			all = append(all, one)
		}
	}
	return all, err
}
