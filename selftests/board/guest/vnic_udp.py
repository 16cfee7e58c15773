#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Send and check numbered datagrams.

usage: vnic_udp.py recv ADDRESS PORT | send ADDRESS PORT COUNT

The sender spreads the datagrams over several flows, so that they use several rings. The receiver
counts datagrams that arrive out of order (or twice), changed, or not at all. The last datagram of
each flow has the flow's number of datagrams. The sender repeats it until the receiver answers.
The repetitions are numbered too, and count as lost if they do not arrive."""

import os
import random
import socket
import struct
import sys
import zlib

FLOWS = 8
END = 0xffffffff
BLOCK = random.Random(END).randbytes(1 << 14)
SO_RCVBUFFORCE = 33
# Seconds without a datagram: other traffic may delay the sender's start
PATIENCE = 120 * int(os.environ["NFPCHAN_SLOW"])


def datagram(flow, number):
    """Make a datagram. Its length and content, a piece of BLOCK, depend on flow and number only."""
    at = (number * FLOWS + flow) * 7919 % (len(BLOCK) - 1400)
    body = struct.pack(">II", flow, number) + BLOCK[at:at + at % 1400]
    return body + struct.pack(">I", zlib.crc32(body))


def send(address, port, count):
    """Send @count datagrams. Each flow has its own socket, so that RSS spreads the flows."""
    socks = []
    for _ in range(FLOWS):
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.connect((address, port))
        socks.append(s)
    for i in range(count):
        socks[i % FLOWS].send(datagram(i % FLOWS, i // FLOWS))
    for flow, sock in enumerate(socks):
        sock.settimeout(1)
        for attempt in range(1, 31):
            end = struct.pack(">IIII", END, flow, (count + FLOWS - 1 - flow) // FLOWS, attempt)
            end += struct.pack(">I", zlib.crc32(end))
            try:
                sock.send(end)
                sock.recv(1)
                break
            except (TimeoutError, ConnectionRefusedError):
                pass
        else:
            return 1
    return 0


def receive(address, port):
    """Receive all flows, then print "sent N came N lost N reordered N changed N"."""
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 26)
    s.bind((address, port))
    s.settimeout(PATIENCE)
    print("ready", flush=True)
    last = [-1] * FLOWS
    came = ends = reordered = changed = 0
    sent, attempts = {}, {}
    while True:
        data, peer = s.recvfrom(65536)
        flow, number = struct.unpack(">II", data[:8])
        if zlib.crc32(data[:-4]) != struct.unpack(">I", data[-4:])[0]:
            changed += 1
        elif flow == END:
            s.sendto(b"x", peer)
            ends += 1
            sent[number], attempts[number] = struct.unpack(">II", data[8:16])
            if len(sent) == FLOWS:
                lost = sum(sent.values()) - came + sum(attempts.values()) - ends
                print(f"sent {sum(sent.values())} came {came} lost {lost} "
                      f"reordered {reordered} changed {changed}")
                return 0
        elif flow < FLOWS:
            came += 1
            reordered += number <= last[flow]
            last[flow] = max(number, last[flow])


if __name__ == "__main__":
    if sys.argv[1] == "recv":
        sys.exit(receive(sys.argv[2], int(sys.argv[3])))
    sys.exit(send(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
