# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cases of fault.py: a port reports the cookie of another channel, or a cookie of no channel."""

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
# The line that port_wait prints when no event came in time
TIME_IS_UP = f"{-errno.ETIMEDOUT}"
COOKIE = 0x1234_0000_0000
WRONG = 0x8000_0000     # the fault without a value adds this number to the cookie


def port_open(rig):
    fields = abi.ioctl(rig.card.fd, IOC_PORT, PORT, 0, -1, 0, 0, 0)
    os.set_blocking(fields[2], False)
    return fields[2]


def open_on(rig, name, port, cookie):
    """Open a channel that reports to the port as @cookie."""
    return abi.open_channel(rig.card.fd, OPEN_NONBLOCK, name.encode(), port=port, cookie=cookie)


def told(port):
    """Wait until the port reports; return the cookies."""
    data = os.read(port, 4096) if readable(port) else b""
    return list(struct.unpack(f"<{len(data) // 8}Q", data))


def messages(fd):
    """Receive until no message is left; return the number of messages."""
    n = 0
    try:
        while os.read(fd, 16):
            n += 1
    except BlockingIOError:
        return n
    return -1


def cookie_wrong(rig):
    """The kernel does not interpret cookies, so read() returns a wrong cookie as it came. The
    channel, other ports, and later cookies must not be affected."""
    name = "port-cookie"
    port, other = port_open(rig), port_open(rig)
    fd, load = open_on(rig, "tick", port, COOKIE), open_on(rig, "load", other, COOKIE + 1)
    ctl = rig.card.open("load-ctl")
    rig.fault(f"{name}:count=1")
    rig.card.signal("tick")
    same(told(port), [COOKIE + WRONG], f"{name}: the wrong cookie is read")
    same(messages(fd), 1, f"{name}: the message is there")
    os.write(ctl, LOAD)
    same((told(other), messages(load)), ([COOKIE + 1], 1), f"{name}: another port")
    rig.card.signal("tick")
    same((told(port), messages(fd)), ([COOKIE], 1), f"{name}: the next cookie is right")
    rig.fault("off")
    rig.fault(f"{name}:value=1")
    hits = rig.pci.hits()
    for _ in range(5):
        rig.card.signal("tick")
        same((told(port), messages(fd)), ([COOKIE + 1], 1),
             f"{name}, each: the cookie is wrong, the message is there")
    same(rig.pci.hits(), hits + 5, f"{name}, each: the fault has struck")
    rig.others(name)
    fails(lambda: os.read(port, 8), errno.EAGAIN, f"{name}: no further cookie")
    # Close the port first, while a cookie in its ring names no channel.
    rig.card.signal("tick")
    until(lambda: rig.pci.hits() == hits + 6, f"{name}: one more wrong cookie")
    for each in (port, fd, other, load, ctl):
        os.close(each)
    rig.over(name)


def cookie_wrong_lib(rig):
    """The library ignores cookies that it does not know. Then it neither looks at the channel of
    the event nor arms the channel again, so no event follows. When the user looks at the channel,
    the user finds the message, and gets events again."""
    name = "port-cookie, library"
    with subprocess.Popen([f"{TREE}/build/guest/test/port_wait"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as p:
        def say(text):
            p.stdin.write(f"{text}\n")
            p.stdin.flush()
            return p.stdout.readline().strip()

        def passed_over(fault, what):
            # After an event, look until no message is left. Only then the next event comes.
            same(say("wait"), TIME_IS_UP, f"{name}, {what}: nothing is there")
            hits = rig.pci.hits()
            rig.fault(f"port-cookie:count=1{fault}")
            rig.card.signal("tick")
            until(lambda: rig.pci.hits() == hits + 1, f"{name}, {what}: the cookie is wrong")
            same(say("wait"), TIME_IS_UP, f"{name}, {what}: no event is reported")
            rig.fault("off")
            rig.card.signal("tick")
            same(say("wait"), TIME_IS_UP,
                 f"{name}, {what}: no event is reported for the next message")
            got = [say("look")]
            # If the record of the second message is written early, one look finds both messages.
            if got != ["tick 2"]:
                got.append(say("wait"))
            ok(got in (["tick 2"], ["tick 1", "tick 1"]),
               f"{name}, {what}: a look finds the messages, and events come again", got)

        same(p.stdout.readline(), "open\n", f"{name}: two channels")
        passed_over("", "cookie of no channel")
        passed_over(":value=1", "cookie of another channel")
        same(say("again"), "open", f"{name}: the other channel is closed and opened again")
        passed_over(":value=1", "cookie of a closed channel")
        ctl = rig.card.open("load-ctl")
        os.write(ctl, LOAD)
        same(say("wait"), "load 1", f"{name}: the other channel's event comes")
        os.close(ctl)
        p.stdin.close()
        same(p.wait(PATIENCE), 0, f"{name}: status")
    rig.over(name)


CASES = [
    ("port", cookie_wrong),
    ("port-lib", cookie_wrong_lib),
]
