// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

import (
	"syscall"
	"unsafe"
)

// This file has the definitions of the headers nfp_chan*.h of uapi/nfpchan.

const (
	nameLen = 32 // with its NUL

	dirToHost = 1
	dirToNFP  = 2

	kindMessage = 1
	kindStream  = 2

	stateOpen  = 0
	stateEPIPE = 1
	stateFault = 2
	stateGone  = 3

	hdrSize    = 8
	armSeqMask = 0xffff
	armToggle  = 0x20000
	qcPtrMask  = 0x3ffff

	queryByID  = 0x1
	openMapped = 0x4
	openLink   = 0x8
)

type uapiInfo struct {
	size, flags        uint32
	abiMajor, abiMinor uint16
	chanCount          uint32
	pipeCount          uint32
	pipeUsed           uint32
	meMHz              uint32
	bootID             uint32
	features           uint64
	dmaBytes           uint64
	heldBytes          uint64
	pci                [32]byte
	fwName             [32]byte
	fwVersion          [32]byte
}

type uapiQuery struct {
	size, flags        uint32
	name               [nameLen]byte
	id, dir, chanFlags uint32
	elemSize, maxSize  uint32
	depth, pipes       uint32
	island, me, ctx    uint8
	kind               uint8
	msgs, bytes        uint64
	dropped, stalled   uint64
	irqs, signals      uint64
	irqCount, irqUsecs uint32
}

type uapiOpen struct {
	size, flags uint32
	name        [nameLen]byte
	ringSize    uint32
	fd          int32
	irqCount    uint32
	irqUsecs    uint32
	ringFd      int32
	portFd      int32
	cookie      uint64
}

type uapiSignal struct {
	size, flags uint32
	name        [nameLen]byte
}

type uapiLayout struct {
	size, flags              uint32
	id, dir                  uint32
	elemSize, maxSize, depth uint32
	ringSize                 uint32
	unitShift                uint32
	limit                    uint32
	ringOff, noteOff         uint64
	ctlOff, dbOff            uint64
	dbData, dbArm            uint32
	pageSize                 uint32
	kind                     uint32
	inlineOff                uint64
	inlineSize, signalDb     uint32
	signalDbOff              uint64
	dbMap                    uint32
	_                        uint32
}

// uapiCtl is the control page, which the kernel reads in poll() and ARM.
type uapiCtl struct {
	pos, rung uint64
	seq, arm  uint32
	_         [2]uint32
}

type uapiEventfd struct {
	size, flags uint32
	fd          int32
	_           uint32
}

type uapiArm struct {
	size, flags uint32
	seq, events uint32
}

type uapiKick struct {
	size, flags uint32
	units       uint32
	_           uint32
}

type uapiCancel struct {
	size, flags uint32
	seq         uint32
	_           uint32
}

type uapiLink struct {
	size, flags uint32
	toFd, fd    int32
	hdr         *byte
	mask, value *byte
	ops         *uapiLinkOp
	hdrLen      uint32
	matchOff    uint32
	matchLen    uint32
	opCount     uint32
}

type uapiLinkOp struct {
	op, off, len uint32
	_            uint32
	arg          uint64
}

type uapiLinkStat struct {
	size, flags      uint32
	state, via       uint32
	from, to         [nameLen]byte
	msgs, bytes      uint64
	dropped, stalled uint64
}

const (
	linkDown  = 0
	linkEnded = 2
	linkAdd   = 1
	peerStage = 1
	armSeq    = 1
)

// _IO(): the number does not contain the size of the struct, whose first field it is.
const iocType = 0xe1 << 8

const (
	iocInfo     = iocType | 0x00
	iocQuery    = iocType | 0x01
	iocOpen     = iocType | 0x02
	iocSignal   = iocType | 0x03
	iocLayout   = iocType | 0x04
	iocEventfd  = iocType | 0x05
	iocArm      = iocType | 0x06
	iocCancel   = iocType | 0x07
	iocLink     = iocType | 0x0b
	iocLinkStat = iocType | 0x0c
	iocKick     = iocType | 0x0d
	iocPeer     = iocType | 0x80
)

// ioctl makes a call with one of the structs above. It fills in the size.
func ioctl[T any](fd int, cmd uintptr, arg *T) error {
	*(*uint32)(unsafe.Pointer(arg)) = uint32(unsafe.Sizeof(*arg))
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), cmd,
		uintptr(unsafe.Pointer(arg)))
	if errno != 0 {
		return errno
	}
	return nil
}

// cString is the text of a NUL-terminated field.
func cString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

// putName fills in the name of a channel.
func putName(to *[nameLen]byte, name string) error {
	if len(name) >= nameLen {
		return fail(name, syscall.EINVAL, "channel name of %d bytes, at most %d are allowed",
			len(name), nameLen-1)
	}
	for i := range name {
		if name[i] == 0 {
			return fail(name, syscall.EINVAL, "channel name with a NUL")
		}
	}
	copy(to[:], name)
	return nil
}
