# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Links: the card carries what comes on one channel to another."""

import errno
import os
from typing import NamedTuple

from . import abi

_WHY = {
    errno.EBADF: "a link leads from a channel to the host to one to the NFP",
    errno.EINVAL: "a link compares "
                  "bytes that a message has, and puts whole words in front, and counts in 4 or 8 "
                  "bytes of these, at a multiple of 4, by steps that are not 0",
    errno.EHOSTUNREACH: "the two cards do not reach each other; the kernel's log says how that "
                        "was found",
    errno.ERANGE: "one card's registers are beyond the addresses that the other can write to",
    errno.EISCONN: "one of the two channels is in a link already",
    errno.EBUSY: "one of the two channels shares its ring with a third; or, of two cards, the "
                 "first was opened without link=True, or the second has carried something",
    errno.EPROTOTYPE: "a stream cannot be linked with a channel of messages",
    errno.EMSGSIZE: "messages of the one need not fit the other",
    errno.EPIPE: "one of the two ME processes has ended",
    errno.EOPNOTSUPP: "the card's firmware has no links, or no state for them",
    errno.ENODEV: "the card is gone",
}


_VIA = ("card", "push", "staging")


class LinkStats(NamedTuple):
    """What a link has carried."""
    up: bool            # False: an end was closed, or the card is gone
    ended: bool         # an ME process has ended
    via: str            # "card", "push" or "staging"
    msgs: int
    bytes: int
    dropped: int
    stalled: int


class Link:
    """What the ME process behind one channel sends goes to the one behind another:
    within the card, so that no message crosses PCIe, or from card to card. Without a second channel it is dropped, and
    counted.

    match: (offset, value, mask): the link takes the messages that have these bytes
    there, in the bits of mask, at most 8; mask is left out for all bits. Other messages
    go to the channel's other ends. header: up to 64 bytes, a multiple of 4, that are put
    in front of each message. state: (offset, length, step): the 4 or 8 bytes there of the
    header, the least significant first, are the first message's; the card adds step behind
    each.

    Of a link between two cards the source is to be opened for a link alone, and both channels
    are off when the link has ended. stage: by a ring in host memory, even if the one card could
    write into the other's.

    Both channels stay open; a call that would move
    data on them fails with EISCONN for as long as the link lasts, which is until its
    close(), or that of either channel. fileno() is for poll(): POLLHUP once it is down.
    """

    def __init__(self, source, to=None, match=None, header=b"", state=(0, 0, 0),
                 stage=False):
        name = f"{source.name} -> {to.name if to else 'nothing'}"
        self._fd = -1
        self._ends = ()
        offset, value, *mask = match or (0, b"")
        mask = mask[0] if mask else b"\xff" * len(value)
        if not len(value) == len(mask) <= 8 or len(header) > 64:
            raise abi.fail(errno.EINVAL, f"{len(value)} bytes to compare, {len(mask)} of a mask, "
                           f"{len(header)} in front: at most 8, as many, 64", name)
        if not (0 <= state[0] <= 64 and 0 <= state[1] <= 8 and 0 <= state[2] < 1 << 32):
            raise abi.fail(errno.EINVAL, "state: offset {}, length {}, step {}: at most 64, 8, "
                           "32 bits".format(*state), name)
        ends = (source, to) if to else (source,)
        if not source.to_host or (to and to.to_host):
            raise abi.fail(errno.EBADF, _WHY[errno.EBADF], name)
        if any(end.link for end in ends):
            raise abi.fail(errno.EISCONN, _WHY[errno.EISCONN], name)
        self._ends = ends
        # From here on, so that what sleeps there finds it when it is woken
        for end in ends:
            end.link = self
        try:
            self._fd = abi.ioctl(source.fileno(), abi.IOC_LINK, abi.LINK, abi.LINK_STAGE if stage else 0,
                                 to.fileno() if to else -1, -1, len(header), len(value), offset,
                                 mask, value, *state, header)[3]
        except BaseException as err:
            self.release()
            if not isinstance(err, OSError):
                raise
            text = _WHY.get(err.errno, os.strerror(err.errno))
            raise abi.fail(err.errno, text, name) from None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def fileno(self):
        """The descriptor, which stays the link's."""
        if self._fd < 0:
            raise ValueError("the link is closed")
        return self._fd

    def release(self):
        """Its channels are as any others; Channel.close() calls it."""
        ends, self._ends = self._ends, ()
        for end in ends:
            end.link = None

    def stats(self):
        """LinkStats; of a link that is down, the last."""
        (_, _, state, via, _, _,
         *counts) = abi.ioctl(self.fileno(), abi.IOC_LINK_STAT, abi.LINK_STAT,
                              0, 0, 0, b"", b"", *[0] * 4)
        return LinkStats(state != abi.LINK_DOWN, state == abi.LINK_ENDED, _VIA[via], *counts)

    def close(self):
        """Take the link down. Messages on their way have come when this returns."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
            self.release()
