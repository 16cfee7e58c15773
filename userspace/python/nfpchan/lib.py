# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""ctypes declarations of the structs and calls of nfpchan.h."""

import ctypes
import errno
import os
import threading

TO_HOST = 1
STREAM = 2
OPT_LINK = 0x2          # NFPCHAN_LINK
TEXT_MAX = 512

u8, u16, u32, u64 = ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64
size_t, pointer, text = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p
ssize_t, nsec = ctypes.c_ssize_t, ctypes.c_int64


class Info(ctypes.Structure):
    """struct nfp_chan_info"""
    _fields_ = [("size", u32), ("flags", u32), ("abi_major", u16), ("abi_minor", u16),
                ("chan_count", u32), ("pipe_count", u32), ("pipe_used", u32), ("me_mhz", u32),
                ("boot_id", u32), ("features", u64), ("dma_bytes", u64), ("held_bytes", u64),
                ("pci", ctypes.c_char * 32), ("fw_name", ctypes.c_char * 32),
                ("fw_version", ctypes.c_char * 32)]


class Query(ctypes.Structure):
    """struct nfp_chan_query"""
    _fields_ = [("size", u32), ("flags", u32), ("name", ctypes.c_char * 32), ("id", u32),
                ("dir", u32), ("chan_flags", u32), ("elem_size", u32), ("max_size", u32),
                ("depth", u32), ("pipes", u32), ("island", u8), ("me", u8), ("ctx", u8),
                ("kind", u8), ("counts", u64 * 6), ("irq_count", u32), ("irq_usecs", u32)]


class Layout(ctypes.Structure):
    """struct nfp_chan_layout, up to what the package uses"""
    _fields_ = [("size", u32), ("flags", u32), ("id", u32), ("dir", u32), ("elem_size", u32),
                ("max_size", u32), ("depth", u32), ("ring_size", u32), ("unit_shift", u32),
                ("limit", u32), ("offsets", u64 * 4), ("doorbells", u32 * 3), ("kind", u32)]


class Opts(ctypes.Structure):
    """struct nfpchan_opts"""
    _fields_ = [("size", size_t), ("ring_size", u32), ("spin_us", ctypes.c_int32),
                ("flags", u32), ("inline_max", ctypes.c_int32), ("irq_count", u32),
                ("irq_usecs", u32), ("wait", u32), ("rsvd", u32), ("port", pointer)]


class LinkOpts(ctypes.Structure):
    """struct nfpchan_link_opts"""
    _fields_ = [("size", size_t), ("match_len", u32), ("match_off", u32),
                ("match_value", u8 * 8), ("match_mask", u8 * 8), ("hdr", text),
                ("hdr_len", size_t), ("state_off", u32), ("state_len", u32),
                ("state_step", u32), ("stage", u32)]


class LinkStat(ctypes.Structure):
    """struct nfp_chan_link_stat"""
    _fields_ = [("size", u32), ("flags", u32), ("state", u32), ("via", u32),
                ("names", ctypes.c_char * 32 * 2), ("counts", u64 * 4)]


_CALLS = (
    ("card_open", ctypes.c_int, pointer, text, pointer, size_t),
    ("card_close", None, pointer),
    ("card_error", pointer, pointer, pointer, size_t),
    ("card_info", ctypes.c_int, pointer, pointer),
    ("query", ctypes.c_int, pointer, text, pointer),
    ("query_id", ctypes.c_int, pointer, u32, pointer),
    ("repeats", ctypes.c_int, pointer, text, pointer),
    ("signal", ctypes.c_int, pointer, text),
    ("open", ctypes.c_int, pointer, pointer, text, pointer),
    ("close", None, pointer),
    ("error", pointer, pointer, pointer, size_t),
    ("layout", ctypes.POINTER(Layout), pointer),
    ("fd", ctypes.c_int, pointer),
    ("send", ctypes.c_int, pointer, text, size_t, nsec),
    ("write", ssize_t, pointer, text, size_t, nsec),
    ("drain", ctypes.c_int, pointer, nsec),
    ("raise", ctypes.c_int, pointer),
    ("recv", ssize_t, pointer, pointer, size_t, nsec),
    ("recv_msgs", ssize_t, pointer, pointer, size_t, pointer, size_t, nsec),
    ("read", ssize_t, pointer, pointer, size_t, nsec),
    ("borrow", ssize_t, pointer, pointer, nsec),
    ("release", ctypes.c_int, pointer, ctypes.c_uint),
    ("peek", ssize_t, pointer, pointer, nsec),
    ("consume", ctypes.c_int, pointer, size_t),
    ("wait", ctypes.c_int, pointer, nsec),
    ("link_open", ctypes.c_int, pointer, pointer, pointer, pointer),
    ("link_close", None, pointer),
    ("link_fd", ctypes.c_int, pointer),
    ("link_stats", ctypes.c_int, pointer, pointer),
)


class Library:
    """The calls of libnfpchan, by their names without "nfpchan_". Those named _now keep the
    interpreter's lock, so they may only be made with a timeout of 0. Their arguments are bytes
    or objects of ctypes, because they convert none, which takes longer than the call."""

    def __init__(self):
        path = os.environ.get("NFPCHAN_LIBRARY", "libnfpchan.so.0")
        try:
            lib, now = ctypes.CDLL(path), ctypes.PyDLL(path)
        except OSError as err:
            raise OSError(errno.ENOENT, f"cannot be loaded ({err})", path) from None
        for name, result, *args in _CALLS:
            call = getattr(lib, f"nfpchan_{name}")
            call.restype, call.argtypes = result, args
            setattr(self, name, call)
        self.recv_now, self.send_now = now.nfpchan_recv, now.nfpchan_send
        self.msgs_now = now.nfpchan_recv_msgs
        self.recv_now.restype = self.msgs_now.restype = ssize_t


_lock = threading.Lock()
_loaded = []


def load():
    """The library, loaded once. NFPCHAN_LIBRARY names another file than the soname."""
    with _lock:
        if not _loaded:
            _loaded.append(Library())
        return _loaded[0]


def fail(code, why, name):
    """An OSError with this errno and text, of Python's subclass for the errno."""
    return OSError(code, why, name)


def failed(ret, say, handle):
    """The OSError of a call that has returned ret. say is the library's call for its text."""
    buf = ctypes.create_string_buffer(TEXT_MAX)
    say(handle, buf, TEXT_MAX)
    about, _, why = buf.value.decode(errors="replace").partition(": ")
    return fail(-ret, why or os.strerror(-ret), about)


def encode(name):
    """A name for the library."""
    raw = name.encode()
    if b"\0" in raw:
        raise fail(errno.EINVAL, "the name has a NUL", name)
    return raw
