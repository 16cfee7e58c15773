# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""ctypes declarations of the structs and calls of ncrt.h."""

import ctypes
import errno
import os

DATA_MAX = 1440
REPLY, ACK, NONE = range(3)
INTR = 1                    # struct ncrt_opts.flags
PAD, BACK, QUIET = 1, 2, 4  # struct ncrt_wnd.flags

u16, u32, u64, size_t = ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_size_t
pointer, text = ctypes.c_void_p, ctypes.c_char_p


class Window(ctypes.Structure):
    _fields_ = [("seq", u32), ("invocation", u32), ("kernel", u16), ("from_", u16), ("to", u16),
                ("len", u16), ("size", u16), ("flags", u16), ("pad", u32),
                ("data", u64 * (DATA_MAX // 8))]


class Opts(ctypes.Structure):
    _fields_ = [("size", size_t), ("program", pointer), ("description", text), ("net", text),
                ("host", text), ("first", u32), ("flags", u32), ("queue", u32), ("rcvbuf", u32)]


class Arg(ctypes.Structure):
    _fields_ = [("data", pointer), ("count", size_t), ("size", u32), ("flags", u32),
                ("i", ctypes.c_int64), ("f", ctypes.c_double)]


class Wnd(ctypes.Structure):
    _fields_ = [("size", size_t), ("mode", u32), ("flags", u32), ("to", u32), ("slots", u32),
                ("windows", u32), ("timeout_ms", u32), ("first_seq", u32), ("rsvd", u32),
                ("fields", pointer), ("fill", pointer), ("fill_ctx", pointer)]


class Stats(ctypes.Structure):
    _fields_ = [(name, u64) for name in (
        "sent", "again", "done", "received", "acks", "duplicates", "late", "malformed", "full",
        "timeouts", "rtt_ns")]


class Buffer(ctypes.Structure):
    """Py_buffer: address and format of another object's memory."""
    _fields_ = [("buf", pointer), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int),
                ("ndim", ctypes.c_int), ("format", text), ("shape", pointer),
                ("strides", pointer), ("suboffsets", pointer), ("internal", pointer)]


_CALLS = (
    ("open", ctypes.c_int, pointer, pointer, text, size_t),
    ("close", None, pointer),
    ("last_error", text),
    ("node", ctypes.c_int, pointer, text),
    ("label", text, pointer, ctypes.c_uint),
    ("fd", ctypes.c_int, pointer),
    ("out", ctypes.c_int64, pointer, text, pointer, ctypes.c_uint, pointer, pointer),
    ("out_window", ctypes.c_int, pointer, text, pointer, ctypes.c_uint, pointer, pointer),
    ("recv", ctypes.c_int, pointer, text, pointer, ctypes.c_int64),
    ("answer", ctypes.c_int, pointer, pointer),
    ("ctrl_wr", ctypes.c_int, pointer, text, text, size_t, pointer, size_t, size_t),
    ("ctrl_rd", ctypes.c_int, pointer, text, text, size_t, pointer, size_t, size_t),
    ("map_put", ctypes.c_int, pointer, text, text, pointer, pointer),
    ("map_get", ctypes.c_int, pointer, text, text, pointer, pointer),
    ("map_del", ctypes.c_int, pointer, text, text, pointer),
    ("stats", None, pointer, pointer, size_t),
)


def load():
    """Load libncrt. If NCRT_LIBRARY is set, load that path."""
    path = os.environ.get("NCRT_LIBRARY", "libncrt.so.0")
    try:
        lib = ctypes.CDLL(path)
    except OSError as err:
        raise OSError(errno.ENOENT, f"{path} cannot be loaded ({err})") from None
    for name, result, *args in _CALLS:
        call = getattr(lib, f"ncrt_{name}")
        call.restype, call.argtypes = result, args
    return lib
