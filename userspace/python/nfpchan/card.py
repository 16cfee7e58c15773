# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cards: find and open them, queries and signals on them."""

import errno
import glob
import os
import re
import threading
from typing import NamedTuple

from . import abi
from .bpf import BpfCard
from .channel import Channel

DEV = "/dev/nfp_chan"


class CardInfo(NamedTuple):
    """Describes a card and its firmware."""
    pci: str            # PCI function, 0000:01:00.0
    firmware: str
    version: str
    channels: int       # channels in the firmware's table
    pipes: int          # pipes that may be open at a time
    pipes_used: int
    mhz: int            # clock of the microengines
    boot_id: int        # changes with each start of the firmware


class ChannelInfo(NamedTuple):
    """Describes a channel, and has its counters."""
    name: str
    id: int
    to_host: bool
    stream: bool
    elem_size: int      # 0: messages vary in size
    max_size: int
    depth: int          # 0: rendezvous
    pipes: int          # pipes that are open now
    msgs: int
    bytes: int
    dropped: int
    stalled: int
    irqs: int
    signals: int
    repeated: int = 0   # "bpf:" cards without a delete: times that a message was taken again


_WHY = {
    errno.ENOENT: "no such channel in the firmware's table",
    errno.EBUSY: "the channel is exclusive, and open already",
    errno.ENOSPC: "all pipes or all interrupt vectors of the card are in use",
    errno.EDQUOT: "this user has half of the card's pipes, which is the most that one may "
                  "have",
    errno.ENOMEM: "out of memory, or beyond RLIMIT_MEMLOCK",
    errno.EACCES: "the card is not open for this direction",
    errno.EOPNOTSUPP: "its ME process takes no signals",
    errno.EPROTOTYPE: "it leads to the NFP; only a channel to the host is opened for a link",
    errno.EPIPE: "the ME process has ended",
    errno.ENODEV: "the card is gone",
    errno.ENOTTY: "not a device of nfp_chan.ko",
}


def _nodes():
    """Device nodes in the order of their numbers."""
    found = (re.fullmatch(DEV + r"(\d+)", path) for path in glob.glob(DEV + "*"))
    return [m[0] for m in sorted(filter(None, found), key=lambda m: int(m[1]))]


def _open_node(path):
    """Open a node for reading and writing, or for what the permissions allow."""
    for mode in (os.O_RDWR, os.O_RDONLY, os.O_WRONLY):
        try:
            return os.open(path, mode | os.O_CLOEXEC)
        except PermissionError as err:
            denied = err
        except FileNotFoundError:
            raise abi.fail(errno.ENODEV, "no such card (is nfp_chan.ko loaded?)",
                           path) from None
    raise denied


class Card:
    """An open card. name is 0 or "0" (the N of /dev/nfp_chanN), a path,
    "0000:01:00.0" (the PCI function), or None for the card with the lowest number.
    "bpf:eth0" opens the card of that interface, whose channels go over BPF firmware;
    see libnfpchan(3)."""

    def __init__(self, name=None):
        self._fd = -1
        self._bpf = None
        self._lock = threading.Lock()
        if str(name).startswith("bpf:"):
            self.path = name
            self._bpf = BpfCard(name)
            return
        for path in self._candidates(name):
            self.path = path
            self._fd = _open_node(path)
            try:
                if self.info().pci == name or ":" not in str(name):
                    return
            except OSError:
                self.close()
                raise
            self.close()
        raise abi.fail(errno.ENODEV, "no such card (is nfp_chan.ko loaded?)",
                       str(name or DEV + "*"))

    @staticmethod
    def _candidates(name):
        if name is None:
            return _nodes()[:1]
        name = str(name)
        if name.startswith("/"):
            return [name]
        if name.isascii() and name.isdigit():
            return [DEV + name]
        if ":" in name:
            return _nodes()
        raise abi.fail(errno.EINVAL, "neither a number, a PCI function nor a path of a card",
                       name)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def close(self):
        """Close the card. Channels that were opened on it stay open."""
        if self._bpf:
            self._bpf.close()
        with self._lock:
            if self._fd >= 0:
                os.close(self._fd)
            self._fd = -1

    def _call(self, about, call, *args):
        with self._lock:
            if self._fd < 0:
                raise ValueError("the card is closed")
            try:
                return call(self._fd, *args)
            except OSError as err:
                text = _WHY.get(err.errno, os.strerror(err.errno))
                raise abi.fail(err.errno, text, about) from None

    def info(self):
        """CardInfo of the card."""
        if self._bpf:
            return CardInfo(*self._bpf.info())
        (_, _, _, _, chans, pipes, used, mhz, boot, _, _, _, pci, name,
         version) = self._call(self.path, abi.ioctl, abi.IOC_INFO, abi.INFO, *[0] * 11, b"", b"", b"")
        return CardInfo(abi.decode(pci), abi.decode(name), abi.decode(version),
                        chans, pipes, used, mhz, boot)

    def _query(self, about, flags, name, number):
        (_, _, name, number, direction, _, elem, largest, depth, pipes, _, _, _, kind,
         *counts, _, _) = self._call(about, abi.ioctl, abi.IOC_QUERY, abi.QUERY, flags, name, number, *[0] * 18)
        return ChannelInfo(abi.decode(name), number, direction == abi.TO_HOST,
                           kind == abi.STREAM, elem, largest, depth, pipes, *counts)

    def query(self, name):
        """ChannelInfo of a channel. Reads counters from the card: microseconds."""
        if self._bpf:
            return ChannelInfo(*self._bpf.query(name))
        return self._query(name, 0, abi.encode_name(name), 0)

    def channels(self):
        """ChannelInfo of each channel in the firmware's table."""
        if self._bpf:
            return [ChannelInfo(*self._bpf.query(i)) for i in range(self.info().channels)]
        return [self._query(f"channel {i}", abi.QUERY_BY_ID, b"", i)
                for i in range(self.info().channels)]

    def signal(self, name):
        """Set the signal of a channel's ME process; the channel need not be open."""
        if self._bpf:
            self._bpf.signal(name)
            return
        self._call(name, abi.ioctl, abi.IOC_SIGNAL, abi.SIGNAL, 0, abi.encode_name(name))

    def channel(self, name, ring_size=0, link=False):
        """Open one end of a channel. Waits for the firmware, 1 s at most.

        ring_size: bytes of the data ring, a power of 2 from 4096 to 4194304; 0: the
        smallest ring that holds the channel's depth. link: open a channel to the host
        for use in a Link only: no message comes to this end, neither before the link
        nor after it.
        """
        if self._bpf:
            return self._bpf.channel(name)
        flags = abi.OPEN_MAPPED | (abi.OPEN_LINK if link else 0)
        return Channel(self._call(name, abi.open_channel, flags, abi.encode_name(name),
                                  ring_size), name)
