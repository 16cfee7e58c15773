#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of throttled.t: a process whose cgroup has used up its memory sleeps in the kernel's
allocator while it opens a channel with a large ring. A detach must not wait for that process. An
attach holds locks for which other processes wait, so its memory is charged to no cgroup."""

import errno
import glob
import os
import subprocess
import sys
import time

sys.dont_write_bytecode = True
TREE = os.environ["NFPCHAN_TREE"]
sys.path[:0] = [f"{TREE}/selftests/rig"]

# pylint: disable=wrong-import-position
import chan_ioctl
from tap import SLOW, done, ok, same

NODE = "/dev/nfp_chan0"
CGROUPS = "/run/cgroups"
GROUP = f"{CGROUPS}/throttled"
RING = 4 << 20
TRACING = "/sys/kernel/tracing"
PATIENCE = 60 * SLOW
# The process opens and closes a channel until the open fails, and prints the errno
OPENER = f"""
import os, sys
sys.path[:0] = {sys.path[:1]!r}
import chan_ioctl
card = os.open("{NODE}", os.O_RDWR)
print("ready", flush=True)
sys.stdin.readline()
for n in range(1 << 20):
    try:
        os.close(chan_ioctl.open_channel(card, 0, b"load", {RING}))
    except OSError as err:
        print(err.errno, flush=True)
        break
"""


def put(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


def until(call):
    end = time.monotonic() + PATIENCE
    while not call():
        if time.monotonic() > end:
            return False
    return True


def asleep(pid):
    """True if the process sleeps in the allocator, because its cgroup is above memory.high."""
    with open(f"/proc/{pid}/wchan", encoding="ascii") as f:
        return "over_high" in f.read()


def switches(pid):
    """Return the process's numbers of context switches. They do not change while it sleeps."""
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        return [line.split()[1] for line in f if "ctxt_switches" in line]


def charged(call):
    """Return how many buffers nfp_chan has charged to a cgroup during call()."""
    put(f"{TRACING}/trace", "")
    put(f"{TRACING}/events/kmem/mm_page_alloc/enable", "1")
    call()
    put(f"{TRACING}/events/kmem/mm_page_alloc/enable", "0")
    count = 0
    # In the file of one CPU an event is followed by its stack.
    for cpu in glob.glob(f"{TRACING}/per_cpu/*/trace"):
        with open(cpu, encoding="ascii") as f:
            for event in f.read().split(" mm_page_alloc: "):
                count += "ACCOUNT" in event.split("\n")[0] and "nfpc_buf_alloc" in event
    return count


def main():
    os.makedirs(CGROUPS, exist_ok=True)
    subprocess.run(["mount", "-t", "cgroup2", "none", CGROUPS], check=True)
    put(f"{CGROUPS}/cgroup.subtree_control", "+memory")
    os.mkdir(GROUP)
    opener = subprocess.Popen([sys.executable, "-c", OPENER],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with opener:
        same(opener.stdout.readline(), "ready\n", "a process that opens channels")
        put(f"{GROUP}/cgroup.procs", str(opener.pid))
        put(f"{GROUP}/memory.high", "0")
        opener.stdin.write("go\n")
        opener.stdin.flush()
        ok(until(lambda: asleep(opener.pid)), "it sleeps in the allocator")
        before = switches(opener.pid)
        # The preparation of a system sleep makes the module detach all cards.
        snapshot = os.open("/dev/snapshot", os.O_RDONLY)
        ok(not os.path.exists(NODE), "the card is detached")
        same(switches(opener.pid), before, "the process has slept all the time")
        put(f"{GROUP}/memory.high", "max")
        out, _ = opener.communicate()
        same(out, f"{errno.ENODEV}\n", "its open fails: ENODEV")
    if not os.path.exists(f"{TRACING}/trace"):
        subprocess.run(["mount", "-t", "tracefs", "nodev", TRACING], check=True)
    put(f"{TRACING}/options/stacktrace", "1")

    def attach():
        os.close(snapshot)
        ok(until(lambda: os.path.exists(NODE)), "the card is attached again")

    same(charged(attach), 0, "an attach charges no memory to a cgroup")
    card = os.open(NODE, os.O_RDWR)
    ok(charged(lambda: os.close(chan_ioctl.open_channel(card, 0, b"load", RING))) > 0,
       "the open of a channel does")
    os.close(card)
    os.rmdir(GROUP)
    subprocess.run(["umount", CGROUPS], check=True)
    return done()


sys.exit(main())
