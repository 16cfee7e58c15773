#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of fault.t: a card that fails in each of the ways of FAULTS.rst. The tests check the
results that the user of a channel gets, the module's log lines, that other channels go on, and
that all channels work again after the fault.

The emulated card takes faults through configuration space (fw/emu/board/fault/fault.h), so a fault
begins and ends between two system calls of this test.
"""

import errno
import os
import select
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import fault_arm
import fault_block
import fault_device
import fault_dma
import fault_keep
import fault_link
import fault_mbox
import fault_port
import fault_wait
from fault_rig import (ATTACHED, DETACHED, DMA_API, NODE, OPEN_MAPPED, OPEN_NONBLOCK, PATIENCE,
                       TREE, Dma, Reader, Rig, put, readable, until)
from fault_mbox import AGAIN, NOT_ANSWERED
from tap import done, fails, ok, same


def counter_flips(rig):
    """A counter whose upper half changes at each read: the module must read it a few times only."""
    hits = rig.pci.hits()
    rig.fault("stat-flip")
    rig.card.query("tick")
    ok(hits + 8 <= rig.pci.hits() <= hits + 64, "stat-flip: a few reads", rig.pci.hits() - hits)
    rig.over("stat-flip")


def firmware_stops(rig):
    """The firmware stops for a while, and then continues."""
    fd = rig.card.open("tick")
    rig.card.signal("tick")
    before = signals(os.read(fd, 8))
    rig.fault("fw-stop")
    rig.card.signal("tick")
    fails(lambda: rig.card.open("pit"), errno.ETIMEDOUT, "fw-stop: open")
    ok(not readable(fd, 0), "fw-stop: nothing comes")
    rig.fault("-fw-stop")
    same(readable(fd) and signals(os.read(fd, 8)), before + 1,
         "fw-stop, continued: the signal's message comes, once")
    ok(not readable(fd, 0), "fw-stop, continued: no further message comes")
    os.close(fd)
    rig.tick("fw-stop")
    rig.over("fw-stop", NOT_ANSWERED, AGAIN)


def firmware_restarts(rig):
    """The firmware restarts: the module must notice without any call of a user. Before that an ME
    process ends, which runs again then."""
    fault_link.ended_closed(rig)
    fd = rig.card.open("tick")
    reader = Reader(fd)
    rig.fault("fw-restart")
    rig.gone("fw-restart", reader)
    os.close(fd)
    until(lambda: os.path.exists(NODE), "fw-restart: a node again")
    rig.stop()
    rig.log.says(r"nfp_chan0: the firmware has restarted, attaching anew",
                 DETACHED, ATTACHED, name="fw-restart")
    rig.start()
    rig.tick("fw-restart")
    rig.settled("fw-restart")


def all_ones(rig, fault, text, why, back):
    """Reads of the channels' memory only, or of the whole card, return all ones. The module
    detaches, and tries to attach again. @back: what makes it try once more after the fault."""
    fd = rig.card.open("tick")
    reader = Reader(fd)
    # No wait here: the next query must fail before the module's periodic check sees the fault.
    rig.pci.fault(fault)
    fails(lambda: rig.card.query("tick"), errno.EIO, f"{fault}: query")
    rig.gone(fault, reader)
    if fault != "gone":
        ok(rig.pci.frame_crosses(), f"{fault}: the netdevs still work")
    os.close(fd)
    until(lambda: not os.path.exists(NODE), f"{fault}: the node is removed")
    rig.stop()
    # The card may still do DMA, so the module keeps the memory of three pipes and of the answers.
    rig.log.says(text, r"nfp_chan0: \d+ bytes are kept", DETACHED, why,
                 name=fault)
    rig.fault("off")
    back()
    until(lambda: os.path.exists(NODE), f"{fault}: a node again")
    rig.log.attached(name=f"{fault}, attached again")
    rig.start()
    rig.tick(fault)
    rig.settled(fault)


# Requests on a channel that make the card send one message, or one element.
REQUESTS = {
    "load": ("load-ctl", struct.pack("<IIII", 1, 16, 1, 7)),
    "source64": ("source-ctl", struct.pack("<QII", 64, 64, 1)),
}


def broken(rig, fault, text, good=0, chan="tick"):
    """The card breaks a pipe's protocol: EIO, POLLERR, and one log line. Each message that the
    card sent must have been received, or be counted as dropped once the pipe is closed."""
    size = 64 if chan == "source64" else 8
    carried, dropped = rig.card.counts(chan)
    fd = rig.card.open(chan)
    ctl = rig.card.open(REQUESTS[chan][0]) if chan in REQUESTS else -1

    def send():
        if ctl < 0:
            rig.card.signal(chan)
        else:
            os.write(ctl, REQUESTS[chan][1])

    rig.log.room()
    rig.fault(f"{fault}:chan={chan}")
    for i in range(good):
        send()
        ok(readable(fd) and len(os.read(fd, size)) == size, f"{fault}: message {i + 1} is whole")
    send()
    if fault.startswith("note-state"):
        # A wrong state comes with a valid message, which is received before EIO.
        good += 1
        ok(readable(fd) and len(os.read(fd, size)) == size,
           f"{fault}: the message before it is received")
    for _ in range(2):
        fails(lambda: readable(fd) and os.read(fd, 4096), errno.EIO, f"{fault}, {chan}: read")
    ok(readable(fd, 0)[0][1] & select.POLLERR, f"{fault}: POLLERR")
    rig.others(fault)
    os.close(fd)
    if ctl >= 0:
        os.close(ctl)
    sent = rig.card.counts(chan)[0] - carried
    same((sent > 0, rig.card.counts(chan)[1] - dropped), (True, sent - good),
         f"{fault}: messages that were not received are counted as dropped")
    rig.settled(fault)
    rig.tick(fault)
    rig.log.says(rf"{chan} pipe \d+: {text}: disabled", name=fault)


def broken_sender(rig):
    """Channel to the NFP: the card's record shows more bytes as taken than the host has sent."""
    fd = rig.card.open("pit", OPEN_NONBLOCK)
    rig.fault("note-pos:chan=pit")
    os.write(fd, b"x" * 100)
    p = select.poll()
    p.register(fd, 0)
    same(p.poll(PATIENCE * 1000), [(fd, select.POLLERR)], "note-pos, to the NFP: POLLERR")
    fails(lambda: os.write(fd, b"x" * 100), errno.EIO, "note-pos, to the NFP: write")
    rig.others("note-pos, to the NFP")
    os.close(fd)
    rig.over("note-pos, to the NFP", r"pit pipe \d+: bytes outstanding \d+, must be \d+: disabled")


def cut_short(rig):
    """The end of a message is lost on PCIe. A channel has no checksum, so the message is delivered
    with old contents. Nothing else may be affected."""
    fd = rig.card.open("tick")
    rig.fault("data-short:chan=tick:value=8:count=1")
    rig.card.signal("tick")
    same(readable(fd) and os.read(fd, 8), bytes(8), "data-short: old contents")
    rig.card.signal("tick")
    ok(readable(fd) and os.read(fd, 8) != bytes(8), "data-short: the next message is whole")
    os.close(fd)
    rig.over("data-short")


def record_lost(rig):
    """A record is lost: its message comes with the next record."""
    fd = rig.card.open("tick", OPEN_NONBLOCK)
    rig.fault("note-lost:chan=tick:count=1")
    hits = rig.pci.hits()
    rig.card.signal("tick")
    until(lambda: rig.pci.hits() > hits, "note-lost: the record was lost")
    fails(lambda: os.read(fd, 8), errno.EAGAIN, "note-lost: nothing yet")
    rig.others("note-lost")
    rig.card.signal("tick")
    for i in range(2):
        ok(readable(fd) and len(os.read(fd, 8)) == 8, f"note-lost: message {i + 1}")
    os.close(fd)
    rig.over("note-lost")


def signals(message):
    """Return the count in a message of tick, or -1 if the message is wrong."""
    return struct.unpack("<Q", message)[0] if message and len(message) == 8 else -1


def irq_extra(rig, fault):
    """Extra interrupts, of this pipe or of pipes that are closed, must have no effect."""
    hits = rig.pci.hits()
    counts = []
    rig.fault(f"{fault}:chan=tick")
    for _ in range(5):
        fd = rig.card.open("tick")
        for _ in range(3):
            reader = Reader(fd)
            until(reader.asleep, f"{fault}: asleep")
            rig.card.signal("tick")
            reader.join(PATIENCE)
            counts.append(signals(reader.result))
        os.close(fd)
    same(counts, list(range(counts[0], counts[0] + 15)), f"{fault}: each signal is counted once")
    struck = rig.pci.hits() - hits
    # irq-freed strikes at each command while closed pipes exist, the other faults at each message.
    ok(struck >= 15 if fault == "irq-freed" else struck == 15,
       f"{fault}: the fault has struck", struck)
    rig.others(fault)
    rig.over(fault)


def doorbell_lost(rig):
    """A doorbell is lost: its data stays in the ring until the next doorbell, or the close."""
    before, dropped = rig.card.counts("pit")
    fd = rig.card.open("pit")
    rig.fault("bell-lost:chan=pit:count=1")
    for _ in range(2):
        os.write(fd, b"y" * 64)
    until(lambda: rig.card.query("pit")[14] == before + 1,
          "bell-lost: one of two messages has come")
    rig.others("bell-lost")
    os.close(fd)
    same(rig.card.counts("pit"), (before + 1, dropped),
         "bell-lost: the other message is not counted")
    rig.over("bell-lost")


def unbound_dead(rig):
    """nfp is unbound from a card that does not answer, and bound again. The module keeps the memory
    that the card may still write until the card answers: bus mastering is enabled before that."""
    name = "unbind while the card is dead"
    rig.stop()
    rig.pci.drive("unbind")
    dma = Dma(rig.pci)
    rig.pci.drive("bind")
    rig.log.attached(DETACHED, name=f"{name}, before")
    rig.start()
    fd = rig.card.open("tick")
    rig.fault("fw-stop")
    rig.pci.drive("unbind")
    os.close(fd)
    rig.stop()
    rig.log.says(r"not answered within 1 s", r"nfp_chan0: \d+ bytes are kept",
                 DETACHED, name=name)
    same(dma.held(), 0, f"{name}: no mapping is left of a driver that is unbound")
    dma.end()
    rig.pci.drive("bind")
    rig.log.says(r"not answered within 1 s", r"the firmware does not answer properly",
                 r"nfp_chan0: \d+ bytes are kept", name=f"{name}, bound while the card is dead")
    rig.bind_well(name)
    rig.log.attached(name=f"{name}, bound again")
    rig.start()
    same(rig.dma(), rig.memory, f"{name}: no memory is kept once the card has answered")
    rig.tick(name)
    rig.settled(name)


def unloaded_dead(rig):
    """The module is unloaded while the card does not answer. Memory that the card may still write
    is lost until the next boot, and a log line says how many bytes."""
    ko = "/tmp/nfp_chan.ko"
    subprocess.run(["strip", "--strip-debug", "-o", ko,
                    f"{TREE}/build/guest/kmod/nfp_chan.ko"], check=True)
    rig.stop()
    subprocess.run(["rmmod", "nfp_chan"], check=True)
    rig.pci.drive("unbind")
    dma = Dma(rig.pci)
    rig.pci.drive("bind")
    ok(rig.pci.frame_crosses(), "nfp bound without nfp_chan: its netdevs work")
    others = dma.held()
    subprocess.run(["insmod", ko], check=True)
    rig.log.attached(DETACHED, name="rmmod, insmod")
    rig.start()
    fds = [rig.card.open("tick") for _ in range(3)]
    # Open also two channels that share a ring.
    fds += [rig.card.open("loop-out", OPEN_MAPPED)]
    fds += [rig.card.open_shared("loop-in", fds[-1])]
    rig.fault("fw-stop")
    for fd in fds:
        os.close(fd)
    rig.stop()
    subprocess.run(["rmmod", "nfp_chan"], check=True)
    same([v for v in rig.pci.vectors() if v in rig.vectors], rig.pci.vectors(),
         "rmmod while the card is dead: no vector is left")
    rig.log.says(r"not answered within 1 s",
                 r"nfp_chan0: \d+ bytes are kept", DETACHED,
                 r"unloaded: \d+ bytes are lost until the next boot",
                 name="rmmod while the card is dead")
    same(dma.held(), others, "rmmod while the card is dead: no mapping is left")
    rig.fault("off")
    subprocess.run(["insmod", ko], check=True)
    rig.start()
    ok(rig.witness.whole(), "insmod: channels work, with other memory")
    rig.stop()
    rig.pci.drive("unbind")
    same(dma.held(), 0, "unbind: no mapping is left")
    dma.end()
    rig.pci.drive("bind")
    rig.log.attached(ATTACHED, DETACHED, name="insmod, bound")
    rig.start()
    rig.tick("insmod")
    rig.settled("insmod")


def main():
    put("/proc/sys/kernel/printk_ratelimit", "0")
    # Let DMA-API report each error, and not only the first
    if os.path.exists(DMA_API):
        put(f"{DMA_API}/all_errors", "1")
    rig = Rig()
    only = sys.argv[1:]
    cases = [
        *[(name, lambda run=run: run(rig)) for name, run in
          fault_block.CASES + fault_mbox.CASES + fault_wait.CASES + fault_dma.CASES +
          fault_arm.CASES + fault_port.CASES + fault_link.CASES + fault_device.CASES],
        ("charged", lambda: fault_keep.charged(rig)),
        ("flip", lambda: counter_flips(rig)),
        ("stop", lambda: firmware_stops(rig)),
        ("note-pos", lambda: broken(rig, "note-pos", r"bytes available \d+, must be \d+")),
        ("note-back", lambda: broken(rig, "note-back:after=1",
                                     r"bytes available \d+, must be \d+", 1)),
        ("note-state", lambda: broken(rig, "note-state", r"state 77, must be 0")),
        ("hdr-len", lambda: broken(rig, "hdr-len", r"message bytes 4294967295, must be 8")),
        ("hdr-seq", lambda: broken(rig, "hdr-seq", r"message number 2, must be 1")),
        ("data-lost", lambda: broken(rig, "data-lost", r"message number 0, must be 1")),
        ("note-part", lambda: broken(rig, "note-pos:value=4",
                                     r"bytes available not in units \d+, must be 8")),
        ("note-element", lambda: broken(rig, "note-pos:value=1",
                                        r"bytes of part of an element 1, must be 0",
                                        chan="source64")),
        ("hdr-size", lambda: broken(rig, "hdr-len:value=4", r"message bytes 4, must be 8")),
        ("hdr-max", lambda: broken(rig, "hdr-len:value=2049",
                                   r"message bytes 2049, must be 2048", chan="load")),
        ("hdr-more", lambda: broken(rig, "hdr-len:value=1000",
                                    r"message bytes 1000, must be \d+", chan="load")),
        ("sender", lambda: broken_sender(rig)),
        ("short", lambda: cut_short(rig)),
        ("note-lost", lambda: record_lost(rig)),
        ("irq-twice", lambda: irq_extra(rig, "irq-twice")),
        ("irq-spurious", lambda: irq_extra(rig, "irq-spurious")),
        ("irq-freed", lambda: irq_extra(rig, "irq-freed")),
        ("bell", lambda: doorbell_lost(rig)),
        ("unbind", lambda: unbound_dead(rig)),
        ("unload", lambda: unloaded_dead(rig)),
        ("remove", lambda: fault_keep.removed_dead(rig)),
        ("restart", lambda: firmware_restarts(rig)),
        ("sram", lambda: all_ones(rig, "sram-ones", r"nfp_chan0: the firmware is not to be seen",
                                  r"no channel firmware: magic 0xffffffff",
                                  rig.pci.up_anew)),
        ("gone", lambda: all_ones(rig, "gone", r"nfp_chan0: the device does not answer",
                                  r"nfp has no window", lambda: rig.pci.bind_anew())),
        # This case comes last, because the memory that the module keeps is never freed.
        ("device-unbind", lambda: fault_device.unbound_dead(rig)),
    ]
    known = None
    if os.path.isdir("/sys/class/iommu/dmar0"):
        known = "pending DMA allocations"   # mappings that outlive the driver keep the addresses
        cases = [("iommu", lambda: fault_keep.translated_dead(rig))]
    for name, run in cases:
        if not only or name in only:
            began = time.monotonic()
            run()
            rig.log.says(name=f"{name}, no further line")
            rig.log.dma_says(name, known)
            print(f"# {name}: {time.monotonic() - began:.1f} s", flush=True)
    return done()


sys.exit(main())
