#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Test what the stock driver shows and sets of ports and cards: identity, rate, FEC, dump.
This runs in a VM with two cards. A cable joins eth0 and eth1."""

import os
import re
import struct
import subprocess
import sys
import tempfile

from tap import TREE, done, ok, same

PAIR = ("eth0", "eth1")
# Types of the records of a dump (nfp_net_debugdump.c)
CPP_CSR, XPB_CSR, RTSYM, HWINFO, FWNAME, PROLOG, ERROR = 0, 1, 4, 5, 6, 10000, 10001


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, check=False)


def ethtool(*args):
    """Return the output of ethtool, or its error message if it fails."""
    r = run("ethtool", *args)
    return r.stdout if r.returncode == 0 else r.stderr


def line(text, key):
    found = re.search(rf"{key}: *(.*)", text)
    return found and found.group(1).split()


def wait(what):
    """Wait until the link of both ends is "up" or "down". Return False on a timeout."""
    return [run(os.path.join(TREE, "build/guest/test/net_wait"), dev, what).returncode
            for dev in PAIR] == [0, 0]


def ip(*args):
    subprocess.run(["ip", *args], check=True)


def speed(dev, mbit):
    """Set a port's rate. The driver does so only while the interface is down."""
    ip("link", "set", dev, "down")
    said = ethtool("-s", dev, "speed", str(mbit))
    ip("link", "set", dev, "up")
    return said


def test_identity():
    macs, serials = set(), set(re.findall(r"serial_number (\S+)", run("devlink", "dev", "info").stdout))
    for i in range(4):
        with open(f"/sys/class/net/eth{i}/address", encoding="ascii") as f:
            macs.add(f.read())
    same(len(macs), 4, "the four ports have four different MAC addresses")
    same(len(serials), 2, "the two cards have two different serial numbers")


def test_fec():
    said = ethtool("--show-fec", "eth0")
    same(sorted(line(said, "Configured FEC encodings|Supported/Configured FEC encodings") or []),
         ["Auto", "BaseR", "Off", "RS"], "a port at 25G supports each kind of FEC")
    same(line(said, "Active FEC encoding"), ["RS"], "a port at 25G uses RS by default")
    ethtool("--set-fec", "eth0", "encoding", "off")
    same(line(ethtool("--show-fec", "eth0"), "Active FEC encoding"), ["Off"], "FEC is off")
    ok(wait("down"), "there is no link while only one end of the cable uses FEC")
    for kind, shown in (("off", "Off"), ("baser", "BaseR"), ("rs", "RS")):
        for dev in PAIR:
            ethtool("--set-fec", dev, "encoding", kind)
        same([line(ethtool("--show-fec", dev), "Active FEC encoding") for dev in PAIR],
             [[shown], [shown]], f"FEC {shown} is set at both ends")
        ok(wait("up"), f"there is a link with FEC {shown}")


def test_speed():
    modes = ethtool("eth0")
    ok("10000baseSR/Full" in modes and "25000baseSR/Full" in modes,
       "ethtool lists both rates, 10G and 25G", modes)
    same(line(modes, "Speed"), ["25000Mb/s"], "the port is at 25G by default")
    ok("Invalid argument" in speed("eth0", 40000), "40G is refused")
    same(speed("eth0", 10000), "", "10G is accepted")
    ok(wait("down"), "there is no link while the ends of the cable have different rates")
    same(speed("eth1", 10000), "", "10G is accepted at the other end")
    ok(wait("up"), "there is a link when both ends are at 10G")
    same([line(ethtool(dev), "Speed") for dev in PAIR], [["10000Mb/s"]] * 2, "both ports show 10G")
    ok("not supported" in ethtool("--set-fec", "eth0", "encoding", "rs"), "RS is refused at 10G")
    carries("at 10G")
    for dev in PAIR:
        same(speed(dev, 25000), "", f"{dev} accepts 25G again")
    ok(wait("up"), "there is a link at 25G again")
    same(line(ethtool("--show-fec", "eth0"), "Active FEC encoding"), ["RS"],
         "the port uses again the FEC that was set before")


def carries(how):
    """Check that frames pass between the two ends."""
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
    """Split a dump into its records: a list of (type, value)."""
    found, at = [], 0
    while at + 8 <= len(data):
        kind, size = struct.unpack_from(">II", data, at)
        found.append((kind, data[at + 8:at + 8 + size]))
        at += 8 + size
    same(at, len(data), "the records fill the dump to its last byte")
    return found


def symbol(value):
    """Return the name and content of a symbol's record. Byte 16 has the size of the name's field,
    which follows; the content comes after the name."""
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
    same(sum(kind == ERROR for kind, _ in got), 0, "a dump of level 2 has no failed read")
    of = {kind: value for kind, value in got if kind != RTSYM}
    symbols = dict(symbol(value) for kind, value in got if kind == RTSYM)
    same(of[PROLOG][:4], struct.pack(">I", 2), "the dump has its level")
    same(of[FWNAME].rstrip(b"\0"), b"bpf-2.0.6.124", "the dump has the name of the firmware")
    ok(b"assembly.partno\0AMDA0099-0001" in of[HWINFO], "the dump has the part number", of[HWINFO])
    # The header of a CSR's record: id, offset, length, width, error, offset of the error
    same(struct.unpack_from("<I", of[XPB_CSR], 24)[0], 0x40010010, "the dump has the chip's id")
    same(struct.unpack_from("<I", of[CPP_CSR], 24)[0] >> 29, 3, "the dump has the windows' CSRs")
    same(struct.unpack_from("<I", symbols["_pf0_net_app_id"])[0], 2,
        "the dump has the memory of symbol _pf0_net_app_id")
    same(len(symbols["_pf0_net_bar0"]), 2 * 0x8000, "the dump has the control BARs of both ports")
    same([symbol(v)[0] for k, v in dump(1) if k == RTSYM],
         ["nfd_cfg_pf0_num_ports", "_pf0_net_app_id"], "a dump of level 1 has only two symbols")


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
