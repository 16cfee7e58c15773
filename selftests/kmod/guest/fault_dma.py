# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What fault.py does to what is on its way: messages that land later than they should, or
behind others, and a reset of the function under load, behind which nothing lands."""

import errno
import os
import re
import select
import struct
import threading

from fault_rig import DETACHED, PATIENCE, pipes, put, readable, until
from tap import fails, ok, same

# A message of 8 bytes and its header
STEP = 16


def told(chan="tick"):
    """The position in the record of a channel's pipe."""
    return next(int(pipe["record-pos"]) for pipe in pipes() if pipe["chan"] == chan)


def ask(fd):
    """Have a record written for the next message, though the last is not read: waiting for
    what never comes does that."""
    p = select.poll()
    p.register(fd, select.POLLPRI)
    p.poll(0)


def land_unread(rig, fault):
    """The record is there, its message comes behind the next one. Who reads only then has
    both, whole and in order: that they came in another one is not to be seen."""
    name = f"{fault}, not read before"
    fd = rig.card.open("tick")
    rig.fault(f"{fault}:chan=tick:count=1")
    rig.card.signal("tick")
    until(lambda: told() == STEP, f"{name}: a record")
    same(rig.pci.held(), 1, f"{name}: it is held back")
    ask(fd)
    rig.card.signal("tick")
    until(lambda: told() == 2 * STEP and not rig.pci.held(), f"{name}: the next record")
    counts = [struct.unpack("<Q", os.read(fd, 8))[0] for _ in range(2)]
    same(counts[1], counts[0] + 1, f"{name}: each is the right one")
    os.close(fd)
    rig.over(name)


def land_read(rig, fault):
    """Who reads before it is there has EIO, and has it still when it lands: what it was is
    counted as dropped."""
    name = f"{fault}, read before"
    dropped = rig.card.counts("tick")[1]
    fd = rig.card.open("tick")
    rig.log.room()
    rig.fault(f"{fault}:chan=tick:count=1")
    rig.card.signal("tick")
    fails(lambda: readable(fd) and os.read(fd, 8), errno.EIO, f"{name}: read")
    same(rig.pci.held(), 1, f"{name}: it is held back")
    rig.others(name)
    # It lands as the fault ends.
    rig.fault("-" + fault.split(":", 1)[0])
    same(rig.pci.held(), 0, f"{name}: it lands")
    fails(lambda: os.read(fd, 8), errno.EIO, f"{name}: it is not delivered")
    ok(readable(fd, 0)[0][1] & select.POLLERR, f"{name}: POLLERR")
    os.close(fd)
    same(rig.card.counts("tick")[1], dropped + 1, f"{name}: it is counted as dropped")
    rig.settled(name)
    rig.tick(name)
    rig.log.says(r"tick pipe \d+: message number 0, must be 1: disabled", name=name)


def land_behind_close(rig):
    """The pipe is closed before it lands: its memory is the kernel's again, and the card
    has said that it has let go."""
    fd = rig.card.open("tick")
    rig.fault("data-late:chan=tick:value=9")
    rig.card.signal("tick")
    until(lambda: rig.pci.held() == 1, "data-late, closed before: it is held back")
    os.close(fd)
    same(rig.pci.held(), 0, "data-late, closed before: it never lands")
    rig.over("data-late, closed before")


def body_late(rig):
    """The body of a message of more than 504 bytes is a write of its own. When it alone is
    late nothing tells: old contents are delivered. The next message is whole."""
    name, size = "data-late, a body", 2048
    whole = struct.pack("<QII", 1, 7, 0) + bytes((1 + i) & 0xff for i in range(16, size))
    fd, ctl = rig.card.open("load"), rig.card.open("load-ctl")
    rig.fault("data-late:chan=load:after=1:count=1:value=2")
    for want, text in ((bytes(size), "old contents"), (whole, "the next is whole")):
        os.write(ctl, struct.pack("<IIII", 1, size, 1, 7))
        ok(readable(fd) and os.read(fd, 4096) == want, f"{name}: {text}")
    until(lambda: not rig.pci.held(), f"{name}: it has landed")
    os.close(fd)
    os.close(ctl)
    rig.over(name)


class Work(threading.Thread):
    """A call again and again, with a note of what goes wrong, until it is told to end.
    @loses: or until it does go wrong, or is not true."""

    def __init__(self, call, loses):
        super().__init__(daemon=True)
        self.call, self.loses = call, loses
        self.count = 0
        self.errors = set()
        self.stop = False
        self.start()

    def run(self):
        good = True
        while not self.stop and (good or not self.loses):
            try:
                good = self.call()
                self.count += good
            except OSError as err:
                good = False
                self.errors.add(errno.errorcode[err.errno])

    def end(self):
        self.stop = True
        self.join(PATIENCE)


def reset(rig, name):
    """A function level reset. The board has seen it as such, or nothing is shown."""
    before = rig.pci.resets()
    put(f"{rig.pci.path}/reset", "1")
    same(rig.pci.resets(), before + 1, f"{name}: the function was reset")


def write_dropped(rig):
    """What was on its way when the function was reset never lands: not when the fault that
    held it back has ended, either. Its record was there before."""
    name = "FLR, a write on its way"
    fd = rig.card.open("tick")
    rig.fault("data-late:chan=tick:value=9")
    rig.card.signal("tick")
    until(lambda: told() == STEP, f"{name}: a record")
    same(rig.pci.held(), 1, f"{name}: it is held back")
    reset(rig, name)
    same(rig.pci.held(), 0, f"{name}: it is dropped")
    rig.fault("-data-late")
    rig.log.room()
    fails(lambda: readable(fd) and os.read(fd, 8), errno.EIO, f"{name}: read")
    os.close(fd)
    rig.settled(name)
    rig.tick(name)
    rig.log.says(r"tick pipe \d+: message number 0, must be 1: disabled", name=name)


def function_reset(rig):
    """FLR under load: what was on its way is lost, the channels concerned are stuck or say
    EIO; the kernel restores the function, and opened again they are as before."""
    # Commands, each of which looks whether the card is there
    asking = Work(lambda: os.close(rig.card.open("tick")) is None, False)
    for i in range(20):
        opened = asking.count
        reset(rig, f"FLR {i + 1}")
        until(lambda n=opened: asking.count > n, f"FLR {i + 1}: channels open again")
    asking.end()
    ok(asking.errors <= {"EIO", "ETIMEDOUT"}, "FLR: what an open may say", asking.errors)
    rig.stop()
    rig.start()
    for i in range(5):
        load = Work(lambda: rig.witness.whole(1, 1), True)
        until(lambda it=load: it.count >= 5, f"FLR {i + 1}: load")
        reset(rig, f"FLR {i + 1} under load")
        load.end()
        ok(load.errors <= {"EIO"}, f"FLR {i + 1}: what a message may come to", load.errors)
        rig.stop()
        rig.start()
        ok(rig.witness.whole(), f"FLR {i + 1}: channels opened again are whole")
    rig.tick("FLR")
    rig.settled("FLR")
    said = rig.log.new()
    ok(not any("attach" in line or "detach" in line for line in said),
       "FLR: the card stays attached", said)
    ok(len(said) <= 25, "FLR: a line each at most", said)
    # nfp knows nothing of it
    rig.stop()
    rig.pci.bind_anew()
    rig.log.attached(DETACHED, name="FLR, bound anew")
    rig.start()
    ok(rig.pci.frame_crosses(), "FLR: bound anew, the netdevs are as before")
    print(f"# FLR: {len(said)} lines, {asking.count} opens, {sorted(asking.errors)}")


CASES = [
    ("data-late", lambda rig: land_unread(rig, "data-late:value=2")),
    ("data-swap", lambda rig: land_unread(rig, "data-swap")),
    ("late-read", lambda rig: land_read(rig, "data-late:value=9")),
    ("swap-read", lambda rig: land_read(rig, "data-swap")),
    ("late-close", land_behind_close),
    ("late-body", body_late),
    ("flr-write", write_dropped),
    ("flr", function_reset),
]
