# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What fault.py does of memory that a mute card may still write: whose it is meanwhile, and
what becomes of it when the card is removed."""

import contextlib
import errno
import mmap
import os
import pwd
import resource

from fault_rig import DETACHED, NODE, Reader, abi, put, until
from tap import fails, ok, same

# Pages of a pipe with the smallest ring
WHOLE = 5


@contextlib.contextmanager
def as_tester(pages):
    """A user who may lock so many pages."""
    uid = pwd.getpwnam("tester").pw_uid
    old = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (pages * mmap.PAGESIZE, old[1]))
    os.setresuid(uid, uid, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        resource.setrlimit(resource.RLIMIT_MEMLOCK, old)


def small(rig):
    """A pipe of tick with the smallest ring."""
    return abi.open_channel(rig.card.fd, 0, b"tick", 4096)


def charges(rig, pages, name):
    """So many pages are the user's: a pipe fits beside them, and not into a page less."""
    with as_tester(pages + WHOLE - 1):
        fails(lambda: small(rig), errno.ENOMEM, f"{name}: {pages} pages, and no less")
    with as_tester(pages + WHOLE):
        fd = small(rig)
        fails(lambda: small(rig), errno.ENOMEM, f"{name}: {pages} pages, and no more")
    os.close(fd)


def charged(rig):
    """What is kept stays charged to the user whose pipes were closed, to the page, and is
    given back when the card has let go of it. Another user has nothing of it."""
    name = "charged"
    charges(rig, 0, f"{name}, before")
    with as_tester(4 * WHOLE):
        fds = [small(rig) for _ in range(4)]
        fails(lambda: small(rig), errno.ENOMEM, f"{name}: four pipes, and no fifth")
    rig.fault("mbox-silent")
    for fd in fds:
        os.close(fd)
    rig.kept(4, name)
    with as_tester(4 * WHOLE + WHOLE - 1):
        fails(lambda: small(rig), errno.ENOMEM, f"{name}: {4 * WHOLE} pages, and no less")
    # There is room, but nobody answers: that one is kept as well
    with as_tester(4 * WHOLE + WHOLE):
        fails(lambda: small(rig), errno.ETIMEDOUT, f"{name}: {4 * WHOLE} pages, and no more")
    rig.kept(5, name)
    with as_tester(5 * WHOLE + WHOLE - 1):
        fails(lambda: small(rig), errno.ENOMEM, f"{name}: {5 * WHOLE} pages then")
    rig.settled(name)
    charges(rig, 0, f"{name}, behind it")
    rig.log.says(r"command 3 \(number \d+\) not answered within 1 s",
                 r"commands are answered again", name=name)


def translated_dead(rig):
    """With an IOMMU a card cannot write to memory that is mapped no more, so nothing is kept of
    a card that does not answer: not when nfp is unbound, nor when the PF is removed."""
    for name, away in (("unbind", lambda: rig.pci.drive("unbind")),
                       ("remove", lambda: put(f"{rig.pci.path}/remove", "1"))):
        name = f"{name} while it is dead, with an IOMMU"
        fd = rig.card.open("tick")
        rig.fault("mbox-silent")
        away()
        os.close(fd)
        rig.stop()
        rig.log.says(r"not answered within 1 s", DETACHED, name=name)
        if not os.path.exists(rig.pci.path):
            put("/sys/bus/pci/rescan", "1")
            until(lambda: os.path.exists(f"{rig.pci.path}/driver"), f"{name}: found again")
            rig.log.says(r"not answered within 1 s", r"the firmware does not answer properly",
                         name=f"{name}, found again")
            rig.pci.look()
            rig.bind_well()
        else:
            rig.pci.fault("off")
            rig.failing = ""
            rig.pci.drive("bind")
        rig.log.attached(name=f"{name}, again")
        rig.start()
        same(rig.dma(), rig.memory, f"{name}: nothing is held")
        rig.tick(name)
        rig.settled(name)


def removed_dead(rig):
    """The PF is removed while no command is answered: nobody will know when its memory may be
    used again. One line says how much that is; the next card has none of it."""
    name = "remove while it is dead"
    fd = rig.card.open("tick")
    reader = Reader(fd)
    rig.fault("mbox-silent")
    size = rig.dma()[0]
    put(f"{rig.pci.path}/remove", "1")
    rig.gone(name, reader)
    ok(not os.path.exists(NODE), f"{name}: no node")
    os.close(fd)
    rig.stop()
    rig.log.says(r"not answered within 1 s",
                 rf"nfp_chan0: {size} bytes are kept", DETACHED,
                 rf"{rig.pci.name}: {size} bytes are lost until the next boot", name=name)
    put("/sys/bus/pci/rescan", "1")
    until(lambda: os.path.exists(f"{rig.pci.path}/driver"), f"{name}: found again")
    # Where it would have answered
    rig.log.says(r"not answered within 1 s", r"the firmware does not answer properly",
                 r"nfp_chan0: 4096 bytes are kept", name=f"{name}, found again")
    rig.pci.look()
    rig.bind_well()
    rig.log.attached(name=f"{name}, bound anew")
    rig.start()
    same(rig.dma(), rig.memory, f"{name}: the next one has other memory, and as much")
    rig.tick(name)
    rig.settled(name)
