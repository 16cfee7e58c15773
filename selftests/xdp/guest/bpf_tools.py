# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What the parts of offload.t's guest side share: commands, and what they must say."""

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
    """(exit status, what it printed) of a command."""
    got = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         check=False, timeout=60 * SLOW, input=text,
                         stdin=None if text else subprocess.DEVNULL)
    return got.returncode, got.stdout


def works(name, *args):
    status, out = run(*args)
    ok(status == 0, name, f"{args}: status {status}\n{out}")


def fails(name, error, *args):
    """The command fails, and says so in these words."""
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
    """What a bpftool command prints for people."""
    status, out = run("bpftool", *args)
    if status:
        print(f"# bpftool {args}: status {status} {out}")
    return out


def says(name, pattern, *args):
    """A bpftool command prints, for people, what matches."""
    status, out = run("bpftool", *args)
    ok(status == 0 and re.search(pattern, out, re.M), name,
       f"{args}: status {status}\n{out}\nwant {pattern}")


def le(size, number):
    """A number as bpftool takes keys and values."""
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
    """{key: value} of a dump."""
    return {number(e["key"]): number(e["value"]) for e in doc}


def dump(name):
    """{key: value} of a map."""
    return entries(bpftool("map", "dump", "pinned", FS + name))


def dump_id(nr):
    return entries(bpftool("map", "dump", "id", str(nr)))


def attach(dev, prog, *options):
    return ["ip", *options, "link", "set", "dev", dev, "xdpoffload", "obj", f"{XDP}/{prog}.o",
            "sec", "xdp"]


def detach(dev):
    return ["ip", "link", "set", "dev", dev, "xdpoffload", "off"]


def batch(name, commands):
    """Many bpftool commands in one process."""
    status, out = run("bpftool", "batch", "file", "-", text="\n".join(commands) + "\n")
    ok(status == 0, name, f"status {status}\n{out[-2000:]}")


def shown(name):
    """The programs of that name that bpftool knows."""
    return [p for p in bpftool("prog", "show") or [] if p["name"] == name]


def xdp_mode(dev):
    """(mode, name) of the program that ip shows at a port."""
    link = json.loads(run("ip", "-j", "-d", "link", "show", "dev", dev)[1])[0]
    prog = link.get("xdp", {}).get("prog", {})
    return prog.get("name"), link.get("xdp", {}).get("mode")


def ids(command):
    """Ids that BPF_PROG_GET_NEXT_ID or BPF_MAP_GET_NEXT_ID gives, one by one."""
    attr = (ctypes.c_uint32 * 3)()
    got = []
    while not LIBC.syscall(SYS_BPF, command, attr, ctypes.sizeof(attr)):
        got.append(attr[1])
        attr[0] = attr[1]
    return got


def objects():
    """The ids of all programs and of all maps."""
    return ids(11), ids(12)


def settles(name, good):
    """It becomes true, within seconds. It is asked for again and again, as the
    kernel tells nobody when a map goes, nor when what RCU has put off is done."""
    end = time.monotonic() + 5
    while not good() and time.monotonic() < end:
        time.sleep(0.02)
    ok(good(), name)


def left(before):
    """The kernel frees what nothing uses any more when it has the time."""
    settles("nothing is left", lambda: objects() == before)


def links():
    return {link["ifname"] for link in json.loads(run("ip", "-j", "link")[1])}


def kmsg():
    """The kernel's log from here on, for said_since()."""
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
    """It fails in these words, and in those of the kernel's log; nothing stays."""
    before, since = objects(), kmsg()
    fails(name, error, *args)
    said = said_since(since)
    if log:
        ok(log in said, f"{name}: and the log says why", said)
    # What was there before may go at any time.
    settles(f"{name}: nothing is left of it",
            lambda: all(set(now) <= set(old) for now, old in zip(objects(), before)))


def listen(dev):
    """A socket that gets what comes in at a port."""
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    s.setsockopt(263, 23, 1)        # SOL_PACKET, PACKET_IGNORE_OUTGOING
    s.bind((dev, 0))
    s.settimeout(5 * SLOW)
    return s


def frame(kind, nr=0):
    """A frame for anybody, whose bytes are known."""
    return b"\xff" * 6 + b"\2\0\0\0\0\1" + kind.to_bytes(2, "big") + bytes([0, nr]) * 23
