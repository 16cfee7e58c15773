# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Channels: send, receive, borrow, streams, waiting."""

import collections
import errno
import io
import mmap
import os
import platform
import select
import threading
import time

from . import abi
from .ring import Ring, check_geom

PART = 65536            # bytes of a stream that come at a time


class Deadline:
    """The end of a call's waiting: seconds from now, None for never."""

    def __init__(self, timeout):
        self.end = None if timeout is None else time.monotonic() + timeout
        self.never = timeout == 0

    def left(self):
        """Seconds, or None; 0 when it has passed."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())


class Borrowed:
    """A message, or part of a stream, where it lies in the ring; a context
    manager that gives it back. Read-only. Its room, and so the end of a
    rendezvous, is the card's only then. The card can write to the ring at any
    time: copy what must not change between a check and its use."""

    def __init__(self, channel, view):
        self.view = view
        self.done = False
        self._channel = channel

    def __enter__(self):
        return self.view

    def __exit__(self, kind, *_):
        try:
            self.release()
        except OSError:
            if kind is None:
                raise

    def release(self):
        """Give it back. OSError ENODEV: the card was detached, and what was read
        may have been replaced before."""
        self._channel.give_back(self)


class Channel:
    """One open end of a channel; see Card.channel().

    fileno() is for select, selectors and asyncio: readable when there is
    something that was not received, writable when the largest message, or an
    element, has room. A thread must not close what another one waits for.
    (ring, look() and what follows them are for Async.)
    """

    def __init__(self, fd, name):
        self.name = name
        self._fd = fd
        self._maps = []
        self._views = []
        self._borrowed = collections.deque()
        self._lock = threading.RLock()          # the ring
        self._sending = threading.Lock()        # a rendezvous, to its end
        self.link = None                        # the Link that it is an end of
        try:
            self._setup()
        except BaseException:
            self._unmap()
            os.close(fd)
            raise

    def _setup(self):
        if platform.machine() != "x86_64":
            raise abi.fail(errno.ENOTSUP, f"no memory barriers on {platform.machine()}: "
                           "use read() and write() of the descriptor", self.name)
        g = abi.layout(self._fd)
        if g.page_size < 4096 or g.db_data > g.page_size - 4 or g.db_data % 4:
            raise abi.fail(errno.EIO, f"doorbell at {g.db_data} of a page of "
                           f"{g.page_size} bytes", self.name)
        check_geom(self.name, g)
        self.to_host = g.dir == abi.TO_HOST
        self.stream = g.kind == abi.STREAM
        self.elem_size = g.elem_size
        self.max_size = g.max_size
        self.depth = g.depth
        both = mmap.PROT_READ | mmap.PROT_WRITE
        ring = self._map(2 * g.ring_size, g.ring_off, mmap.PROT_READ if self.to_host else both)
        note = self._map(g.page_size, g.note_off, mmap.PROT_READ)
        ctl = self._map(g.page_size, g.ctl_off, both)
        doorbell = self._map(g.page_size, g.db_off, both)
        self.ring = Ring(self.name, g, ring, note, ctl, doorbell)
        self._views[:0] = self.ring.views()

    def _map(self, length, offset, prot):
        area = mmap.mmap(self._fd, length, mmap.MAP_SHARED, prot, offset=offset)
        self._maps.append(area)
        view = memoryview(area)
        self._views.append(view)
        return view

    def _unmap(self):
        for view in self._views:
            view.release()
        for area in self._maps:
            try:
                area.close()
            except BufferError:
                pass    # unmapped with the last slice of it that the caller has
        self._maps.clear()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def close(self):
        """Close this end. What was sent and not taken by the ME process, or not
        received, is lost; the card counts it. The pipe ends with the last slice
        that the caller keeps of something borrowed."""
        with self._lock:
            if self._fd < 0:
                return
            if self.to_host and not self.ring.dead:
                self.ring.give_back()
            for lent in self._borrowed:
                lent.done = True
                try:
                    lent.view.release()
                except BufferError:
                    pass    # what the caller made of it ends the mapping, at last
            self._borrowed.clear()
            self._unmap()
            os.close(self._fd)
            self._fd = -1
        link = self.link
        if link:
            link.release()

    def fileno(self):
        """The descriptor, which stays the channel's."""
        self._open()
        return self._fd

    def _open(self):
        if self._fd < 0:
            raise ValueError("the channel is closed")

    # ---- waiting ----

    def look(self, what, *args):
        """Make a call of the ring, once."""
        with self._lock:
            self._open()
            if self.link:
                raise abi.fail(errno.EISCONN, "the channel is linked: the card carries its "
                               "messages", self.name)
            return what(*args)

    def broken(self):
        """Raise when poll() says that nothing will come: a ring that says
        nothing of it belongs to a card that is gone. Arms the pipe otherwise."""
        poll = select.poll()
        poll.register(self._fd, 0)
        # One of both is of a process that has ended since, or a fault: the ring says so
        gone = select.POLLERR | select.POLLHUP
        if any(events & gone == gone for _, events in poll.poll(0)):
            raise abi.fail(errno.ENODEV, "the card is gone", self.name)

    def _sleep(self, deadline):
        """Until something may have changed, or the time is over (False)."""
        left = deadline.left()
        poll = select.poll()
        # poll() arms the pipe
        poll.register(self.fileno(), select.POLLIN if self.to_host else select.POLLOUT)
        return bool(poll.poll(None if left is None else left * 1000))

    def _until(self, deadline, what, *args):
        """The answer of a call of the ring, which is None while there is none."""
        found = self.look(what, *args)
        while found is None:
            awake = self._sleep(deadline)
            found = self.look(what, *args)
            if found is None:
                if not awake:
                    raise self.late(deadline)
                self.broken()
        return found

    def late(self, deadline):
        """What a call that may not wait any longer fails with."""
        if deadline.never:
            return abi.fail(errno.EAGAIN, "nothing there" if self.to_host else "no room",
                            self.name)
        return abi.fail(errno.ETIMEDOUT, "timed out", self.name)

    # ---- to host ----

    def recv(self, timeout=None, size=PART):
        """The next message; of a stream, what is there, at most so many bytes."""
        return self._until(Deadline(timeout), *self.receiving(size))

    def receiving(self, size=PART):
        """The call of the ring that recv() makes."""
        return self.ring.recv, size if self.stream else self.max_size

    def borrow(self, timeout=None):
        """The next message, or all there is of a stream, where it lies in the
        ring: `with channel.borrow() as view:`. May be called again before the
        first is given back; room goes back in the order that it came."""
        return self._until(Deadline(timeout), self.lend)

    def lend(self):
        """Borrow what is there; None: nothing."""
        found = self.ring.peek()
        if found is None:
            return None
        at, size = found
        self.ring.take(size)
        # Mapped without PROT_WRITE, so the view is read-only
        lent = Borrowed(self, self.ring.data[at:at + size])
        self._borrowed.append(lent)
        return lent

    def give_back(self, lent):
        """Borrowed.release()."""
        with self._lock:
            if lent.done:
                return
            lent.view.release()     # BufferError: something made of it is in use yet
            lent.done = True
            while self._borrowed and self._borrowed[0].done:
                self._borrowed.popleft()
                self.ring.release()
            self.ring.verify()

    def __iter__(self):
        """Messages, or parts of a stream, until the ME process ends."""
        try:
            while True:
                yield self.recv()
        except BrokenPipeError:
            return

    # ---- to NFP ----

    def send(self, message, timeout=None):
        """Send a message, or all of a piece of a stream.

        A buffered channel: returns when it is in the ring. A rendezvous: when
        the ME process has taken it. After a failure it is taken back, so it was
        not delivered (but EIO: the card may not have said so); of a stream, what
        came before may have been written.
        """
        deadline = Deadline(timeout)
        message = memoryview(message).cast("B")
        self.look(self.ring.sendable, len(message))
        if self.stream:
            self._send_all(message, deadline)
        elif self.depth:
            self._until(deadline, self.ring.put, message)
        else:
            self._rendezvous(message, deadline)

    def _send_all(self, data, deadline):
        with self._turn(deadline):
            while data:
                data = data[self._until(deadline, self.ring.put, data):]

    def _rendezvous(self, message, deadline):
        with self._turn(deadline):
            end, seq = self._until(deadline, self.offer, message)
            try:
                self._until(deadline, self.ring.taken, end)
            except BaseException as err:
                if self.take_back(err, seq):
                    raise

    def _turn(self, deadline):
        left = deadline.left()
        if not self._sending.acquire(timeout=-1 if left is None else left):
            raise self.late(deadline)
        return _Held(self._sending)

    def offer(self, message):
        """Put a message into the ring: (its end, its number); None: no room."""
        if self.ring.put(message) is None:
            return None
        return self.ring.pos, self.ring.seq

    def take_back(self, err, seq):
        """A rendezvous has failed with err. Is that to be raised? Of a message that was
        delivered only what is not about it: ^C, or that a task was cancelled."""
        if isinstance(err, OSError) and err.errno in (errno.EPIPE, errno.EIO, errno.ENODEV):
            return True
        try:
            abi.ioctl(self._fd, abi.IOC_CANCEL, abi.CANCEL, 0, seq, 0)
        except OSError as why:
            if why.errno == errno.EALREADY:
                return not isinstance(err, OSError)
            if why.errno in (errno.ETIMEDOUT, errno.EIO):
                raise abi.fail(errno.EIO, "the card has not said whether it has the message",
                               self.name) from err
            raise abi.sys_fail(why, self.name) from err
        return True

    def drain(self, timeout=None):
        """Wait until the ME process has taken all that was sent: before closing a
        buffered channel. Looks every millisecond."""
        deadline = Deadline(timeout)
        if self.to_host:
            raise abi.fail(errno.EBADF, "the channel leads to the host", self.name)
        end = self.ring.pos
        while not self.look(self.ring.taken, end):
            if deadline.left() == 0:
                raise self.late(deadline)
            time.sleep(0.001)

    # ---- both ----

    def signal(self):
        """Set the signal of the ME process at the other end."""
        self._open()
        try:
            abi.ioctl(self._fd, abi.IOC_SIGNAL, abi.SIGNAL, 0, b"")
        except OSError as err:
            raise abi.sys_fail(err, self.name) from None

    def makefile(self):
        """A stream as a buffered binary file, to read or to write; its end is
        that of the ME process. Closing it leaves the channel open."""
        if not self.stream:
            raise abi.fail(errno.EINVAL, "the channel carries messages", self.name)
        # Parts of elements would not go through
        size = PART - PART % self.elem_size or self.elem_size
        if self.to_host:
            return io.BufferedReader(_Raw(self), size)
        return io.BufferedWriter(_Raw(self), size)


class _Held:
    """A lock that was taken with a timeout."""

    def __init__(self, lock):
        self._lock = lock

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._lock.release()


class _Raw(io.RawIOBase):
    """A stream as io has it."""

    def __init__(self, channel):
        super().__init__()
        self._channel = channel

    def readable(self):
        return self._channel.to_host

    def writable(self):
        return not self._channel.to_host

    def readinto(self, buffer):
        try:
            data = self._channel.recv(size=len(buffer))
        except BrokenPipeError:
            return 0
        buffer[:len(data)] = data
        return len(data)

    def write(self, data):
        self._channel.send(data)
        return len(data)
