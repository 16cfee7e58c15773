# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Messages and streams to the microengines of a Netronome Agilio.

    import nfpchan

    with nfpchan.Card() as card, card.channel("flows") as flows:
        for message in flows:
            ...

The package makes the calls of libnfpchan, by ctypes. Receiving and sending make no system
call while the card keeps up. libnfpchan.so.0 is found as every library is; the
environment variable NFPCHAN_LIBRARY names another file.

Failures are OSError with an errno, in Python's subclass for that errno:

    BlockingIOError   EAGAIN     timeout 0: no message is there, or no room
    TimeoutError      ETIMEDOUT  the timeout is over
    BrokenPipeError   EPIPE      the ME process has ended, and its messages
                                 were received
    OSError           EMSGSIZE   a message that the channel does not carry
                      EBADF      the channel has the other direction
                      EISCONN    the channel is an end of a Link
                      EIO        the card broke the protocol; final
                      ENODEV     the card or its driver is gone; final

After close() calls raise ValueError. Timeouts are in seconds; None waits without
limit. All calls may be made from any thread. The ME process defines the byte order
of its messages.
"""

__version__ = "0.2.0"       # VERSION of the Makefile; selftests/tool/bindings.t compares them

from .aio import Async
from .card import Card, CardInfo, ChannelInfo
from .channel import Channel
from .frames import Frame, Frames
from .link import Link, LinkStats

__all__ = ["Async", "Card", "CardInfo", "Channel", "ChannelInfo", "Frame", "Frames", "Link",
           "LinkStats"]
