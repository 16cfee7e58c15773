#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of bpf_languages.t: channels by bpf(2) with the Python package, the Go package
libnfpchan and the nfpchan command. It also prints how long a message takes. The card has two
ports that a cable joins.

usage: bpf_lang.py OBJECT... [run]

An OBJECT is "orders", or "orders_slots" for firmware that has no delete."""

import errno
import json
import os
import select
import socket
import statistics
import struct
import subprocess
import sys
import time

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import nfpchan
from tap import SLOW, done, fails, note, ok, same

SLOTS = sys.argv[1] == "orders_slots"
LIMIT = 20 * SLOW
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


def frame(number):
    wire.send(b"\2" * 12 + struct.pack("!H", 0x88b5) + b"\0\0" + struct.pack("<I", number) +
              bytes(40))


def order(number):
    return struct.pack("<4I", number, number * 3, 5, 7)


def told(number, taken, place):
    """The message that the program sends for a frame, with the order that it took, if any, and
    the order's number in the channel."""
    return (struct.pack("<2I", number, taken is not None) +
            (order(taken) if taken is not None else bytes(16)) + struct.pack("<I", place))


def path(name):
    return f"{TREE}/build/guest/xdp-channel/{name}.o"


def look(tx):
    """Have the library look at what the program has taken."""
    try:
        tx.drain(timeout=0)
    except BlockingIOError:
        pass


def nfpchan_tool(*args):
    """(exit status, stdout, stderr) of nfpchan."""
    got = subprocess.run(["nfpchan", *args], capture_output=True, text=True, check=False,
                         timeout=3 * LIMIT, stdin=subprocess.DEVNULL)
    return got.returncode, got.stdout, got.stderr


def check_python(card):
    same([(c.name, c.to_host, c.elem_size, c.depth) for c in card.channels()],
         [("xdp0", True, 0, 1), ("orders", False, 16, 16), ("told", True, 28, 1)], "channels")
    same((card.info().channels, card.query("told").id), (3, 2), "info, query")
    fails(lambda: card.signal("orders"), errno.EOPNOTSUPP, "signal")
    fails(lambda: card.channel("nobody"), errno.ENOENT, "no such channel")
    fails(lambda: nfpchan.Card("bpf:nobody"), errno.ENODEV, "no such interface")
    with card.channel("orders") as tx, card.channel("told") as rx:
        fails(lambda: card.channel("told"), errno.EBUSY, "open twice")
        got = []
        for i in range(32):
            tx.send(order(i))
            frame(i)
            got.append(rx.recv(timeout=LIMIT))
        same(got, [told(i, i, i) for i in range(32)], "32 orders, each taken once")
        tx.drain(timeout=LIMIT)
        same(card.query("orders").repeated, 0, "no repeats")
        for i in range(16):
            tx.send(order(i), timeout=0)
        fails(lambda: tx.send(order(16), timeout=0), errno.EAGAIN, "full")
        fails(lambda: tx.send(b"short", timeout=0), errno.EMSGSIZE, "another size")
        fails(lambda: rx.recv(timeout=0), errno.EAGAIN, "nothing there")
        fails(lambda: rx.recv(timeout=0.01), errno.ETIMEDOUT, "nothing comes")
        frame(7)
        same(select.select([rx], [], [], LIMIT)[0], [rx], "select")
        same(next(iter(rx)), told(7, 0, 32), "the message")
        for i in range(15):
            look(tx)
            frame(i)
            same(rx.recv(timeout=LIMIT), told(i, i + 1, 33 + i), f"order {i + 1}")
        if SLOTS:
            frame(15)
            same(rx.recv(timeout=LIMIT), told(15, 15, 47), "the last one again, by its number")
        tx.drain(timeout=LIMIT)
        same(card.query("orders").repeated, int(SLOTS), "repeats are counted")
    try:
        rx.recv()
    except ValueError as err:
        ok("closed" in str(err), "closed")


def check_go():
    """The test of userspace/go/libnfpchan. It leaves 15 orders."""
    got = subprocess.run([TREE + "/build/guest/test/bpf_go", "-test.v"], capture_output=True,
                         text=True, check=False, timeout=5 * LIMIT)
    same((got.returncode, "--- PASS: TestBPF" in got.stdout), (0, True), "Go")
    if got.returncode:
        note(got.stdout + got.stderr)


def attach():
    """Attach the program again, so that its maps are empty."""
    for what in (["off"], ["obj", path(sys.argv[1]), "sec", "xdp"]):
        subprocess.run(["ip", "link", "set", "dev", "eth0", "xdpoffload", *what],
                       check=True, stderr=subprocess.DEVNULL)


def check_send():
    """nfpchan send. Returns how many orders the next frames take."""
    hold = ["send", "-c", "bpf:eth0", "orders", "-x"]
    if not SLOTS:
        for i in range(3):
            same(nfpchan_tool(*hold, order(i).hex()), (0, "", ""), f"send {i}")
        return 3
    with nfpchan.Card("bpf:eth0") as card, card.channel("told") as rx:
        for i in range(3):
            with subprocess.Popen(["nfpchan", *hold, order(i).hex()]) as send:
                taken = bytes(4)
                while not any(taken) and send.poll() is None:
                    frame(i)
                    got = rx.recv(timeout=LIMIT)
                    taken = got[4:8]
                same((got, send.wait(timeout=LIMIT)), (told(i, i, 48 + i), 0),
                     f"send {i} ends when it was taken")
    status, _, err = nfpchan_tool(*hold, order(0).hex(), "-t", "100")
    ok(status == 3 and "was not taken within 100 ms" in err, "send ends when nobody takes it", err)
    attach()
    return 0


def check_tool():
    status, out, _ = nfpchan_tool("list", "-c", "bpf:eth0", "--json")
    same((status, [c["name"] for c in json.loads(out)]), (0, ["xdp0", "orders", "told"]), "list")
    orders = json.loads(out)[1]
    same(orders["repeats"], SLOTS, "list says whether the program may repeat a message")
    there = check_send()
    first = 0 if SLOTS else 48
    with subprocess.Popen(["nfpchan", "recv", "-c", "bpf:eth0", "-x", "-n", "4", "told"],
                          stdout=subprocess.PIPE, text=True) as recv:
        while json.loads(nfpchan_tool("list", "-c", "bpf:eth0", "--json")[1])[2]["pipes"] == 0:
            pass
        status, _, err = nfpchan_tool("recv", "-c", "bpf:eth0", "told")
        ok(status == 1 and f"by process {recv.pid}" in err, "a second recv names the first", err)
        before = json.loads(nfpchan_tool("stats", "-c", "bpf:eth0", "--json", "told")[1])[0]
        for i in range(4):
            frame(i)
        same(recv.communicate(timeout=LIMIT)[0].split(),
             [told(i, i if i < there else None, first + min(i, there)).hex() for i in range(4)],
             "recv")
    frame(0)
    after = before
    while after["msgs"] + after["dropped"] < before["msgs"] + before["dropped"] + 5:
        after = json.loads(nfpchan_tool("stats", "-c", "bpf:eth0", "--json", "told")[1])[0]
    same((after["msgs"] - before["msgs"], after["dropped"] - before["dropped"]), (4, 1),
         "stats: four received, and one with nobody there")
    status, _, err = nfpchan_tool("recv", "-c", "bpf:eth0", "-t", "1500", "told")
    ok(status == 3 and "no message within 1500 ms" in err, "recv --timeout ends", err)


def check_run(name):
    """The same object runs with either firmware: nfpchan xdp run prints its events, through a
    channel of the channel firmware or over bpf(2). Orders are sent through its map."""
    how = ", by bpf(2)" if not os.path.exists("/dev/nfp_chan0") else ""
    with subprocess.Popen(["nfpchan", "xdp", "run", "-d", "eth0", "-n", "4", path(name)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        said = run.stderr.readline()
        ok(said.endswith(f"(told) on xdp0{how}\n"), "xdp run says how the events come", said)
        with nfpchan.Card("bpf:eth0") as card:
            while len(card.channels()) != 3 and run.poll() is None:
                pass
            with card.channel("orders") as tx:
                for i in range(3):
                    tx.send(order(i))
                    frame(i)
                    tx.drain(timeout=LIMIT)
                frame(3)
                out = run.communicate(timeout=LIMIT)[0].splitlines()
    same([line.split(" data ")[-1] for line in out[:-1]],
         [told(i, i if i < 3 else None, i).hex() for i in range(4)], "each order, in an event each")
    same([line.split()[0] for line in out[:-1]], ["1", "2", "3", "4"], "events are numbered")
    same(out[-1:], ["4 events, 0 dropped"], "no event was lost")


def measure(card):
    """Print how long calls take, without a check."""
    sends, waits, queries = [], [], []
    with card.channel("orders") as tx, card.channel("told") as rx:
        for i in range(200):
            start = time.perf_counter()
            tx.send(order(i))
            sent = time.perf_counter()
            frame(i)
            rx.recv()
            waits.append(time.perf_counter() - sent)
            sends.append(sent - start)
        for _ in range(50):
            start = time.perf_counter()
            card.query("told")
            queries.append(time.perf_counter() - start)
    for what, times in (("a send", sends), ("from frame to message, asleep", waits),
                        ("a query", queries)):
        note(f"{what}: median {statistics.median(times) * 1e6:.0f} us, "
             f"most {max(times) * 1e6:.0f} us")


def main():
    wire.bind(("eth1", 0))
    if sys.argv[-1] == "run":
        for name in sys.argv[1:-1]:
            check_run(name)
        return done()
    check_run(sys.argv[1])
    attach()
    check_go()
    attach()
    with nfpchan.Card("bpf:eth0") as card:
        check_python(card)
        check_tool()
        measure(card)
    return done()


sys.exit(main())
