// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"syscall"
	"time"
)

// Values of uapi/nfpchan/nfp_chan_frames.h
const (
	framesElem    = 16
	framesPorts   = 2
	framesSnapMax = 65535
	framesInsns   = 256

	framesFrame  = 1
	framesDrops  = 2
	framesStart  = 3
	framesTotals = 4

	framesOpStart = 1
	framesOpStop  = 3

	framesBuf = 4 * (framesSnapMax + 1)
)

// BPFInstruction is an instruction of classic BPF, as RawInstruction of
// golang.org/x/net/bpf.
type BPFInstruction struct {
	Op     uint16
	Jt, Jf uint8
	K      uint32
}

// FramesOptions are the options of Card.Frames.
type FramesOptions struct {
	Ports  uint8            // bit mask of wire ports; 0: all
	Snap   uint32           // bytes of each frame at most; 0: 65535
	Sample uint32           // one in so many; 0: all
	Filter []BPFInstruction // run by the card; none: all frames
}

// CaptureInfo describes a frame. It has the fields of CaptureInfo of package
// gopacket, so that gopacket.CaptureInfo(ci) converts it.
type CaptureInfo struct {
	Timestamp      time.Time
	CaptureLength  int
	Length         int
	InterfaceIndex int // wire port
	AncillaryData  []interface{}
}

// PortTotals is what became of the frames of a wire port.
type PortTotals struct {
	Seen     uint64 // received by the port
	Accepted uint64 // let pass by filter, ports and sampling
	Copied   uint64 // of these: read by the host
	Dropped  uint64 // of these: lost for lack of room in the ring
	Lost     uint64 // lost by the port
}

// Frames is a capture of frames of the wire ports. One goroutine at a time may
// use it. For package gopacket:
//
//	type source struct{ *nfpchan.Frames }
//
//	func (s source) ReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
//		data, ci, err := s.Frames.ReadPacketData()
//		return data, gopacket.CaptureInfo(ci), err
//	}
type Frames struct {
	ctx     context.Context
	in, ctl *Chan
	stream  *Stream
	token   uint64
	buf     []byte // what was read
	left    []byte // the part of buf that was not handed out
	dropped uint64
}

type framesHdr struct {
	Kind, Port uint8
	Caplen     uint16
	Len        uint32
	NS         uint64
}

type framesReq struct {
	Op, Snap, Sample uint32
	Ports, Rsvd      uint8
	Insns            uint16
	Token            uint64
}

var framesWhy = [...]string{
	1: "the request is not valid",
	2: "no instruction of classic BPF",
	3: "the jump leaves the program",
	4: "the scratch memory has cells 0 to 15",
	5: "division by 0, or a shift by more than 31 bits",
	6: "an offset that only Linux has",
	7: "the last instruction is no return",
}

// Frames begins a capture of frames. Netdevs get their frames meanwhile, too.
// The calls of the capture wait until ctx ends. EBUSY: another capture runs.
// EINVAL: the card refuses the options or the filter.
func (c *Card) Frames(ctx context.Context, opts *FramesOptions) (*Frames, error) {
	f := &Frames{ctx: ctx, buf: make([]byte, framesBuf)}
	var err error
	if f.ctl, err = c.Channel("frames-ctl", nil); err != nil {
		return nil, err
	}
	if f.in, err = c.Channel("frames", nil); err != nil {
		f.ctl.Close()
		return nil, err
	}
	if opts == nil {
		opts = &FramesOptions{}
	}
	if f.stream, err = f.in.Stream(ctx); err == nil {
		err = f.start(*opts)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (f *Frames) ask(req framesReq, filter []BPFInstruction) error {
	var token [8]byte
	if _, err := rand.Read(token[:]); err != nil {
		return err
	}
	f.token = binary.LittleEndian.Uint64(token[:])
	req.Token = f.token
	req.Insns = uint16(len(filter))
	var msg bytes.Buffer
	binary.Write(&msg, binary.LittleEndian, req)
	binary.Write(&msg, binary.LittleEndian, filter)
	return f.ctl.Send(f.ctx, msg.Bytes())
}

func (f *Frames) start(opts FramesOptions) error {
	if len(opts.Filter) > framesInsns {
		return fail(f.in.name, syscall.EINVAL, "a filter of %d instructions, the card takes %d",
			len(opts.Filter), framesInsns)
	}
	req := framesReq{Op: framesOpStart, Snap: opts.Snap, Sample: opts.Sample, Ports: opts.Ports}
	if req.Snap == 0 {
		req.Snap = framesSnapMax
	}
	if req.Sample == 0 {
		req.Sample = 1
	}
	if req.Ports == 0 {
		req.Ports = 1<<framesPorts - 1
	}
	if err := f.ask(req, opts.Filter); err != nil {
		return err
	}
	return f.sync()
}

// sync skips what the card has made for an earlier host, up to the answer to the
// request.
func (f *Frames) sync() error {
	for {
		for len(f.left) < framesElem {
			if err := f.more(); err != nil {
				return err
			}
		}
		hdr := header(f.left)
		f.left = f.left[framesElem:]
		if hdr.Kind != framesStart || hdr.Caplen != 0 || hdr.NS != f.token {
			continue
		}
		if hdr.Port == 0 {
			return nil
		}
		why := "unknown reason"
		if int(hdr.Port) < len(framesWhy) {
			why = framesWhy[hdr.Port]
		}
		return fail(f.in.name, syscall.EINVAL, "the card refuses instruction %d of the filter: %s",
			hdr.Len, why)
	}
}

func header(b []byte) framesHdr {
	return framesHdr{b[0], b[1], binary.LittleEndian.Uint16(b[2:]), binary.LittleEndian.Uint32(b[4:]),
		binary.LittleEndian.Uint64(b[8:])}
}

// more moves what is left to the front of the buffer, and reads what has come.
func (f *Frames) more() error {
	n := copy(f.buf, f.left)
	got, err := f.stream.Read(f.buf[n:])
	f.left = f.buf[:n+got]
	return err
}

// record returns the next record. Its data is valid until the next call.
func (f *Frames) record() (framesHdr, []byte, error) {
	for {
		if len(f.left) >= framesElem {
			hdr := header(f.left)
			size := (framesElem + int(hdr.Caplen) + framesElem - 1) &^ (framesElem - 1)
			if size <= len(f.left) {
				data := f.left[framesElem : framesElem+int(hdr.Caplen)]
				f.left = f.left[size:]
				return hdr, data, nil
			}
		}
		if err := f.more(); err != nil {
			return framesHdr{}, nil, err
		}
	}
}

// ZeroCopyReadPacketData waits for the next frame. The data is valid until the
// next call. io.EOF: the ME process has ended.
func (f *Frames) ZeroCopyReadPacketData() (data []byte, ci CaptureInfo, err error) {
	for {
		hdr, data, err := f.record()
		if err != nil {
			return nil, ci, err
		}
		switch hdr.Kind {
		case framesDrops:
			f.dropped += uint64(hdr.Len)
		case framesFrame:
			return data, CaptureInfo{
				Timestamp:      time.Unix(0, int64(hdr.NS)),
				CaptureLength:  len(data),
				Length:         int(hdr.Len),
				InterfaceIndex: int(hdr.Port),
			}, nil
		}
	}
}

// ReadPacketData waits for the next frame. io.EOF: the ME process has ended.
func (f *Frames) ReadPacketData() (data []byte, ci CaptureInfo, err error) {
	data, ci, err = f.ZeroCopyReadPacketData()
	return append([]byte(nil), data...), ci, err
}

// Dropped returns how many frames are missing, for lack of room in the ring,
// before the frame that was read last.
func (f *Frames) Dropped() uint64 { return f.dropped }

// Stop ends the capture. Frames that were not read are dropped, and not counted
// in Dropped. Totals are those of each wire port.
func (f *Frames) Stop() (totals [framesPorts]PortTotals, err error) {
	if err = f.ask(framesReq{Op: framesOpStop}, nil); err != nil {
		return totals, err
	}
	for {
		hdr, data, err := f.record()
		if err != nil {
			return totals, err
		}
		if hdr.Kind == framesTotals && hdr.NS == f.token {
			return totals, binary.Read(bytes.NewReader(data), binary.LittleEndian, &totals)
		}
	}
}

// Close closes the channels. The card stops copying frames.
func (f *Frames) Close() error {
	f.ctl.Close()
	return f.in.Close()
}
