#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of fault.t: a card that fails in each of the ways of FAULTS.rst. What
the user of a channel sees, what the log says, that other channels go on, and that
all is back when the card is.

The board takes orders in configuration space (fw/board/fault.h): so a fault begins
and ends between two system calls of this test.
"""

import errno
import fcntl
import os
import re
import select
import struct
import sys
import threading
import time
import zlib

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(TREE, "userspace/python"))
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
from nfpchan import abi
from tap import done, ok, same

NODE = "/dev/nfp_chan0"
PORT = 0x5c0            # BD_FAULT_PORT
PATIENCE = 20           # seconds until what must happen is given up


class Pci:
    """The card as sysfs has it."""

    def __init__(self):
        self.name = os.path.basename(os.path.realpath("/sys/class/nfp_chan/nfp_chan0/device"))
        self.path = f"/sys/bus/pci/devices/{self.name}"
        self.config = os.open(f"{self.path}/config", os.O_RDWR)

    def fault(self, text):
        """What --board fault= takes, at once."""
        line = text.encode() + b"\0"
        line += bytes(-len(line) % 4)
        for i in range(0, len(line), 4):
            os.pwrite(self.config, line[i:i + 4], PORT)
        if self.port(4):
            raise SystemExit(f"Bail out! fault {text}: not understood")

    def port(self, off):
        return struct.unpack("<I", os.pread(self.config, 4, PORT + off))[0]

    def hits(self):
        return self.port(8)

    def drive(self, what):
        """Bind or unbind nfp."""
        put(f"/sys/bus/pci/drivers/nfp/{what}", self.name)

    def vectors(self):
        return sorted(os.listdir(f"{self.path}/msi_irqs"))


def put(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


class Log:
    """What the module says in the kernel's log."""

    def __init__(self):
        self.fd = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
        os.lseek(self.fd, 0, os.SEEK_END)

    def new(self):
        lines = []
        while True:
            try:
                line = os.read(self.fd, 8192).decode(errors="replace")
            except BlockingIOError:
                return lines
            except BrokenPipeError:
                continue
            if "nfp_chan: " in line:
                lines.append(line.split("nfp_chan: ", 1)[1].split("\n")[0])

    def says(self, *texts, name):
        """Since it was asked last: these lines and no other, each once."""
        lines = self.new()
        good = len(lines) == len(texts) and all(
            re.search(text, line) for text, line in zip(texts, lines))
        ok(good, f"{name}: log", "\n".join(["got"] + lines + ["want"] + list(texts)))


def until(call, name):
    """What comes by itself comes soon: true once it has."""
    end = time.monotonic() + PATIENCE
    while not call():
        if time.monotonic() > end:
            ok(False, name, f"not within {PATIENCE} s")
            return False
        time.sleep(0.01)
    return True


def fails(call, code, name):
    """The call fails with that errno."""
    try:
        got = call()
    except OSError as err:
        same(errno.errorcode[err.errno], errno.errorcode[code], name)
    else:
        ok(False, name, f"returned {got!r}, want {errno.errorcode[code]}")


class Card:
    """An open node."""

    def __init__(self, node=NODE):
        self.fd = os.open(node, os.O_RDWR | os.O_CLOEXEC)

    def open(self, name, flags=0):
        """A channel's file descriptor."""
        fields = abi.ioctl(self.fd, abi.IOC_OPEN, abi.OPEN, flags, name.encode(), 0, -1)
        return fields[4]

    def used(self):
        """Pipes in use."""
        return abi.ioctl(self.fd, abi.IOC_INFO, abi.INFO, 0, 0, 0, 0, 0, 0, 0, 0,
                         b"", b"", b"")[6]

    def query(self, name):
        return abi.ioctl(self.fd, abi.IOC_QUERY, abi.QUERY, 0, name.encode(), *[0] * 17)

    def signal(self, name):
        arg = abi.SIGNAL.pack(abi.SIGNAL.size, 0, name.encode())
        fcntl.ioctl(self.fd, abi.IOC_SIGNAL, arg)

    def close(self):
        os.close(self.fd)


def readable(fd, seconds=PATIENCE):
    p = select.poll()
    p.register(fd, select.POLLIN)
    return p.poll(seconds * 1000)


class Witness:
    """A pair of channels that nothing is to happen to: their messages go there and
    come back, whole and in order."""

    def __init__(self, card):
        self.to_card = card.open("echo-in")
        self.back = card.open("echo-out")
        self.count = 0

    def whole(self, n=5):
        for _ in range(n):
            self.count += 1
            body = os.urandom(16 + self.count % 1500)
            message = struct.pack("<II", self.count, zlib.crc32(body)) + body
            os.write(self.to_card, message)
            if not readable(self.back):
                return False
            got = os.read(self.back, 4096)
            count, crc = struct.unpack_from("<II", got)
            if count != self.count or crc != zlib.crc32(got[8:]) or got != message:
                return False
        return True

    def close(self):
        os.close(self.to_card)
        os.close(self.back)


class Rig:
    """The card, what it uses while nothing is wrong, and the witness."""

    def __init__(self):
        self.pci = Pci()
        self.log = Log()
        self.start()

    def start(self):
        self.card = Card()
        self.witness = Witness(self.card)
        self.used = self.card.used()
        self.vectors = self.pci.vectors()
        self.fds = len(os.listdir("/proc/self/fd"))

    def stop(self):
        self.witness.close()
        self.card.close()

    def settled(self, name):
        """Faults off: nothing is left over, the others never noticed."""
        self.pci.fault("off")
        ok(self.witness.whole(), f"{name}: other channels go on")
        until(lambda: self.card.used() == self.used, f"{name}: pipes")
        same((self.card.used(), self.pci.vectors(), len(os.listdir("/proc/self/fd"))),
             (self.used, self.vectors, self.fds), f"{name}: nothing is left over")

    def tick(self, name):
        """A channel opens, works, and closes."""
        fd = self.card.open("tick")
        self.card.signal("tick")
        ok(readable(fd) and len(os.read(fd, 8)) == 8, f"{name}: channels open again")
        os.close(fd)

    def rebind(self):
        """nfp anew, with the node, once it is there."""
        self.stop()
        self.pci.drive("unbind")
        self.pci.drive("bind")
        self.start()


def control_block(rig):
    """Blocks that are no good: no node, a line, and the vNICs are there."""
    cases = [
        ("cb-garbage", r"firmware: ABI \d+, must be exactly 1"),
        ("cb-version", r"firmware: ABI 2, must be exactly 1"),
        ("cb-change", r"firmware: crc 0x\w+, computed 0x\w+"),
        # In which the firmware has restarted since: boot_id
        ("cb-stale", r"the firmware does not answer properly: -EPROTO"),
    ]
    rig.stop()
    for name, text in cases:
        rig.log.new()
        rig.pci.fault(name)
        if name == "cb-stale":
            rig.pci.fault("fw-restart")
        rig.pci.drive("unbind")
        rig.pci.drive("bind")
        ok(not os.path.exists(NODE), f"{name}: no node")
        said = [line for line in rig.log.new() if "detached" not in line]
        ok(len(said) == 1 and re.search(text, said[0]), f"{name}: log", said)
        ok(os.listdir(f"{rig.pci.path}/net"), f"{name}: the netdevs are there")
        rig.pci.fault("off")
        rig.pci.drive("unbind")
        rig.pci.drive("bind")
        ok(os.path.exists(NODE), f"{name}: bound anew, there is a node")
    rig.log.new()
    rig.start()
    rig.tick("control block")


NOT_ANSWERED = r"command 2 \(number \d+\) not answered within 1 s"
AGAIN = r"commands are answered again"


def mailbox_silent(rig, fault):
    """An OPEN that is not answered; whether it was done or not, it comes to an end."""
    rig.log.new()
    rig.pci.fault(f"{fault}:count=1")
    fails(lambda: rig.card.open("tick"), errno.ETIMEDOUT, f"{fault}: open")
    same(rig.card.used(), rig.used + 1, f"{fault}: what the card may use is kept")
    ok(rig.witness.whole(), f"{fault}: meanwhile others go on")
    rig.tick(fault)
    rig.settled(fault)
    rig.log.says(NOT_ANSWERED, AGAIN, name=fault)


def mailbox_dead(rig):
    """No answer at all: one line, and it does not take a second each."""
    rig.log.new()
    fds = [rig.card.open("tick") for _ in range(8)]
    rig.pci.fault("mbox-silent")
    for fd in fds:
        os.close(fd)
    fails(lambda: rig.card.open("tick"), errno.ETIMEDOUT, "mailbox dead: open")
    same(rig.card.used(), rig.used + 9, "mailbox dead: what the card may use is kept")
    ok(rig.witness.whole(), "mailbox dead: others go on")
    rig.pci.fault("off")
    rig.tick("mailbox dead")
    rig.settled("mailbox dead")
    rig.log.says(r"command 3 \(number \d+\) not answered within 1 s", AGAIN, name="mailbox dead")


def mailbox_late(rig):
    """The answer comes when it was given up, or with the next command."""
    rig.log.new()
    rig.pci.fault("mbox-late:count=1:value=9")
    fails(lambda: rig.card.open("tick"), errno.ETIMEDOUT, "mbox-late: open")
    rig.pci.fault("-mbox-late")
    rig.tick("mbox-late")
    rig.settled("mbox-late")
    rig.log.says(NOT_ANSWERED, AGAIN, name="mbox-late")
    # Each answer with the next command: never the one that is waited for
    rig.pci.fault("mbox-late")
    for _ in range(3):
        fails(lambda: rig.card.open("tick"), errno.ETIMEDOUT, "mbox-late, all: open")
    rig.settled("mbox-late, all")
    rig.tick("mbox-late, all")
    rig.log.says(NOT_ANSWERED, AGAIN, name="mbox-late, all")


def mailbox_twice(rig):
    """Answers that come twice, and once more with the next."""
    rig.log.new()
    rig.pci.fault("mbox-twice")
    for _ in range(3):
        rig.tick("mbox-twice")
    ok(rig.pci.hits() >= 6, "mbox-twice: it did")
    rig.settled("mbox-twice")
    rig.log.says(name="mbox-twice")


def mailbox_number(rig):
    """The answer to a command that nobody gave."""
    rig.log.new()
    rig.pci.fault("mbox-seq:count=1")
    fails(lambda: rig.card.open("tick"), errno.ETIMEDOUT, "mbox-seq: open")
    rig.tick("mbox-seq")
    rig.settled("mbox-seq")
    rig.log.says(NOT_ANSWERED, AGAIN, name="mbox-seq")


def mailbox_status(rig):
    """An answer that says nothing one could understand: was it done?"""
    rig.log.new()
    rig.pci.fault("mbox-status:count=1")
    fails(lambda: rig.card.open("tick"), errno.EIO, "mbox-status: open")
    same(rig.card.used(), rig.used + 1, "mbox-status: what the card may use is kept")
    rig.settled("mbox-status")
    rig.tick("mbox-status")
    rig.log.says(r"command 2 answered with unknown status 99", name="mbox-status")


def mailbox_irq(rig):
    """The answer without its interrupt: found when the wait ends."""
    rig.log.new()
    hits = rig.pci.hits()
    rig.pci.fault("mbox-irq:count=1")
    rig.tick("mbox-irq")
    ok(rig.pci.hits() > hits, "mbox-irq: it was lost")
    rig.settled("mbox-irq")
    rig.log.says(name="mbox-irq")


def firmware_stops(rig):
    """Nothing runs on the card; then it goes on where it was."""
    rig.log.new()
    fd = rig.card.open("tick")
    rig.pci.fault("fw-stop")
    rig.card.signal("tick")
    fails(lambda: rig.card.open("pit"), errno.ETIMEDOUT, "fw-stop: open")
    ok(not readable(fd, 0), "fw-stop: nothing comes")
    rig.pci.fault("-fw-stop")
    ok(readable(fd) and os.read(fd, 8), "fw-stop, then on: what was signalled comes")
    os.close(fd)
    rig.tick("fw-stop")
    rig.settled("fw-stop")
    rig.log.says(NOT_ANSWERED, AGAIN, name="fw-stop")


class Reader(threading.Thread):
    """Sleeps in read() until something comes."""

    def __init__(self, fd):
        super().__init__(daemon=True)
        self.fd = fd
        self.result = None
        self.start()

    def run(self):
        try:
            self.result = os.read(self.fd, 4096)
        except OSError as err:
            self.result = errno.errorcode[err.errno]


def gone_channels(rig, name, reader):
    """Who sleeps is woken by the module's own look, within a few seconds."""
    reader.join(PATIENCE)
    same(reader.result, "ENODEV", f"{name}: a sleeping reader")
    fails(lambda: rig.card.open("tick"), errno.ENODEV, f"{name}: open")
    fails(lambda: rig.card.query("tick"), errno.ENODEV, f"{name}: query")
    fails(lambda: os.write(rig.witness.to_card, b"x"), errno.ENODEV, f"{name}: write")


def firmware_restarts(rig):
    """Another run of the firmware: nobody has to ask for it to be noticed."""
    rig.log.new()
    fd = rig.card.open("tick")
    reader = Reader(fd)
    rig.pci.fault("fw-restart")
    gone_channels(rig, "fw-restart", reader)
    os.close(fd)
    until(lambda: os.path.exists(NODE), "fw-restart: a node again")
    rig.stop()
    rig.log.says(r"nfp_chan0: the firmware has restarted, attaching anew",
                 r"nfp_chan0: detached", r"nfp_chan0: firmware .* channels", name="fw-restart")
    rig.start()
    rig.tick("fw-restart")
    rig.settled("fw-restart")


def all_ones(rig, fault, text, why):
    """Reads give ones: of the channels' memory alone, or of all the card."""
    rig.log.new()
    fd = rig.card.open("tick")
    reader = Reader(fd)
    rig.pci.fault(fault)
    fails(lambda: rig.card.query("tick"), errno.EIO, f"{fault}: query")
    gone_channels(rig, fault, reader)
    os.close(fd)
    until(lambda: not os.path.exists(NODE), f"{fault}: the node goes")
    rig.stop()
    rig.log.says(text, r"nfp_chan0: detached", why, name=fault)
    rig.pci.fault("off")
    rig.pci.drive("unbind")
    rig.pci.drive("bind")
    rig.log.new()
    rig.start()
    rig.tick(fault)
    rig.settled(fault)


def main():
    put("/proc/sys/kernel/printk_ratelimit", "0")
    rig = Rig()
    only = sys.argv[1:]
    cases = [
        ("block", lambda: control_block(rig)),
        ("silent", lambda: mailbox_silent(rig, "mbox-silent")),
        ("deaf", lambda: mailbox_silent(rig, "mbox-deaf")),
        ("dead", lambda: mailbox_dead(rig)),
        ("late", lambda: mailbox_late(rig)),
        ("twice", lambda: mailbox_twice(rig)),
        ("number", lambda: mailbox_number(rig)),
        ("status", lambda: mailbox_status(rig)),
        ("irq", lambda: mailbox_irq(rig)),
        ("stop", lambda: firmware_stops(rig)),
        ("restart", lambda: firmware_restarts(rig)),
        ("sram", lambda: all_ones(rig, "sram-ones", r"nfp_chan0: the firmware has restarted",
                                  r"no channel firmware: magic 0xffffffff")),
        ("gone", lambda: all_ones(rig, "gone", r"nfp_chan0: the device does not answer",
                                  r"nfp has no window")),
    ]
    for name, run in cases:
        if not only or name in only:
            began = time.monotonic()
            run()
            print(f"# {name}: {time.monotonic() - began:.1f} s", flush=True)
    return done()


sys.exit(main())
