# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What fault.py does to ports, which tell of channels by their cookies: one that is
another's, or nobody's."""

import errno
import os
import struct
import subprocess

from fault_rig import OPEN_NONBLOCK, PATIENCE, TREE, abi, readable, until
from tap import fails, ok, same

# struct nfp_chan_port
PORT = struct.Struct("<IIiIII")
IOC_PORT = 0xe1 << 8 | 0x0a
# A message of "load", 16 bytes
LOAD = struct.pack("<IIII", 1, 16, 1, 7)
# What port_wait says
TIME_IS_UP = f"{-errno.ETIMEDOUT}"
COOKIE = 0x1234_0000_0000
WRONG = 0x8000_0000     # what the fault adds, unless told


def port_open(rig):
    fields = abi.ioctl(rig.card.fd, IOC_PORT, PORT, 0, -1, 0, 0, 0)
    os.set_blocking(fields[2], False)
    return fields[2]


def open_on(rig, name, port, cookie):
    """A channel that reports to that port."""
    return abi.open_channel(rig.card.fd, OPEN_NONBLOCK, name.encode(), port=port, cookie=cookie)


def told(port):
    """Cookies, once there are some."""
    data = os.read(port, 4096) if readable(port) else b""
    return list(struct.unpack(f"<{len(data) // 8}Q", data))


def messages(fd):
    """How many are there."""
    n = 0
    try:
        while os.read(fd, 16):
            n += 1
    except BlockingIOError:
        return n
    return -1


def cookie_wrong(rig):
    """To the kernel cookies are a stream's bytes: they are read as they came. The channel,
    other ports, and what comes next are as they were."""
    name = "port-cookie"
    port, other = port_open(rig), port_open(rig)
    fd, load = open_on(rig, "tick", port, COOKIE), open_on(rig, "load", other, COOKIE + 1)
    ctl = rig.card.open("load-ctl")
    rig.fault(f"{name}:count=1")
    rig.card.signal("tick")
    same(told(port), [COOKIE + WRONG], f"{name}: what is read")
    same(messages(fd), 1, f"{name}: the message is there")
    os.write(ctl, LOAD)
    same((told(other), messages(load)), ([COOKIE + 1], 1), f"{name}: another port")
    rig.card.signal("tick")
    same((told(port), messages(fd)), ([COOKIE], 1), f"{name}: the next is right")
    rig.fault("off")
    rig.fault(f"{name}:value=1")
    hits = rig.pci.hits()
    for _ in range(5):
        rig.card.signal("tick")
        same((told(port), messages(fd)), ([COOKIE + 1], 1), f"{name}, each: and its message")
    same(rig.pci.hits(), hits + 5, f"{name}, each: so many")
    rig.others(name)
    fails(lambda: os.read(port, 8), errno.EAGAIN, f"{name}: no more")
    # What closes first, while the ring tells of nobody
    rig.card.signal("tick")
    until(lambda: rig.pci.hits() == hits + 6, f"{name}: one more")
    for each in (port, fd, other, load, ctl):
        os.close(each)
    rig.over(name)


def cookie_wrong_lib(rig):
    """The library knows its cookies: it passes over the others. So the channel is not looked
    at, nor the card asked for its next record: who looks at it himself is told again."""
    name = "port-cookie, library"
    with subprocess.Popen([f"{TREE}/build/guest/test/port_wait"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as p:
        def say(text):
            p.stdin.write(f"{text}\n")
            p.stdin.flush()
            return p.stdout.readline().strip()

        def passed_over(fault, what):
            # Who was told looks once more: until there is nothing it need not be told
            same(say("wait"), TIME_IS_UP, f"{name}, {what}: nothing is there")
            hits = rig.pci.hits()
            rig.fault(f"port-cookie:count=1{fault}")
            rig.card.signal("tick")
            until(lambda: rig.pci.hits() == hits + 1, f"{name}, {what}: it was")
            same(say("wait"), TIME_IS_UP, f"{name}, {what}: nothing is told")
            rig.fault("off")
            rig.card.signal("tick")
            same(say("wait"), TIME_IS_UP, f"{name}, {what}: nor of the next")
            got = [say("look")]
            # The record of the second may be seen at once
            if got != ["tick 2"]:
                got.append(say("wait"))
            ok(got in (["tick 2"], ["tick 1", "tick 1"]),
               f"{name}, {what}: who looks has it, and is told again", got)

        same(p.stdout.readline(), "open\n", f"{name}: two channels")
        passed_over("", "of nobody")
        passed_over(":value=1", "another's")
        same(say("again"), "open", f"{name}: that is closed, and opened")
        passed_over(":value=1", "of one that was closed")
        ctl = rig.card.open("load-ctl")
        os.write(ctl, LOAD)
        same(say("wait"), "load 1", f"{name}: the other channel")
        os.close(ctl)
        p.stdin.close()
        same(p.wait(PATIENCE), 0, f"{name}: status")
    rig.over(name)


CASES = [
    ("port", cookie_wrong),
    ("port-lib", cookie_wrong_lib),
]
