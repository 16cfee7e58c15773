# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Offload with frames on the cable, from eth1 to eth0: events, a program of the
host behind the card's, a classifier, replacement."""

import json
import os
import pty
import re
import select
import signal
import subprocess

from bpf_attach import link, tc
from bpf_tools import (TREE, TYPE, XDP, attach, bpftool, detach, dump_id, frame, left, listen,
                       objects, run, shown, works)
from tap import ok, same

ROUNDS = 60


def quiet():
    """No frames but the test's."""
    for dev in ("eth0", "eth1"):
        run("sysctl", "-q", "-w", f"net.ipv6.conf.{dev}.disable_ipv6=1")
        works(f"{dev} for the test alone", *link(dev, "arp", "off", "promisc", "on", "up"))
    for dev in ("eth0", "eth1"):
        works(f"{dev} has a link", f"{TREE}/build/guest/test/net_wait", dev, "up")


def pipe_output(args, sender):
    """What event_pipe prints to a terminal once an event has come."""
    master, slave = pty.openpty()
    with subprocess.Popen(args, stdout=slave, stderr=subprocess.DEVNULL) as p:
        os.close(slave)
        out = b""
        # Until it listens, events are lost: one frame after the other.
        for _ in range(100):
            sender.send(frame(TYPE, 7))
            if select.select([master], [], [], 0.1)[0]:
                break
        p.send_signal(signal.SIGINT)
        try:
            while data := os.read(master, 4096):
                out += data
        except OSError:         # a terminal's end of file
            pass
    os.close(master)
    return p.returncode, out.decode(errors="replace").replace("\r", "")


def check_events(sender):
    """event.c: the length and a number, then 14 bytes of the frame."""
    works("event at eth0", *attach("eth0", "event"))
    number = str(shown("event")[0]["map_ids"][0])
    f = frame(TYPE, 7)
    digest = (60).to_bytes(4, "little") + (0x12345678).to_bytes(4, "little") + f[:14]
    status, out = pipe_output(["bpftool", "map", "event_pipe", "id", number], sender)
    data = bytes.fromhex("".join(re.findall(r"^((?: {0,2}[0-9a-f]{2})+)$", out, re.M)[:2]))
    ok(status == 0 and re.search(r"^== @\d+\.\d+ CPU: \d+ index: \d+ =", out, re.M) and
       data.startswith(digest), "map event_pipe", f"status {status}\n{out}\n{data.hex()}")
    status, out = pipe_output(["bpftool", "-j", "map", "event_pipe", "id", number], sender)
    doc = json.loads(out)
    data = bytes(doc[0]["data"])
    ok(status == 0 and data.startswith(digest), "... as JSON", out)
    works("off", *detach("eth0"))


def arrived(sock, kinds, last):
    """Frames of these types that come before one of another, by type and mark."""
    got = []
    while True:
        f = sock.recv(2048)
        kind = int.from_bytes(f[12:14], "big")
        if kind == last:
            return got
        if kind in kinds:
            got.append((kind, f[14:15]))


def check_both(sender, host):
    """The card's program is first, the host's has what it lets pass."""
    sender.send(frame(0x1234))
    arrived(host, [], 0x1234)
    works("mark_pass in the card", *attach("eth0", "mark_pass"))
    works("mark_tx in the host",
          *link("eth0", "xdpdrv", "obj", f"{XDP}/mark_tx.o", "sec", "xdp"))
    for i in range(10):
        sender.send(frame(TYPE, i))
    sender.send(frame(0x1234))
    same(arrived(host, [TYPE], 0x1234), [], "the stack gets none of them")
    same([sender.recv(2048)[14:15] for _ in range(10)], 10 * [b"t"],
         "all come back, with the mark of the host's program")
    counts = {p["dev"]["ifname"] if "dev" in p else "host": dump_id(p["map_ids"][0])
              for p in shown("mark")}
    same(counts, {"eth0": {0: 10}, "host": {0: 10}}, "after both have counted them")
    works("native off", *link("eth0", "xdpdrv", "off"))
    sender.send(frame(TYPE))
    sender.send(frame(0x1234))
    same(arrived(host, [TYPE], 0x1234), [(TYPE, b"p")], "then the stack gets the card's")
    works("off", *detach("eth0"))


def check_longer(sender, host):
    """The host's buffers are larger than its MTU: a program may add to a frame of full length."""
    works("tag at eth0", *attach("eth0", "tag"))
    full = frame(TYPE) + bytes(range(256)) * 5 + bytes(1454 - 1280)
    sender.send(full)
    same((len(full), host.recv(2048)), (1514, full[:12] + bytes.fromhex("88b60007") + full[12:]),
         "a frame of full length arrives with 4 bytes more")
    works("off", *detach("eth0"))


def check_classifier(sender, host):
    works("clsact", "tc", "qdisc", "add", "dev", "eth0", "clsact")
    works("tc may offload", "ethtool", "-K", "eth0", "hw-tc-offload", "on")
    works("a classifier", *tc(["add"]))
    for kind in (TYPE, 0x4321, TYPE, 0x1234):
        sender.send(frame(kind))
    same(arrived(host, [TYPE, 0x4321], 0x1234), [(0x4321, b"\0")], "it drops what it is to drop")
    works("off", "tc", "qdisc", "del", "dev", "eth0", "clsact")
    sender.send(frame(TYPE))
    sender.send(frame(0x1234))
    same(arrived(host, [TYPE], 0x1234), [(TYPE, b"\0")], "and nothing then")


def check_replacement():
    """Each frame has one of two programs' verdict, whatever happens meanwhile."""
    status, out = run(f"{TREE}/build/guest/test/xdp_replace", "eth0", "eth1", str(ROUNDS))
    lines = [line for line in out.splitlines() if line.startswith("{")]
    if status or not lines:
        ok(False, "replacement under traffic", f"status {status}\n{out}")
        return
    doc = json.loads(lines[0])
    print(f"# {doc}")
    same(doc["unexpected"], 17, "what is not there is not replaced: EEXIST")
    same(doc["replaced"], ROUNDS, "replaced many times")
    same(sum(doc["back"]), doc["sent"], "each frame has come back, or to the stack")
    same((doc["wrong"], doc["twice"]), (0, 0), "where its mark says, and once")
    same(doc["counted"], doc["back"], "each program has counted its own")
    ok(min(doc["back"]) >= ROUNDS, "both had many", doc)


def check():
    before = objects()
    quiet()
    sender, host = listen("eth1"), listen("eth0")
    check_events(sender)
    check_both(sender, host)
    check_longer(sender, host)
    check_classifier(sender, host)
    check_replacement()
    sender.close()
    host.close()
    left(before)
    same(bpftool("net", "show")[0]["xdp"], [], "nothing is attached")
