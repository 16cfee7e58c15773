# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cases of fault.py: DMA writes that are delayed or overtaken, and a function level reset under
load, after which delayed writes must not reach memory."""

import errno
import os
import re
import select
import struct
import threading

from fault_rig import DETACHED, PATIENCE, pipes, put, readable, until
from tap import fails, ok, same

# Bytes that a message of 8 bytes takes in the ring: its header and its data
STEP = 16


def told(chan="tick"):
    """Return the position in the record of the channel's pipe."""
    return next(int(pipe["record-pos"]) for pipe in pipes() if pipe["chan"] == chan)


def ask(fd):
    """Make the card write a record for the next message while a message is unread. To arm the pipe,
    call poll() for an event that never comes."""
    p = select.poll()
    p.register(fd, select.POLLPRI)
    p.poll(0)


def land_unread(rig, fault):
    """The record comes before its message, and the message lands after the next record. A reader
    that reads after that gets both messages, whole and in order."""
    name = f"{fault}, not read before"
    fd = rig.card.open("tick")
    rig.fault(f"{fault}:chan=tick:count=1")
    rig.card.signal("tick")
    until(lambda: told() == STEP, f"{name}: a record")
    same(rig.pci.held(), 1, f"{name}: the message is held back")
    ask(fd)
    rig.card.signal("tick")
    until(lambda: told() == 2 * STEP and not rig.pci.held(), f"{name}: the next record")
    counts = [struct.unpack("<Q", os.read(fd, 8))[0] for _ in range(2)]
    same(counts[1], counts[0] + 1, f"{name}: both messages are right")
    os.close(fd)
    rig.over(name)


def land_read(rig, fault):
    """A reader that reads before the message has landed gets EIO, also after it lands. The message
    is counted as dropped."""
    name = f"{fault}, read before"
    dropped = rig.card.counts("tick")[1]
    fd = rig.card.open("tick")
    rig.log.room()
    rig.fault(f"{fault}:chan=tick:count=1")
    rig.card.signal("tick")
    fails(lambda: readable(fd) and os.read(fd, 8), errno.EIO, f"{name}: read")
    same(rig.pci.held(), 1, f"{name}: the message is held back")
    rig.others(name)
    # The message lands when the fault ends.
    rig.fault("-" + fault.split(":", 1)[0])
    same(rig.pci.held(), 0, f"{name}: the message lands")
    fails(lambda: os.read(fd, 8), errno.EIO, f"{name}: the message is not delivered")
    ok(readable(fd, 0)[0][1] & select.POLLERR, f"{name}: POLLERR")
    os.close(fd)
    same(rig.card.counts("tick")[1], dropped + 1, f"{name}: the message is counted as dropped")
    rig.settled(name)
    rig.tick(name)
    rig.log.says(r"tick pipe \d+: message number 0, must be 1: disabled", name=name)


def land_behind_close(rig):
    """The pipe is closed before its message lands. After the card's answer the kernel owns the
    pipe's memory, so the delayed write must not reach the memory."""
    fd = rig.card.open("tick")
    rig.fault("data-late:chan=tick:value=9")
    rig.card.signal("tick")
    until(lambda: rig.pci.held() == 1, "data-late, closed before: the message is held back")
    os.close(fd)
    same(rig.pci.held(), 0, "data-late, closed before: the message never lands")
    rig.over("data-late, closed before")


def body_late(rig):
    """The body of a message of more than 504 bytes is a separate write. If only this write is late,
    the host cannot notice, and old contents are delivered. The next message is whole."""
    name, size = "data-late, a body", 2048
    whole = struct.pack("<QII", 1, 7, 0) + bytes((1 + i) & 0xff for i in range(16, size))
    fd, ctl = rig.card.open("load"), rig.card.open("load-ctl")
    rig.fault("data-late:chan=load:after=1:count=1:value=2")
    for want, text in ((bytes(size), "old contents"), (whole, "the next message is whole")):
        os.write(ctl, struct.pack("<IIII", 1, size, 1, 7))
        ok(readable(fd) and os.read(fd, 4096) == want, f"{name}: {text}")
    until(lambda: not rig.pci.held(), f"{name}: the write has landed")
    os.close(fd)
    os.close(ctl)
    rig.over(name)


class Work(threading.Thread):
    """A thread that repeats a call until end(), and collects the errors. @loses: the thread ends as
    well when the call fails or returns false."""

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
    """Reset the function, and check that the emulated card saw a function level reset."""
    before = rig.pci.resets()
    put(f"{rig.pci.path}/reset", "1")
    same(rig.pci.resets(), before + 1, f"{name}: the function was reset")


def write_dropped(rig):
    """A DMA write is held back, and the function is reset. The write must never reach memory, also
    not when the fault ends. The record of the message was written before the reset."""
    name = "FLR, a write on its way"
    fd = rig.card.open("tick")
    rig.fault("data-late:chan=tick:value=9")
    rig.card.signal("tick")
    until(lambda: told() == STEP, f"{name}: a record")
    same(rig.pci.held(), 1, f"{name}: the write is held back")
    reset(rig, name)
    same(rig.pci.held(), 0, f"{name}: the write is dropped")
    rig.fault("-data-late")
    rig.log.room()
    fails(lambda: readable(fd) and os.read(fd, 8), errno.EIO, f"{name}: read")
    os.close(fd)
    rig.settled(name)
    rig.tick(name)
    rig.log.says(r"tick pipe \d+: message number 0, must be 1: disabled", name=name)


def function_reset(rig):
    """Function level resets under load. Writes under way are lost, so channels stop or return EIO.
    The kernel restores the function, and channels that are opened after that work."""
    # Each open sends a command, and before each command the module checks that the card answers.
    asking = Work(lambda: os.close(rig.card.open("tick")) is None, False)
    for i in range(20):
        opened = asking.count
        reset(rig, f"FLR {i + 1}")
        until(lambda n=opened: asking.count > n, f"FLR {i + 1}: channels open again")
    asking.end()
    ok(asking.errors <= {"EIO", "ETIMEDOUT"},
       "FLR: an open fails with EIO or ETIMEDOUT only", asking.errors)
    rig.stop()
    rig.start()
    for i in range(5):
        load = Work(lambda: rig.witness.whole(1, 1), True)
        until(lambda it=load: it.count >= 5, f"FLR {i + 1}: load")
        reset(rig, f"FLR {i + 1} under load")
        load.end()
        ok(load.errors <= {"EIO"}, f"FLR {i + 1}: a message fails with EIO only", load.errors)
        rig.stop()
        rig.start()
        ok(rig.witness.whole(), f"FLR {i + 1}: channels opened again are whole")
    rig.tick("FLR")
    rig.settled("FLR")
    said = rig.log.new()
    ok(not any("attach" in line or "detach" in line for line in said),
       "FLR: the card stays attached", said)
    ok(len(said) <= 25, "FLR: at most one log line for each reset", said)
    # nfp does not notice the resets, so its netdevs work again only after a new bind.
    rig.stop()
    rig.pci.bind_anew()
    rig.log.attached(DETACHED, name="FLR, bound again")
    rig.start()
    ok(rig.pci.frame_crosses(), "FLR: bound again, the netdevs work")
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
