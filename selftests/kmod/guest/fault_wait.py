# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What fault.py does to those who wait: whom no interrupt wakes."""

import ctypes
import errno
import mmap
import os
import re
import select
import struct

from fault_rig import (DETACHED, NODE, OPEN_MAPPED, PATIENCE, Reader, Sleeper, Writer, abi, pipes,
                       readable, until)
from tap import fails, ok, same

OFF_CTL = 0x2000000         # NFPC_OFF_CTL, as NFP_CHAN_IOC_LAYOUT says
ARM = 20                    # arm in struct nfp_chan_ctl
TICK_BYTES = 16             # a message of tick in its ring: header, eight bytes
NOT_COME = r"tick pipe \d+: an interrupt did not come"


def take_mapped(ctl):
    """A message of tick, by who has its struct nfp_chan_ctl mapped."""
    pos, = struct.unpack_from("<Q", ctl)
    struct.pack_into("<Q", ctl, 0, pos + TICK_BYTES)


class Poller(Sleeper):
    """In poll(), until there is something to receive."""

    def __init__(self, fd):
        super().__init__(7, lambda: bool(readable(fd)))


def behind_one(rig, name, sleeper, take):
    """The module looks every two seconds. @sleeper is woken by such a look; at once after
    it one interrupt comes and the next does not."""
    for i, lost in enumerate((True, False, True)):
        # Who is not concerned is looked at before: that takes a while
        (rig.pci.fault if i else rig.fault)("irq-lost:chan=tick" if lost else "-irq-lost")
        waiter = sleeper()
        until(waiter.asleep, f"{name}: asleep")
        rig.card.signal("tick")
        waiter.join(PATIENCE)
        ok(waiter.result, f"{name}: {'none' if lost else 'one'} comes, message {i + 1} does")
        take()


def irq_behind(rig):
    """Of a user who calls read(): the module knows which it was armed for."""
    name = "irq-lost behind one"
    fd = rig.card.open("tick")
    behind_one(rig, name, lambda: Reader(fd), lambda: None)
    os.close(fd)
    rig.over(name, NOT_COME, NOT_COME)


def irq_behind_mapped(rig):
    """So it does of a user who has the ring mapped and calls poll()."""
    name = "irq-lost behind one, mapped"
    fd = rig.card.open("tick", OPEN_MAPPED)
    ctl = mmap.mmap(fd, mmap.PAGESIZE, offset=OFF_CTL)
    behind_one(rig, name, lambda: Poller(fd), lambda: take_mapped(ctl))
    ctl.close()
    os.close(fd)
    rig.over(name, NOT_COME, NOT_COME)


def taken_at_detach(rig):
    """A rendezvous that was received is a success, if the detach is all that its sender
    hears of."""
    name = "received, detached"
    fd = rig.card.open("rv-in")
    hits = rig.pci.hits()
    rig.fault("irq-lost:chan=rv-in")
    # Firmware stands still until the sender has armed
    rig.pci.fault("fw-stop")
    writer = Writer(fd, b"taken")
    until(writer.asleep, f"{name}: asleep")
    rig.pci.fault("-fw-stop")
    until(lambda: rig.pci.hits() > hits, f"{name}: received, and no interrupt says so")
    rig.stop()
    rig.pci.drive("unbind")
    writer.join(PATIENCE)
    same(writer.result, 5, f"{name}: write")
    fails(lambda: os.write(fd, b"more"), errno.ENODEV, f"{name}: and no more")
    os.close(fd)
    rig.fault("off")
    rig.pci.drive("bind")
    until(lambda: os.path.exists(NODE), f"{name}: a node again")
    rig.log.attached(DETACHED, name=name)
    rig.start()
    fd = rig.card.open("rv-out")
    same(readable(fd) and os.read(fd, 64), b"taken", f"{name}: it comes back")
    os.close(fd)
    rig.tick(name)
    rig.settled(name)


def irqs(what, mine):
    """How many there were, or times that it was armed: of the pipe of tick, or of others."""
    return sum(int(pipe[what]) for pipe in pipes() if (pipe["chan"] == "tick") == mine)


def arm_wrong(rig):
    """Who has the control page and the doorbells mapped may arm with what he likes. His
    interrupts are twice as many as the arms, at most, and others have none. A wait of his ends,
    if only by the module's own look."""
    fd = rig.card.open("tick", OPEN_MAPPED)
    ctl = mmap.mmap(fd, mmap.PAGESIZE, offset=OFF_CTL)
    layout = abi.layout(fd)
    bell = mmap.mmap(fd, mmap.PAGESIZE, offset=layout.db_off)
    theirs = irqs("irqs", False)
    rung = 0
    for word, add, times in ((0xffffffff, 0, 0), (0x10000, 0x20001, 1), (0x2abcd, 0x3ffff, 100)):
        name = f"armed wrongly, {word:#x}, {add:#x}"
        struct.pack_into("<I", ctl, ARM, word)
        for _ in range(times):
            # One store: struct.pack_into() clears the bytes first
            ctypes.c_uint32.from_buffer(bell, layout.db_arm).value = add
        rung += times
        waiter = Poller(fd)
        until(waiter.asleep, f"{name}: asleep")
        rig.card.signal("tick")
        waiter.join(PATIENCE)
        ok(waiter.result, f"{name}: the message comes")
        take_mapped(ctl)
        mine = irqs("irqs", True)
        most = irqs("arms", True) + rung
        # A store that comes while the firmware handles the one before is handled with that
        # one, and again at its own event
        ok(mine <= 2 * most, f"{name}: interrupts", f"{mine}, armed {most} times")
        print(f"# {name}: {mine} interrupts, armed {most} times")
    name = "armed wrongly"
    same(irqs("irqs", False), theirs, f"{name}: no interrupt of others")
    rig.others(name)
    bell.close()
    ctl.close()
    os.close(fd)
    rig.settled(name)
    rig.tick(name)
    # What it looks like to the module depends on when it looks
    said = rig.log.new()
    ok(all(re.search(NOT_COME, line) for line in said), f"{name}: log", "\n".join(said))


CASES = [
    ("irq-behind", irq_behind),
    ("irq-mapped", irq_behind_mapped),
    ("arm-wrong", arm_wrong),
    ("taken", taken_at_detach),
]
