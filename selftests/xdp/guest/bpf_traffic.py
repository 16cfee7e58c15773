# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Offload with frames on the cable, from eth1 to eth0: events, a host program
after the card's program, a classifier, replacement."""

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
    """Keep other frames than those of the test off the cable."""
    for dev in ("eth0", "eth1"):
        run("sysctl", "-q", "-w", f"net.ipv6.conf.{dev}.disable_ipv6=1")
        works(f"{dev} without ARP, promiscuous", *link(dev, "arp", "off", "promisc", "on", "up"))
    for dev in ("eth0", "eth1"):
        works(f"{dev} has a link", f"{TREE}/build/guest/test/net_wait", dev, "up")


def pipe_output(args, sender):
    """Return what event_pipe prints to a terminal after an event."""
    master, slave = pty.openpty()
    with subprocess.Popen(args, stdout=slave, stderr=subprocess.DEVNULL) as p:
        os.close(slave)
        out = b""
        # Events are lost until event_pipe listens, so send frames until it prints something.
        for _ in range(100):
            sender.send(frame(TYPE, 7))
            if select.select([master], [], [], 0.1)[0]:
                break
        p.send_signal(signal.SIGINT)
        try:
            while data := os.read(master, 4096):
                out += data
        except OSError:         # end of file of a terminal
            pass
    os.close(master)
    return p.returncode, out.decode(errors="replace").replace("\r", "")


def check_events(sender):
    """Events of program event have the frame's length, a number, and 14 bytes of the frame."""
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
    works("event detached", *detach("eth0"))


def arrived(sock, kinds, last):
    """Return (type, mark) of the frames of these types that arrive before one of type last."""
    got = []
    while True:
        f = sock.recv(2048)
        kind = int.from_bytes(f[12:14], "big")
        if kind == last:
            return got
        if kind in kinds:
            got.append((kind, f[14:15]))


def check_both(sender, host):
    """The card's program runs first. The host's program gets the frames that it passes."""
    sender.send(frame(0x1234))
    arrived(host, [], 0x1234)
    works("mark_pass on the card", *attach("eth0", "mark_pass"))
    works("mark_tx on the host",
          *link("eth0", "xdpdrv", "obj", f"{XDP}/mark_tx.o", "sec", "xdp"))
    for i in range(10):
        sender.send(frame(TYPE, i))
    sender.send(frame(0x1234))
    same(arrived(host, [TYPE], 0x1234), [], "the stack gets none of the frames")
    same([sender.recv(2048)[14:15] for _ in range(10)], 10 * [b"t"],
         "all frames come back with the mark of the host's program")
    counts = {p["dev"]["ifname"] if "dev" in p else "host": dump_id(p["map_ids"][0])
              for p in shown("mark")}
    same(counts, {"eth0": {0: 10}, "host": {0: 10}}, "both programs have counted all frames")
    works("native program detached", *link("eth0", "xdpdrv", "off"))
    sender.send(frame(TYPE))
    sender.send(frame(0x1234))
    same(arrived(host, [TYPE], 0x1234), [(TYPE, b"p")],
         "the stack gets frames with the mark of the card's program")
    works("offloaded program detached", *detach("eth0"))


def check_longer(sender, host):
    """The host's buffers are larger than its MTU, so a program can lengthen a full frame."""
    works("tag at eth0", *attach("eth0", "tag"))
    full = frame(TYPE) + bytes(range(256)) * 5 + bytes(1454 - 1280)
    sender.send(full)
    same((len(full), host.recv(2048)), (1514, full[:12] + bytes.fromhex("88b60007") + full[12:]),
         "a frame of full length arrives with 4 bytes more")
    works("tag detached", *detach("eth0"))


def check_classifier(sender, host):
    works("clsact", "tc", "qdisc", "add", "dev", "eth0", "clsact")
    works("hw-tc-offload on", "ethtool", "-K", "eth0", "hw-tc-offload", "on")
    works("a classifier", *tc(["add"]))
    for kind in (TYPE, 0x4321, TYPE, 0x1234):
        sender.send(frame(kind))
    same(arrived(host, [TYPE, 0x4321], 0x1234), [(0x4321, b"\0")],
         "the classifier drops frames of its type only")
    works("classifier removed with clsact", "tc", "qdisc", "del", "dev", "eth0", "clsact")
    sender.send(frame(TYPE))
    sender.send(frame(0x1234))
    same(arrived(host, [TYPE], 0x1234), [(TYPE, b"\0")], "without a classifier no frame is dropped")


def check_replacement():
    """While two programs replace each other, each frame gets the verdict of one of them."""
    status, out = run(f"{TREE}/build/guest/test/xdp_replace", "eth0", "eth1", str(ROUNDS))
    lines = [line for line in out.splitlines() if line.startswith("{")]
    if status or not lines:
        ok(False, "replacement under traffic", f"status {status}\n{out}")
        return
    doc = json.loads(lines[0])
    print(f"# {doc}")
    same(doc["unexpected"], 17, "replacement of a program that is not attached: EEXIST")
    same(doc["replaced"], ROUNDS, f"programs replaced {ROUNDS} times")
    same(sum(doc["back"]), doc["sent"], "each frame has arrived at the sender or at the stack")
    same((doc["wrong"], doc["twice"]), (0, 0),
         "each frame arrived once, at the place that its mark names")
    same(doc["counted"], doc["back"], "each program has counted its frames")
    ok(min(doc["back"]) >= ROUNDS, "both programs had at least as many frames", doc)


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
