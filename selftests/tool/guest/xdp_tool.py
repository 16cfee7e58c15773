#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of xdp_run.t: nfpchan xdp run and watch of program hook of
selftests/xdp/programs, with frames from the other end of the cable."""

import glob
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys

import json_keys
from tap import SLOW, done, ok, same

OBJECT = "build/guest/xdp/hook.o"
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


def run(*args):
    """(exit status, stdout, stderr) of nfpchan xdp."""
    got = subprocess.run(["nfpchan", "xdp", *args], capture_output=True, text=True, check=False,
                         timeout=60 * SLOW, stdin=subprocess.DEVNULL)
    return got.returncode, got.stdout, got.stderr


class Started:
    """A running nfpchan xdp command. It has printed its first line, so it gets events."""

    def __init__(self, *args, watch=False):
        self.process = subprocess.Popen(["nfpchan", "xdp", *args], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True,
                                        stdin=subprocess.DEVNULL)
        self.said = self.process.stderr.readline()
        # The command attaches the program after that line.
        while not watch and self.process.poll() is None and not attached():
            pass

    def end(self, sig=None):
        """Wait for the command's end: (exit status, stdout, stderr)."""
        if sig:
            self.process.send_signal(sig)
        out, err = self.process.communicate(timeout=60 * SLOW)
        return self.process.returncode, out, err


def attached():
    with subprocess.Popen(["ip", "-j", "-d", "link", "show", "dev", "eth0"],
                          stdout=subprocess.PIPE, text=True) as ip:
        return "xdp" in json.load(ip.stdout)[0]


def bindings():
    """Number of maps that are bound to channels, of all processes."""
    n = 0
    for path in glob.glob("/proc/[0-9]*/fdinfo/*"):
        try:
            with open(path, encoding="ascii") as f:
                n += f.read().count("\nxdp:\t")
        except OSError:
            pass    # closed meanwhile
    return n


def frame(own, pkt, second=0, number=0):
    """A frame for which the program emits an event of @own and @pkt bytes on the second map or
    the first."""
    head = b"\2" * 12 + struct.pack("!H", 0x88b5) + struct.pack("<BBBBH", second, 0, own, 0, pkt)
    return head + bytes((number + i) & 0xff for i in range(60 - len(head)))


def event(data, own, pkt):
    """The numbers in an event of program hook."""
    words = struct.unpack_from("<5Q", data, 20)
    mine = b"".join(struct.pack("<Q", (words[i % 5] + i) & (2 ** 64 - 1)) for i in range(16))
    return mine[:own].hex(), data[:pkt].hex()


def check_run():
    tool = Started("run", "-d", "eth0", "-m", "events", OBJECT)
    ok("(hook), events of map" in tool.said and "(events) on xdp0" in tool.said,
       "run says what it does", tool.said)
    same(bindings(), 1, "the map is bound")
    want = []
    for i, (own, pkt) in enumerate(((8, 0), (0, 14), (5, 60), (0, 0))):
        data = frame(own, pkt, number=i)
        wire.send(data)
        mine, packet = event(data, own, pkt)
        want.append((str(i + 1), "60", mine, packet))
    got = []
    for _ in want:
        words = tool.process.stdout.readline().split()
        fields = dict(zip(words[2::2], words[3::2]))
        got.append((words[0], fields["len"], fields.get("data", ""), fields.get("packet", "")))
    same(got, want, "events, as they come")
    same(tool.end(signal.SIGINT), (0, "4 events, 0 dropped\n", ""), "interrupted: the sum")
    same((attached(), bindings()), (False, 0), "detached, unbound")


def check_json():
    tool = Started("run", "-d", "eth0", "-m", "more", "-C", "xdp2", "--json", "-n", "3", OBJECT)
    data = [frame(16, 20, 1, i) for i in range(3)]
    for d in data:
        wire.send(d)
    status, out, err = tool.end()
    doc = json.loads(out)
    json_keys.check("xdp run", doc)
    same((status, err, doc["device"], doc["channel"], doc["program"]["name"], doc["map"]["name"],
          doc["received"], doc["dropped"]),
         (0, "", "eth0", "xdp2", "hook", "more", 3, 0), "run --json --count")
    same([(e["seq"], e["port"], e["frame_len"], e["data"], e["packet"]) for e in doc["events"]],
         [(i + 1, 0, 60, *event(d, 16, 20)) for i, d in enumerate(data)], "events of it")
    ok(all(e["ts_ns"] for e in doc["events"]), "with times")


def check_watch():
    subprocess.run(["ip", "link", "set", "dev", "eth0", "xdpoffload", "obj", OBJECT, "sec", "xdp"],
                   check=True)
    status, _, err = run("watch", "-d", "eth0")
    same((status, "uses 2 event maps: choose one with --map" in err), (1, True),
         "watch refuses to choose one of two event maps")
    tool = Started("watch", "-d", "eth0", "-m", "events", watch=True)
    other = Started("watch", "-d", "eth0", "-m", "more", "--json-lines", watch=True)
    ok("on xdp0" in tool.said and "on xdp1" in other.said, "watch takes channels that are free",
       tool.said + other.said)
    status, _, err = run("watch", "-d", "eth0", "-m", "more")
    same((status, "its events go to a channel already" in err), (1, True), "one reader for a map")
    wire.send(frame(1, 2))
    wire.send(frame(3, 4, 1))
    ok(" data " in tool.process.stdout.readline(), "an event of one map")
    head, got = (json.loads(other.process.stdout.readline()) for _ in range(2))
    same((head["map"]["name"], got["seq"], got["data"]), ("more", 1, event(frame(3, 4, 1), 3, 4)[0]),
         "and one of the other map, as a line of JSON behind a first line")
    same(tool.end(signal.SIGTERM)[:2], (0, "1 events, 0 dropped\n"), "one command ends")
    other.end(signal.SIGKILL)
    same((attached(), bindings()), (True, 0), "the program is still there, and nothing is bound")
    tool = Started("watch", "-d", "eth0", "-m", "events", "-J", "-n", "1", watch=True)
    wire.send(frame(1, 2))
    status, out, _ = tool.end()
    head, got, last = map(json.loads, out.splitlines())
    json_keys.check("xdp watch", {**head, "events": [got], **last})
    same((status, head["channel"], got["seq"], last), (0, "xdp0", 1, {"received": 1, "dropped": 0}),
         "watch --json-lines --count: the last line has the sum")
    status, _, err = run("run", "-d", "eth0", "-m", "events", OBJECT)
    same((status, "another offloaded program is attached" in err), (1, True),
         "run does not replace it")
    same((attached(), bindings()), (True, 0), "and leaves nothing attached or bound")
    subprocess.run(["ip", "link", "set", "dev", "eth0", "xdpoffload", "off"], check=True)


def check_refused():
    for args, text in (
            (("run", "-d", "nodev", OBJECT), "nodev: no such interface"),
            (("run", "-d", "eth0", "/none.o"), "/none.o: No such file or directory"),
            (("run", "-d", "eth0", "-p", "nope", OBJECT), 'no program "nope"'),
            (("run", "-d", "eth0", OBJECT), "uses 2 event maps"),
            (("run", "-d", "eth0", "-m", "nope", OBJECT), "uses no perf event array named nope"),
            (("run", "-d", "eth0", "-m", "events", "-C", "nope", OBJECT), "no such channel"),
            (("run", "-d", "eth0", "-m", "events", "-C", "tick", OBJECT),
             "the channel takes no events of XDP programs"),
            (("run", "-d", "eth0", "build/guest/xdp/pass.o"), "uses no perf event array"),
            (("run", "-d", "eth0", "build/guest/xdp/bad_helper.o"), "cannot be offloaded to eth0"),
            (("run", "-d", "lo", OBJECT), "cannot be offloaded to lo"),
            (("watch", "-d", "eth0"), "no offloaded program is attached")):
        status, out, err = run(*args)
        same((status, out, text in err), (1, "", True), f"{' '.join(args)}: {text}")
        if text not in err:
            print(f"# {err}")
    *log, last = run("run", "-d", "eth0", "build/guest/xdp/bad_helper.o")[2].splitlines()
    ok(log and all(line.startswith("  ") for line in log), "the log of a failed load is indented", log)
    ok(re.fullmatch(r"nfpchan: \S+bad_helper.o: cannot be offloaded to eth0: .+ \(.+\)\. For all reasons "
                    r"run: nfpchan xdp explain -d eth0 \S+", last),
       "the last line says what is wrong and what to do", last)
    same([run(*args)[0] for args in (("run",), ("run", "-d", "eth0"), ("watch",),
                                     ("run", "-d", "eth0", "-n", "0", OBJECT),
                                     ("watch", "-d", "eth0", "x"))], [2] * 5, "wrong command lines")
    same((attached(), bindings()), (False, 0), "nothing is left of all that")


def check_ends():
    """However the command ends, it leaves the card as it was."""
    tool = Started("run", "-d", "eth0", "-m", "events", OBJECT)
    tool.end(signal.SIGKILL)
    same((attached(), bindings()), (False, 0), "killed: detached and unbound")
    tool = Started("run", "-d", "eth0", "-m", "events", OBJECT)
    tool.process.stdout.close()
    wire.send(frame(1, 0))
    tool.process.wait(60 * SLOW)
    same((attached(), bindings()), (False, 0), "it ends when its output is closed")
    tool = Started("run", "-d", "eth0", "-m", "events", OBJECT)
    subprocess.run(["rmmod", "nfp"], check=True)
    status, _, err = tool.end()
    same((status, "the card is gone" in err), (1, True), "it reports that the driver was unbound")
    # The detach puts the references of the bound map later: rmmod must wait for that.
    subprocess.run(["rmmod", "nfp_chan"], check=True)
    ok(not os.path.exists("/sys/module/nfp_chan"), "the module can be unloaded")


def main():
    wire.bind(("eth1", 0))
    check_run()
    check_json()
    check_watch()
    check_refused()
    check_ends()
    return done()


sys.exit(main())
