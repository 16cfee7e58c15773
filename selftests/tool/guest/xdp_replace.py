#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of xdp_replace.t: nfpchan xdp run --link and xdp replace of
selftests/xdp/tails/event.c, with frames from the other end of the cable."""

import json
import signal
import socket
import struct
import subprocess
import sys

from tap import SLOW, done, ok, same

OBJECT = "build/guest/xdp-tails/event.o"
LINK = ("--link", "--entry", "entry")
FRAME = b"\2" * 12 + struct.pack("!H", 0x88b5) + bytes(46)
ROUNDS = 12
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


def output(*args):
    """(exit status, stdout, stderr) of a command."""
    got = subprocess.run(args, capture_output=True, text=True, check=False, timeout=60 * SLOW,
                         stdin=subprocess.DEVNULL)
    return got.returncode, got.stdout, got.stderr


def replace(*args):
    return output("nfpchan", "xdp", "replace", "-d", "eth0", *args)


def program():
    """The attached program as ip(8) describes it, or None."""
    link = json.loads(output("ip", "-j", "-d", "link", "show", "dev", "eth0")[1])[0]
    number = link.get("xdp", {}).get("prog", {}).get("id")
    return number and json.loads(output("bpftool", "-j", "prog", "show", "id", str(number))[1])


def counts():
    """Map counts of the program, {key: count}."""
    for number in program()["map_ids"]:
        if json.loads(output("bpftool", "-j", "map", "show", "id", str(number))[1])["name"] == \
                "counts":
            dump = json.loads(output("bpftool", "-j", "map", "dump", "id", str(number))[1])
            return {int.from_bytes(bytes(int(b, 16) for b in e["key"]), "little"):
                    int.from_bytes(bytes(int(b, 16) for b in e["value"]), "little") for e in dump}
    return None


def event(run):
    """Read the next event that the command prints, and return its number."""
    words = run.stdout.readline().split()
    return int(words[words.index("data") + 1][:2], 16)


def start():
    run = subprocess.Popen(["nfpchan", "xdp", "run", "-d", "eth0", *LINK, OBJECT],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                           stdin=subprocess.DEVNULL)
    run.stderr.readline()
    while run.poll() is None and not program():
        pass
    return run


def check_replace(run):
    wire.send(FRAME)
    same(event(run), 1, "the linked program runs in the card")
    before = program()
    status, out, err = replace(*LINK, "--slot", "jumps:0=second", OBJECT)
    same((status, err), (0, ""), "xdp replace with another program in the slot")
    after = program()
    same(out, f"eth0: program {after['id']} (entry) has replaced {before['id']} (entry)\n",
         "replace says what it has done")
    wire.send(FRAME)
    same(event(run), 2, "the new program runs; events still go to the first command")
    same(sorted(after["map_ids"]), sorted(before["map_ids"]), "with the same maps")
    same(counts(), {0: 0, 1: 1, 2: 1, 3: 0}, "and with their contents")
    same(replace(*LINK, "--slot", "jumps:0=none", OBJECT)[0], 0, "xdp replace with an empty slot")
    wire.send(FRAME)
    same(event(run), 0, "the entry program continues after its tail call")


def check_traffic(run):
    """Each frame is handled by one program: none is lost, none gives two events."""
    want = counts()
    sent = 0
    for i in range(ROUNDS):
        tool = subprocess.Popen(["nfpchan", "xdp", "replace", "-d", "eth0", *LINK, "--slot",
                                 f"jumps:0={('first', 'second')[i % 2]}", OBJECT],
                                stdout=subprocess.DEVNULL)
        while tool.poll() is None:
            wire.send(FRAME)
            want[event(run)] += 1
            sent += 1
        if tool.returncode:
            break
    same(tool.returncode, 0, f"{ROUNDS} replacements under traffic")
    same(counts(), want, f"each of {sent} frames is counted once, by the program with its event")


def check_refused(run):
    before = program()["id"]
    status, _, err = replace("-p", "known_pruned_count", "build/guest/xdp/known_pruned_count.o")
    same((status, "map counts" in err and "change its name" in err), (1, True),
         "a map of the same name that has another shape")
    status, _, err = replace(*LINK, "--slot", "jumps:7=first", OBJECT)
    same((status, "map jumps has no slot 7, only 0 to 1 (max_entries)" in err), (1, True),
         "a slot that is not there")
    same(replace("--entry", "entry", OBJECT)[0], 2, "--entry without --link")
    same(program()["id"], before, "nothing has changed by that")
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=60 * SLOW)
    same(program(), None, "the command that attached it detaches it")
    status, _, err = replace(*LINK, OBJECT)
    same((status, "no offloaded program is attached" in err), (1, True), "nothing to replace")


def check_ip():
    """Replace a program that ip(8) has attached."""
    subprocess.run(["ip", "link", "set", "dev", "eth0", "xdpoffload", "obj",
                    "build/guest/xdp/mark_pass.o", "sec", "xdp"], check=True)
    before = program()["id"]
    same(replace(*LINK, OBJECT)[0], 0, "a program that ip has attached")
    ok(program()["id"] != before, "is replaced as well")
    subprocess.run(["ip", "link", "set", "dev", "eth0", "xdpoffload", "off"], check=True)


def main():
    wire.bind(("eth1", 0))
    run = start()
    check_replace(run)
    check_traffic(run)
    check_refused(run)
    check_ip()
    return done()


sys.exit(main())
