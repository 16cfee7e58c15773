# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Links: the card carries the messages of one channel to another."""

import ctypes
import errno
from typing import NamedTuple

from . import lib

_VIA = ("card", "push", "staging")
DOWN, ENDED = 0, 2      # struct nfp_chan_link_stat.state


class LinkStats(NamedTuple):
    """State and counters of a link."""
    up: bool            # False: a channel was closed, or the card is gone
    ended: bool         # an ME process has ended, or a pipe is off
    via: str            # "card", "push" or "staging"
    msgs: int
    bytes: int
    dropped: int
    stalled: int


class Link:
    """The card carries the messages that the ME process of one channel sends to the ME
    process of another channel: within one card, so that no message crosses PCIe, or to
    another card. Without a second channel the card drops and counts the messages.

    match: (offset, value, mask): the link takes the messages that have value at offset, in
    the bits of mask; up to 8 bytes. Without a mask all bits count. Other messages go to the
    channel's other open ends. header: the card puts these bytes in front of each message,
    up to 64 bytes, a multiple of 4. state: (offset, length, step): 4 or 8 bytes of the
    header are a little-endian number. The first message has it as given, and the card adds
    step after each message.

    A link between two cards needs CAP_SYS_RAWIO, and a source that was opened with link=True.
    Both channels are off when that link has ended. stage: the messages pass through a ring in
    host memory, even if one card could write to the other.

    Both channels stay open. While the link lasts, calls that move data on them fail with
    EISCONN. The link lasts until its close(), or the close() of either channel. fileno() is
    for poll(): POLLHUP when the link is down.
    """

    def __init__(self, source, to=None, match=None, header=b"", state=(0, 0, 0),
                 stage=False):
        name = f"{source.name} -> {to.name if to else 'nothing'}"
        self._link = None
        self._lib = lib.load()
        offset, value, *mask = match or (0, b"")
        mask = mask[0] if mask else b"\xff" * len(value)
        if len(value) != len(mask):
            raise lib.fail(errno.EINVAL, f"{len(value)} bytes to compare, {len(mask)} of a mask",
                           name)
        if len(value) > 8 or not all(0 <= number < 1 << 32 for number in (offset, *state)):
            raise lib.fail(errno.EINVAL, f"{len(value)} bytes to compare, at most 8 are allowed; "
                           "numbers have 32 bits", name)
        # Their room cannot be given back while the link lasts.
        if source.borrowed():
            raise lib.fail(errno.EBUSY, "messages of the first channel are borrowed", name)
        header = bytes(header)
        opts = lib.LinkOpts(ctypes.sizeof(lib.LinkOpts), len(value), offset, tuple(value),
                            tuple(mask), header, len(header), *state, stage)
        link = ctypes.c_void_p()

        second = to.handle.hold() if to else None
        try:
            source.call(lambda first: self._lib.link_open(ctypes.byref(link), first, second,
                                                          ctypes.byref(opts)))
        finally:
            if to:
                to.handle.drop()
        self._link = link

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def _open(self):
        if not self._link:
            raise ValueError("the link is closed")
        return self._link

    def fileno(self):
        """The descriptor, which belongs to the link."""
        return self._lib.link_fd(self._open())

    def stats(self):
        """LinkStats. Those of a link that is down are final."""
        s = lib.LinkStat()
        ret = self._lib.link_stats(self._open(), ctypes.byref(s))
        if ret:
            raise lib.fail(-ret, "the card is gone", "link")
        return LinkStats(s.state != DOWN, s.state == ENDED, _VIA[s.via], *s.counts)

    def close(self):
        """End the link. Messages that were on their way have arrived when it returns."""
        link, self._link = self._link, None
        if link:
            self._lib.link_close(link)
