# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""A session: one host of an NCL program."""

import contextlib
import ctypes
import errno
import operator
import os
import time

from . import abi
from .description import Description
from .window import Window

_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [ctypes.py_object, ctypes.POINTER(abi.Buffer), ctypes.c_int]
_release_buffer = ctypes.pythonapi.PyBuffer_Release
_release_buffer.argtypes = [ctypes.POINTER(abi.Buffer)]
_WRITABLE, _CONTIGUOUS, _FORMAT = 0x1, 0x38, 0x4


@contextlib.contextmanager
def _buffer(obj, writable=False):
    """Address of an object's bytes. The object cannot move or free them inside the with block."""
    view = abi.Buffer()
    _get_buffer(obj, view, _CONTIGUOUS | _FORMAT | (_WRITABLE if writable else 0))
    try:
        yield view
    finally:
        _release_buffer(view)


def _encode(name):
    return None if name is None else os.fsencode(name)


def _check_kind(kernel, item, view):
    """Tell floats from integers. The library only compares sizes."""
    letter = (view.format or b"B").decode().lstrip("@=<")
    floats = letter in ("e", "f", "d", "g")
    if len(letter) == 1 and letter in "?bBhHiIlLqQefdg" and item.type.letter and \
            view.itemsize > 1 and floats != (item.type.letter in "fd"):
        raise TypeError(f"{kernel.name}: elements of format '{letter}' for argument "
                        f"{item.name}, which is {item.type.name}")


def _number(arg, kind, value):
    """Store a number, or a numpy number, in the argument. False: @value is not a number."""
    try:
        if kind.letter in ("f", "d"):
            arg.f = float(value)
        elif isinstance(value, float):
            raise ValueError(f"{value!r} for an argument that is {kind.name}")
        else:
            # as int64, the upper half of u64 is negative
            arg.i = (operator.index(value) + (1 << 63)) % (1 << 64) - (1 << 63)
    except TypeError:
        return False
    return True


class Session:
    """A session: see ncrt.h, struct ncrt_opts.

    program: path of PROG.ncd; net: path of the AND file; host: label of this host in it. None
    stands for the environment's NCL_PROGRAM, NCL_AND or NCL_HOST.
    first: number of the first invocation; the same on all hosts whose windows meet in a kernel
    """

    def __init__(self, program=None, net=None, host=None, first=0, queue=0):
        self._nc = None
        self._lib = abi.load()
        program = program or os.environ.get("NCL_PROGRAM")
        opts = abi.Opts(size=ctypes.sizeof(abi.Opts), description=_encode(program),
                        net=_encode(net), host=_encode(host), first=first, queue=queue,
                        flags=abi.INTR)
        nc, err = ctypes.c_void_p(), ctypes.create_string_buffer(256)
        ret = self._lib.ncrt_open(ctypes.byref(nc), ctypes.byref(opts), err, len(err))
        if ret:
            raise OSError(-ret, err.value.decode(errors="replace"))
        self._nc = nc
        self._desc = Description(program)

    def close(self):
        if self._nc:
            self._lib.ncrt_close(self._nc)
            self._nc = None

    __del__ = close

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def _call(self, name, *args):
        if not self._nc:
            raise ValueError("the session is closed")
        ret = getattr(self._lib, f"ncrt_{name}")(self._nc, *args)
        if ret is not None and ret < 0:
            raise OSError(-ret, self._lib.ncrt_last_error().decode(errors="replace"))
        return ret

    def fileno(self):
        """Descriptor that is readable when a datagram has come. Then call recv(timeout=0) until
        BlockingIOError."""
        return self._call("fd")

    def node(self, label=None):
        """Number of a node; without label: of this host."""
        return self._call("node", _encode(label))

    def label(self, node):
        """Label of a node; None for number 0."""
        if not self._nc:
            raise ValueError("the session is closed")
        name = self._lib.ncrt_label(self._nc, node)
        return name.decode() if name else None

    # ---- to the network ----

    def _kernel(self, name):
        kernel = self._desc.kernels.get(name)
        if kernel is None or not kernel.out:
            raise OSError(errno.ENOENT, f"{name} is no outgoing kernel of this program")
        return kernel

    def _args(self, kernel, values, back, stack):
        if len(values) != len(kernel.args):
            raise TypeError(f"{kernel.name}: {len(values)} arguments, the kernel has "
                            f"{len(kernel.args)}")
        args = (abi.Arg * max(len(values), 1))()
        for arg, item, value in zip(args, kernel.args, values):
            if not item.count and _number(arg, item.type, value):
                continue
            view = stack.enter_context(_buffer(value, back))
            _check_kind(kernel, item, view)
            arg.data, arg.size = view.buf, view.itemsize if item.type.letter else 0
            arg.count = view.len // (view.itemsize if item.type.letter else item.type.size)
            if not item.count and view.len != item.type.size:
                raise ValueError(f"{kernel.name}: {view.len} bytes for argument {item.name}, "
                                 f"which is {item.type.name}")
        return args

    def _fields(self, fields, stack):
        items = self._desc.fields
        data = bytearray(max((i.offset + i.type.size for i in items.values()), default=0))
        for name, value in fields.items():
            if name not in items:
                raise ValueError(f"NCL_WINDOW has no field {name}")
            item = items[name]
            data[item.offset:item.offset + item.type.size] = item.type.pack(value)
        return stack.enter_context(_buffer(data)).buf

    def _send(self, call, name, values, wnd, fields, *last):
        kernel = self._kernel(name)
        with contextlib.ExitStack() as stack:
            args = self._args(kernel, values, bool(wnd.flags & abi.BACK), stack)
            if fields:
                wnd.fields = self._fields(fields, stack)
            return self._call(call, name.encode(), ctypes.byref(args), len(values),
                              ctypes.byref(wnd), *last)

    def _wnd(self, mode, to, timeout, slots, flags, windows=0):
        return abi.Wnd(size=ctypes.sizeof(abi.Wnd), mode=mode, to=self.node(to) if to else 0,
                       slots=slots, windows=windows, timeout_ms=max(1, round(timeout * 1000)),
                       flags=flags)

    def out(self, kernel, *values, mode=abi.REPLY, to=None, back=False, pad=False, quiet=False,
            slots=0, windows=0, mask=None, fields=None, timeout=10):
        """Send arrays through a kernel, and wait until all windows are done. Return their number.

        values: arguments of the kernel: arrays, and numbers, which are the same in all windows
        mode: REPLY, ACK or NONE; to: label of the node that the windows are for
        back: elements of an answer go to where those of the window came from
        pad: an array may end inside a window: zeros fill the rest
        quiet: answers are not kept for recv()
        fields: values of NCL_WINDOW's fields, by name
        timeout: seconds in which each window must be done"""
        flags = abi.BACK * back | abi.PAD * pad | abi.QUIET * quiet
        count = (ctypes.c_uint16 * len(mask))(*mask) if mask else None
        wnd = self._wnd(mode, to, timeout, slots, flags, windows)
        return self._send("out", kernel, values, wnd, fields, count)

    def out_window(self, kernel, *values, mode=abi.REPLY, to=None, fields=None, timeout=10):
        """Send one window. Return the Window that comes back, or None if the mode is not REPLY."""
        raw = abi.Window()
        wnd = self._wnd(mode, to, timeout, 0, abi.PAD)
        self._send("out_window", kernel, values, wnd, fields, ctypes.byref(raw))
        return self._window(raw) if raw.kernel else None

    # ---- from the network ----

    def _window(self, raw):
        return Window(raw, self._desc.kernel(raw.kernel), self._desc.fields, self.label)

    def recv(self, kernel=None, timeout=None):
        """Receive the next window, of one kernel or of any."""
        raw, name = abi.Window(), _encode(kernel)
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            left = -1 if end is None else max(0, round((end - time.monotonic()) * 1e9))
            try:
                self._call("recv", name, ctypes.byref(raw), left)
                return self._window(raw)
            except InterruptedError:
                pass    # the signal's handler ran, and did not raise an exception
            except BlockingIOError:
                if timeout:
                    raise TimeoutError(errno.ETIMEDOUT, "no window has come") from None
                raise

    def answer(self, window):
        """Send a window back to the node that it came from, with the arguments as they are now."""
        self._call("answer", ctypes.byref(window._raw))

    # ---- variables ----

    def _variable(self, name):
        if name not in self._desc.variables:
            raise OSError(errno.ENOENT, f"{name} is no variable of this program")
        return self._desc.variables[name]

    @staticmethod
    def _flat(shape, index):
        flat, index = 0, index if isinstance(index, tuple) else (index,)
        if len(index) == 1:
            return index[0]
        if len(index) != len(shape):
            raise ValueError(f"index {index} of {len(shape)} dimensions")
        for n, i in zip(shape, index):
            if not 0 <= i < n:
                raise ValueError(f"index {index} of shape {shape}")
            flat = flat * n + i
        return flat

    def ctrl_write(self, name, value, index=0, place=None):
        """Write one element, or several from index on. index: a number, or a tuple with one for
        each dimension."""
        var = self._variable(name)
        data = value
        if isinstance(value, (bool, int, float)):
            data = var.type.pack(value)
        with _buffer(data) as view:
            self._call("ctrl_wr", name.encode(), _encode(place), self._flat(var.shape, index),
                       view.buf, view.len // var.type.size,
                       var.type.size if isinstance(data, bytes) else view.itemsize)

    def ctrl_read(self, name, index=0, place=None):
        """Read an element."""
        var = self._variable(name)
        data = bytearray(var.type.size)
        self.ctrl_read_into(name, data, index, place)
        return var.type.unpack(data)

    def ctrl_read_into(self, name, data, index=0, place=None):
        """Read elements from index on, as many as data has room for."""
        var = self._variable(name)
        with _buffer(data, True) as view:
            self._call("ctrl_rd", name.encode(), _encode(place), self._flat(var.shape, index),
                       view.buf, view.len // var.type.size,
                       var.type.size if view.itemsize == 1 else view.itemsize)

    def map_put(self, name, key, value, place=None):
        var = self._variable(name)
        if var.key is None:
            raise OSError(errno.EINVAL, f"{name} is no map")
        self._call("map_put", name.encode(), _encode(place), var.key.pack(key),
                   var.type.pack(value))

    def map_get(self, name, key, place=None):
        """Value of a key; KeyError: the map does not have the key."""
        var = self._variable(name)
        if var.key is None:
            raise OSError(errno.EINVAL, f"{name} is no map")
        data = ctypes.create_string_buffer(var.type.size)
        try:
            self._call("map_get", name.encode(), _encode(place), var.key.pack(key), data)
        except ProcessLookupError:
            raise KeyError(key) from None
        return var.type.unpack(data.raw)

    def map_del(self, name, key, place=None):
        """Delete a key; KeyError: the map does not have the key."""
        var = self._variable(name)
        if var.key is None:
            raise OSError(errno.EINVAL, f"{name} is no map")
        try:
            self._call("map_del", name.encode(), _encode(place), var.key.pack(key))
        except ProcessLookupError:
            raise KeyError(key) from None

    def stats(self):
        """Counters by name: see struct ncrt_stats."""
        stats = abi.Stats()
        self._call("stats", ctypes.byref(stats), ctypes.sizeof(stats))
        return {name: getattr(stats, name) for name, _ in abi.Stats._fields_}
