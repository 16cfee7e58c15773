# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Messages and streams to the microengines of a Netronome Agilio.

    import nfpchan

    with nfpchan.Card() as card, card.channel("flows") as flows:
        for message in flows:
            ...

Python's standard library only. While the card keeps up, receiving and sending
make no system call: the data ring, the card's notification record and the
doorbells are mapped. A wait is one poll() of the channel's file descriptor,
which select, selectors and asyncio can watch as well.

Failures are OSError with an errno, in the subclass that Python has for it:

    BlockingIOError   EAGAIN     nothing there, no room (timeout 0)
    TimeoutError      ETIMEDOUT  the same after a timeout
    BrokenPipeError   EPIPE      the ME process has ended; what it had sent
                                 was received
    OSError           EMSGSIZE   a message that the channel does not carry
                      EBADF      the channel leads the other way
                      EISCONN    the channel is an end of a Link
                      EIO        the card broke the protocol; final
                      ENODEV     the card or its driver is gone; final

and ValueError after close(). Timeouts are seconds; None waits for ever. All
calls may be made from any thread. Payloads are in the byte order that the ME
process defines.
"""

from .aio import Async
from .card import Card, CardInfo, ChannelInfo
from .channel import Channel
from .link import Link, LinkStats

__all__ = ["Async", "Card", "CardInfo", "Channel", "ChannelInfo", "Link", "LinkStats"]
