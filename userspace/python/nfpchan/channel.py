# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Channels: send, receive, borrow, streams."""

import collections
import contextlib
import ctypes
import errno
import functools
import io
import struct
import threading
import time

from . import lib

PART = 65536            # bytes of a stream that recv() returns at most
AHEAD = 32              # messages that an iterator receives at a time
AHEAD_BYTES = 65536     # room for them, unless one message is larger
NSEC = 1_000_000_000
NOW = ctypes.c_int64(0)
MESSAGE = struct.Struct("PN")           # struct nfpchan_msg


class Deadline:
    """The end of a call's wait: seconds from now; None: without limit."""

    def __init__(self, timeout):
        self.end = None if timeout is None else time.monotonic() + timeout
        self.never = timeout == 0

    def left(self):
        """Seconds that are left, 0 if the time is over; None: without limit."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    def nsec(self):
        """The timeout for the library. Only a call that never waits has 0."""
        if self.never or self.end is None:
            return 0 if self.never else -1
        return max(1, min(int(self.left() * NSEC), (1 << 63) - 1))


AT_ONCE = Deadline(0)


class Handle:
    """A handle of the library, which is closed when it has no user any more. Its channel is
    one; calls that may sleep, and borrowed memory, are others."""

    def __init__(self, pointer, close):
        self.pointer = pointer
        self._close = close
        self._users = 1
        self._lock = threading.RLock()  # drop() may run at any time, by the garbage collector

    def hold(self):
        """Add a user. The channel is open, and stays so until this user's drop()."""
        with self._lock:
            if not self.pointer:
                raise ValueError("the channel is closed")
            self._users += 1
            return self.pointer

    def drop(self):
        """Remove a user."""
        with self._lock:
            self._users -= 1
            if not self._users:
                self._close()

    def close(self):
        """Remove the channel itself. Returns whether it was open."""
        with self._lock:
            was, self.pointer = self.pointer, None
        if was:
            self.drop()
        return bool(was)


def _closed(*_):
    raise ValueError("the channel is closed")


def _slow(*_):
    return -errno.EAGAIN


@functools.lru_cache(maxsize=None)
def _memory(size):
    """A type for memory of a ring, which is a user of the channel's handle."""
    class Memory(ctypes.c_ubyte * size):
        """The ring from some address on."""
        handle = None

        def __del__(self):
            if self.handle:
                self.handle.drop()

    return Memory


class Borrowed:
    """A message, or part of a stream, in place in the ring, read-only. A context manager
    that gives it back. The card gets the room only then, and only then does a
    rendezvous end. The card can write to the ring at any time: copy what must not
    change between a check and its use."""

    def __init__(self, channel, view, count):
        self.view = view
        self.count = count      # messages, or bytes of a stream, of the ring
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
    received yet; writable when the largest message, or an element, has room. An iterator
    receives the messages that are there, up to 32 at a time; fileno() does not tell of
    those, but the next recv(), borrow() or iterator has them. A thread must not close a
    channel that another thread waits for. (The methods try_...() and other undocumented
    attributes are for Async and Link.)
    """

    def __init__(self, library, pointer, name, quick):
        g = library.layout(pointer)[0]
        self.name = name
        self.to_host = g.dir == lib.TO_HOST
        self.stream = g.kind == lib.STREAM
        self.elem_size = g.elem_size
        self.max_size = g.max_size
        self.depth = g.depth
        self._fd = library.fd(pointer)
        self._lib = library
        # The pointer for the calls that keep the interpreter's lock: they run between two
        # steps of Python, so that no close() runs meanwhile.
        self._pointer = pointer
        self.handle = Handle(pointer, lambda: library.close(pointer))
        self._size = ctypes.c_size_t(self.max_size)
        self._buffers = []      # buffers that no call uses
        self._ahead = collections.deque()
        self._batch = None      # buffers of _receive_ahead()
        self._memory = _memory(g.ring_size)
        self._lent = collections.deque()
        self._lock = threading.RLock()          # guards what is borrowed
        # Held by a receive that waits, and through the send of a stream
        self._turn = threading.Lock()
        quick = quick and not self.stream
        self._recv_now = library.recv_now if quick else _slow
        self._msgs_now = library.msgs_now if quick else _slow
        # A rendezvous waits for the ME process even without a timeout.
        self._send_now = library.send_now if quick and self.depth else _slow

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def close(self):
        """Close this end. Messages that the ME process has not taken, and messages that
        were not received, are lost, and the card counts them. If the caller keeps slices
        of borrowed memory, the pipe ends with the last of them."""
        with self._lock:
            self._recv_now = self._msgs_now = self._send_now = _closed
            self._ahead.clear()
            for lent in self._lent:
                lent.done = True
                try:
                    lent.view.release()
                except BufferError:
                    pass    # the caller uses it, which holds the handle
            self._lent.clear()
            self.handle.close()

    def fileno(self):
        """The descriptor, which belongs to the channel."""
        if not self.handle.pointer:
            raise ValueError("the channel is closed")
        return self._fd

    # ---- calls of the library ----

    def call(self, what, *args, deadline=None):
        """Make a call of the library, which gets the time that is left as its last argument.
        Calls that wait are made again after each handler of a signal."""
        handle = self.handle.hold()
        try:
            while True:
                ret = what(handle, *args, *([deadline.nsec()] if deadline else []))
                if ret >= 0:
                    return ret
                if ret in (-errno.EAGAIN, -errno.ETIMEDOUT):
                    raise self.late(ret == -errno.EAGAIN)
                if ret != -errno.EINTR:
                    raise lib.failed(ret, self._lib.error, handle)
        finally:
            self.handle.drop()

    def late(self, never):
        """The error of a call that may not wait any longer."""
        if never:
            return lib.fail(errno.EAGAIN, "nothing there" if self.to_host else "no room",
                            self.name)
        return lib.fail(errno.ETIMEDOUT, "timed out", self.name)

    @contextlib.contextmanager
    def _in_turn(self, deadline):
        """Wait for the other threads that wait. A call that may not wait does not."""
        left = deadline.left()
        if not deadline.never and not self._turn.acquire(timeout=-1 if left is None else left):
            raise self.late(False)
        try:
            yield
        finally:
            if not deadline.never:
                self._turn.release()

    # ---- to host ----

    def recv(self, timeout=None, size=PART):
        """Receive the next message; of a stream, what has arrived, up to size bytes."""
        if self._ahead:
            try:
                return self._ahead.popleft()
            except IndexError:
                pass        # another thread has it
        try:
            buf = self._buffers.pop()
        except IndexError:
            buf = ctypes.create_string_buffer(max(self.max_size, PART if self.stream else 1))
        n = self._recv_now(self._pointer, buf, self._size, NOW)
        if n < 0:
            message = self._recv_slowly(buf, size, Deadline(timeout))
        else:
            message = buf[:n]
        self._buffers.append(buf)
        return message

    def _recv_slowly(self, buf, size, deadline):
        if self.stream:
            if size > len(buf):
                buf = ctypes.create_string_buffer(size)
            with self._in_turn(deadline), self._lock:
                self._whole()
            return buf[:self.call(self._lib.read, buf, max(size, 0), deadline=deadline)]
        with self._in_turn(deadline):
            try:                # another thread may have received it meanwhile
                return self._ahead.popleft()
            except IndexError:
                pass
            return buf[:self.call(self._lib.recv, buf, self.max_size, deadline=deadline)]

    def _whole(self):
        """Fail while part of a stream is borrowed: the library would show it again."""
        if self.stream and self._lent:
            raise lib.fail(errno.EBUSY, "a part is borrowed: give it back first", self.name)

    def borrow(self, timeout=None):
        """Receive the next message, or all there is of a stream, in place in the ring:
        `with channel.borrow() as view:`. May be called again before the first message
        is given back; of a stream, one part at a time. Room goes back to the card in the
        order of the messages."""
        deadline = Deadline(timeout)
        try:
            return self.lend()
        except BlockingIOError:
            if deadline.never:
                raise
        with self._in_turn(deadline):
            while True:
                try:
                    return self.lend()
                except BlockingIOError:
                    self.call(self._lib.wait, deadline=deadline)

    def lend(self):
        """Borrow what has arrived."""
        if self._ahead:
            try:
                return Borrowed(self, memoryview(self._ahead.popleft()), 0)
            except IndexError:
                pass
        at = ctypes.c_void_p()
        with self._lock:
            self._whole()
            size = self.call(self._lib.peek if self.stream else self._lib.borrow,
                             ctypes.byref(at), deadline=AT_ONCE)
            self.handle.hold()
            memory = self._memory.from_address(at.value)
            memory.handle = self.handle
            lent = Borrowed(self, memoryview(memory).cast("B")[:size].toreadonly(),
                            size if self.stream else 1)
            self._lent.append(lent)
        return lent

    def give_back(self, lent):
        """What Borrowed.release() does."""
        with self._lock:
            if lent.done:
                return
            lent.view.release()     # BufferError: the caller still uses it
            lent.done = True
            count = 0
            while self._lent and self._lent[0].done:
                count += self._lent.popleft().count
            if count:
                self.call(self._lib.consume if self.stream else self._lib.release, count)
            try:
                self.call(self._lib.wait, deadline=AT_ONCE)
            except OSError as err:
                if err.errno == errno.ENODEV:
                    raise

    def borrowed(self):
        """Whether anything is borrowed."""
        return bool(self._lent)

    def __iter__(self):
        """Receive messages, or parts of a stream, until the ME process ends."""
        ahead = self._ahead
        try:
            while self.stream:
                yield self.recv()
            while True:
                try:
                    message = ahead.popleft()
                except IndexError:
                    self._receive_ahead()
                    continue
                yield message
        except BrokenPipeError:
            return

    def _receive_ahead(self):
        """Wait for messages, and receive those that are there."""
        with self._turn:
            if self._ahead:     # another thread has received them meanwhile
                return
            if not self._batch:
                size = max(AHEAD_BYTES, self.max_size)
                self._batch = (ctypes.create_string_buffer(size), ctypes.c_size_t(size),
                               ctypes.create_string_buffer(AHEAD * MESSAGE.size),
                               ctypes.c_size_t(AHEAD))
            n = self._msgs_now(self._pointer, *self._batch, NOW)
            if n < 0:
                n = self.call(self._lib.recv_msgs, *self._batch, deadline=Deadline(None))
            buf, _, found, _ = self._batch
            base = ctypes.addressof(buf)
            self._ahead.extend([buf[at - base:at - base + size] for at, size in
                                MESSAGE.iter_unpack(found[:n * MESSAGE.size])])

    # ---- to NFP ----

    def send(self, message, timeout=None):
        """Send a message, or all bytes of a part of a stream.

        Buffered channel: returns when the message is in the ring. Rendezvous: returns when
        the ME process has taken the message. After a failure the message was taken back
        and not delivered, except after EIO: the card may not have answered. Of a stream,
        a part may have been written.
        """
        if type(message) is not bytes:
            message = bytes(memoryview(message))
        size = ctypes.c_size_t(len(message))
        if self._send_now(self._pointer, message, size, NOW) == 0:
            return
        deadline = Deadline(timeout)
        if self.stream:
            self._write_all(message, deadline)
        else:
            self.call(self._lib.send, message, len(message), deadline=deadline)

    def _write_all(self, data, deadline):
        with self._in_turn(deadline):
            while data:
                data = data[self.call(self._lib.write, data, len(data), deadline=deadline):]

    def write_some(self, data):
        """Send what has room of a stream's part. Returns the number of bytes."""
        return self.call(self._lib.write, data, len(data), deadline=AT_ONCE)

    def drain(self, timeout=None):
        """Wait until the ME process has taken all messages sent. Closing a buffered
        channel after that loses nothing."""
        if self.to_host:
            raise lib.fail(errno.EBADF, "the channel leads to the host", self.name)
        self.call(self._lib.drain, deadline=Deadline(timeout))

    # ---- both ----

    def signal(self):
        """Set the signal of the channel's ME process."""
        self.call(getattr(self._lib, "raise"))

    def makefile(self):
        """The stream as a buffered binary file, to read or to write. The file ends when
        the ME process ends. Closing the file leaves the channel open."""
        if not self.stream:
            raise lib.fail(errno.EINVAL, "the channel carries messages", self.name)
        # A buffer of whole elements, as a stream takes no parts of elements.
        size = PART - PART % self.elem_size or self.elem_size
        if self.to_host:
            return io.BufferedReader(_Raw(self), size)
        return io.BufferedWriter(_Raw(self), size)


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
