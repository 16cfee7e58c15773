# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cases of fault.py: commands that are not answered, or are answered wrongly."""

import errno
import mmap
import os
import select
import struct
import subprocess
from threading import Thread

import nfpchan
from fault_rig import (DETACHED, NODE, OPEN_MAPPED, PATIENCE, TREE, Writer, abi, readable,
                       until)
from tap import fails, ok, same

NOT_ANSWERED = r"command 2 \(number \d+\) not answered within 1 s"
NOT_SAID = r"pipe \d+: the card does not say whether message \d+ is taken back: disabled"
AGAIN = r"commands are answered again"


def mailbox_silent(rig, fault):
    """An OPEN is not answered. It may have taken effect, so the module sends a CLOSE for the
    pipe."""
    rig.fault(f"{fault}:count=1")
    fails(lambda: rig.card.open("tick"), errno.ETIMEDOUT, f"{fault}: open")
    rig.kept(0, fault)
    rig.others(fault)
    rig.tick(fault)
    rig.over(fault, NOT_ANSWERED, AGAIN)


def mailbox_dead(rig):
    """No command is answered. The module logs one line, and only the first command waits 1 s."""
    fds = [rig.card.open("tick") for _ in range(8)]
    rig.fault("mbox-silent")
    for fd in fds:
        os.close(fd)
    fails(lambda: rig.card.open("tick"), errno.ETIMEDOUT, "mailbox dead: open")
    rig.kept(9, "mailbox dead")
    rig.others("mailbox dead")
    rig.fault("off")
    rig.tick("mailbox dead")
    rig.over("mailbox dead", r"command 3 \(number \d+\) not answered within 1 s", AGAIN)


def close_refused(rig):
    """The closes of two pipes are not answered. Then the card refuses to close the first pipe. The
    module must close the second pipe all the same."""
    name = "close refused"
    fds = [rig.card.open("tick"), rig.card.open("pit")]
    rig.fault("mbox-silent")
    for fd in fds:
        os.close(fd)
    same(rig.card.used(), rig.used + 2, f"{name}: two pipes are not closed")
    rig.pci.fault("mbox-status:chan=tick:value=3")
    rig.pci.fault("-mbox-silent")
    ok(until(lambda: rig.card.used() == rig.used + 1, name), f"{name}: the second pipe is closed")
    rig.pci.fault("off")
    ok(until(lambda: rig.card.used() == rig.used, name),
       f"{name}: the first pipe is closed in the end")
    rig.over(name, r"command 3 \(number \d+\) not answered within 1 s", AGAIN)


def shared_ring(rig):
    """The OPEN of a second pipe in a ring is not answered: the first pipe must work as before.
    Later the closes of both pipes are not answered: the module must keep the ring."""
    rx = rig.card.open("loop-out", OPEN_MAPPED)
    rig.fault("mbox-silent:count=1")
    fails(lambda: rig.card.open_shared("loop-in", rx), errno.ETIMEDOUT, "one ring for two: open")
    os.close(rx)
    rig.tick("one ring for two, open")
    rig.over("one ring for two, open", NOT_ANSWERED, AGAIN)
    # The card does not share the ring, so the first pipe's own doorbell gives back the room.
    with nfpchan.Card() as card:
        rx = card.channel("source64")
    ctl = rig.card.open("source-ctl")
    os.write(ctl, struct.pack("<QII", 256, 64, 1))
    ok(readable(rx.fileno()), "one ring for two, with data: data is there")
    rig.fault("mbox-silent:count=1")
    fails(lambda: rig.card.open_shared("sink64", rx.fileno()), errno.ETIMEDOUT,
          "one ring for two, with data: open")
    for _ in range(3):
        same([len(rx.recv(PATIENCE, 64)) for _ in range(4)], [64] * 4,
             "one ring for two, with data: the first pipe is read as before")
        os.write(ctl, struct.pack("<QII", 256, 64, 1))
    os.close(ctl)
    rx.close()
    rig.over("one ring for two, with data", NOT_ANSWERED, AGAIN)
    rx = rig.card.open("loop-out", OPEN_MAPPED)
    tx = rig.card.open_shared("loop-in", rx)
    ring = abi.layout(rx).ring_size
    rig.fault("mbox-silent")
    os.close(tx)
    os.close(rx)
    # Two pipes in one ring have one ring and two records.
    same((rig.card.used() - rig.used, rig.dma()[0] - rig.memory[0]),
         (2, ring + 2 * mmap.PAGESIZE),
         "one ring for two: kept while the card may use it")
    rig.fault("off")
    rig.tick("one ring for two")
    rig.over("one ring for two", r"command 3 \(number \d+\) not answered within 1 s", AGAIN)


def mailbox_late(rig):
    """An answer comes after the timeout of its command, or together with the next answer."""
    rig.fault("mbox-late:count=1:value=9")
    fails(lambda: rig.card.open("tick"), errno.ETIMEDOUT, "mbox-late: open")
    rig.fault("-mbox-late")
    rig.tick("mbox-late")
    rig.over("mbox-late", NOT_ANSWERED, AGAIN)
    # Each answer comes with the next command: no command gets its own answer in time.
    rig.fault("mbox-late")
    for _ in range(3):
        fails(lambda: rig.card.open("tick"), errno.ETIMEDOUT, "mbox-late, all: open")
    rig.settled("mbox-late, all")
    rig.tick("mbox-late, all")
    rig.log.says(NOT_ANSWERED, AGAIN, name="mbox-late, all")


def mailbox_twice(rig):
    """The card repeats each answer at once, and again with the next answer."""
    rig.fault("mbox-twice")
    for _ in range(3):
        rig.tick("mbox-twice")
    ok(rig.pci.hits() >= 6, "mbox-twice: the fault has struck")
    rig.over("mbox-twice")


def mailbox_torn(rig):
    """The answer to HELLO comes in two words, and the kernel reads between them. The boot_id is in
    the first word: the kernel must not use it before it has the second word."""
    rig.stop()
    rig.pci.drive("unbind")
    rig.log.says(DETACHED, name="mbox-torn, unbound")
    rig.pci.fault("mbox-torn:count=1")
    bind = Thread(target=lambda: rig.pci.drive("bind"))
    bind.start()
    until(lambda: rig.pci.held() == 1 and mailbox_irqs(), "mbox-torn: the kernel looks")
    rig.pci.fault("off")
    bind.join(PATIENCE)
    ok(os.path.exists(NODE), "mbox-torn: there is a node")
    rig.log.attached(name="mbox-torn")
    rig.start()
    rig.tick("mbox-torn")
    rig.settled("mbox-torn")


def mailbox_number(rig):
    """The answer has the number of a command that the module never sent."""
    rig.fault("mbox-seq:count=1")
    fails(lambda: rig.card.open("tick"), errno.ETIMEDOUT, "mbox-seq: open")
    rig.tick("mbox-seq")
    rig.over("mbox-seq", NOT_ANSWERED, AGAIN)


def mailbox_status(rig):
    """Answers have an unknown status, so the module does not know whether a command took effect. It
    repeats the close, and logs one line."""
    hits = rig.pci.hits()
    rig.fault("mbox-status")
    fails(lambda: rig.card.open("tick"), errno.EIO, "mbox-status: open")
    rig.kept(1, "mbox-status")
    ok(until(lambda: rig.pci.hits() >= hits + 4, "mbox-status"),
       "mbox-status: the close is repeated")
    rig.others("mbox-status")
    rig.settled("mbox-status")
    rig.tick("mbox-status")
    rig.log.says(r"command 2 answered with unknown status 99", name="mbox-status")


def mailbox_irqs():
    """Return the number of mailbox interrupts on all CPUs."""
    with open("/proc/interrupts", encoding="ascii") as f:
        lines = [line for line in f if line.rstrip().endswith("nfp_chan0-mailbox")]
    return sum(int(word) for line in lines for word in line.split()[1:] if word.isdigit())


def mailbox_irq(rig):
    """One answer comes without its interrupt. The module finds the answer when the wait times
    out."""
    irqs = mailbox_irqs()

    # A command ends when its answer is in memory, and the CPU may get the interrupt later. Wait for
    # each interrupt: if a second one comes before the CPU has taken the first, both are one.
    def irq(count):
        until(lambda: mailbox_irqs() == irqs + count, f"mbox-irq: interrupt {count}")

    rig.tick("before mbox-irq", lambda: irq(1))
    irq(2)
    same(mailbox_irqs(), irqs + 2,
         "mbox-irq: before the fault, one interrupt for the open and one for the close")
    hits = rig.pci.hits()
    rig.fault("mbox-irq:count=1")
    rig.tick("mbox-irq")
    same(rig.pci.hits(), hits + 1, "mbox-irq: one interrupt was lost")
    irq(3)
    same(mailbox_irqs(), irqs + 3, "mbox-irq: the interrupt for the close was not lost")
    rig.over("mbox-irq")


def cancel_silent(rig, fault, code, *texts):
    """A CANCEL of a rendezvous message is not answered: the sender must not learn that the message
    was received."""
    name = f"cancel, {fault}"
    fd = rig.card.open("rv-in")
    os.write(fd, b"kept")       # the process keeps it, because nobody receives from the process
    writer = Writer(fd, b"taken back")
    until(writer.asleep, f"{name}: asleep")
    rig.fault(f"{fault}:count=1")
    fails(lambda: abi.ioctl(fd, abi.IOC_CANCEL, abi.CANCEL, 0, 2, 0), code, f"{name}: cancel")
    writer.join(PATIENCE)
    same(writer.result, "EIO", f"{name}: write")
    fails(lambda: os.write(fd, b"behind"), errno.EIO, f"{name}: the pipe is off")
    rig.others(name)
    os.close(fd)
    # The message that the process kept must come, and no other.
    fd = rig.card.open("rv-out")
    same(readable(fd) and os.read(fd, 256), b"kept",
         f"{name}: the message that was received comes back")
    ok(not readable(fd, 0), f"{name}: no other message comes back")
    os.close(fd)
    rig.over(name, *texts)


def cancel_late(rig):
    """The firmware is stopped when a CANCEL comes. It takes the message and all later messages back
    when it continues, so the module turns the pipe off. A new pipe works."""
    name = "cancel, late"
    fd = rig.card.open("pit")
    rig.fault("fw-stop")
    os.write(fd, b"before")
    fails(lambda: abi.ioctl(fd, abi.IOC_CANCEL, abi.CANCEL, 0, 1, 0), errno.ETIMEDOUT,
          f"{name}: cancel")
    fails(lambda: os.write(fd, b"behind"), errno.EIO, f"{name}: write")
    room = select.poll()
    room.register(fd, select.POLLOUT)
    same(room.poll(0)[0][1] & select.POLLERR, select.POLLERR, f"{name}: POLLERR")
    rig.fault("-fw-stop")
    os.close(fd)
    rig.over(name, r"command 4 \(number \d+\) not answered", NOT_SAID, AGAIN)


def cancel_at_close(rig):
    """The library closes a channel with an untaken rendezvous, and the CANCEL is not answered."""
    name = "cancel at close"
    with subprocess.Popen([f"{TREE}/build/guest/test/async_close"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as p:
        same(p.stdout.readline(), "on offer\n", f"{name}: two messages")
        rig.fault("mbox-silent:count=1")
        p.stdin.write("close\n")
        p.stdin.flush()
        same(p.stdout.readline(), f"{-errno.ETIMEDOUT}\n",
             f"{name}: the message on offer: ETIMEDOUT")
    same(p.returncode, 0, f"{name}: status")
    rig.fault("off")
    fd = rig.card.open("rv-out")
    same(readable(fd) and os.read(fd, 256), b"kept",
         f"{name}: the message that was received comes back")
    os.close(fd)
    rig.over(name, r"command \d+ \(number \d+\) not answered", NOT_SAID, AGAIN)


CASES = [
    ("silent", lambda rig: mailbox_silent(rig, "mbox-silent")),
    ("deaf", lambda rig: mailbox_silent(rig, "mbox-deaf")),
    ("dead", mailbox_dead),
    ("refused", close_refused),
    ("pair", shared_ring),
    ("late", mailbox_late),
    ("twice", mailbox_twice),
    ("torn", mailbox_torn),
    ("number", mailbox_number),
    ("status", mailbox_status),
    ("irq", mailbox_irq),
    ("cancel", lambda rig: cancel_silent(rig, "mbox-silent", errno.ETIMEDOUT,
                                         r"command \d+ \(number \d+\) not answered", NOT_SAID, AGAIN)),
    ("cancel-odd", lambda rig: cancel_silent(rig, "mbox-status", errno.EIO,
                                             r"command \d+ answered with unknown status 99",
                                             NOT_SAID)),
    ("cancel-late", cancel_late),
    ("close", cancel_at_close),
]
