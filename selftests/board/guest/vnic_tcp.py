#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Send data by TCP and receive as much back. Each receiver checks the sender's checksum.

usage: vnic_tcp.py serve PORT        serves until a client says "end"
       vnic_tcp.py talk PORT         each line of standard input is an order:
                                     ADDRESS STREAMS BYTES, or ADDRESS end;
                                     for each order a line is printed: "whole",
                                     or what went wrong
       vnic_tcp.py stream PORT ADDRESS   send and receive without end, at a limited
                                     rate that leaves CPU time for other processes
"""

import contextlib
import os
import random
import socket
import struct
import sys
import threading
import zlib

END = 2 ** 64 - 1
ENDLESS = END - 1
RATE = 1000000      # bytes in a second
SO_MAX_PACING_RATE = 47
BLOCK = random.randbytes(1 << 18)
PATIENCE = 60 * int(os.environ["NFPCHAN_SLOW"])       # seconds without a byte


def send(sock, count):
    """Send @count bytes of BLOCK, each time from a random offset, and their checksum."""
    crc = 0
    while count:
        at = random.randrange(1000)
        piece = memoryview(BLOCK)[at:at + count]
        crc = zlib.crc32(piece, crc)
        sock.sendall(piece)
        count -= len(piece)
    sock.sendall(struct.pack(">I", crc))


def read(sock, count):
    data = b""
    while len(data) < count:
        piece = sock.recv(count - len(data))
        if not piece:
            raise EOFError("connection closed early")
        data += piece
    return data


def receive(sock, count):
    """Receive @count bytes, and return whether their checksum is the sender's."""
    crc = 0
    while count:
        piece = sock.recv(min(count, 1 << 18))
        if not piece:
            raise EOFError("connection closed early")
        crc = zlib.crc32(piece, crc)
        count -= len(piece)
    return crc == struct.unpack(">I", read(sock, 4))[0]


def endless(sock):
    """Send, and read what comes, until the connection fails or the peer closes it."""
    def drain():
        with contextlib.suppress(OSError):
            while sock.recv(1 << 18):
                pass

    sock.settimeout(None)
    sock.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, RATE)
    threading.Thread(target=drain, daemon=True).start()
    while True:
        sock.sendall(BLOCK)


def answer(sock, ended):
    """Serve one connection: receive the client's data, then send as much."""
    with sock:
        try:
            count, = struct.unpack(">Q", read(sock, 8))
            if count == END:
                sock.sendall(b"y")
                ended.set()
                return
            if count == ENDLESS:
                endless(sock)
            sock.sendall(b"y" if receive(sock, count) else b"n")
            send(sock, count)
        except (OSError, EOFError) as e:
            print(f"vnic_tcp.py: {e}", file=sys.stderr, flush=True)


def serve(port):
    ended = threading.Event()
    listener = socket.create_server(("", port), family=socket.AF_INET6,
                                    dualstack_ipv6=True, backlog=64)

    def accept():
        while True:
            sock, _ = listener.accept()
            sock.settimeout(PATIENCE)
            threading.Thread(target=answer, args=(sock, ended), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print("ready", flush=True)
    ended.wait()
    return 0


def connect(address, port):
    """Connect to the server, which has printed "ready" before."""
    return socket.create_connection((address, port), timeout=PATIENCE)


def exchange(address, port, count, wrong):
    try:
        with connect(address, port) as sock:
            sock.sendall(struct.pack(">Q", count))
            if count != END:
                send(sock, count)
            if read(sock, 1) != b"y":
                wrong.append("changed on the way there")
            if count != END and not receive(sock, count):
                wrong.append("changed on the way back")
    except (OSError, EOFError) as e:
        wrong.append(str(e))


def talk(port):
    for line in sys.stdin:
        address, *order = line.split()
        streams, count = (1, END) if order == ["end"] else map(int, order)
        wrong = []
        threads = [threading.Thread(target=exchange, args=(address, port, count, wrong))
                   for _ in range(streams)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        print("; ".join(wrong) or "whole", flush=True)
    return 0


def main():
    what, port = sys.argv[1], int(sys.argv[2])
    if what != "stream":
        return {"serve": serve, "talk": talk}[what](port)
    sock = connect(sys.argv[3], port)
    sock.sendall(struct.pack(">Q", ENDLESS))
    return endless(sock)


if __name__ == "__main__":
    sys.exit(main())
