# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Links: the card carries the messages of one channel to another."""

import errno
import os
from typing import NamedTuple

from . import abi

_WHY = {
    errno.EBADF: "a link needs a channel to the host, and then a channel to the NFP",
    errno.EINVAL: "link options: at most 8 bytes to compare, within a message; at most 64 "
                  "bytes of header, a multiple of 4; a state of 4 or 8 bytes at a multiple of 4 "
                  "of the header, with a step that is not 0",
    errno.EHOSTUNREACH: "the two cards cannot write to each other; the kernel's log has what "
                        "was tried",
    errno.ERANGE: "one card's registers are beyond the addresses that the other can write to",
    errno.EISCONN: "one of the two channels is in a link already",
    errno.EBUSY: "one of the two channels shares its ring; or, with two cards, the "
                 "first was opened without link=True, or the second has carried something",
    errno.EPROTOTYPE: "a stream cannot be linked with a channel of messages",
    errno.EMSGSIZE: "the second channel does not take messages as long as the first can send",
    errno.EPIPE: "one of the two ME processes has ended",
    errno.EOPNOTSUPP: "the card's firmware has no links, or no state for them",
    errno.ENODEV: "the card is gone",
}


_VIA = ("card", "push", "staging")


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

    For a link between two cards, open the source with link=True. Both channels are off when
    that link has ended. stage: the messages pass through a ring in host memory, even if one
    card could write to the other.

    Both channels stay open. While the link lasts, calls that move data on them fail with
    EISCONN. The link lasts until its close(), or the close() of either channel. fileno() is
    for poll(): POLLHUP when the link is down.
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
        # Before the ioctl, so that a call that sleeps sees the link when it wakes up.
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
        """The descriptor, which belongs to the link."""
        if self._fd < 0:
            raise ValueError("the link is closed")
        return self._fd

    def release(self):
        """Take the link out of its channels. Channel.close() calls this as well."""
        ends, self._ends = self._ends, ()
        for end in ends:
            end.link = None

    def stats(self):
        """LinkStats. Those of a link that is down are final."""
        (_, _, state, via, _, _,
         *counts) = abi.ioctl(self.fileno(), abi.IOC_LINK_STAT, abi.LINK_STAT,
                              0, 0, 0, b"", b"", *[0] * 4)
        return LinkStats(state != abi.LINK_DOWN, state == abi.LINK_ENDED, _VIA[via], *counts)

    def close(self):
        """End the link. Messages that were on their way have arrived when it returns."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
            self.release()
