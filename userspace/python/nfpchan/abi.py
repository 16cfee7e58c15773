# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The definitions of the headers nfp_chan*.h of uapi/nfpchan."""

import errno
import fcntl
import os
import struct
from typing import NamedTuple

NAME_LEN = 32           # with its NUL

TO_HOST = 1
TO_NFP = 2

MESSAGE = 1
STREAM = 2

STATE_OPEN = 0
STATE_EPIPE = 1
STATE_FAULT = 2
STATE_GONE = 3

QUERY_BY_ID = 1

OPEN_MAPPED = 0x4
OPEN_LINK = 0x8

ARM_SEQ = 0x1

LINK_ADD = 1
PEER_STAGE = 0x1
LINK_DOWN = 0
LINK_UP = 1
LINK_ENDED = 2

HEADER = struct.Struct("<IHH")                  # len, seq, rsvd
INFO = struct.Struct("<IIHHIIIIIQQQ32s32s32s")
QUERY = struct.Struct("<II32sIIIIIIIBBBBQQQQQQII")
OPEN = struct.Struct("<II32sIiIIiiQ")
SIGNAL = struct.Struct("<II32s")
LAYOUT = struct.Struct("<10I4Q4IQIIQII")
EVENTFD = struct.Struct("<IIiI")
ARM = struct.Struct("<IIII")
KICK = struct.Struct("<IIII")
CANCEL = struct.Struct("<IIII")
LINK = struct.Struct("<IIiiQQQQIIII")
LINK_OP = struct.Struct("<IIIIQ")
LINK_STAT = struct.Struct("<IIII32s32sQQQQ")


def _number(nr):
    """An ioctl number as _IO() makes it: without a size, which is the struct's first field."""
    return 0xE1 << 8 | nr


IOC_INFO = _number(0x00)
IOC_QUERY = _number(0x01)
IOC_OPEN = _number(0x02)
IOC_SIGNAL = _number(0x03)
IOC_LAYOUT = _number(0x04)
IOC_EVENTFD = _number(0x05)
IOC_ARM = _number(0x06)
IOC_CANCEL = _number(0x07)
IOC_LINK = _number(0x0b)
IOC_LINK_STAT = _number(0x0c)
IOC_KICK = _number(0x0d)
IOC_PEER = _number(0x80)


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
    inline_off: int = 0
    inline_size: int = 0
    signal_db: int = 0
    signal_db_off: int = 0
    db_map: int = 1
    rsvd: int = 0


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


def kick(fd, units):
    """NFP_CHAN_IOC_KICK of a channel's fd. It has no error: the ring meets the reason in its
    record."""
    try:
        ioctl(fd, IOC_KICK, KICK, 0, units, 0)
    except OSError:
        pass


def fail(code, text, name):
    """An OSError with this errno and text, of Python's subclass for the errno."""
    return OSError(code, text, name)


def sys_fail(err, name):
    """An OSError for a failed system call, with the name of its subject."""
    return OSError(err.errno, os.strerror(err.errno), name)


def encode_name(name):
    """A channel's name as bytes for the kernel."""
    raw = name.encode()
    if len(raw) >= NAME_LEN or b"\0" in raw:
        raise fail(errno.EINVAL, f"channel name of {len(raw)} bytes, "
                   f"at most {NAME_LEN - 1} are allowed, none of them NUL", name)
    return raw


def decode(raw):
    """The text of a NUL-terminated field."""
    return raw.split(b"\0", 1)[0].decode("ascii", "replace")
