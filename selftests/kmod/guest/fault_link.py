# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cases of fault.py: LINK and UNLINK commands that the card does not answer, so that the module
does not know whether they took effect."""

import errno
import os
import select
import struct

from fault_mbox import AGAIN
from fault_rig import OPEN_NONBLOCK, PATIENCE, Sleeper, abi, get, readable, until
from tap import fails, ok, same

QUIET = r"command {} \(number \d+\) not answered within 1 s"
CLOSE, LINK, UNLINK = 3, 7, 8   # NFP_CHAN_FW_CMD_*
SYS_CLOSE = 3
PIT_MAGIC = 0x7069742d70726f76  # selftests/fw/apps/pit.h: a message whose contents the process checks


def link(source, to):
    """The file descriptor of a link."""
    return abi.ioctl(source, abi.IOC_LINK, abi.LINK, 0, to, -1, *[0] * 8)[3]


def ends(rig):
    return rig.card.open("tick", OPEN_NONBLOCK), rig.card.open("pit", OPEN_NONBLOCK)


def link_silent(rig):
    """A LINK is not answered: the module undoes it, and the ends work as before."""
    tick, pit = ends(rig)
    rig.fault("mbox-silent:count=1")
    fails(lambda: link(tick, pit), errno.ETIMEDOUT, "LINK without an answer")
    rig.card.signal("tick")
    ok(readable(tick) and len(os.read(tick, 8)) == 8,
       "LINK without an answer: its end to the host is read")
    same(os.write(pit, b"any"), 3, "LINK without an answer: its end to the NFP is written to")
    os.close(link(tick, pit))
    os.close(tick)
    os.close(pit)
    rig.over("LINK without an answer", QUIET.format(LINK), AGAIN)


def link_dead(rig):
    """LINK and the UNLINK after it are not answered: both ends return EIO, and can be closed."""
    tick, pit = ends(rig)
    rig.fault("mbox-silent")
    fails(lambda: link(tick, pit), errno.ETIMEDOUT, "a link that may be there")
    fails(lambda: os.read(tick, 8), errno.EIO, "a link that may be there: its end to the host")
    fails(lambda: os.write(pit, b"any"), errno.EIO, "a link that may be there: its end to the NFP")
    rig.fault("off")
    os.close(tick)
    os.close(pit)
    rig.tick("a link that may be there")
    rig.over("a link that may be there", QUIET.format(LINK), AGAIN)


def unlink_silent(rig, which):
    """The close of the link, or of one of its ends, is not answered."""
    name = f"closed without an answer: {which}"
    tick, pit = ends(rig)
    fds = {"link": link(tick, pit), "from": tick, "to": pit}
    rig.fault("mbox-silent")
    os.close(fds.pop(which))
    if "link" in fds:
        poll = select.poll()
        poll.register(fds["link"], 0)
        same(poll.poll(PATIENCE * 1000), [(fds["link"], select.POLLHUP)],
             f"{name}: the link is down")
    if "from" in fds:
        fails(lambda: os.read(tick, 8), errno.EIO, f"{name}: the end to the host")
    if "to" in fds:
        fails(lambda: os.write(pit, b"any"), errno.EIO, f"{name}: the end to the NFP")
    rig.fault("off")
    for fd in fds.values():
        os.close(fd)
    rig.tick(name)
    rig.over(name, QUIET.format(UNLINK if which == "link" else CLOSE), AGAIN)


def state(fd):
    """The state of the link @fd."""
    return get(f"/proc/self/fdinfo/{fd}").split("\nstate:\t")[1].split("\n")[0]


def ended_closed(rig):
    """An end of a link is closed, and the card does not answer. The end's ME process has ended
    before: while the close waits, the link is not up again. The process stays as it is."""
    name = "closed after the end of its process"
    tick, pit = ends(rig)
    fd = link(tick, pit)
    other = rig.card.open("pit")
    os.write(other, struct.pack("<QIIII", PIT_MAGIC, 1, 0, 0, 0))
    until(lambda: state(fd) == "ended", f"{name}: the link has ended")
    rig.fault("mbox-silent")
    closer = Sleeper(SYS_CLOSE, lambda: os.close(pit))
    until(closer.asleep, f"{name}: close() waits")
    states = set()
    while closer.is_alive():
        states.add(state(fd))
    ok(states <= {"ended", "down"}, f"{name}: the link is not up again", states)
    rig.fault("off")
    for left in tick, other, fd:
        os.close(left)
    rig.log.says(QUIET.format(CLOSE), AGAIN, name=name)


CASES = [
    ("link", link_silent),
    ("link-dead", link_dead),
    ("unlink", lambda rig: unlink_silent(rig, "link")),
    ("unlink-from", lambda rig: unlink_silent(rig, "from")),
    ("unlink-to", lambda rig: unlink_silent(rig, "to")),
]
