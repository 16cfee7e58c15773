# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cases of fault.py: devices that the card drives. The memory of a device must stay pinned until
the card has answered that it does not use the memory any more."""

import ctypes
import errno
import glob
import mmap
import os
import struct

from fault_mbox import AGAIN
from fault_rig import DETACHED, abi, put, until
from tap import fails, ok, same

DEVICE = struct.Struct("<IIQQQQQIIIBBBxHHHH9B3xI")
IOC_DEVICE = 0xe1 << 8 | 0x81
IORESOURCE_MEM = 0x200
QUIET = r"command {} \(number \d+\) not answered within 1 s"


def pinned():
    """The number of pinned pages, in the whole system."""
    put("/proc/sys/vm/stat_refresh", "1")
    with open("/proc/vmstat", encoding="ascii") as f:
        count = dict(line.split() for line in f)
    return int(count["nr_foll_pin_acquired"]) - int(count["nr_foll_pin_released"])


def other_device(card):
    """Find a PCI device that is not the card; return its bus, its function and a memory BAR."""
    for path in sorted(glob.glob("/sys/bus/pci/devices/*")):
        name = os.path.basename(path)
        with open(f"{path}/resource", encoding="ascii") as f:
            bars = [[int(x, 16) for x in line.split()] for line in f.readlines()[:6]]
        with open(f"{path}/config", "rb") as f:
            command = f.read(6)[4]
        for bar, (start, end, flags) in enumerate(bars):
            if name != card and command & 2 and flags & IORESOURCE_MEM and end - start >= 4095:
                bus, slot = name.split(":")[1:]
                dev, function = slot.split(".")
                return int(bus, 16), int(dev, 16) << 3 | int(function), bar
    raise LookupError("no PCI device with memory beside the card")


class Device:
    """Channel dev0-in, and a device that gets no jobs: a page of memory, and the BAR of any PCI
    device."""

    def __init__(self, rig):
        self.fd = rig.card.open("dev0-in")
        self.memory = mmap.mmap(-1, mmap.PAGESIZE)
        address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        bus, function, bar = other_device(rig.pci.name)
        self.desc = ctypes.create_string_buffer(64)
        self.arg = (0, address, 0, 0, 0, ctypes.addressof(self.desc), mmap.PAGESIZE, 64, 0, bus,
                    function, bar, 2048, 512, 1, 0, 0, 8, 16, 20, 48, 16, 8, 12, 0, 1)

    def attach(self):
        """Make the card drive the device."""
        abi.ioctl(self.fd, IOC_DEVICE, DEVICE, *self.arg)

    def detach(self):
        """Make the card stop driving the device."""
        abi.ioctl(self.fd, IOC_DEVICE, DEVICE, *[0] * 26)


def attach_silent(rig):
    """A DEVICE is not answered, and may have taken effect. A detach, or the close, undoes it."""
    before = pinned()
    device = Device(rig)
    rig.fault("mbox-silent:count=1")
    fails(device.attach, errno.ETIMEDOUT, "DEVICE without an answer")
    same(pinned(), before + 1, "DEVICE without an answer: the memory is pinned")
    fails(device.attach, errno.EBUSY, "DEVICE without an answer: a second DEVICE: EBUSY")
    device.detach()
    same(pinned(), before, "DEVICE without an answer: detached, the memory is not pinned")
    device.attach()
    os.close(device.fd)
    same(pinned(), before,
         "DEVICE without an answer: attached again and closed, the memory is not pinned")
    rig.over("DEVICE without an answer", QUIET.format(9), AGAIN)


def close_silent(rig):
    """The CLOSE of a device's channel is not answered. The memory stays pinned until an answer
    comes."""
    name = "a device's channel closed without an answer"
    before = pinned()
    device = Device(rig)
    device.attach()
    rig.fault("mbox-silent")
    fails(device.detach, errno.ETIMEDOUT, f"{name}: the detach fails")
    os.close(device.fd)
    same(pinned(), before + 1, f"{name}: the memory is pinned")
    rig.fault("off")
    ok(until(lambda: pinned() == before, name),
       f"{name}: the card answers: the memory is not pinned")
    rig.over(name, QUIET.format(9), AGAIN)


def unbound_dead(rig):
    """nfp is unbound from a card that does not answer: the device's memory stays pinned until the
    card answers again."""
    name = "a device, and nfp is unbound from a dead card"
    before = pinned()
    device = Device(rig)
    device.attach()
    rig.fault("mbox-silent")
    size = rig.dma()[0]
    rig.pci.drive("unbind")
    os.close(device.fd)
    same(pinned(), before + 1, f"{name}: the memory is pinned")
    rig.stop()
    rig.log.says(QUIET.format(10), rf"nfp_chan0: {size} bytes are kept", DETACHED, name=name)
    rig.fault("off")
    rig.pci.drive("bind")
    rig.log.attached(name=f"{name}, bound again")
    rig.start()
    rig.tick(name)
    rig.settled(name)
    same(pinned(), before, f"{name}: the card answers: the memory is not pinned")


CASES = [
    ("device", attach_silent),
    ("device-close", close_silent),
]
