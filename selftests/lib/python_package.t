#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: -
"""The Python package's side of the ring protocol, in memory, against a card that
follows the protocol and against one that does not."""

import collections
import errno
import functools
import os
import pickle
import random
import sys
import threading
import unittest.mock

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from nfpchan import abi
from nfpchan.channel import Channel
from nfpchan.ring import Ring
from tap import done, fails, ok, same

MESSAGES = abi.Layout(id=0, dir=abi.TO_HOST, elem_size=0, max_size=512, depth=7, ring_size=4096,
                    unit_shift=3, limit=7 * 520, ring_off=0, note_off=0, ctl_off=0, db_off=0,
                    db_data=4, db_arm=8, page_size=4096, kind=abi.MESSAGE)
BYTES = MESSAGES._replace(kind=abi.STREAM, elem_size=1, max_size=1, unit_shift=0, limit=4096)
ELEMENTS = BYTES._replace(elem_size=48, max_size=48)


class Card:
    """The memory of a pipe, and the card's side of the protocol."""

    def __init__(self, layout):
        self.mem = bytearray(2 * layout.ring_size)
        self.size = layout.ring_size
        self.note = memoryview(bytearray(64)).cast("Q")
        self.ctl = memoryview(bytearray(64))
        self.bell = memoryview(bytearray(64)).cast("I")
        self.sent = self.seq = 0
        self.ring = Ring("fake", layout, memoryview(self.mem), self.note.cast("B"), self.ctl,
                         functools.partial(self.bell.__setitem__, layout.db_data // 4))

    def put(self, at, data):
        """Write to the ring, which is mapped twice."""
        for i, byte in enumerate(data):
            self.mem[(at + i) % self.size] = self.mem[(at + i) % self.size + self.size] = byte

    def header(self, at, size, seq):
        self.put(at, abi.HEADER.pack(size, seq & 0xffff, 0))

    def tell(self, pos, state=abi.STATE_OPEN, seq=0):
        self.note[0] = pos
        self.note[1] = state << 32 | seq

    def send(self, message):
        """Write a message to the ring, and update the record."""
        self.seq += 1
        self.header(self.sent, len(message), self.seq)
        self.put(self.sent + 8, message)
        self.sent += self.ring.room(len(message))
        self.tell(self.sent)

    def rung(self):
        """Read the data doorbell and clear it."""
        units, self.bell[1] = self.bell[1], 0
        return units


def check_messages():
    """Messages arrive whole and in order where the ring wraps round; their room is given back."""
    card = Card(MESSAGES)
    good = True
    for i in range(500):
        message = bytes([i % 256]) * (i * 37 % 513)
        card.send(message)
        good = good and card.ring.recv(512) == message and card.ring.recv(512) is None
        good = good and card.rung() == card.ring.room(len(message)) // 8
    ok(good, "500 whole messages; their room is given back when the ring is empty")
    same((card.ring.ctl[0], card.ring.ctl[1]), (card.sent, card.sent), "the control page has both positions")

    card = Card(MESSAGES)
    for _ in range(7):
        card.send(bytes(512))
    card.ring.recv(512)
    same(card.rung(), 0, "room of less than a quarter of the ring is not given back")
    card.ring.recv(512)
    same(card.rung(), 130, "a quarter is given back")

    card = Card(MESSAGES._replace(depth=0, limit=520))
    card.send(b"x")
    card.ring.recv(512)
    same(card.rung(), 2, "room is given back at once in a rendezvous")

    card = Card(MESSAGES)
    card.send(b"four")
    fails(lambda: card.ring.recv(3), errno.EMSGSIZE, "no room for the message")
    same(card.ring.recv(4), b"four", "the message stays in the ring")


def check_hostile():
    """Data that breaks the protocol makes the ring fail."""
    def header(size, pos, seq=1):
        return lambda card: (card.header(0, size, seq), card.tell(pos))

    def back(card):
        card.send(b"x")
        card.ring.recv(1)
        card.tell(8)

    for name, act, code in (
            ("position not in units", lambda card: card.tell(12), errno.EIO),
            ("position beyond the ring", lambda card: card.tell(4104), errno.EIO),
            ("position far away", lambda card: card.tell(1 << 63), errno.EIO),
            ("position goes back", back, errno.EIO),
            ("message too large", header(513, 1024), errno.EIO),
            ("message of 4 GB", header(0xffffffff, 16), errno.EIO),
            ("message not all there", header(100, 104), errno.EIO),
            ("another message", header(8, 16, 2), errno.EIO),
            ("unknown state", lambda card: card.tell(0, 4), errno.EIO),
            ("gone, and zeros", lambda card: card.tell(16, abi.STATE_GONE), errno.ENODEV)):
        card = Card(MESSAGES)
        act(card)
        fails(lambda card=card: card.ring.recv(512), code, name)
        card.tell(0)
        fails(lambda card=card: card.ring.recv(512), code, f"{name}: for good")
    card = Card(MESSAGES)
    card.tell(0, abi.STATE_FAULT)
    fails(lambda: card.ring.recv(512), errno.EIO, "turned off")
    card = Card(MESSAGES)
    card.send(b"last")
    card.tell(16, abi.STATE_EPIPE)
    same(card.ring.recv(512), b"last", "the last message")
    fails(lambda: card.ring.recv(512), errno.EPIPE, "comes before the end")
    card = Card(MESSAGES._replace(elem_size=512))
    card.send(bytes(511))
    fails(lambda: card.ring.recv(512), errno.EIO, "message of another size than all")


def check_send():
    """Sends: room in the ring, limits, rendezvous."""
    card = Card(MESSAGES._replace(dir=abi.TO_NFP))
    same([card.ring.put(bytes(512)) for _ in range(8)], [512] * 7 + [None], "seven have room")
    same(abi.HEADER.unpack_from(card.mem, 3 * 520), (512, 4, 0), "messages have headers")
    same(card.rung(), 65, "each has a doorbell")
    card.tell(520)
    same(card.ring.put(b"x"), 1, "one more when one was taken")
    card.tell(card.ring.pos + 8)
    fails(lambda: card.ring.put(b""), errno.EIO, "more was taken than sent")
    fails(lambda: Card(MESSAGES._replace(dir=abi.TO_NFP)).ring.sendable(513), errno.EMSGSIZE,
          "a message too large")
    fails(lambda: Card(MESSAGES).ring.sendable(1), errno.EBADF, "the wrong way")
    fails(lambda: Card(MESSAGES._replace(dir=abi.TO_NFP)).ring.recv(1), errno.EBADF,
          "and the other")
    card = Card(MESSAGES._replace(dir=abi.TO_NFP, depth=0, limit=520))
    same((card.ring.put(b"x"), card.ring.put(b"x"), card.ring.taken(16)), (1, None, None),
         "a rendezvous has one message under way")
    card.tell(16, abi.STATE_GONE)
    same(card.ring.taken(16), True, "a message taken before the card is removed counts as taken")


def check_streams():
    """Streams of bytes and of elements."""
    card = Card(BYTES)
    good = True
    for i in range(200):
        part = bytes([i]) * (1 + i * 97 % 4096)
        card.put(card.sent, part)
        card.sent += len(part)
        card.tell(card.sent)
        got = b""
        while len(got) < len(part):
            got += card.ring.recv(1 + i * 31 % 5000)
        good = good and got == part and card.ring.recv(9) is None
    ok(good and card.ring.ctl[1] == card.sent, "a stream of bytes in 200 parts")
    card = Card(ELEMENTS)
    card.tell(480)
    fails(lambda: card.ring.recv(47), errno.EMSGSIZE, "less than an element")
    same(len(card.ring.recv(200)), 192, "only whole elements are received")
    same(card.ring.peek(), (192, 288), "the rest is read in place")
    card.ring.take(288)
    card.tell(500)
    fails(card.ring.peek, errno.EIO, "part of an element from the card")
    card = Card(ELEMENTS._replace(dir=abi.TO_NFP, elem_size=64, max_size=64))
    same((card.ring.put(bytes(6400)), card.ring.put(bytes(64))), (4096, None), "sends what fits")
    card.tell(64)
    same(card.ring.put(bytes(128)), 64, "and one more, when there is room for it")
    fails(lambda: card.ring.sendable(65), errno.EMSGSIZE, "part of an element from us")


def check_random():
    """Random data from the card gives an errno, and no access outside the ring."""
    rnd = random.Random(1)
    bad = []
    for i in range(3000):
        card = Card((MESSAGES, BYTES, ELEMENTS)[i % 3])
        card.header(0, rnd.randrange(600), 1)
        card.header(rnd.randrange(64) * 8, rnd.randrange(600), 2)
        try:
            for _ in range(4):
                card.tell(rnd.randrange(600) * 8, rnd.randrange(40) // 10)
                found = card.ring.peek()
                while found:
                    if found[0] + found[1] > 2 * card.size:
                        bad.append(found)
                    card.ring.take(found[1])
                    if rnd.randrange(2):
                        card.ring.release()
                    found = card.ring.peek()
        except OSError as err:
            if err.errno not in (errno.EIO, errno.EPIPE, errno.ENODEV):
                bad.append(err)
    same(bad, [], "3000 rings with random data of a hostile card raise no other error")


class Lender(Channel):
    """The ring of a fake card, without a file."""

    def __init__(self, ring):           # pylint: disable=super-init-not-called
        self.ring = ring
        self._lock = threading.RLock()
        self._borrowed = collections.deque()


def check_borrow():
    """A message in use cannot be given back before its last user has released it."""
    card = Card(MESSAGES)
    card.send(b"lent")
    card.tell(card.sent)
    rx = Lender(card.ring)
    lent = rx.lend()
    used = pickle.PickleBuffer(lent.view)
    try:
        lent.release()
        ok(False, "a message that is in use yet")
    except BufferError:
        ok(True, "a message that is in use yet")
    used.release()
    lent.release()
    same((lent.done, card.ring.borrowed), (True, []), "given back when not in use any more")


class Taken(Channel):
    """A rendezvous whose message is taken while the caller is interrupted."""

    def __init__(self):                 # pylint: disable=super-init-not-called
        self._sending = threading.Lock()
        self._fd = -1

    def _until(self, deadline, what, *args):
        if what == self.offer:
            return 1, 1
        raise KeyboardInterrupt


def check_interrupt():
    """^C raises KeyboardInterrupt, also if the message was taken meanwhile."""
    tx = Taken()
    tx.ring = Card(MESSAGES._replace(dir=abi.TO_NFP, depth=0, limit=520)).ring
    tx.stream, tx.depth = False, 0
    tx.look = lambda *_: None
    with unittest.mock.patch.object(abi, "ioctl", side_effect=OSError(errno.EALREADY, "taken")):
        try:
            tx.send(b"x")
            ok(False, "^C in a rendezvous")
        except KeyboardInterrupt:
            ok(True, "^C in a rendezvous")


def check_geometry():
    """Invalid layouts are refused."""
    for change in ({"kind": 3}, {"dir": 3}, {"ring_size": 2048}, {"ring_size": 5000},
                   {"unit_shift": 2}, {"unit_shift": 13}, {"unit_shift": 0xffffffff},
                   {"limit": 4104}, {"limit": 512}, {"max_size": 0xffffffff}, {"elem_size": 8},
                   {"kind": abi.STREAM}, {"kind": abi.STREAM, "elem_size": 512, "depth": 0}):
        fails(lambda change=change: Card(MESSAGES._replace(**change)), errno.EINVAL, str(change))


def main():
    check_messages()
    check_hostile()
    check_send()
    check_streams()
    check_borrow()
    check_interrupt()
    check_random()
    check_geometry()
    return done()


if __name__ == "__main__":
    sys.exit(main())
