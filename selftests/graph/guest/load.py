#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of load.t: a graph of three ME processes is loaded, watched, and unloaded."""

import glob
import json
import os
import select
import signal
import struct
import subprocess
import sys

from tap import SLOW, done, ok, same

LINE = "selftests/graph/line.graph"
COUNT, SIZE = 5000, 64
COMMAND = "4e414741524520310a000000"


def run(*args):
    """Run nfpchan. Return its exit status, stdout and stderr."""
    got = subprocess.run(["nfpchan", *args], capture_output=True, text=True, check=False,
                         timeout=60 * SLOW, stdin=subprocess.DEVNULL)
    return got.returncode, got.stdout, got.stderr


def pour(count):
    """Let the ME process of channel "load" send @count messages. Return the exit status."""
    return run("send", "load-ctl", "--hex", struct.pack("<4I", count, SIZE, 1, 7).hex())[0]


def counters(what, graph="line"):
    """Run `nfpchan graph @what`, stats or unload. Return its edges by (from, to)."""
    status, out, err = run("graph", what, "--json", graph)
    if status:
        print(f"# {what}: {status} {err}")
        return {}
    return {(e["from"], e["to"]): e for e in json.loads(out)["edges"]}


def carried(count):
    """Wait until @count messages have reached the end. Each query waits for the card's answer."""
    while True:
        edges = counters("stats")
        if not edges or edges["echo", "pit"]["messages"] >= count:
            return edges


def holders():
    """Return the processes that have links open."""
    found = []
    for fd in glob.glob("/proc/[0-9]*/fd/*"):
        try:
            if "nfp_chan_link" in os.readlink(fd) or "nfp-chan-link" in os.readlink(fd):
                found.append(int(fd.split("/")[2]))
        except OSError:
            pass
    return sorted(set(found))


def check_load():
    same(run("graph", "load", LINE)[:2], (0, "line: loaded, 2 edges\n"), "a graph is loaded")
    status, _, err = run("graph", "load", LINE)
    same((status, "a graph 'line' is loaded" in err), (1, True), "a graph that is loaded is not loaded again")
    same(pour(COUNT), 0, "its first ME process sends")
    edges = carried(COUNT)
    for name in (("load", "echo"), ("echo", "pit")):
        edge = edges.get(name, {})
        same([edge.get(k) for k in ("state", "messages", "bytes", "dropped")],
             ["up", COUNT, COUNT * SIZE, 0], f"all messages went {name[0]} -> {name[1]}")
    same(run("completion", "words", "--", "graph", "stats", "")[1], "line\t\n", "completion offers it")
    status, out, err = run("graph", "show", "--interval", "10", "line")
    lines = [line.split("    ")[0] for line in out.splitlines()]
    ok(status == 0 and lines[:2] == ["load", "`-> echo"] and f"{COUNT} messages" in out,
       "show draws it, with the counts of messages", out + err)


def check_unload():
    edges = counters("unload")
    same(edges["load", "echo"]["messages"], COUNT, "unload reports the messages that it has carried")
    status, _, err = run("graph", "stats", "line")
    same((status, "no graph 'line' is loaded" in err), (1, True), "stats then reports that no such graph is loaded")
    same(run("recv", "load", "--timeout", "0")[0], 3, "no message is left in its channels")
    same(pour(1), 0, "its first ME process sends again")
    same(len(run("recv", "load", "--count", "1", "--raw")[1]) > 0, True, "the message now comes to the host")


def check_killed():
    same(run("graph", "load", LINE)[0], 0, "it is loaded again")
    pids = holders()
    same(len(pids), 1, "one process has its links open")
    for pid in pids:
        fd = os.pidfd_open(pid)
        signal.pidfd_send_signal(fd, signal.SIGKILL)
        select.select([fd], [], [])
        os.close(fd)
    same(pour(1), 0, "that process is killed; the first ME process sends")
    same(run("recv", "load", "--count", "1", "--timeout", "10000")[0], 0, "the message comes to the host")
    same(run("graph", "load", LINE)[0], 0, "the graph of the killed process can be loaded again")
    same(bool(counters("unload")), True, "it is unloaded")


def received(count):
    """Receive @count messages of echo. Return each in hexadecimal."""
    status, out, err = run("recv", "echo-out", "--count", str(count), "--timeout", "10000", "--hex")
    if status:
        print(f"# {status} {err}")
    return [line.replace(" ", "") for line in out.splitlines()]


def check_branches():
    """The contents of a message choose its edge: to an ME process, to the host, or to be dropped. One
    edge puts a command before the message."""
    same(run("graph", "load", "selftests/graph/branch.graph")[0], 0, "a graph with branches")
    same(pour(40), 0, "its first ME process sends 40 messages")
    same([m[:16] for m in received(10)], [struct.pack("<Q", n).hex() for n in range(1, 41, 4)],
         "the messages for the host come")
    while True:     # until the last is counted
        edges = {e: v["messages"] + v["dropped"] for e, v in counters("stats", "branch").items()}
        if not edges or sum(edges.values()) >= 40:
            break
    same({v["via"] for v in counters("stats", "branch").values()}, {"card", "host"},
         "stats reports which edges the card and the host carry")
    same(edges, {("load", "echo"): 10, ("load", "pit"): 10, ("tick", "echo"): 0,
                 ("echo", "host"): 0, ("load", "dropped"): 20},
         "each edge has its messages, and the dropped ones are counted")
    same(run("signal", "tick")[0], 0, "another ME process sends")
    same([m[:len(COMMAND)] for m in received(1)], [COMMAND], "its message comes after a command")
    same(run("signal", "tick")[0], 0, "it sends again")
    same([m[:len(COMMAND)] for m in received(1)], [COMMAND[:16] + "0f000000"],
         "the card has counted up in the command of the second message")
    same(bool(counters("unload", "branch")), True, "the graph with branches is unloaded")


def check_refused():
    tests, examples = "selftests/graph", "userspace/examples/graph"
    for folder, name, text in (
            (tests, "unknown", "unknown.graph:4: node a: "), (tests, "large", "large.graph:6: edge "),
            (tests, "events", "events.graph:3: node frames: eth0: no XDP program is offloaded"),
            (examples, "images", "images.graph:5: device dec: not set up")):
        status, out, err = run("graph", "load", f"{folder}/{name}.graph")
        ok(status == 1 and text in err and not out, f"cannot be loaded: {name}", err)
        same(glob.glob(f"/run/nfpchan/{name}.graph"), [], "nothing of it is left")


check_load()
check_unload()
check_killed()
check_branches()
check_refused()
sys.exit(done())
