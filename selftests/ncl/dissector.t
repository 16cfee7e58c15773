#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: userspace build/host/test/ncrt_device
"""Run the Wireshark dissector on packets of libncrt: fields of the header, names, values."""

import array
import contextlib
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [f"{TREE}/selftests/rig", f"{TREE}/userspace/ncl/python"]
os.environ.setdefault("NCRT_LIBRARY", f"{TREE}/build/host/lib/libncrt.so.0")

import ncrt
import tap

FIELDS = ["magic", "version", "flags", "program", "kernel", "from", "to", "len", "size", "seq",
          "invocation", "origin", "pad"]


def tshark(path, *args):
    run = subprocess.run(["tshark", "-n", "-r", path, "-X", f"lua_script:{TREE}/userspace/ncl/ncp.lua",
                          *args], capture_output=True, text=True)
    tap.ok(run.returncode == 0 and "Lua:" not in run.stderr,
           f"tshark {' '.join(args[:2])}", run.stderr)
    return run.stdout


def written(path, net, dump):
    """Wait until dumpcap has written all packets: send a datagram and find it in the file."""
    last = b"the last one " + os.urandom(8)
    address = net.split("/")[0].rsplit(".", 1)[0] + ".200"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as raw:
        raw.bind((address, 0))
        for _ in range(200):
            raw.sendto(last, (address, 20813))
            select.select([dump.stderr], [], [], 0.05)
            with open(path, "rb") as file:
                if last in file.read():
                    return
    raise TimeoutError(f"dumpcap does not write to {path}")


@contextlib.contextmanager
def capture(path, net):
    """Capture the loopback packets of the network `net`. Yield None if dumpcap may not capture."""
    dump = subprocess.Popen(["dumpcap", "-q", "-i", "lo", "-w", path, "-f", f"udp and src net {net}"],
                            stderr=subprocess.PIPE, text=True)
    for line in dump.stderr:
        if line.startswith("File:"):
            break
    else:
        yield None
        return
    yield dump
    written(path, net, dump)
    dump.terminate()
    dump.communicate()


def traffic(program, net, address):
    """A window that is reflected, one that nobody acknowledges, two that are malformed."""
    with ncrt.Session(program, net, "w1", first=700) as nc:
        nc.out_window("calc", ord("+"), 40, -2, 0)
        with contextlib.suppress(ConnectionRefusedError):
            nc.ctrl_write("count", 7, (3, 2))
        with contextlib.suppress(TimeoutError):
            nc.out("log", array.array("I", range(8)), mode=ncrt.ACK, to="server", timeout=0.03)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as raw:
        raw.bind((address, 0))
        raw.sendto(b"CL\x07" + bytes(25), (address, 20812))     # unknown version 7
        raw.sendto(b"CL\x01" + bytes(24), (address, 20812))     # the header lacks a byte


def main():
    if not shutil.which("tshark") or not shutil.which("dumpcap"):
        tap.skip("dissector", "no tshark")
        return tap.done()
    device = subprocess.Popen([f"{TREE}/build/host/test/ncrt_device", "1", "0", "0", "0"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    net, program = device.stdout.readline().split()
    with open(net, encoding="ascii") as file:
        address = next(line.split()[2] for line in file if line.startswith("host w1 "))
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/ncp.pcapng"
        with capture(path, address.rsplit(".", 1)[0] + ".0/24") as dump:
            if dump:
                traffic(program, net, address)
        if dump:
            check(path, program)
        else:
            tap.skip("dissector", "dumpcap may not capture")
    device.communicate()
    return tap.done()


def check(path, program):
    args = [arg for name in FIELDS for arg in ("-e", f"nclp.{name}")]
    rows = [line.split("\t") for line in
            tshark(path, "-Y", "nclp", "-T", "fields", *args).splitlines()]
    calc, log = ([dict(zip(FIELDS, row)) for row in rows if row[4] == kernel] for kernel in "24")
    tap.same(list(calc[0].values()), ["0x4c43", "1", "0x10", "0x10c0", "2", "1", "0", "0", "24",
                                      "0", "700", "0", "0x0000"], "each header field of a window")
    tap.same(calc[1]["flags"], "0x11", "flags of the reflected window")
    tap.same({row["seq"] for row in log}, {"0", "1"}, "window numbers of an array of two windows")
    tap.ok(any(int(row["flags"], 16) & 8 for row in log),
           "the flag of a window that was sent again")
    tap.ok(all(row["to"] == "5" and row["len"] == "4" for row in log),
           "destination and length of windows for a host")

    named = tshark(path, "-o", f"nclp.program:{program}", "-Y", "nclp")
    tap.ok("calc w1 > any invocation 700 window 0 LAST\n" in named and
           "calc w1 > w1 invocation 700 window 0 REPLY LAST\n" in named and
           "log w1 > server invocation 701 window 0 WANT_ACK AGAIN\n" in named,
           "the info column names kernels and nodes", named)
    values = tshark(path, "-o", f"nclp.program:{program}", "-Y", "nclp.kernel == 2", "-T", "fields",
                    "-e", "nclp.value").split()
    tap.same(values, ["700,0,43,40,-2,0", "700,0,43,40,-2,38"],
             "values of the kernel's fields and arguments")
    text = tshark(path, "-o", f"nclp.program:{program}", "-V", "-Y", "nclp.flags.want_ack")
    tap.ok("data (u32[4]): 0 1 2 3" in text and "Kernel: 4 (log)" in text and
           "To: 5 (server)" in text,
           "the tree shows an array, and the names of kernel and node", text[:3000])
    ctrl = tshark(path, "-o", f"nclp.program:{program}", "-Y", "nclp.flags.ctrl == 1", "-T", "fields",
                  "-e", "nclp.ctrl.variable", "-e", "nclp.ctrl.what", "-e", "nclp.ctrl.index", "-e",
                  "nclp.data")
    tap.same(ctrl.splitlines()[:1], ["count\t1\t11\t07000000"], "a request for a variable")
    tap.ok("count w1 > s1 request 1\n" in named, "the info column of a request", named)
    tap.ok("1... = Sent again: True" in text, "the tree shows a flag by its name", text[:3000])
    bad = tshark(path, "-Y", "nclp.version.unknown", "-T", "fields", "-e", "nclp.version")
    tap.same(bad.split(), ["7"], "an unknown version is marked")
    short = tshark(path, "-Y", "udp.length == 35 && !nclp")
    tap.same(len(short.splitlines()), 1, "a datagram shorter than the header is not dissected")


sys.exit(main())
