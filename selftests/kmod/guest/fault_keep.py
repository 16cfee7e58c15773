# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cases of fault.py: a card that does not answer may still write to memory of pipes. The module
keeps that memory, and the user is charged for it, until the card answers. If the card is removed
first, the memory is lost."""

import contextlib
import errno
import mmap
import os
import pwd
import resource

from fault_rig import DETACHED, NODE, Reader, abi, put, until
from tap import fails, ok, same

# Pages of locked memory for a pipe with the smallest ring
WHOLE = 5


@contextlib.contextmanager
def as_tester(pages):
    """Context: run as the user tester, with a limit of @pages pages of locked memory."""
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
    """Open tick with the smallest ring."""
    return abi.open_channel(rig.card.fd, 0, b"tick", 4096)


def charges(rig, pages, name):
    """Check that exactly @pages pages are charged to the user. With a limit of @pages plus the
    pages of one pipe, one pipe opens and no second. With a limit of one page less, no pipe
    opens."""
    with as_tester(pages + WHOLE - 1):
        fails(lambda: small(rig), errno.ENOMEM, f"{name}: {pages} pages are charged, and no fewer")
    with as_tester(pages + WHOLE):
        fd = small(rig)
        fails(lambda: small(rig), errno.ENOMEM, f"{name}: {pages} pages are charged, and no more")
    os.close(fd)


def charged(rig):
    """Memory of closed pipes that the card may still write stays charged to their user, to the
    page, until the card answers. Nothing is charged to another user."""
    name = "charged"
    charges(rig, 0, f"{name}, before")
    with as_tester(4 * WHOLE):
        fds = [small(rig) for _ in range(4)]
        fails(lambda: small(rig), errno.ENOMEM, f"{name}: four pipes open, a fifth does not")
    rig.fault("mbox-silent")
    for fd in fds:
        os.close(fd)
    rig.kept(4, name)
    with as_tester(4 * WHOLE + WHOLE - 1):
        fails(lambda: small(rig), errno.ENOMEM,
              f"{name}: {4 * WHOLE} pages are charged, and no fewer")
    # The limit allows this pipe, but the card does not answer, so its memory is kept as well.
    with as_tester(4 * WHOLE + WHOLE):
        fails(lambda: small(rig), errno.ETIMEDOUT,
              f"{name}: {4 * WHOLE} pages are charged, and no more")
    rig.kept(5, name)
    with as_tester(5 * WHOLE + WHOLE - 1):
        fails(lambda: small(rig), errno.ENOMEM, f"{name}: {5 * WHOLE} pages are charged after that")
    rig.settled(name)
    charges(rig, 0, f"{name}, after the card has answered")
    rig.log.says(r"command 3 \(number \d+\) not answered within 1 s",
                 r"commands are answered again", name=name)


def translated_dead(rig):
    """With an IOMMU no memory is kept for a card that does not answer, because the IOMMU stops
    writes to memory that was unmapped. This holds when nfp is unbound, and when the PF is
    removed."""
    for name, away in (("unbind", lambda: rig.pci.drive("unbind")),
                       ("remove", lambda: put(f"{rig.pci.path}/remove", "1"))):
        name = f"{name} while the card is dead, with an IOMMU"
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
            rig.bind_well(name)
        else:
            rig.pci.fault("off")
            rig.failing = ""
            rig.pci.drive("bind")
        rig.log.attached(name=f"{name}, attached again")
        rig.start()
        same(rig.dma(), rig.memory, f"{name}: no memory is kept")
        rig.tick(name)
        rig.settled(name)


def removed_dead(rig):
    """The PF is removed while the card answers no command. The card may write to the pipes' memory
    later, so the memory is lost, and a log line says how many bytes. The next card gets other
    memory."""
    name = "remove while the card is dead"
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
    # The page for the card's answers is kept: the card did not answer HELLO.
    rig.log.says(r"not answered within 1 s", r"the firmware does not answer properly",
                 r"nfp_chan0: 4096 bytes are kept", name=f"{name}, found again")
    rig.pci.look()
    rig.bind_well(name)
    rig.log.attached(name=f"{name}, bound again")
    rig.start()
    same(rig.dma(), rig.memory, f"{name}: the next card has as much memory as this one had")
    rig.tick(name)
    rig.settled(name)
