# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Hosts of net.sh that send and receive windows without libncrt, by a socket in their namespace."""

import os
import select
import socket
import struct

import tap

PORT = 20812
MAGIC = 0x4c43
REPLY = 0x01
HEADER = struct.Struct("<HBBHHHHHHIII")
SECONDS = 10 * tap.SLOW


class Window:
    """A received datagram: the header fields that tests need, and the bytes after the header."""

    def __init__(self, datagram, address):
        (_, _, self.flags, _, self.kernel, self.node, self.to, self.len, _,
         self.seq, self.invocation, _) = HEADER.unpack_from(datagram)
        self.data = datagram[HEADER.size:]
        self.address = address[0]


def in_namespace(label, call):
    """Run call() in the namespace of a host. The hosts server and s1 are in this namespace."""
    if label in ("server", "s1"):
        return call()
    with open("/proc/thread-self/ns/net", "rb") as here, \
            open(f"/run/netns/{label}", "rb") as there:
        os.setns(there.fileno(), os.CLONE_NEWNET)
        try:
            return call()
        finally:
            os.setns(here.fileno(), os.CLONE_NEWNET)


class Host:
    """A host of the AND file. `program` is the hash that its windows carry."""

    def __init__(self, label, address, node, program, group=None):
        self.address, self.node, self.program = address, node, program
        self.sock = in_namespace(label, lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self.sock.bind(("", PORT))
        if group:
            self.sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                                 socket.inet_aton(group) + socket.inet_aton(address))

    def send(self, device, kernel, data, to=0, length=1, seq=0, **other):
        """Send a window to the address of a device. `other`: header fields with wrong values."""
        header = HEADER.pack(other.get("magic", MAGIC), other.get("version", 1), 0,
                             other.get("program", self.program), kernel, self.node, to, length,
                             other.get("size", len(data)), seq, 1, 0)
        self.sock.sendto(header + data, (device, PORT))

    def recv(self):
        """Return the next window, or None if none comes in time."""
        if not select.select([self.sock], [], [], SECONDS)[0]:
            return None
        return Window(*self.sock.recvfrom(2048))

    def close(self):
        self.sock.close()
