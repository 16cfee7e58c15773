#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Wrong control blocks. For each, the module must log the error, and must not make a node.

While nfp is unbound, root may map the card's BARs, and the BAR window of nfp's last probe still
exists. The test writes a wrong block to SRAM through this window. The next probe reads that block.
"""

import errno
import mmap
import os
import struct
import subprocess
import sys
import zlib

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
from fault_rig import NODE, Card, Log, Pci, abi, get, until
from tap import done, ok

PCI = Pci()
WINDOW = 0x20000000         # BULK, 32-bit, target 0, token 0, base 0
SRAM = 0x8000
CB = struct.Struct("<IHHIIIIHHIIIHHHHIIHHI32s32sQQ")
FIELDS = ["magic", "abi_major", "abi_minor", "size", "crc", "boot_id", "chan_off",
          "chan_count", "chan_stride", "stat_off", "mbox_off", "sig_off", "pipe_count",
          "signal_db_count", "mbox_queue", "sig_queue", "me_mhz", "inline_off", "inline_count",
          "link_off", "push_size", "fw_name", "fw_version", "push_addr", "queue_pages"]
CHAN = struct.Struct("<32sHBBIIIIBBBxH6x")
CHAN_FIELDS = ["name", "id", "dir", "kind", "flags", "elem_size", "max_size", "depth",
               "island", "me", "ctx", "process"]


def window_register():
    """Return the offset in configuration space of the CSR of nfp's window, or None."""
    return next((o for o in range(0x400, 0x460, 4)
                 if struct.unpack("<I", os.pread(PCI.config, 4, o))[0] == WINDOW), None)


def window_offset():
    """Find nfp's window as the module does; return (BAR, offset)."""
    register = window_register()
    if register is None:
        raise SystemExit("Bail out! no window")
    bars = [[int(x, 16) for x in line.split()] for line in get(f"{PCI.path}/resource").splitlines()]
    i = (register - 0x400) // 4
    bar = i // 8 * 2
    return bar, (bars[bar][1] - bars[bar][0] + 1) // 8 * (i % 8)


class Sram:
    """The control block and the SRAM after it, as an array of 32-bit words."""

    def __init__(self):
        bar, offset = window_offset()
        with open(f"{PCI.path}/resource{bar}", "r+b") as f:
            self.map = mmap.mmap(f.fileno(), 0x10000, offset=offset)
        self.words = memoryview(self.map).cast("I")

    def read(self, off, size):
        first = (SRAM + off) // 4
        return b"".join(struct.pack("<I", self.words[first + i]) for i in range((size + 3) // 4))

    def write(self, off, data):
        data += bytes(-len(data) % 4)
        for i in range(0, len(data), 4):
            self.words[(SRAM + off + i) // 4] = struct.unpack_from("<I", data, i)[0]

    def close(self):
        self.words.release()
        self.map.close()


class Block:
    """The control block and its table, as the firmware wrote them, and functions to change them."""

    def __init__(self, sram):
        self.raw = sram.read(0, CB.size)
        self.cb = dict(zip(FIELDS, CB.unpack(self.raw)))
        off, stride = self.cb["chan_off"], self.cb["chan_stride"]
        self.table = sram.read(off, self.cb["chan_count"] * stride)
        self.chans = [dict(zip(CHAN_FIELDS, CHAN.unpack_from(self.table, i * stride)))
                      for i in range(self.cb["chan_count"])]

    def write(self, sram, cb, chan, crc):
        """Write the block with the fields of @cb, and channel 1 with those of @chan, changed.
        @crc: compute the right CRC."""
        fields = {**self.cb, **cb}
        table = b""
        for i, c in enumerate(self.chans):
            c = {**c, **chan} if i == 1 else c
            table += CHAN.pack(*(c[f] for f in CHAN_FIELDS)).ljust(self.cb["chan_stride"], b"\0")
        if crc:
            zero = CB.pack(*({**fields, "magic": 0, "crc": 0}[f] for f in FIELDS))
            fields["crc"] = zlib.crc32(zero + table)
        sram.write(self.cb["chan_off"], table)
        sram.write(0, CB.pack(*(fields[f] for f in FIELDS)))

    def restore(self, sram):
        sram.write(self.cb["chan_off"], self.table)
        sram.write(0, self.raw)


class Case:
    """Run the test cases. nfp is unbound between them."""

    def __init__(self):
        PCI.drive("unbind")
        sram = Sram()
        self.block = Block(sram)
        sram.close()

    def write(self, cb, chan, crc=True):
        sram = Sram()
        self.block.write(sram, cb, chan, crc)
        sram.close()

    def __call__(self, name, text, cb=None, chan=None, crc=True):
        """Bind with one wrong control block: no node, and one log line, which has @text."""
        self.write(cb or {}, chan or {}, crc)
        log = Log()
        PCI.drive("bind")
        said = log.new()
        os.close(log.fd)
        ok(not os.path.exists(NODE) and len(said) == 1 and text in said[0], name, said)
        PCI.drive("unbind")

    def room(self, size, ring):
        """Bind with a channel of one message of @size: its ring must have @ring bytes, and the
        message must fit."""
        self.write({}, {"max_size": size, "elem_size": 0, "depth": 1})
        PCI.drive("bind")
        fd = open_channel(self.block.chans[1]["name"].rstrip(b"\0").decode())
        layout = abi.layout(fd)
        os.close(fd)
        ok((layout.ring_size, layout.limit >= size + abi.HEADER.size) == (ring, True),
           f"one message of {size} bytes has room", layout)
        PCI.drive("unbind")

    def old(self):
        """Bind with a table whose channel 1 has no process name, as in a firmware of ABI 3.0."""
        first, old = (c["name"].rstrip(b"\0").decode() for c in self.block.chans[:2])
        self.write({}, {"process": 0})
        PCI.drive("bind")
        card = Card()
        names = card.process(first), card.process(old)
        card.close()
        ok(names[0] and not names[1], "a firmware that does not name its processes", names)
        PCI.drive("unbind")

    def end(self):
        sram = Sram()
        self.block.restore(sram)
        sram.close()
        PCI.drive("bind")
        ok(os.path.exists(NODE), "the original control block is accepted again")


def window_moved():
    """Change nfp's window while the card is attached: the module must write nothing, and detach."""
    csr = window_register()
    config_write(csr, WINDOW + 1)
    try:
        open_channel("tick")
        ok(False, "the window has moved: EIO", "opened")
    except OSError as e:
        ok(e.errno == errno.EIO, "the window has moved: EIO", e)
    ok(until(lambda: not os.path.exists(NODE), "no node"), "the window has moved: the node goes")
    config_write(csr, WINDOW)
    for state in ("down", "up"):
        subprocess.run(["ip", "link", "set", os.listdir(f"{PCI.path}/net")[0], state], check=True)
    # Wait for the attach before the unbind. Otherwise the module would keep memory, and DMA-API
    # would report that.
    ok(until(lambda: os.path.exists(NODE), "a node"),
       "the window is back: the module attaches again")
    PCI.bind_anew()
    os.close(open_channel("tick"))
    ok(True, "after unbind and bind, channels open again")


def config_write(off, value):
    os.pwrite(PCI.config, struct.pack("<I", value), off)


def open_channel(name):
    card = Card()
    try:
        return card.open(name)
    finally:
        card.close()


def main():
    case = Case()
    found = case.block.cb
    n = found["chan_count"]
    pages = found["queue_pages"]
    taken = bin(pages).count("1")
    first, last = (4 * page + 2 for page in ((pages & -pages).bit_length() - 1, pages.bit_length() - 1))

    case("magic", "magic 0x12345678 in SRAM", {"magic": 0x12345678}, crc=False)
    case("CRC", "crc 0xdeadbeef, computed", {"crc": 0xdeadbeef}, crc=False)
    case("a table that does not match the CRC", "crc", chan={"depth": 77}, crc=False)
    case("ABI", "ABI 2, must be exactly 3", {"abi_major": 2})
    case("size, too small", "size 64, must be at least 144", {"size": 64})
    case("size, too large", "control block at 0x0, 0xffffffff bytes", {"size": 0xffffffff})
    case("boot_id", "boot_id 0", {"boot_id": 0})
    case("no channels", "chan_count 0", {"chan_count": 0})
    case("too many channels", "chan_count 65, must be from 1 to 64", {"chan_count": 65})
    case("stride", "chan_stride 32, must be at least 64", {"chan_stride": 32})
    case("table outside", "channel table at 0x7ff8", {"chan_off": 0x7ff8})
    case("table far outside", "channel table at 0xfffffff8", {"chan_off": 0xfffffff8})
    case("table unaligned", "channel table at", {"chan_off": found["chan_off"] + 4})
    case("table over the block", "overlaps control block", {"chan_off": 64})
    case("counters over the table", "overlaps channel table", {"stat_off": found["chan_off"]})
    case("counters outside", "counters at 0x8000", {"stat_off": 0x8000})
    case("mailbox over the counters", "mailbox at", {"mbox_off": found["stat_off"]})
    case("mailbox outside", "mailbox at 0x7fe0", {"mbox_off": 0x7fe0})
    case("signal words unaligned", "signal words at", {"sig_off": found["sig_off"] + 2})
    case("signal words over the mailbox", "overlaps mailbox", {"sig_off": found["mbox_off"]})
    case("no pipes", "pipe_count 0", {"pipe_count": 0})
    case("too many pipes", "pipe_count 33, must be from 1 to 32", {"pipe_count": 33})
    case("more pages than pipes and signal doorbells",
         f"pages in queue_pages {taken + 1}, must be one for each pipe and doorbell, {taken}",
         {"queue_pages": pages | 2})
    case("fewer pages than pipes and signal doorbells",
         f"pages in queue_pages {taken - 1}, must be one for each pipe and doorbell, {taken}",
         {"queue_pages": pages & (pages - 1)})
    case("no pages", "pages in queue_pages 0, must be", {"queue_pages": 0})
    case("a page with a queue that nfp uses", "page in queue_pages 0, must be one without nfp's queue 2",
         {"queue_pages": pages & (pages - 1) | 1})
    for queue, what in ((2, "that nfp uses"), (0, "of nfp's free buffers"), (133, "of nfp's TX rings"),
                        (first, "that a pipe uses"), (first + 1, "to arm a pipe"),
                        (last + 1, "of a signal doorbell's page"), (256, "beyond the last"),
                        (65535, "far beyond the last")):
        for name in "mbox_queue", "sig_queue":
            case(f"{name} {what}", f"{name} {queue}, must be 4n + 2 or 4n + 3, from 3 to 255, "
                 f"and not in queue_pages {pages:#x}", {name: queue})
    case("mailbox queue and signal queue are the same",
         f"sig_queue {found['mbox_queue']}, must be other than mbox_queue",
         {"sig_queue": found["mbox_queue"]})
    case("inline pages outside", "inline pages at 0x7000", {"inline_off": 0x7000, "inline_count": 2})
    case("inline pages unaligned", "inline pages at", {"inline_off": found["inline_off"] + 8})
    case("inline pages over the table", "overlaps", {"inline_off": 0})
    case("too many signal doorbells",
         f"pages in queue_pages {taken}, must be one for each pipe and doorbell, 65567",
         {"signal_db_count": 65535})
    case("memory for other cards, not a power of two",
         "push_size 98304, must be", {"push_size": 98304})
    case("memory for other cards, too small", "push_size 32768, must be", {"push_size": 32768})
    case("memory for other cards, too large", "push_size 4194304, must be", {"push_size": 1 << 22})
    case("memory for other cards, unaligned", "push_size 65536, must be",
         {"push_addr": 0x308000, "push_size": 65536})
    case("name without end", "name or version", {"fw_name": b"x" * 32})
    case("channel without name", "channel 1 has no valid name", chan={"name": b""})
    case("channel name with a slash", "channel 1 has no valid name", chan={"name": b"a/b"})
    case("channel name without end", "channel 1 has no valid name", chan={"name": b"a" * 32})
    case("two channels of one name", "channels 0 and 1 are both named",
         chan={"name": case.block.chans[0]["name"]})
    case("channel id", f"channel id {n}, must be its index 1", chan={"id": n})
    case("direction", "channel direction 3", chan={"dir": 3})
    case("kind", "channel kind 3, must be from 1 to 2", chan={"kind": 3})
    case("stream without elements", "needs elements, a depth, and to be exclusive",
         chan={"kind": 2, "elem_size": 0})
    case("unknown flag", "channel flags", chan={"flags": 0x80})
    case("size of messages", "channel max_size", chan={"max_size": 0x400000, "elem_size": 0})
    case("elem_size and max_size differ", "channel elem_size 8, must be 0 or max_size 16",
         chan={"elem_size": 8, "max_size": 16})
    case("name of a process, unaligned", "process name at 30, must be a multiple of 4, at most 32736",
         chan={"process": 30})
    case("name of a process, outside", "process name at 32740, must be", chan={"process": 32740})
    case("name of a process that is no text", "the process of channel", chan={"process": 4})
    case.old()
    # Queue pointers have 18 bits, so in the largest rings one unit stays free.
    case.room(262136, 1 << 18)
    case.room(524272, 1 << 19)
    case.room(524280, 1 << 20)
    case.end()
    window_moved()
    return done()


sys.exit(main())
