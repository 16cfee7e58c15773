#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of frames.t. A cable joins the ports: what leaves port 0 arrives at port 1, and what an
application sends at port 1 arrives at port 0."""

import signal
import socket
import struct
import subprocess
import sys

import wire_ports
from tap import SLOW, done, ok, same

TIME = 60 * SLOW
FLOWS = 40
EACH = 5            # packets of a flow
VIP = "192.0.2.1"
BACKENDS = {"10.0.0.1": "020000000011", "10.0.0.2": "020000000022"}


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total & 0xffff) + (total >> 16)
    return ~((total & 0xffff) + (total >> 16)) & 0xffff


def packet(flow, to):
    """A UDP packet of 60 bytes, of which the port tells the flow."""
    udp = struct.pack("!HHHH", 1000 + flow, 80, 26, 0) + bytes(18)
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0,
                       socket.inet_aton("198.51.100.1"), socket.inet_aton(to))
    head = head[:10] + struct.pack("!H", checksum(head)) + head[12:]
    return bytes.fromhex("02000000000a02000000000b0800") + head + udp


class App:
    """An application that runs, and has the card's answer."""

    def __init__(self, *args):
        self.run = subprocess.Popen(["build/guest/bin/chan_apps", *args], stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        same(self.run.stdout.readline(), f"{args[0]}: receives from frames\n", f"{args[0]} runs")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.run.kill()
        self.run.wait()

    def end(self):
        self.run.send_signal(signal.SIGINT)
        out, err = self.run.communicate(timeout=TIME)
        same((self.run.returncode, err), (0, ""), "it ends at SIGINT")
        return out


def receive(eth, count):
    """Receive packets to the backends."""
    got = []
    while len(got) < count:
        data = eth.recv(2048)
        if data[12:14] == b"\x08\x00" and data[30:33] == b"\x0a\x00\x00":
            got.append(data)
    return got


def check_maglev(eth):
    backends = (f"{ip}={bytes.fromhex(mac).hex(':')}" for ip, mac in BACKENDS.items())
    with App("maglev", VIP, *backends) as app:
        got = []
        # The socket has room for a few dozen packets.
        for i in range(0, FLOWS * EACH, 8):
            eth.send(packet(i, "192.0.2.9"))
            for k in range(8):
                eth.send(packet((i + k) % FLOWS, VIP))
            got += receive(eth, 8)
        out = app.end().splitlines()
    backend = {}
    for data in got:
        flow, = struct.unpack("!H", data[34:36])
        backend.setdefault(flow, set()).add((socket.inet_ntoa(data[30:34]), data[:6].hex()))
    same(len(backend), FLOWS, "packets of each connection come back")
    ok(all(len(b) == 1 for b in backend.values()), "a connection stays at its backend", backend)
    same({x for b in backend.values() for x in b}, set(BACKENDS.items()), "each backend gets some")
    same({checksum(data[14:34]) for data in got}, {0}, "checksums are right")
    same(sum(int(line.split()[1]) for line in out[:2]), FLOWS * EACH,
         "maglev has counted its packets")
    ok(out[2].startswith(f"{FLOWS} connections"), "and connections", out)


def check_sketch(eth):
    """An application that sends nothing gives the frames back."""
    with App("sketch") as app, \
            socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as far:
        far.bind(("eth1", 0))
        far.settimeout(TIME)
        for i in range(FLOWS):
            sent = packet(i, "192.0.2.9")
            eth.send(sent)
            while far.recv(2048) != sent:
                pass
        out = app.end()
    # The last ones may not have reached the application when it ends.
    ok(FLOWS // 2 <= int(out.split()[0]), "sketch has counted the packets", out)


def main():
    wire_ports.up()
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as eth:
        eth.bind(("eth0", 0))
        eth.settimeout(TIME)
        check_maglev(eth)
        check_sketch(eth)
    return done()


if __name__ == "__main__":
    sys.exit(main())
