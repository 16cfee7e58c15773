# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cards "bpf:DEV": channels over the card's own BPF firmware, through libnfpchan.

Such channels need perf rings and bpf(2), which the C library implements. This is the
only module that needs more than Python: libnfpchan.so.0."""

import ctypes
import errno
import os
import threading
import time

from . import abi

_TEXT = 256
_NSEC = 1_000_000_000


class _Info(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                ("abi_major", ctypes.c_uint16), ("abi_minor", ctypes.c_uint16),
                ("chan_count", ctypes.c_uint32), ("pipe_count", ctypes.c_uint32),
                ("pipe_used", ctypes.c_uint32), ("me_mhz", ctypes.c_uint32),
                ("boot_id", ctypes.c_uint32), ("features", ctypes.c_uint64),
                ("dma_bytes", ctypes.c_uint64), ("held_bytes", ctypes.c_uint64),
                ("pci", ctypes.c_char * 32), ("fw_name", ctypes.c_char * 32),
                ("fw_version", ctypes.c_char * 32)]


class _Query(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                ("name", ctypes.c_char * 32), ("id", ctypes.c_uint32),
                ("dir", ctypes.c_uint32), ("chan_flags", ctypes.c_uint32),
                ("elem_size", ctypes.c_uint32), ("max_size", ctypes.c_uint32),
                ("depth", ctypes.c_uint32), ("pipes", ctypes.c_uint32),
                ("island", ctypes.c_uint8), ("me", ctypes.c_uint8), ("ctx", ctypes.c_uint8),
                ("kind", ctypes.c_uint8), ("counts", ctypes.c_uint64 * 6),
                ("irq_count", ctypes.c_uint32), ("irq_usecs", ctypes.c_uint32)]


def _library():
    """libnfpchan, loaded once."""
    if _library.loaded is None:
        try:
            lib = ctypes.CDLL("libnfpchan.so.0")
        except OSError as err:
            raise abi.fail(errno.ENOENT, f"needs libnfpchan ({err})", "bpf:") from None
        pointer, size, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p
        for name, result, *args in (
                ("card_open", ctypes.c_int, pointer, text, pointer, size),
                ("card_close", None, pointer),
                ("card_error", pointer, pointer, pointer, size),
                ("card_info", ctypes.c_int, pointer, pointer),
                ("query", ctypes.c_int, pointer, text, pointer),
                ("query_id", ctypes.c_int, pointer, ctypes.c_uint32, pointer),
                ("repeats", ctypes.c_int, pointer, text, pointer),
                ("signal", ctypes.c_int, pointer, text),
                ("open", ctypes.c_int, pointer, pointer, text, pointer),
                ("close", None, pointer),
                ("error", pointer, pointer, pointer, size),
                ("fd", ctypes.c_int, pointer),
                ("send", ctypes.c_int, pointer, pointer, size, ctypes.c_int64),
                ("recv", ctypes.c_ssize_t, pointer, pointer, size, ctypes.c_int64),
                ("drain", ctypes.c_int, pointer, ctypes.c_int64)):
            call = getattr(lib, "nfpchan_" + name)
            call.restype, call.argtypes = result, args
        _library.loaded = lib
    return _library.loaded


_library.loaded = None


def _fail(ret, say, handle):
    buf = ctypes.create_string_buffer(_TEXT)
    say(handle, buf, _TEXT)
    about, _, text = buf.value.decode(errors="replace").partition(": ")
    return abi.fail(-ret, text or os.strerror(-ret), about)


class BpfCard:
    """A "bpf:" card, with the interface that Card needs."""

    def __init__(self, name):
        self._lib = _library()
        self._lock = threading.Lock()
        self._handle = None
        self.path = name
        handle, buf = ctypes.c_void_p(), ctypes.create_string_buffer(_TEXT)
        ret = self._lib.nfpchan_card_open(ctypes.byref(handle), name.encode(), buf, _TEXT)
        if ret:
            raise abi.fail(-ret, buf.value.decode(errors="replace"), name)
        self._handle = handle

    def close(self):
        with self._lock:
            if self._handle:
                self._lib.nfpchan_card_close(self._handle)
            self._handle = None

    def _call(self, call, *args):
        with self._lock:
            if not self._handle:
                raise ValueError("the card is closed")
            ret = call(self._handle, *args)
            if ret < 0:
                raise _fail(ret, self._lib.nfpchan_card_error, self._handle)

    def info(self):
        """(pci, firmware, version, channels, pipes, pipes_used, mhz, boot_id)"""
        i = _Info()
        self._call(self._lib.nfpchan_card_info, ctypes.byref(i))
        return (i.pci.decode(), i.fw_name.decode(), i.fw_version.decode(), i.chan_count,
                i.pipe_count, i.pipe_used, i.me_mhz, i.boot_id)

    def query(self, which):
        """The fields of ChannelInfo for a name or an id."""
        q, repeated = _Query(), ctypes.c_uint64()
        if isinstance(which, int):
            self._call(self._lib.nfpchan_query_id, which, ctypes.byref(q))
        else:
            self._call(self._lib.nfpchan_query, which.encode(), ctypes.byref(q))
        self._call(self._lib.nfpchan_repeats, q.name, ctypes.byref(repeated))
        return (q.name.decode(), q.id, q.dir == abi.TO_HOST, q.kind == abi.STREAM, q.elem_size,
                q.max_size, q.depth, q.pipes, *q.counts, repeated.value)

    def signal(self, name):
        self._call(self._lib.nfpchan_signal, name.encode())

    def channel(self, name):
        """Open one end of a channel."""
        handle = ctypes.c_void_p()
        with self._lock:
            if not self._handle:
                raise ValueError("the card is closed")
            ret = self._lib.nfpchan_open(ctypes.byref(handle), self._handle, name.encode(), None)
            if ret:
                raise _fail(ret, self._lib.nfpchan_card_error, self._handle)
        return BpfChannel(self._lib, handle, self.query(name))


class BpfChannel:
    """An open channel with the calls of Channel, except that there are no streams, no
    borrow() and no Async. close() must not run beside another call."""

    def __init__(self, lib, handle, info):
        self._lib = lib
        self._handle = handle
        (self.name, _, self.to_host, self.stream, self.elem_size, self.max_size,
         self.depth) = info[:7]
        self._local = threading.local()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def close(self):
        handle, self._handle = self._handle, None
        if handle:
            self._lib.nfpchan_close(handle)

    def fileno(self):
        """The descriptor. To the host it is readable when a message may be there, and
        at least once a second, for a check of program and interface. To the NFP it is
        always writable."""
        return self._lib.nfpchan_fd(self._open())

    def _open(self):
        if not self._handle:
            raise ValueError("the channel is closed")
        return self._handle

    def _call(self, call, *args, timeout):
        handle = self._open()
        end = None if timeout is None else time.monotonic() + timeout
        limit = -1 if timeout is None else int(timeout * _NSEC)
        while (ret := call(handle, *args, limit)) == -errno.EINTR:
            if end is not None:     # a signal handler ran, and time has passed
                limit = max(0, int((end - time.monotonic()) * _NSEC))
        if ret in (-errno.EAGAIN, -errno.ETIMEDOUT):
            raise abi.fail(-ret, "nothing there" if self.to_host else "no room", self.name)
        if ret < 0:
            raise _fail(ret, self._lib.nfpchan_error, handle)
        return ret

    def send(self, data, timeout=None):
        """Send a message. It is in the program's map when the call returns."""
        data = bytes(data)
        self._call(self._lib.nfpchan_send, data, len(data), timeout=timeout)

    def drain(self, timeout=None):
        """Wait until the program has taken all messages sent."""
        self._call(self._lib.nfpchan_drain, timeout=timeout)

    def recv(self, timeout=None):
        """Receive the next message, as bytes."""
        buf = getattr(self._local, "buf", None)
        if buf is None:
            buf = self._local.buf = ctypes.create_string_buffer(self.max_size)
        n = self._call(self._lib.nfpchan_recv, buf, self.max_size, timeout=timeout)
        return buf.raw[:n]

    def __iter__(self):
        while True:
            try:
                yield self.recv()
            except BrokenPipeError:
                return
