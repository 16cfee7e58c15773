# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Ioctls of nfp_chan.ko for tests of the kernel module, without a library in between."""

import fcntl
import struct
from typing import NamedTuple

HEADER = struct.Struct("<IHH")          # struct nfp_chan_hdr: len, seq, rsvd
INFO = struct.Struct("<IIHHIIIIIQQQ32s32s32s")
QUERY = struct.Struct("<II32sIIIIIIIBBBBQQQQQQII")
OPEN = struct.Struct("<II32sIiIIiiQ")
SIGNAL = struct.Struct("<II32s")
LAYOUT = struct.Struct("<10I4Q4IQIIQII")
CANCEL = struct.Struct("<IIII")
LINK = struct.Struct("<IIiiQQQQIIII")


def _number(nr):
    """An ioctl number as _IO() makes it: without a size, which is the struct's first field."""
    return 0xE1 << 8 | nr


QUERY_PROCESS = 0x2
IOC_INFO = _number(0x00)
IOC_QUERY = _number(0x01)
IOC_OPEN = _number(0x02)
IOC_SIGNAL = _number(0x03)
IOC_LAYOUT = _number(0x04)
IOC_CANCEL = _number(0x07)
IOC_LINK = _number(0x0b)


class Layout(NamedTuple):
    """struct nfp_chan_layout without size and flags."""
    id: int
    dir: int
    elem_size: int
    max_size: int
    depth: int
    ring_size: int
    unit_shift: int
    limit: int
    ring_off: int
    note_off: int
    ctl_off: int
    db_off: int
    db_data: int
    db_arm: int
    page_size: int
    kind: int
    inline_off: int
    inline_size: int
    signal_db: int
    signal_db_off: int
    db_map: int
    rsvd: int


def ioctl(fd, nr, layout, *fields):
    """Make an ioctl with a struct, whose size is filled in. Returns the fields."""
    arg = bytearray(layout.pack(layout.size, *fields))
    fcntl.ioctl(fd, nr, arg)
    return layout.unpack(arg)


def layout(fd):
    """NFP_CHAN_IOC_LAYOUT of a channel's fd."""
    return Layout(*ioctl(fd, IOC_LAYOUT, LAYOUT, *[0] * 23)[2:])


def open_channel(fd, flags, name, ring_size=0, port=-1, cookie=0, ring=-1):
    """NFP_CHAN_IOC_OPEN of a card's fd. Returns the channel's fd."""
    return ioctl(fd, IOC_OPEN, OPEN, flags, name, ring_size, -1, 0, 0, ring, port, cookie)[4]
