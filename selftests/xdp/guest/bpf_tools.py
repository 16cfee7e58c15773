# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Functions that the guest side of offload.t shares: run commands, check their output."""

import ctypes
import json
import os
import platform
import re
import socket
import subprocess
import time

from tap import SLOW, TREE, ok

XDP = os.path.join(TREE, "build/guest/xdp")
FS = "/sys/fs/bpf/"
TYPE = 0x88b5
LIBC = ctypes.CDLL(None)
SYS_BPF = 321 if platform.machine() == "x86_64" else 280


def run(*args, text=None):
    """Run a command. Return (exit status, output)."""
    got = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         check=False, timeout=60 * SLOW, input=text,
                         stdin=None if text else subprocess.DEVNULL)
    return got.returncode, got.stdout


def works(name, *args):
    status, out = run(*args)
    ok(status == 0, name, f"{args}: status {status}\n{out}")


def fails(name, error, *args):
    """Test that the command fails with this error message."""
    status, out = run(*args)
    ok(status != 0 and error in out, name, f"{args}: status {status}\n{out}")


def bpftool(*args):
    """The JSON document of a bpftool command, None when it fails."""
    got = subprocess.run(["bpftool", "-j", *args], capture_output=True, text=True, check=False,
                         timeout=60 * SLOW)
    if got.returncode or not got.stdout.strip():
        print(f"# bpftool {args}: status {got.returncode} {got.stdout} {got.stderr}")
        return None
    return json.loads(got.stdout)


def plain(*args):
    """Return the text output of a bpftool command."""
    status, out = run("bpftool", *args)
    if status:
        print(f"# bpftool {args}: status {status} {out}")
    return out


def says(name, pattern, *args):
    """Test that the text output of a bpftool command matches the pattern."""
    status, out = run("bpftool", *args)
    ok(status == 0 and re.search(pattern, out, re.M), name,
       f"{args}: status {status}\n{out}\nwant {pattern}")


def le(size, number):
    """Format a number as the bytes that bpftool expects for keys and values."""
    return [str(b) for b in number.to_bytes(size, "little")]


def number(hexes):
    return int.from_bytes(bytes(int(h, 16) for h in hexes), "little")


def map_create(name, kind, key, value, entries, dev="eth0"):
    return ["bpftool", "map", "create", FS + name, "type", kind, "key", str(key), "value",
            str(value), "entries", str(entries), "name", name, "offload_dev", dev]


def map_cmd(command, name, *rest):
    return ["bpftool", "map", command, "pinned", FS + name, *rest]


def update(name, key, value, *flags):
    return map_cmd("update", name, "key", *le(4, key), "value", *le(8, value), *flags)


def entries(doc):
    """Return {key: value} of a dump."""
    return {number(e["key"]): number(e["value"]) for e in doc}


def dump(name):
    """Return {key: value} of a pinned map."""
    return entries(bpftool("map", "dump", "pinned", FS + name))


def dump_id(nr):
    return entries(bpftool("map", "dump", "id", str(nr)))


def attach(dev, prog, *options):
    return ["ip", *options, "link", "set", "dev", dev, "xdpoffload", "obj", f"{XDP}/{prog}.o",
            "sec", "xdp"]


def detach(dev):
    return ["ip", "link", "set", "dev", dev, "xdpoffload", "off"]


def batch(name, commands):
    """Run many bpftool commands in one process."""
    status, out = run("bpftool", "batch", "file", "-", text="\n".join(commands) + "\n")
    ok(status == 0, name, f"status {status}\n{out[-2000:]}")


def shown(name):
    """Return the programs of this name that bpftool shows."""
    return [p for p in bpftool("prog", "show") or [] if p["name"] == name]


def xdp_mode(dev):
    """Return (name, mode) of the program that ip shows at a port."""
    link = json.loads(run("ip", "-j", "-d", "link", "show", "dev", dev)[1])[0]
    prog = link.get("xdp", {}).get("prog", {})
    return prog.get("name"), link.get("xdp", {}).get("mode")


def ids(command):
    """List all ids by BPF_PROG_GET_NEXT_ID or BPF_MAP_GET_NEXT_ID."""
    attr = (ctypes.c_uint32 * 3)()
    got = []
    while not LIBC.syscall(SYS_BPF, command, attr, ctypes.sizeof(attr)):
        got.append(attr[1])
        attr[0] = attr[1]
    return got


def objects():
    """Return the ids of all programs and of all maps."""
    return ids(11), ids(12)


def settles(name, good):
    """Test that good() becomes true within seconds. Polling is needed, because the kernel sends no
    notification when it frees a map, or when work deferred by RCU is done."""
    end = time.monotonic() + 5 * SLOW
    while not good() and time.monotonic() < end:
        time.sleep(0.02)
    ok(good(), name)


def left(before):
    """Test that only the old programs and maps exist. The kernel frees unused ones with a delay."""
    settles("no program or map is left over", lambda: objects() == before)


def links():
    return {link["ifname"] for link in json.loads(run("ip", "-j", "link")[1])}


def kmsg():
    """Open the kernel log at its end, for said_since()."""
    fd = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
    os.lseek(fd, 0, os.SEEK_END)
    return fd


def said_since(fd):
    said = ""
    while True:
        try:
            said += os.read(fd, 8192).decode(errors="replace").partition(";")[2]
        except BlockingIOError:
            os.close(fd)
            return said


def fails_clean(name, error, *args, log=None):
    """Test for an error message, for a line of the kernel log, and that no object is left over."""
    before, since = objects(), kmsg()
    fails(name, error, *args)
    said = said_since(since)
    if log:
        ok(log in said, f"{name}: the kernel log has the reason", said)
    # Objects that existed before may be freed at any time.
    settles(f"{name}: no program or map is left over",
            lambda: all(set(now) <= set(old) for now, old in zip(objects(), before)))


def listen(dev):
    """Open a socket that receives the frames that arrive at a port."""
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    s.setsockopt(263, 23, 1)        # SOL_PACKET, PACKET_IGNORE_OUTGOING
    s.bind((dev, 0))
    s.settimeout(5 * SLOW)
    return s


def frame(kind, nr=0):
    """Make a broadcast frame with known bytes."""
    return b"\xff" * 6 + b"\2\0\0\0\0\1" + kind.to_bytes(2, "big") + bytes([0, nr]) * 23
