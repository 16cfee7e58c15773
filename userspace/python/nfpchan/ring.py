# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The host's side of a pipe's protocol (uapi/PROTOCOL.rst).

What the card writes (notification record, message headers) is read once and checked
before use. A breach of the protocol ends the ring with EIO.

Loads and stores of mapped memory are single accesses through memoryview.cast().
Python has no memory barriers, but x86 keeps these accesses in program order.
Therefore channel.py opens channels on x86 only.
"""

import errno

from . import abi


def check_geom(name, g):
    """Refuse a layout that contradicts itself, before anything is mapped."""
    stream = g.kind == abi.STREAM
    unit = 1 << min(g.unit_shift, 31)
    whole = g.max_size if stream else -(-(abi.HEADER.size + g.max_size) // unit) * unit
    for wrong, text in (
            (g.kind not in (abi.MESSAGE, abi.STREAM),
             f"kind of channel is {g.kind}, known are 1 and 2"),
            (g.dir not in (abi.TO_HOST, abi.TO_NFP), f"direction is {g.dir}"),
            (stream and not (g.elem_size and g.depth),
             f"stream with elements of {g.elem_size} bytes, depth {g.depth}"),
            (g.ring_size < 4096 or g.ring_size & (g.ring_size - 1),
             f"ring of {g.ring_size} bytes is no power of 2 from 4096"),
            (not (0 if stream else 3) <= g.unit_shift <= 12,
             f"unit shift is {g.unit_shift}, allowed are 3 to 12, in a stream 0 to 12"),
            (g.elem_size not in (0, g.max_size),
             f"elements of {g.elem_size} bytes, messages of at most {g.max_size}"),
            (not whole <= g.limit <= g.ring_size,
             f"limit is {g.limit}: a message may have {g.max_size} bytes, "
             f"the ring {g.ring_size}")):
        if wrong:
            raise abi.fail(errno.EINVAL, text, name)


class Ring:
    """One open end of a channel. ring, note and ctl are its mapped memory, the ring twice
    in a row. kick(units) rings the data doorbell. The caller locks. Methods that find
    nothing return None."""

    def __init__(self, name, g, ring, note, ctl, kick):
        check_geom(name, g)
        self.name = name
        self.data = ring
        self.note = note.cast("Q")              # [0] pos, [1] seq and state
        self.ctl = ctl.cast("Q")                # [0] pos, [1] rung
        self.ctl_seq = ctl.cast("I")            # [4]
        self.kick = kick
        self.to_host = g.dir == abi.TO_HOST
        self.stream = g.kind == abi.STREAM
        self.size = g.ring_size
        self.shift = g.unit_shift
        self.unit = 1 << g.unit_shift
        self.grain = g.elem_size if self.stream else self.unit
        self.limit = g.limit
        self.max_size = g.max_size
        self.elem_size = g.elem_size
        self.depth = g.depth
        # Room goes back in batches of a quarter of the ring. The batch must leave room
        # for the largest message, or the card could not send that one. In a rendezvous
        # the sender on the card waits for this doorbell: no batch.
        self.batch = (min(self.limit // 4, self.limit - self.room(self.max_size))
                      if self.depth else 0)
        self.pos = self.released = self.ctl[0]
        # To the NFP, the control page need not have rung.
        self.rung = self.ctl[1] if self.to_host else self.pos
        self.seq = self.ctl_seq[4]
        self.state = abi.STATE_OPEN
        self.peer = self.pos if self.to_host else self.look()
        self.borrowed = []              # bytes of the ring that each borrowed part takes
        self.dead = None
        if self.pos % self.grain or not 0 <= self.pos - self.peer <= self.size:
            raise abi.fail(errno.EINVAL, f"pipe stands at {self.pos}, the card at "
                           f"{self.peer} (ring of {self.size})", name)

    def views(self):
        """The views of the memory, which are to be released before it is unmapped."""
        return [self.note, self.ctl, self.ctl_seq]

    def room(self, size):
        """Bytes of the ring that a message of size bytes takes."""
        if self.stream:
            return size
        return -(-(abi.HEADER.size + size) // self.unit) * self.unit

    def fail(self, code, text):
        """An error of this channel."""
        return abi.fail(code, text, self.name)

    def look(self):
        """Read the record. The card writes the position before the word with the state,
        so this reads that word first. A state that ends the pipe is thus seen together
        with the last position, and no message before the end is lost."""
        self.state = self.note[1] >> 32
        return self.note[0]

    def gone(self):
        """End the ring: the card was detached. The ring stays as it is, but a card that
        has not confirmed the end may still write to it."""
        self.dead = (errno.ENODEV, "the card is gone")
        return self.fail(*self.dead)

    def kill(self, text):
        """End the ring, because the card has broken the protocol."""
        self.look()
        if self.state == abi.STATE_GONE:
            return self.gone()
        self.dead = (errno.EIO, text)
        return self.fail(*self.dead)

    def alive(self):
        """Raise the error that has ended the ring, if there is one."""
        if self.dead:
            raise self.fail(*self.dead)

    def refresh(self):
        """Read the record and take over the card's position, if it is valid."""
        pos = self.look()
        if self.state == abi.STATE_GONE:
            # The card took these messages before it went: their sends succeed.
            if not self.to_host and self.peer < pos <= self.pos:
                self.peer = pos
            raise self.gone()
        if pos == self.peer:
            return
        if pos < self.peer or (pos - self.peer) % self.grain:
            raise self.kill(f"card's position went from {self.peer} to {pos} "
                            f"(unit {self.grain})")
        if self.to_host and pos - self.rung > self.size:
            raise self.kill(f"card is at {pos}, but only {self.rung} was given back "
                            f"(ring of {self.size})")
        if not self.to_host and pos > self.pos:
            raise self.kill(f"card consumed up to {pos}, only {self.pos} was sent")
        self.peer = pos

    def ended(self):
        """Raise the reason why nothing moves, unless the pipe is open."""
        if self.state == abi.STATE_OPEN:
            return
        if self.state == abi.STATE_EPIPE:
            raise self.fail(errno.EPIPE, "the ME process has ended")
        if self.state == abi.STATE_FAULT:
            raise self.fail(errno.EIO, "the card has turned the pipe off at position "
                            f"{self.peer}: protocol fault")
        raise self.kill(f"pipe state is {self.state}, at most {abi.STATE_GONE} is known")

    def give_back(self, least=0):
        """Ring the doorbell for bytes that were released or written, in whole units."""
        units = (self.released - self.rung) >> self.shift
        if units and units << self.shift >= least:
            self.rung += units << self.shift
            self.ctl[1] = self.rung
            self.kick(units)

    def move(self, size, count):
        """Advance the position, and publish it for the kernel's poll()."""
        self.pos += size
        self.seq = (self.seq + count) & 0xFFFFFFFF
        self.ctl_seq[4] = self.seq
        self.ctl[0] = self.pos

    # ---- to host ----

    def some(self):
        """Has a message, or part of a stream, arrived after the position?"""
        self.alive()
        if not self.to_host:
            raise self.fail(errno.EBADF, "the channel leads to the NFP")
        if self.peer == self.pos:
            self.refresh()
        if self.peer != self.pos:
            return True
        # The card writes its next record when it gets room back, or when poll() arms.
        self.give_back()
        self.ended()
        return False

    def peek(self):
        """Offset and bytes of the next message; of a stream, of all that is there."""
        if not self.some():
            return None
        at, there = self.pos & (self.size - 1), self.peer - self.pos
        if self.stream:
            return at, there
        size, seq, _ = abi.HEADER.unpack_from(self.data, at)
        if size > self.max_size or self.elem_size not in (0, size):
            raise self.kill(f"header at {self.pos} says {size} bytes, the channel has "
                            f"at most {self.max_size}")
        if self.room(size) > there:
            raise self.kill(f"header at {self.pos} says {size} bytes, the card wrote "
                            f"up to {self.peer}")
        if seq != (self.seq + 1) & 0xFFFF:
            raise self.kill(f"header at {self.pos} is of message {seq}, due is "
                            f"{(self.seq + 1) & 0xFFFF}")
        return at + abi.HEADER.size, size

    def verify(self):
        """Check, after a copy, that it came from the card."""
        self.look()
        if self.state == abi.STATE_GONE:
            raise self.gone()

    def take(self, size):
        """Borrow the message that peek() has shown, or size bytes of a stream."""
        room = self.room(size)
        self.borrowed.append(room)
        self.move(room, size // self.elem_size if self.stream else 1)

    def release(self):
        """Give back the oldest borrowed message or part."""
        if self.dead:
            return
        self.released += self.borrowed.pop(0)
        self.give_back(self.batch)

    def recv(self, most):
        """Copy the next message (EMSGSIZE: it has more than most bytes), or up to most
        bytes of a stream."""
        if self.borrowed:
            raise self.fail(errno.EBUSY, f"{len(self.borrowed)} are borrowed: "
                            "give them back first")
        if self.stream and most < self.elem_size:
            raise self.fail(errno.EMSGSIZE, f"room for {most} bytes, an element has "
                            f"{self.elem_size}")
        found = self.peek()
        if not found:
            return None
        at, size = found
        if self.stream:
            size = min(size, most - most % self.elem_size)
        elif size > most:
            raise self.fail(errno.EMSGSIZE, f"message of {size} bytes, room for {most}")
        message = bytes(self.data[at:at + size])
        self.verify()
        self.take(size)
        self.release()
        return message

    # ---- to NFP ----

    def sendable(self, size):
        """Check that the channel carries messages of size bytes."""
        self.alive()
        if self.to_host:
            raise self.fail(errno.EBADF, "the channel leads to the host")
        if self.stream:
            if size % self.elem_size:
                raise self.fail(errno.EMSGSIZE, f"{size} bytes, the stream's elements "
                                f"have {self.elem_size}")
        elif size > self.max_size:
            raise self.fail(errno.EMSGSIZE, f"message of {size} bytes, the channel takes "
                            f"at most {self.max_size}")
        elif self.elem_size not in (0, size):
            raise self.fail(errno.EMSGSIZE, f"message of {size} bytes, the channel takes "
                            f"exactly {self.elem_size}")

    def space(self):
        """Bytes that may be written now. A rendezvous has one message under way."""
        self.alive()
        self.refresh()
        self.ended()
        out = self.pos - self.peer
        return 0 if out and not self.depth else max(self.limit - out, 0)

    def put(self, message):
        """Write a message, or as many elements of a stream as have room, and ring the
        doorbell. Returns the bytes written; None: no room."""
        size = len(message)
        space = self.space()
        if self.stream:
            size = min(size, space)
            size -= size % self.elem_size
        elif self.room(size) > space:
            return None
        if self.stream and not size:
            return None
        at = self.pos & (self.size - 1)
        count = size // self.elem_size if self.stream else 1
        if not self.stream:
            abi.HEADER.pack_into(self.data, at, size, (self.seq + 1) & 0xFFFF, 0)
            at += abi.HEADER.size
        self.data[at:at + size] = message[:size]
        self.move(self.room(size), count)
        self.released = self.pos
        self.give_back()
        return size

    def taken(self, end):
        """True if the ME process has taken everything up to position end."""
        if self.peer < end:
            try:
                self.alive()
                self.refresh()
            except OSError:
                if self.peer < end:
                    raise
        if self.peer >= end:
            return True
        self.ended()
        return None
