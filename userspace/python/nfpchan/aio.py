# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Channels in asyncio."""

import asyncio

from .channel import PART, Deadline


class Async:
    """A channel whose calls wait in the event loop:

        async with nfpchan.Async(card.channel("echo-out")) as rx:
            message = await rx.recv()
            async for message in rx:
                ...

    Any number of tasks of one event loop may use it. They are served in order. The
    channel must not be used in another way meanwhile.

    A task that is cancelled has received nothing. If it was sending in a rendezvous,
    the message is taken back, but the ME process may have taken it first. Only
    after a timeout is it certain that the message was not delivered.
    """

    def __init__(self, channel):
        self.channel = channel
        self._turn = asyncio.Lock()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        self.channel.close()

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

    async def _until(self, deadline, what, *args):
        found = self.channel.look(what, *args)
        while found is None:
            if deadline.never:
                self.channel.broken()
                raise self.channel.late(deadline)
            awake = await self._sleep(deadline)
            found = self.channel.look(what, *args)
            if found is None:
                if not awake:
                    raise self.channel.late(deadline)
                self.channel.broken()
        return found

    async def _in_turn(self, deadline, what):
        """Await what() alone. The wait for the turn counts against the deadline too."""
        if deadline.never and self._turn.locked():
            raise self.channel.late(deadline)
        try:
            async with asyncio.timeout(None if deadline.never else deadline.left()):
                await self._turn.acquire()
        except TimeoutError:
            raise self.channel.late(deadline) from None
        try:
            return await what()
        finally:
            self._turn.release()

    async def recv(self, timeout=None, size=PART):
        """As Channel.recv()."""
        deadline = Deadline(timeout)
        return await self._in_turn(
            deadline, lambda: self._until(deadline, *self.channel.receiving(size)))

    async def borrow(self, timeout=None):
        """As Channel.borrow(): `with await rx.borrow() as view:`."""
        deadline = Deadline(timeout)
        return await self._in_turn(
            deadline, lambda: self._until(deadline, self.channel.lend))

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
        message = memoryview(message).cast("B")
        self.channel.look(self.channel.ring.sendable, len(message))
        await self._in_turn(deadline, lambda: self._send(message, deadline))

    async def _send(self, message, deadline):
        if self.channel.stream:
            while message:
                message = message[await self._until(deadline, self.channel.ring.put, message):]
            return
        if self.channel.depth:
            await self._until(deadline, self.channel.ring.put, message)
            return
        end, seq = await self._until(deadline, self.channel.offer, message)
        try:
            await self._until(deadline, self.channel.ring.taken, end)
        except BaseException as err:
            # take_back() blocks the loop until the firmware answers, 1 s at most.
            if self.channel.take_back(err, seq):
                raise
