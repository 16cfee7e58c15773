# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Links: the card carries the messages of one channel to another."""

import ctypes
import errno
import os
from typing import NamedTuple

from . import abi

_WHY = {
    errno.EBADF: "a link needs a channel to the host, and then a channel to the NFP",
    errno.EINVAL: "link options: at most 8 bytes to compare, within a message; at most 64 "
                  "bytes of header, a multiple of 4; a state of 4 or 8 bytes at a multiple of 4 "
                  "of the header, with a step that is not 0",
    errno.EPERM: "a link between two cards needs CAP_SYS_RAWIO: each card will write to the "
                 "other",
    errno.EHOSTUNREACH: "the two cards cannot write to each other; the kernel's log has what "
                        "was tried",
    errno.ERANGE: "one card's registers are beyond the addresses that the other can write to",
    errno.EISCONN: "one of the two channels is in a link already",
    errno.EBUSY: "messages of the first channel are borrowed, or one of the two channels shares "
                 "its ring; or, with two cards, the first was opened without link=True, or the "
                 "second has carried something",
    errno.EPROTOTYPE: "a stream cannot be linked with a channel of messages",
    errno.EMSGSIZE: "the second channel does not take messages as long as the first can send",
    errno.EPIPE: "one of the two ME processes has ended",
    errno.EOPNOTSUPP: "the card's firmware has no links, or no state for them",
    errno.ENODEV: "the card is gone",
}


_VIA = ("card", "push", "staging")


def _memory(data):
    """Bytes at an address that stays."""
    return ctypes.create_string_buffer(bytes(data), len(data))


def _address(memory):
    """The address for the kernel, 0 of no bytes."""
    return ctypes.addressof(memory) if len(memory) else 0


def _ioctl(fd, stage, *fields):
    """LINK, or, if the channels are of two cards, PEER. Returns the fd of the link."""
    try:
        if not stage:
            return abi.ioctl(fd, abi.IOC_LINK, abi.LINK, 0, *fields)[3]
    except OSError as err:
        if err.errno != errno.EXDEV:
            raise
    try:
        return abi.ioctl(fd, abi.IOC_PEER, abi.LINK, abi.PEER_STAGE if stage else 0, *fields)[3]
    except OSError as err:
        if err.errno != errno.EXDEV:
            raise
        # Within a card no ring is in host memory.
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL)) from None


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
        self._fd = -1
        self._ends = ()
        offset, value, *mask = match or (0, b"")
        mask = mask[0] if mask else b"\xff" * len(value)
        if len(value) != len(mask):
            raise abi.fail(errno.EINVAL, f"{len(value)} bytes to compare, {len(mask)} of a mask",
                           name)
        if not all(0 <= number < 1 << 32 for number in (offset, *state)):
            raise abi.fail(errno.EINVAL, _WHY[errno.EINVAL], name)
        ends = (source, to) if to else (source,)
        if not source.to_host or (to and to.to_host):
            raise abi.fail(errno.EBADF, _WHY[errno.EBADF], name)
        if any(end.link for end in ends):
            raise abi.fail(errno.EISCONN, _WHY[errno.EISCONN], name)
        # Their room cannot be given back while the link lasts.
        if source.ring.borrowed:
            raise abi.fail(errno.EBUSY, _WHY[errno.EBUSY], name)
        self._ends = ends
        header, mask, value = map(_memory, (header, mask, value))
        where, length, step = state
        ops = _memory(abi.LINK_OP.pack(abi.LINK_ADD, where, length, 0, step) if any(state) else b"")
        # Before the ioctl, so that a call that sleeps sees the link when it wakes up.
        for end in ends:
            end.link = self
        try:
            self._fd = _ioctl(source.fileno(), stage, to.fileno() if to else -1, -1,
                              *map(_address, (header, mask, value, ops)),
                              len(header), offset, len(value), int(any(state)))
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
