# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cards: find and open them, queries and signals on them."""

import ctypes
import errno
import threading
from typing import NamedTuple

from . import lib
from .channel import Channel


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


class Card:
    """An open card. name is 0 or "0" (the N of /dev/nfp_chanN), a path,
    "0000:01:00.0" (the PCI function), or None for the card with the lowest number.
    "bpf:eth0" opens the card of that interface, whose channels go over BPF firmware;
    see libnfpchan(3)."""

    def __init__(self, name=None):
        self._lib = lib.load()
        self._lock = threading.Lock()
        self._handle = None
        self._bpf = str(name).startswith("bpf:")
        handle, buf = ctypes.c_void_p(), ctypes.create_string_buffer(lib.TEXT_MAX)
        ret = self._lib.card_open(ctypes.byref(handle),
                                  None if name is None else lib.encode(str(name)), buf,
                                  lib.TEXT_MAX)
        if ret:
            about, _, why = buf.value.decode(errors="replace").partition(": ")
            raise lib.fail(-ret, why, about)
        self._handle = handle

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def close(self):
        """Close the card. Channels that were opened on it stay open."""
        with self._lock:
            handle, self._handle = self._handle, None
            if handle:
                self._lib.card_close(handle)

    def _call(self, call, *args):
        with self._lock:
            if not self._handle:
                raise ValueError("the card is closed")
            ret = call(self._handle, *args)
            if ret < 0:
                raise lib.failed(ret, self._lib.card_error, self._handle)

    def info(self):
        """CardInfo of the card."""
        i = lib.Info()
        self._call(self._lib.card_info, ctypes.byref(i))
        return CardInfo(i.pci.decode(), i.fw_name.decode(), i.fw_version.decode(), i.chan_count,
                        i.pipe_count, i.pipe_used, i.me_mhz, i.boot_id)

    def _query(self, call, which):
        q, repeated = lib.Query(), ctypes.c_uint64()
        self._call(call, which, ctypes.byref(q))
        if self._bpf:
            self._call(self._lib.repeats, q.name, ctypes.byref(repeated))
        return ChannelInfo(q.name.decode(), q.id, q.dir == lib.TO_HOST, q.kind == lib.STREAM,
                           q.elem_size, q.max_size, q.depth, q.pipes, *q.counts, repeated.value)

    def query(self, name):
        """ChannelInfo of a channel. Reads counters from the card: microseconds."""
        return self._query(self._lib.query, lib.encode(name))

    def channels(self):
        """ChannelInfo of each channel in the firmware's table."""
        return [self._query(self._lib.query_id, i) for i in range(self.info().channels)]

    def signal(self, name):
        """Set the signal of a channel's ME process; the channel need not be open."""
        self._call(self._lib.signal, lib.encode(name))

    def channel(self, name, ring_size=0, link=False):
        """Open one end of a channel. Waits for the firmware, 1 s at most.

        ring_size: bytes of the data ring, a power of 2 from 4096 to 4194304; 0: the
        smallest ring that holds the channel's depth. link: open a channel to the host
        for use in a Link only: no message comes to this end, neither before the link
        nor after it.
        """
        if not 0 <= ring_size < 1 << 32:
            raise lib.fail(errno.EINVAL, f"ring of {ring_size} bytes is no power of 2 from 4096 to "
                           "4194304", name)
        opts = lib.Opts(size=ctypes.sizeof(lib.Opts), ring_size=ring_size,
                        flags=lib.OPT_LINK if link else 0)
        handle = ctypes.c_void_p()
        self._call(lambda card: self._lib.open(ctypes.byref(handle), card, lib.encode(name),
                                               ctypes.byref(opts)))
        # A call over BPF may wait for the card, so it must not keep the interpreter's lock.
        return Channel(self._lib, handle, name, quick=not self._bpf)
