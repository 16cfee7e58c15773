# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What fault.py does to arm doorbells; answers that a command cannot have; a ring whose
other pipe is not closed; sleeps of the system within another."""

import errno
import mmap
import os
import re

from fault_mbox import AGAIN
from fault_rig import NODE, PATIENCE, Reader, Writer, abi, put, readable, until
from fault_wait import OFF_CTL, Poller, take_mapped
from tap import fails, ok, same, skip

LOST = r"tick pipe \d+: an arm doorbell was lost"


def field(rig, name):
    """What debugfs says of the one pipe of tick."""
    return int(re.search(rf" {name}=(\d+)", rig.pipes("tick")).group(1))


def arm_lost(rig):
    """Nobody arms the card, who sleeps believes so: the module arms it by its next look."""
    name = "arm lost"
    fd = rig.card.open("tick")
    hits = rig.pci.hits()
    rig.fault("bell-lost:chan=tick:count=1")
    reader = Reader(fd)
    until(lambda: rig.pci.hits() > hits, f"{name}: it was")
    until(reader.asleep, f"{name}: asleep")
    rig.card.signal("tick")
    reader.join(PATIENCE)
    ok(reader.result and len(reader.result) == 8, f"{name}: the message comes")
    same([field(rig, what) for what in ("arms-lost", "irqs-lost")], [1, 0],
         f"{name}: set right by the look, and by an interrupt")
    os.close(fd)
    rig.over(name, LOST)


def interrupts_of(rig, fd, sleeper, take, count):
    """So many interrupts come with @count messages, each of which wakes a sleeper."""
    before = field(rig, "irqs")
    for _ in range(count):
        waiter = sleeper()
        until(waiter.asleep, "asleep")
        rig.card.signal("tick")
        waiter.join(PATIENCE)
        if not waiter.result:
            return -1
        take(fd)
    return field(rig, "irqs") - before


def arm_storm(rig, name, mapped):
    """The register is another by one from then on: each arm would fire at once."""
    fd = rig.card.open("tick")
    ctl = mmap.mmap(fd, mmap.PAGESIZE, offset=OFF_CTL) if mapped else None

    def take(fd):
        if ctl:
            take_mapped(ctl)
        else:
            os.read(fd, 8)

    # Armed with 0; then, as that message is taken, with 1, which is lost
    interrupts_of(rig, fd, lambda: Poller(fd), take, 1)
    hits = rig.pci.hits()
    rig.fault("bell-lost:chan=tick:count=1")
    ok(not readable(fd, 0), f"{name}: nothing there, armed")
    same(rig.pci.hits(), hits + 1, f"{name}: which was lost")
    rig.fault("off")
    rig.card.signal("tick")
    until(lambda: readable(fd, 0), f"{name}: one more")
    take(fd)
    # Armed anew the card compares with another number, and fires; who looks arms again
    until(lambda: not readable(fd, 0) and field(rig, "arms-lost") == 1, f"{name}: set right")
    interrupts_of(rig, fd, lambda: Poller(fd), take, 1)
    same(interrupts_of(rig, fd, lambda: Poller(fd), take, 5), 5,
         f"{name}: then one for each message")
    if ctl:
        ctl.close()
    os.close(fd)
    rig.over(name, LOST)


def answered_otherwise(rig, status, name):
    """A status that is another command's: was it done? As if there were none such."""
    rig.fault(f"mbox-status:count=1:value={status}")
    fails(lambda: rig.card.open("tick"), errno.EIO, f"{name}: open")
    rig.kept(1, name)
    rig.settled(name)
    rig.tick(name)
    rig.log.says(rf"command 2 answered with unknown status {status}", name=name)


def cancel_full(rig):
    """As to a CANCEL: who sends is not told that it was received."""
    name = "cancel, no room"
    fd = rig.card.open("rv-in")
    os.write(fd, b"kept")
    writer = Writer(fd, b"taken back")
    until(writer.asleep, f"{name}: asleep")
    rig.fault("mbox-status:count=1:value=6")
    fails(lambda: abi.ioctl(fd, abi.IOC_CANCEL, abi.CANCEL, 0, 2, 0), errno.EIO,
          f"{name}: cancel")
    writer.join(PATIENCE)
    same(writer.result, "ETIMEDOUT", f"{name}: write")
    os.close(fd)
    fd = rig.card.open("rv-out")
    same(readable(fd) and os.read(fd, 256), b"kept", f"{name}: what was received comes back")
    os.close(fd)
    rig.over(name, r"command 4 answered with unknown status 6")


def pair_close(rig):
    """One of two in a ring is closed without an answer; with the other one the card is
    asked for both at once, not by the next look."""
    name = "one ring for two, close"
    rx = rig.card.open("loop-out")
    tx = rig.card.open_shared("loop-in", rx)
    rig.fault("mbox-silent:count=1")
    os.close(tx)
    os.close(rx)
    same((rig.card.used(), rig.dma()), (rig.used, rig.memory), f"{name}: all is back at once")
    rig.tick(name)
    rig.over(name, r"command 3 \(number \d+\) not answered within 1 s", AGAIN)


def sleep_within(rig):
    """Who has /dev/snapshot open is about to put the system to sleep: no card is attached
    until it is closed, whatever sleeps come and go."""
    name = "sleep within another"
    if not os.path.exists("/dev/snapshot"):
        skip(name, "a kernel without hibernation")
        return
    rig.stop()
    snapshot = os.open("/dev/snapshot", os.O_RDONLY)
    ok(not os.path.exists(NODE), f"{name}: prepared, no node")
    put("/sys/power/pm_test", "freezer")
    put("/sys/power/state", "freeze")
    put("/sys/power/pm_test", "none")
    # An attach that would be made at the end of this bind
    rig.pci.bind_anew()
    ok(not os.path.exists(NODE), f"{name}: one is over, the other is not")
    ok(rig.pci.frame_crosses(), f"{name}: meanwhile the netdevs go on")
    os.close(snapshot)
    until(lambda: os.path.exists(NODE), f"{name}: a node again")
    rig.start()
    rig.tick(name)
    rig.over(name, r"nfp_chan0: detached", r"nfp_chan0: firmware .* channels")


CASES = [
    ("arm-lost", arm_lost),
    ("arm-storm", lambda rig: arm_storm(rig, "arm storm", False)),
    ("arm-mapped", lambda rig: arm_storm(rig, "arm storm, mapped", True)),
    ("status-taken", lambda rig: answered_otherwise(rig, 5, "open, taken")),
    ("status-full", lambda rig: answered_otherwise(rig, 6, "open, no room")),
    ("cancel-full", cancel_full),
    ("pair-close", pair_close),
    ("sleep", sleep_within),
]
