#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What the stock driver shows and sets of a port and of a card: identity, rate, FEC, dump.
In the VM with two cards; eth0 and eth1 are the ends of a cable."""

import os
import re
import struct
import subprocess
import sys
import tempfile

from tap import TREE, done, ok, same

PAIR = ("eth0", "eth1")
# Types of nfp_net_debugdump.c
CPP_CSR, XPB_CSR, RTSYM, HWINFO, FWNAME, PROLOG, ERROR = 0, 1, 4, 5, 6, 10000, 10001


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, check=False)


def ethtool(*args):
    """What it says, or why it cannot."""
    r = run("ethtool", *args)
    return r.stdout if r.returncode == 0 else r.stderr


def line(text, key):
    found = re.search(rf"{key}: *(.*)", text)
    return found and found.group(1).split()


def wait(what):
    """Both ends have that state of the link."""
    return [run(os.path.join(TREE, "build/guest/test/net_wait"), dev, what).returncode
            for dev in PAIR] == [0, 0]


def ip(*args):
    subprocess.run(["ip", *args], check=True)


def speed(dev, mbit):
    """A port's rate, which the driver changes with the interface down only."""
    ip("link", "set", dev, "down")
    said = ethtool("-s", dev, "speed", str(mbit))
    ip("link", "set", dev, "up")
    return said


def test_identity():
    macs, serials = set(), set(re.findall(r"serial_number (\S+)", run("devlink", "dev", "info").stdout))
    for i in range(4):
        with open(f"/sys/class/net/eth{i}/address", encoding="ascii") as f:
            macs.add(f.read())
    same(len(macs), 4, "each port of two cards has a MAC address of its own")
    same(len(serials), 2, "each card has a serial number of its own")


def test_fec():
    said = ethtool("--show-fec", "eth0")
    same(sorted(line(said, "Configured FEC encodings|Supported/Configured FEC encodings") or []),
         ["Auto", "BaseR", "Off", "RS"], "a port at 25G has each kind of FEC")
    same(line(said, "Active FEC encoding"), ["RS"], "and uses RS")
    ethtool("--set-fec", "eth0", "encoding", "off")
    same(line(ethtool("--show-fec", "eth0"), "Active FEC encoding"), ["Off"], "FEC is off")
    ok(wait("down"), "ends of a cable with and without FEC have no link")
    for kind, shown in (("off", "Off"), ("baser", "BaseR"), ("rs", "RS")):
        for dev in PAIR:
            ethtool("--set-fec", dev, "encoding", kind)
        same([line(ethtool("--show-fec", dev), "Active FEC encoding") for dev in PAIR],
             [[shown], [shown]], f"both ends use {shown}")
        ok(wait("up"), "and have link")


def test_speed():
    modes = ethtool("eth0")
    ok("10000baseSR/Full" in modes and "25000baseSR/Full" in modes,
       "both rates are offered", modes)
    same(line(modes, "Speed"), ["25000Mb/s"], "the port is at 25G")
    ok("Invalid argument" in speed("eth0", 40000), "40G is refused")
    same(speed("eth0", 10000), "", "10G is taken")
    ok(wait("down"), "ends of a cable at different rates have no link")
    same(speed("eth1", 10000), "", "the other end at 10G")
    ok(wait("up"), "gives a link")
    same([line(ethtool(dev), "Speed") for dev in PAIR], [["10000Mb/s"]] * 2, "of 10G")
    ok("not supported" in ethtool("--set-fec", "eth0", "encoding", "rs"), "which has no FEC")
    carries("at 10G")
    for dev in PAIR:
        same(speed(dev, 25000), "", f"{dev} is set back to 25G")
    ok(wait("up"), "and has link")
    same(line(ethtool("--show-fec", "eth0"), "Active FEC encoding"), ["RS"],
         "with the FEC that was set before")


def carries(how):
    """Frames of one end arrive at the other."""
    ip("netns", "add", "far")
    ip("link", "set", "eth1", "netns", "far")
    ip("-n", "far", "addr", "add", "10.9.0.2/24", "dev", "eth1")
    ip("-n", "far", "link", "set", "eth1", "up")
    ip("addr", "add", "10.9.0.1/24", "dev", "eth0")
    r = run("ping", "-q", "-c", "3", "-i", "0.05", "-W", "10", "10.9.0.2")
    ok(r.returncode == 0, f"frames pass {how}", r.stdout)
    ip("-n", "far", "link", "set", "eth1", "netns", "1")
    ip("netns", "del", "far")
    ip("link", "set", "eth1", "up")


def tlvs(data):
    """(type, value) of a dump."""
    found, at = [], 0
    while at + 8 <= len(data):
        kind, size = struct.unpack_from(">II", data, at)
        found.append((kind, data[at + 8:at + 8 + size]))
        at += 8 + size
    same(at, len(data), "the dump is one record behind the other, to its end")
    return found


def symbol(value):
    """Name and content: both behind the length of the name's place."""
    room = value[16]
    return value[17:17 + room].split(b"\0")[0].decode(), value[17 + room:]


def dump(level):
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "dump")
        ethtool("-W", "eth0", str(level))
        said = ethtool("-w", "eth0", "data", path)
        ok(os.path.exists(path), f"ethtool -w writes a dump of level {level}", said)
        with open(path, "rb") as f:
            return tlvs(f.read())


def test_dump():
    got = dump(2)
    same(sum(kind == ERROR for kind, _ in got), 0, "nothing in it could not be read")
    of = {kind: value for kind, value in got if kind != RTSYM}
    symbols = dict(symbol(value) for kind, value in got if kind == RTSYM)
    same(of[PROLOG][:4], struct.pack(">I", 2), "it says its level")
    same(of[FWNAME].rstrip(b"\0"), b"nfp-chan", "it names the firmware")
    ok(b"assembly.partno\0AMDA0099-0001" in of[HWINFO], "and the hardware", of[HWINFO])
    # Header: id, offset, length, width, error, its offset
    same(struct.unpack_from("<I", of[XPB_CSR], 24)[0], 0x40010010, "it has the chip's id")
    same(struct.unpack_from("<I", of[CPP_CSR], 24)[0] >> 29, 3, "and the windows: the first")
    same(struct.unpack_from("<I", symbols["_pf0_net_app_id"])[0], 2, "memory: the application")
    same(len(symbols["_pf0_net_bar0"]), 2 * 0x8000, "memory: the ports' BARs")
    same([symbol(v)[0] for k, v in dump(1) if k == RTSYM],
         ["nfd_cfg_pf0_num_ports", "_pf0_net_app_id"], "a lower level is smaller")


def main():
    for dev in PAIR:
        ip("link", "set", dev, "up")
    test_identity()
    test_fec()
    test_speed()
    test_dump()
    return done()


if __name__ == "__main__":
    sys.exit(main())
