# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cases of fault.py: a card that does not answer may still write to memory of pipes. The module
keeps that memory, and the user is charged for it, until the card answers. If the card is removed
first, the memory is lost."""

import contextlib
import errno
import mmap
import os
import pwd
import re
import resource
import subprocess

from fault_rig import DETACHED, NODE, TREE, Reader, abi, put, sleep_briefly, until
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


class Mappings:
    """What the kernel maps for devices by the IOMMU, from tracepoints."""

    DIR = "/sys/kernel/tracing"

    def __init__(self):
        if not os.path.exists(f"{self.DIR}/trace"):
            subprocess.run(["mount", "-t", "tracefs", "nodev", self.DIR], check=True)
        put(f"{self.DIR}/events/iommu/map/enable", "1")
        put(f"{self.DIR}/events/iommu/unmap/enable", "1")
        self.new()

    def new(self):
        """Return the pages that were mapped and those that were unmapped since the last call."""
        pages = {"map": set(), "unmap": set()}
        with open(f"{self.DIR}/trace", encoding="ascii") as f:
            for line in f:
                m = re.search(r" (map|unmap): IOMMU: iova=(0x\w+)(?: - (0x\w+))?.*size=(\d+)", line)
                if m:
                    start = int(m[2], 16)
                    pages[m[1]].update(range(start, start + int(m[4]), mmap.PAGESIZE))
        put(f"{self.DIR}/trace", "")
        return pages["map"], pages["unmap"]


def mapped_dead(rig, maps, name, away, back):
    """The card answers nothing when a pipe ends. nfp, which maps memory after that, must not get
    the addresses of the pipe's memory. @away: what ends the pipe; @back: what undoes that."""
    name = f"{name} while the card is dead, with an IOMMU"
    maps.new()
    fd = rig.card.open("tick")
    mine, _ = maps.new()
    ok(mine, f"{name}: the pipe's memory is mapped")
    rig.fault("mbox-silent")
    os.close(fd)
    rig.stop()
    away()
    link = rig.pci.netdevs()[0] if os.path.exists(f"{rig.pci.path}/net") else None
    if not link:
        rig.pci.drive("bind")
        link = rig.pci.netdevs()[0]
    for state in ("down", "up"):
        subprocess.run(["ip", "link", "set", link, state], check=True)
    mapped, unmapped = maps.new()
    ok(len(mapped) > 100, f"{name}: nfp maps memory", len(mapped))
    same((mapped & mine, unmapped & mine), (set(), set()),
         f"{name}: the addresses of the pipe stay taken")
    rig.log.new()
    back()
    rig.start()
    rig.tick(name)
    rig.settled(name)
    rig.log.new()


def translated_dead(rig):
    """mapped_dead() for each way in which pipes end."""
    ko = f"{TREE}/build/guest/kmod/nfp_chan.ko"
    maps = Mappings()

    def unload():
        subprocess.run(["rmmod", "nfp_chan"], check=True)

    def load():
        rig.pci.fault("off")
        rig.failing = ""
        subprocess.run(["insmod", ko], check=True)

    def bind():
        rig.pci.drive("unbind")
        rig.pci.fault("off")
        rig.failing = ""
        rig.pci.drive("bind")

    mapped_dead(rig, maps, "unbind", lambda: rig.pci.drive("unbind"), bind)
    same(rig.dma(), rig.memory, "bound again: no memory is kept once the card has answered")
    mapped_dead(rig, maps, "unload", unload, load)
    mapped_dead(rig, maps, "sleep", sleep_briefly, bind)


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
