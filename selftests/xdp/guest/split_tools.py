# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Functions that the guest side of split.t shares: frames, a running split, and the same object
loaded natively."""

import ctypes
import json
import os
import select
import signal
import socket
import subprocess

from bpf_tools import run
from tap import SLOW, TREE

NFPCHAN = os.path.join(TREE, "build/guest/bin/nfpchan")
OBJ = os.path.join(TREE, "build/guest/xdp-split/tails.o")
SHARED = os.path.join(TREE, "build/guest/xdp-split/shared.o")
LEARN = os.path.join(TREE, "build/guest/xdp-split/learn.o")
ORDER, FATE, MARK = 40, 41, 42
PASS, DROP, TX, SECOND, MID, INSIDE = range(6)      # orders of tails.c
BASE, COUNT = 0xf800, 256
LAST = 0x1234               # EtherType of the last frame of a test
VLAN = 0x8100


def frame(kind, order, fate=0, size=60, inner=None):
    """Make a frame whose bytes tell tails.c what to do with it."""
    f = bytearray(b"\xff" * 6 + b"\2\0\0\0\0\1" + kind.to_bytes(2, "big"))
    if inner is not None:
        f += bytes(2) + inner.to_bytes(2, "big")
    f += bytes(i & 0xff for i in range(len(f), size))
    f[ORDER], f[FATE] = order, fate
    f[MARK:MARK + 4] = bytes(4)
    return bytes(f)


def listen(dev):
    """Open a socket for frames that arrive at a port, and for VLAN tags that the kernel strips."""
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    s.setsockopt(263, 23, 1)        # SOL_PACKET, PACKET_IGNORE_OUTGOING
    s.setsockopt(263, 8, 1)         # PACKET_AUXDATA
    s.setsockopt(socket.SOL_SOCKET, 33, 1 << 24)    # SO_RCVBUFFORCE
    s.bind((dev, 0))
    s.settimeout(5 * SLOW)
    return s


def receive(sock):
    """Receive a frame, and put a stripped VLAN tag back."""
    f, control, _, _ = sock.recvmsg(65536, 64)
    for level, kind, data in control:
        status = int.from_bytes(data[:4], "little")
        if level == 263 and kind == 8 and status & 1 << 4:      # TP_STATUS_VLAN_VALID
            tag = data[18:20][::-1] if status & 1 << 6 else b"\x81\0"
            f = f[:12] + tag + data[16:18][::-1] + f[12:]
    return f


def spread(sender, frames):
    """Send frames, then a last frame for the card's way and one for the host's way."""
    for f in frames:
        sender.send(f)
    sender.send(frame(LAST, PASS))
    sender.send(frame(LAST, SECOND))


def arrived(sock):
    """Return the frames that arrive before the two last frames of a test."""
    got, last = [], set()
    while len(last) < 2:
        f = receive(sock)
        if f[12:14] == LAST.to_bytes(2, "big"):
            last.add(f[ORDER])
        else:
            got.append(f)
    return got


def back(sender, wait=1.0):
    """Return the frames that come back to the sender until none comes for some time."""
    got = []
    while select.select([sender], [], [], wait if not got else 0.3 * SLOW)[0]:
        got.append(receive(sender))
    return got


class Split:
    """A running "nfpchan xdp run --split". The constructor waits until it is attached."""

    def __init__(self, obj, *options, dev="eth0"):
        self.said = ""
        self.proc = subprocess.Popen([NFPCHAN, "-j", "xdp", "run", "--split", "-d", dev,
                                      *options, obj], stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE)
        self.attached = self.wait("attached\n")

    def wait(self, words):
        """Wait until the command prints these words. Return False if it ends before."""
        start = len(self.said)
        while words not in self.said[start:]:
            if not select.select([self.proc.stderr], [], [], 30 * SLOW)[0]:
                return False
            data = os.read(self.proc.stderr.fileno(), 4096).decode()
            if not data:
                return False
            self.said += data
        return True

    def replace(self):
        self.proc.send_signal(signal.SIGHUP)
        return self.wait("replaced\n")

    def end(self, sig=signal.SIGTERM):
        """End the command. Return its counters; None if it could not print them."""
        self.proc.send_signal(sig)
        out, err = self.proc.communicate(timeout=60 * SLOW)
        self.said += err.decode()
        return json.loads(out) if out else None


class Native:
    """An object loaded natively by libbpf, with real tail calls."""

    def __init__(self, obj, prog, dev="eth0"):
        self.bpf = ctypes.CDLL("libbpf.so.1", use_errno=True)
        for name in ("bpf_object__open_file", "bpf_object__find_program_by_name",
                     "bpf_program__attach_xdp"):
            getattr(self.bpf, name).restype = ctypes.c_void_p
        self.obj = ctypes.c_void_p(self.bpf.bpf_object__open_file(obj.encode(), None))
        if self.bpf.bpf_object__load(self.obj):
            raise OSError(ctypes.get_errno(), "load")
        found = self.bpf.bpf_object__find_program_by_name(self.obj, prog.encode())
        self.link = ctypes.c_void_p(self.bpf.bpf_program__attach_xdp(
            ctypes.c_void_p(found), socket.if_nametoindex(dev)))

    def end(self):
        self.bpf.bpf_link__destroy(self.link)
        self.bpf.bpf_object__close(self.obj)


def nic_stats(dev="eth0"):
    """Return {name: value} of ethtool -S."""
    out = run("ethtool", "-S", dev)[1]
    pairs = (line.strip().rpartition(": ") for line in out.splitlines())
    return {name: int(value) for name, _, value in pairs if value.isdigit()}
