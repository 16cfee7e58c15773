# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Channels: send, receive, borrow, streams, waiting."""

import collections
import errno
import functools
import io
import mmap
import os
import platform
import select
import threading
import time

from . import abi
from .ring import Ring, check_geom

PART = 65536            # bytes of a stream that recv() returns at most


class Deadline:
    """The end of a call's wait: seconds from now; None: without limit."""

    def __init__(self, timeout):
        self.end = None if timeout is None else time.monotonic() + timeout
        self.never = timeout == 0

    def left(self):
        """Seconds that are left, 0 if the time is over; None: without limit."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())


class Borrowed:
    """A message, or part of a stream, in place in the ring, read-only. A context manager
    that gives it back. The card gets the room only then, and only then does a
    rendezvous end. The card can write to the ring at any time: copy what must not
    change between a check and its use."""

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
        """Give the room back. OSError ENODEV: the card was detached, and may have written
        to the ring before the caller had read all of it."""
        self._channel.give_back(self)


class Channel:
    """One open end of a channel, opened by Card.channel().

    fileno() is for select, selectors and asyncio: readable when a message was not
    received yet; writable when the largest message, or an element, has room. A thread
    must not close a channel that another thread waits for. (ring, look() and the other
    undocumented attributes are for Async.)
    """

    def __init__(self, fd, name):
        self.name = name
        self._fd = fd
        self._maps = []
        self._views = []
        self._borrowed = collections.deque()
        self._lock = threading.RLock()          # guards the ring
        self._sending = threading.Lock()        # held through a rendezvous or a stream's send
        self.link = None                        # the Link that the channel is an end of
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
        kick = functools.partial(abi.kick, self._fd)
        if g.db_map:
            doorbell = self._map(g.page_size, g.db_off, both).cast("I")
            self._views.insert(0, doorbell)
            kick = functools.partial(doorbell.__setitem__, g.db_data // 4)
        self.ring = Ring(self.name, g, ring, note, ctl, kick)
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
                pass    # the caller keeps a slice, and unmaps with the last one
        self._maps.clear()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def close(self):
        """Close this end. Messages that the ME process has not taken, and messages that
        were not received, are lost, and the card counts them. If the caller keeps slices
        of borrowed memory, the pipe ends with the last of them."""
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
                    pass    # the caller keeps a slice, which holds the mapping
            self._borrowed.clear()
            self._unmap()
            os.close(self._fd)
            self._fd = -1
        link = self.link
        if link:
            link.release()

    def fileno(self):
        """The descriptor, which belongs to the channel."""
        self._open()
        return self._fd

    def _open(self):
        if self._fd < 0:
            raise ValueError("the channel is closed")

    # ---- waiting ----

    def look(self, what, *args):
        """Make a call of the ring, once, with the lock held."""
        with self._lock:
            self._open()
            if self.link:
                raise abi.fail(errno.EISCONN, "the channel is linked: the card carries its "
                               "messages", self.name)
            return what(*args)

    def broken(self):
        """Raise ENODEV if poll() says that the card is gone, as the ring need not say so.
        Otherwise poll() has armed the pipe."""
        poll = select.poll()
        poll.register(self._fd, 0)
        # One of the two alone means a fault, or a process that has ended: the ring says so.
        gone = select.POLLERR | select.POLLHUP
        if any(events & gone == gone for _, events in poll.poll(0)):
            raise abi.fail(errno.ENODEV, "the card is gone", self.name)

    def _sleep(self, deadline):
        """Sleep until something may have changed (True), or the time is over (False)."""
        left = deadline.left()
        poll = select.poll()
        # poll() arms the pipe.
        poll.register(self.fileno(), select.POLLIN if self.to_host else select.POLLOUT)
        return bool(poll.poll(None if left is None else left * 1000))

    def _until(self, deadline, what, *args):
        """Repeat a call of the ring, which returns None while it finds nothing."""
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
        """The error of a call that may not wait any longer."""
        if deadline.never:
            return abi.fail(errno.EAGAIN, "nothing there" if self.to_host else "no room",
                            self.name)
        return abi.fail(errno.ETIMEDOUT, "timed out", self.name)

    # ---- to host ----

    def recv(self, timeout=None, size=PART):
        """Receive the next message; of a stream, what has arrived, up to size bytes."""
        return self._until(Deadline(timeout), *self.receiving(size))

    def receiving(self, size=PART):
        """The call of the ring, and its argument, for recv()."""
        return self.ring.recv, size if self.stream else self.max_size

    def borrow(self, timeout=None):
        """Receive the next message, or all there is of a stream, in place in the ring:
        `with channel.borrow() as view:`. May be called again before the first message
        is given back. Room goes back to the card in the order of the messages."""
        return self._until(Deadline(timeout), self.lend)

    def lend(self):
        """Borrow what has arrived; None: nothing has."""
        found = self.ring.peek()
        if found is None:
            return None
        at, size = found
        self.ring.take(size)
        # The ring is mapped without PROT_WRITE, so the view is read-only.
        lent = Borrowed(self, self.ring.data[at:at + size])
        self._borrowed.append(lent)
        return lent

    def give_back(self, lent):
        """What Borrowed.release() does."""
        with self._lock:
            if lent.done:
                return
            lent.view.release()     # BufferError: the caller still uses a slice of it
            lent.done = True
            while self._borrowed and self._borrowed[0].done:
                self._borrowed.popleft()
                self.ring.release()
            self.ring.verify()

    def __iter__(self):
        """Receive messages, or parts of a stream, until the ME process ends."""
        try:
            while True:
                yield self.recv()
        except BrokenPipeError:
            return

    # ---- to NFP ----

    def send(self, message, timeout=None):
        """Send a message, or all bytes of a part of a stream.

        Buffered channel: returns when the message is in the ring. Rendezvous: returns when
        the ME process has taken the message. After a failure the message was taken back
        and not delivered, except after EIO: the card may not have answered. Of a stream,
        a part may have been written.
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
        """Put a message into the ring. Returns its end and its number; None: no room."""
        if self.ring.put(message) is None:
            return None
        return self.ring.pos, self.ring.seq

    def take_back(self, err, seq):
        """Take a message back after a rendezvous has failed with err. Returns whether to
        raise err. If the ME process has taken the message, raise only errors that are not
        about the message: KeyboardInterrupt, or the cancellation of a task."""
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
        """Wait until the ME process has taken all messages sent. Closing a buffered
        channel after that loses nothing. Looks every millisecond."""
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
        """Set the signal of the channel's ME process."""
        self._open()
        try:
            abi.ioctl(self._fd, abi.IOC_SIGNAL, abi.SIGNAL, 0, b"")
        except OSError as err:
            raise abi.sys_fail(err, self.name) from None

    def makefile(self):
        """The stream as a buffered binary file, to read or to write. The file ends when
        the ME process ends. Closing the file leaves the channel open."""
        if not self.stream:
            raise abi.fail(errno.EINVAL, "the channel carries messages", self.name)
        # A buffer of whole elements, as a stream takes no parts of elements.
        size = PART - PART % self.elem_size or self.elem_size
        if self.to_host:
            return io.BufferedReader(_Raw(self), size)
        return io.BufferedWriter(_Raw(self), size)


class _Held:
    """A context manager for a lock that was acquired with a timeout."""

    def __init__(self, lock):
        self._lock = lock

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._lock.release()


class _Raw(io.RawIOBase):
    """A stream for the io module."""

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
