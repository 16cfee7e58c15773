# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""A split is killed, or replaced, under traffic. The last program of the host drops each frame
of the test; it is reached by a tail call on the host. So no frame that has the mark of the card's
program may reach the stack with its own EtherType."""

import contextlib
import select
import signal
import threading
import time

from bpf_tools import bpftool
from split_tools import BASE, COUNT, MARK, OBJ, SECOND, Split, frame, receive
from tap import SLOW, note, ok, same

ROUNDS = 12
TO_THIRD = 3


class Traffic:
    """A thread that sends frames for third() of tails.c until it is ended."""

    def __init__(self, sender):
        self.sender, self.going, self.sent = sender, True, 0
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        frames = [frame(kind, SECOND, TO_THIRD) for kind in (0x0800, 0x88b5)]
        while self.going:
            with contextlib.suppress(OSError):      # the queue is full
                self.sender.send(frames[self.sent & 1])
                self.sent += 1

    def end(self):
        self.going = False
        self.thread.join()


class Watch:
    """A thread that counts the frames that reach the stack, by their type and their mark."""

    def __init__(self, host):
        self.host, self.going = host, True
        self.passed = self.tagged = self.unchecked = 0
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def see(self, f):
        kind = int.from_bytes(f[12:14], "big")
        if BASE <= kind < BASE + COUNT:
            self.tagged += 1
        elif len(f) >= 60 and kind in (0x0800, 0x88b5):
            self.passed += f[MARK]
            self.unchecked += not f[MARK]

    def run(self):
        while self.going:
            while select.select([self.host], [], [], 0.05)[0]:
                self.see(receive(self.host))

    def end(self):
        self.going = False
        self.thread.join()


def detached():
    """Wait until no program is attached. Polling is needed: the kernel sends no notification."""
    end = time.monotonic() + 5 * SLOW
    while any(net["xdp"] for net in bpftool("net", "show")):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def check_killed(sender, host, *options):
    name = " ".join(options) or "ethertype"
    traffic, watch = Traffic(sender), Watch(host)
    gone = 0
    for _ in range(ROUNDS):
        split = Split(OBJ, *options)
        if not split.attached:
            ok(False, f"{name}: attached", split.said)
            break
        sent = traffic.sent
        while traffic.sent < sent + 300:
            select.select([], [], [], 0.01)
        split.end(signal.SIGKILL)
        gone += detached()
    traffic.end()
    watch.end()
    note(f"{traffic.sent} frames sent, {watch.unchecked} came while nothing was attached, "
         f"{watch.tagged} with a type of the block")
    same((gone, watch.passed), (ROUNDS, 0),
         f"{name}: killed {ROUNDS} times, no frame passed that had to be dropped")


def check_replaced(sender, host):
    split = Split(OBJ)
    traffic, watch = Traffic(sender), Watch(host)
    good = True
    for _ in range(5):
        sent = traffic.sent
        while traffic.sent < sent + 200:
            select.select([], [], [], 0.01)
        good = good and split.replace()
    traffic.end()
    ok(good, "replaced five times under traffic", split.said)
    while select.select([host], [], [], 0.5 * SLOW)[0]:
        pass
    counts = split.end()
    watch.end()
    same((watch.passed, counts["lost"]), (0, 0), "no frame passed and no frame was lost")
    note(counts["to_host"])
