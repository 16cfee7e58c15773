# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cases of fault.py: answers with a status that the command cannot have, a shared ring of which
one pipe is not closed, and system sleeps within another."""

import errno
import os

from fault_mbox import AGAIN, NOT_SAID
from fault_rig import NODE, OPEN_MAPPED, PATIENCE, Reader, Writer, abi, readable, sleep_briefly, until
from tap import fails, ok, same, skip


def answered_otherwise(rig, status, name):
    """The answer has a status that only another command may have. The module must treat the status
    as unknown."""
    rig.fault(f"mbox-status:count=1:value={status}")
    fails(lambda: rig.card.open("tick"), errno.EIO, f"{name}: open")
    rig.kept(0, name)
    rig.settled(name)
    rig.tick(name)
    rig.log.says(rf"command 2 answered with unknown status {status}", name=name)


def cancel_full(rig):
    """A CANCEL gets such a status. The sender must not get success."""
    name = "cancel, no room"
    fd = rig.card.open("rv-in")
    os.write(fd, b"kept")
    writer = Writer(fd, b"taken back")
    until(writer.asleep, f"{name}: asleep")
    rig.fault("mbox-status:count=1:value=6")
    fails(lambda: abi.ioctl(fd, abi.IOC_CANCEL, abi.CANCEL, 0, 2, 0), errno.EIO,
          f"{name}: cancel")
    writer.join(PATIENCE)
    same(writer.result, "EIO", f"{name}: write")
    os.close(fd)
    fd = rig.card.open("rv-out")
    same(readable(fd) and os.read(fd, 256), b"kept",
         f"{name}: the message that was received comes back")
    os.close(fd)
    rig.over(name, r"command 4 answered with unknown status 6", NOT_SAID)


def pair_close(rig):
    """Of two pipes in one ring, the close of one is not answered. When the second one is closed,
    the card answers again, and the module has the first one closed as well."""
    name = "one ring for two, close"
    rx = rig.card.open("loop-out", OPEN_MAPPED)
    tx = rig.card.open_shared("loop-in", rx)
    rig.fault("mbox-silent:count=1")
    os.close(tx)
    os.close(rx)
    until(lambda: (rig.card.used(), rig.dma()) == (rig.used, rig.memory),
          f"{name}: pipes and memory are free again")
    rig.tick(name)
    rig.over(name, r"command 3 \(number \d+\) not answered within 1 s", AGAIN)


def sleep_within(rig):
    """A process that has /dev/snapshot open prepares a system sleep: the module must attach no
    card until the process closes it, also when another sleep begins and ends meanwhile."""
    name = "sleep within another"
    if not os.path.exists("/dev/snapshot"):
        skip(name, "a kernel without hibernation")
        return
    rig.stop()
    snapshot = os.open("/dev/snapshot", os.O_RDONLY)
    ok(not os.path.exists(NODE), f"{name}: prepared, no node")
    sleep_briefly()
    # The bind would attach the card if the end of the second sleep had allowed it.
    rig.pci.bind_anew()
    ok(not os.path.exists(NODE), f"{name}: the second sleep is over, the first is not: no node")
    ok(rig.pci.frame_crosses(), f"{name}: the netdevs still work")
    os.close(snapshot)
    until(lambda: os.path.exists(NODE), f"{name}: a node again")
    rig.start()
    rig.tick(name)
    rig.over(name, r"nfp_chan0: detached", r"nfp_chan0: firmware .* channels")


CASES = [
    ("status-taken", lambda rig: answered_otherwise(rig, 5, "open, taken")),
    ("status-full", lambda rig: answered_otherwise(rig, 6, "open, no room")),
    ("cancel-full", cancel_full),
    ("pair-close", pair_close),
    ("sleep", sleep_within),
]
