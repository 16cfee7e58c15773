# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cases of fault.py: a message that is received while its sender sleeps, and a process that arms
its pipe wrongly."""

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

OFF_CTL = 0x2000000         # NFPC_OFF_CTL: offset of the control page, from NFP_CHAN_IOC_LAYOUT
ARM = 20                    # offset of the field arm in struct nfp_chan_ctl
TICK_BYTES = 16             # bytes of a message of tick in the ring: header and data


def take_mapped(ctl):
    """Take a message of tick: advance the position in the mapped control page."""
    pos, = struct.unpack_from("<Q", ctl)
    struct.pack_into("<Q", ctl, 0, pos + TICK_BYTES)


def taken_at_detach(rig):
    """A rendezvous message is received, its interrupt is lost, and nfp is unbound: the sleeping
    sender must get success, and not ENODEV."""
    name = "received, detached"
    fd = rig.card.open("rv-in")
    hits = rig.pci.hits()
    rig.fault("irq-lost:chan=rv-in")
    # Stop the firmware until the sender has armed the pipe
    rig.pci.fault("fw-stop")
    writer = Writer(fd, b"taken")
    until(writer.asleep, f"{name}: asleep")
    rig.pci.fault("-fw-stop")
    until(lambda: rig.pci.hits() > hits, f"{name}: the message is received, its interrupt is lost")
    rig.stop()
    rig.pci.drive("unbind")
    writer.join(PATIENCE)
    same(writer.result, 5, f"{name}: write")
    fails(lambda: os.write(fd, b"more"), errno.ENODEV, f"{name}: the next write: ENODEV")
    os.close(fd)
    rig.fault("off")
    rig.pci.drive("bind")
    until(lambda: os.path.exists(NODE), f"{name}: a node again")
    rig.log.attached(DETACHED, name=name)
    rig.start()
    fd = rig.card.open("rv-out")
    same(readable(fd) and os.read(fd, 64), b"taken", f"{name}: the message comes back")
    os.close(fd)
    rig.tick(name)
    rig.settled(name)


def irqs(what, mine):
    """Return the sum of fdinfo's counter @what for the pipes of tick (@mine), or for all others."""
    return sum(int(pipe[what]) for pipe in pipes() if (pipe["chan"] == "tick") == mine)


def arm_wrong(rig):
    """A process that has the control page and the doorbells mapped arms with arbitrary values. It
    gets at most two interrupts for each arm, other pipes get none, and its messages come. Its own
    waits may not end."""
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
        ok(not readable(fd, 0), f"{name}: nothing yet, and the kernel arms as well")
        rig.card.signal("tick")
        until(lambda: readable(fd, 0), f"{name}: the message comes")
        take_mapped(ctl)
        mine = irqs("irqs", True)
        most = irqs("arms", True) + rung
        # If a store comes while the firmware handles an earlier store, the firmware handles it
        # then, and again at its event. That gives two interrupts.
        ok(mine <= 2 * most, f"{name}: interrupts", f"{mine}, armed {most} times")
        print(f"# {name}: {mine} interrupts, armed {most} times")
    name = "armed wrongly"
    same(irqs("irqs", False), theirs, f"{name}: no interrupt of other pipes")
    rig.others(name)
    bell.close()
    ctl.close()
    os.close(fd)
    rig.settled(name)
    rig.tick(name)


CASES = [
    ("arm-wrong", arm_wrong),
    ("taken", taken_at_detach),
]
