# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Channels in asyncio."""

import asyncio
import errno
import select

from . import lib
from .channel import PART, Deadline

OFFER = 0.05            # seconds for which a thread offers the message of a rendezvous


class Async:
    """A channel whose calls wait in the event loop:

        async with nfpchan.Async(card.channel("echo-out")) as rx:
            message = await rx.recv()
            async for message in rx:
                ...

    Any number of tasks of one event loop may use it. They are served in order. The
    channel must not be used in another way meanwhile. A send in a rendezvous waits in a
    thread of the loop's executor.

    A task that is cancelled has received nothing. If it was sending in a rendezvous,
    the message is taken back within 50 ms, but the ME process may have taken it first.
    Only after a timeout is it certain that the message was not delivered.
    """

    def __init__(self, channel):
        self.channel = channel
        self._turn = asyncio.Lock()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        self.channel.close()

    def _broken(self):
        """Raise ENODEV if poll() says that the card is gone, as the ring need not say so."""
        poll = select.poll()
        poll.register(self.channel.fileno(), 0)
        # One of the two alone means a fault, or a process that has ended: the ring says so.
        gone = select.POLLERR | select.POLLHUP
        if any(events & gone == gone for _, events in poll.poll(0)):
            raise lib.fail(errno.ENODEV, "the card is gone", self.channel.name)

    async def _sleep(self, deadline):
        loop = asyncio.get_running_loop()
        ready = loop.create_future()
        fd = self.channel.fileno()

        def wake():
            if not ready.done():
                ready.set_result(True)

        # The loop's poll arms the pipe.
        if self.channel.to_host:
            loop.add_reader(fd, wake)
        else:
            loop.add_writer(fd, wake)
        try:
            return bool((await asyncio.wait([ready], timeout=deadline.left()))[0])
        finally:
            if self.channel.to_host:
                loop.remove_reader(fd)
            else:
                loop.remove_writer(fd)

    async def _until(self, deadline, what):
        """Repeat what(), which raises BlockingIOError while it can do nothing."""
        awake = not deadline.never
        while True:
            try:
                return what()
            except BlockingIOError:
                self._broken()
                if not awake:
                    raise self.channel.late(deadline.never) from None
            awake = await self._sleep(deadline)

    async def _in_turn(self, deadline, what):
        """Await what() alone. The wait for the turn counts against the deadline too."""
        if deadline.never and self._turn.locked():
            raise self.channel.late(True)
        try:
            async with asyncio.timeout(None if deadline.never else deadline.left()):
                await self._turn.acquire()
        except TimeoutError:
            raise self.channel.late(False) from None
        try:
            return await what()
        finally:
            self._turn.release()

    async def recv(self, timeout=None, size=PART):
        """As Channel.recv()."""
        deadline = Deadline(timeout)
        return await self._in_turn(deadline, lambda: self._until(
            deadline, lambda: self.channel.recv(0, size)))

    async def borrow(self, timeout=None):
        """As Channel.borrow(): `with await rx.borrow() as view:`."""
        deadline = Deadline(timeout)
        return await self._in_turn(deadline, lambda: self._until(deadline, self.channel.lend))

    def __aiter__(self):
        return self

    async def __anext__(self):
        try:
            return await self.recv()
        except BrokenPipeError:
            raise StopAsyncIteration from None

    async def send(self, message, timeout=None):
        """As Channel.send()."""
        deadline = Deadline(timeout)
        message = bytes(memoryview(message))
        await self._in_turn(deadline, lambda: self._send(message, deadline))

    async def _send(self, message, deadline):
        if self.channel.stream:
            while message:
                message = message[await self._until(
                    deadline, lambda data=message: self.channel.write_some(data)):]
        elif self.channel.depth:
            await self._until(deadline, lambda: self.channel.send(message, 0))
        else:
            await self._rendezvous(message, deadline)

    async def _rendezvous(self, message, deadline):
        stop = []

        def offer():
            while True:
                left = deadline.left()
                part = OFFER if left is None else min(left, OFFER)
                try:
                    return self.channel.send(message, 0 if deadline.never else part)
                except TimeoutError:
                    if stop or deadline.left() == 0:
                        raise

        sent = asyncio.get_running_loop().run_in_executor(None, offer)
        try:
            await asyncio.shield(sent)
        except asyncio.CancelledError:
            stop.append(True)
            while not sent.done():
                try:
                    await asyncio.wait([sent])
                except asyncio.CancelledError:
                    pass
            sent.exception()
            raise
