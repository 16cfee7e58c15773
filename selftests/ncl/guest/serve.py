#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Test ncl serve by messages to its sockets, in the network of net.sh."""

import errno
import json
import os
import random
import select
import socket
import struct
import subprocess
import sys

import tap
from hosts import HEADER, MAGIC, SECONDS, in_namespace
from tap import ok, same

HOPS = "build/ncl/ncl/hops.ncd"
NET = "selftests/ncl/deploy/net.and"
MAPS = ["--map", "s1=eth0", "--map", "s2=s2/eth0", "--map", "s3=s3/eth0:generic"]
PORT = 20813
ANSWER, AGAIN, CTRL = 0x20, 0x08, 0x40
READ, WRITE, GET = range(3)
W1, S1, S2 = 1, 3, 5
BODY = struct.Struct("<QQIIHHB3s64s")
FIELDS = ("magic", "version", "flags", "program", "kernel", "node", "to", "len", "size", "seq",
          "invocation", "origin")


def ncl(*args):
    return subprocess.run(["ncl", *args], capture_output=True, text=True, check=False)


def places():
    return {p["place"]: p for p in json.loads(ncl("show", "-jv", "hops").stdout)}


def served(label, name):
    return places()[label]["served"][name]


def step():
    return places()["s1"]["variables"]["step"]["values"][0]


class Client:
    """A socket of host w1. Its requests are valid except for the fields that a test changes."""

    def __init__(self, program, label="w1", address="10.1.0.11"):
        self.program, self.session, self.seq = program, 1000, 0
        self.sock = in_namespace(label, lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self.sock.bind((address, 0))

    def request(self, what=READ, data=b"", variable=b"step", **wrong):
        """Return a request for one element of `step`. Each request has a new number."""
        self.seq += 1
        f = {"magic": MAGIC, "version": 1, "flags": CTRL, "program": self.program, "kernel": 0,
             "node": W1, "to": S1, "len": 0, "size": BODY.size + len(data), "seq": self.seq,
             "invocation": 0, "origin": 0, "session": self.session, "index": 0, "count": 1,
             "error": 0, "bytes": 4, "key": 0, "pad": bytes(3)} | wrong
        return HEADER.pack(*(f[n] for n in FIELDS)) + BODY.pack(
            f["session"], f["index"], f["count"], f["error"], f["bytes"], f["key"], what, f["pad"],
            variable) + data

    def send(self, datagram):
        self.sock.sendto(datagram, ("10.1.0.1", PORT))

    def recv(self):
        """Return (errno, values or text, number) of the next answer, or None if none comes."""
        if not select.select([self.sock], [], [], SECONDS)[0]:
            return None
        got = self.sock.recv(2048)
        head, body = HEADER.unpack_from(got), BODY.unpack_from(got, HEADER.size)
        if head[2] != CTRL | ANSWER or head[5] != S1:
            return None
        return body[3], got[HEADER.size + BODY.size:], head[9]

    def ask(self, *args, **wrong):
        self.send(self.request(*args, **wrong))
        got = self.recv()
        return got and got[:2]

    def fails(self, err, text, name, *args, **wrong):
        got = self.ask(*args, **wrong)
        ok(got and got[0] == err and text in got[1].decode(), name, got)


def number(x):
    return struct.pack("<i", x)


def test_access(w1, w2):
    same(w1.ask(WRITE, number(7)), (0, b""), "a host writes a variable")
    same(w1.ask(), (0, number(7)), "a host reads a variable")
    same(step(), 7, "ncl show has the value")
    before = served("s1", "refused")
    w2.fails(errno.EACCES, "w2 has no access to variables of s1", "a host that --allow does not name",
             WRITE, number(8), node=2)
    w2.fails(errno.EACCES, "10.1.0.12 is not the address of w1", "a host with the number of another",
             WRITE, number(8))
    w1.fails(errno.EACCES, "10.1.0.11 is not the address of s2", "a host with the number of a device",
             WRITE, number(8), node=S2)
    w1.fails(errno.EACCES, "seen of s1 is not _ctrl_", "a variable that is not _ctrl_", variable=b"seen")
    same(served("s1", "refused"), before + 4, "each refusal is counted")
    same(step(), 7, "refused writes change nothing")


def test_once(w1):
    first, second = (w1.request(WRITE, number(n)) for n in (10, 20))
    again = bytearray(first)
    again[3] |= AGAIN
    for datagram in (first, bytes(again), first):
        w1.send(datagram)
    same([w1.recv() for _ in range(3)], [(0, b"", w1.seq - 1)] * 3,
         "each copy of a request is answered")
    w1.send(second)
    w1.recv()
    w1.send(first)
    same((w1.ask(), step()), ((0, number(20)), 20), "a copy that comes late is not executed")
    w1.fails(errno.ESTALE, "later session", "a request of an earlier session is refused", WRITE,
             number(30), session=999)
    same(step(), 20, "a request of an earlier session is not executed")
    w1.session, w1.seq = 2000, 0
    same(w1.ask(), (0, number(20)), "a later session starts with number 1")


def test_fields(w1):
    """Requests with one wrong field get no answer. The next request is answered."""
    wrong = [{n: v} for n, values in (
        ("magic", (0,)), ("version", (0, 2)), ("flags", (0, CTRL | ANSWER, CTRL | 1, 0xff)),
        ("kernel", (1,)), ("node", (0, 9, 0xffff)), ("to", (0, W1, S2, 0xffff)), ("len", (1,)),
        ("size", (0, BODY.size - 1, BODY.size + 1, 0xffff)), ("seq", (0,)), ("invocation", (1,)),
        ("origin", (1, 0x10000)), ("error", (1,)), ("session", (0, 2**64 - 1)), ("pad", (b"\0\0\1",)),
        ("variable", (b"", b"x" * 64, b"step\0x", b"\0step"))) for v in values]
    before = served("s1", "malformed")
    whole = w1.request()
    bad = [w1.request(**fields) for fields in wrong] + [w1.request(5)]
    bad += [whole[:length] for length in range(len(whole))] + [whole + bytes(1400)]
    answers = set()
    # A few at a time, because a busy server's socket has room for so many only.
    for i in range(0, len(bad), 16):
        for request in bad[i:i + 16]:
            w1.send(request)
        answers.add(w1.ask())
    same(answers, {(0, number(20))}, "requests with wrong fields get no answer")
    same(served("s1", "malformed"), before + len(bad),
         "requests with wrong fields are counted")


def test_values(w1):
    refused = (
        ({"variable": b"nosuch"}, errno.ENOENT, "nosuch is no variable of hops at s1"),
        ({"program": w1.program ^ 1}, errno.ENODEV, "is served, the host has"),
        ({"index": 1}, errno.EINVAL, "step: elements 1 to 1, it has 1"),
        ({"index": 2**64 - 1}, errno.EINVAL, "it has 1"),
        ({"count": 2}, errno.EINVAL, "step: elements 0 to 1, it has 1"),
        ({"count": 2**32 - 1}, errno.EINVAL, "it has 1"),
        ({"bytes": 8}, errno.EINVAL, "elements of 8 bytes, it has i32"),
        ({"bytes": 0}, errno.EINVAL, "elements of 0 bytes"),
        ({"key": 4}, errno.EINVAL, "keys of 4"),
        ({"data": bytes(4)}, errno.EINVAL, "4 bytes of data"),
        ({"what": WRITE}, errno.EINVAL, "0 bytes of data"),
        ({"what": WRITE, "data": bytes(8)}, errno.EINVAL, "8 bytes of data"),
        ({"what": GET}, errno.EINVAL, "step is no map"))
    before = served("s1", "failed")
    for fields, err, text in refused:
        w1.fails(err, text, f"a request with {fields}", **fields)
    same(served("s1", "failed"), before + len(refused), "requests that fail are counted")


def test_random(w1, seed):
    rng = random.Random(seed)
    before = step()
    for _ in range(3000):
        datagram = bytearray(w1.request(rng.randrange(5), rng.randbytes(rng.randrange(3) * 4)))
        # Random bytes, but neither in the number of the session nor in the name of the variable: a
        # large session number would be the last one.
        for _ in range(rng.randrange(1, 4)):
            datagram[rng.choice((*range(HEADER.size), *range(HEADER.size + 8, HEADER.size + 32)))] = \
                rng.randrange(256)
        datagram[HEADER.size + 28] = rng.choice((READ, GET))
        w1.send(bytes(datagram[:rng.choice((len(datagram), rng.randrange(len(datagram) + 1)))]))
        w1.send(rng.randbytes(rng.randrange(200)))
    w1.session += 1
    w1.send(w1.request())
    while (got := w1.recv()) and (got[0] or got[2] != w1.seq):
        pass
    same(got and got[:2], (0, number(before)), "the server answers after random datagrams")


def test_two_servers():
    got = ncl("serve", "hops", NET)
    ok(got.returncode == 1 and "s1: 10.1.0.1:20813: Address already in use" in got.stderr,
       "a second server is refused", got)
    usage = ((["hops", NET, "--allow", "w9"], f"--allow w9: no such node in {NET}"),
             (["hops", NET, "--allow", "s1"], f"--allow s1: that is a device in {NET}"),
             (["hops"], "the program's AND file is missing"))
    for args, text in usage:
        got = ncl("serve", *args)
        ok(got.returncode == 2 and text in got.stderr, " ".join(["ncl serve", *args]), got)
    got = ncl("serve", "other", NET)
    same((got.returncode, got.stderr),
         (1, "ncl: other is not deployed on this machine: no file /run/ncl/other.*\n"),
         "ncl serve of a program that is not deployed")


def test_replaced(w1):
    same(ncl("deploy", HOPS, NET, "--replace", *MAPS).returncode, 0, "the program is deployed again")
    same((w1.ask(WRITE, number(-1)), step()), ((0, b""), -1), "the server uses the new program")
    ncl("undo", "hops", "s1")
    w1.fails(errno.ENODEV, "hops is no longer deployed at s1", "a device that is gone")


def main():
    seed = int(os.environ.get("SEED", random.randrange(2**32)))
    tap.note(f"seed {seed}")
    subprocess.run(["ip", "-n", "s3", "route", "add", "10.9.0.0/24", "via", "10.1.0.12"], check=True)
    got = ncl("deploy", HOPS, NET, *MAPS)
    same(got.returncode, 0, "ncl deploy deploys three places")
    with subprocess.Popen(["ncl", "serve", "hops", NET, "--allow", "w1"], stdout=subprocess.PIPE,
                          text=True) as server:
        lines = [server.stdout.readline() for _ in range(3)]
        same(lines, [f"{s}: {ip}:20813, for w1\n" for s, ip in
                     (("s1", "10.1.0.1"), ("s2", "10.1.0.2"), ("s3", "10.1.0.3"))],
             "ncl serve serves three devices, in their network namespaces")
        program = places()["s1"]["hash"]
        w1, w2 = Client(program), Client(program, "w2", "10.1.0.12")
        test_access(w1, w2)
        test_once(w1)
        test_fields(w1)
        test_values(w1)
        test_random(w1, seed)
        test_two_servers()
        test_replaced(w1)
        server.terminate()
        same(server.wait(), 0, "SIGTERM ends ncl serve")
    ncl("undo", "hops")
    same(os.listdir("/run/ncl"), [], "no file is left")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
