#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Example: use channels with Python's standard library only.

Sends each argument to the card's echo process with a plain write(), and prints
the reply. The reply is received through the mapped ring, with doorbells and a
sleep in poll(); or, with --plain, with read().

Loads and stores of mapped memory are single accesses through memoryview.cast().
x86 keeps them in program order. On other processors use the C library, which has
the memory barriers.
"""

import fcntl
import mmap
import os
import select
import struct
import sys

TO_HOST = 1
STATE_OPEN = 0
NAME_LEN = 32
HEADER = struct.Struct("<IHH")          # struct nfp_chan_hdr: len, seq, rsvd
OPEN = struct.Struct("<II32sIiIIiiQ")   # struct nfp_chan_open
OPEN_MAPPED = 4                         # NFP_CHAN_OPEN_MAPPED
LAYOUT = struct.Struct("<10I4Q4IQIIQII")    # struct nfp_chan_layout
KICK = struct.Struct("<IIII")           # struct nfp_chan_kick
IOC_OPEN = 0xE1 << 8 | 0x02             # NFP_CHAN_IOC_OPEN
IOC_LAYOUT = 0xE1 << 8 | 0x04
IOC_KICK = 0xE1 << 8 | 0x0d


def channel_open(card, name, flags=0):
    """Open a channel of /dev/nfp_chanN. Returns its file descriptor."""
    request = bytearray(OPEN.pack(OPEN.size, flags, name.encode(), 0, -1, 0, 0, -1, -1, 0))
    fcntl.ioctl(card, IOC_OPEN, request)
    return OPEN.unpack(request)[4]


class MappedReceiver:
    """A channel to the host, received from its mapped ring."""

    def __init__(self, fd):
        request = bytearray(LAYOUT.pack(LAYOUT.size, *[0] * 23))
        fcntl.ioctl(fd, IOC_LAYOUT, request)
        (_, _, _, direction, _, self.max_size, _, self.ring_size, shift, self.limit,
         ring_off, note_off, ctl_off, db_off, db_data, _, page, *_, db_map, _) = LAYOUT.unpack(request)
        if direction != TO_HOST:
            raise ValueError("the channel leads to the NFP")
        self.fd = fd
        self.unit = 1 << shift
        self.maps = []
        # The ring is mapped twice in a row, so no message wraps.
        self.ring = memoryview(self._map(2 * self.ring_size, ring_off, mmap.PROT_READ))
        note = memoryview(self._map(page, note_off, mmap.PROT_READ))
        self.note_pos = note.cast("Q")          # [0]: end of the last message
        self.note_state = note.cast("I")        # [3]
        both = mmap.PROT_READ | mmap.PROT_WRITE
        ctl = memoryview(self._map(page, ctl_off, both))
        self.ctl_pos = ctl.cast("Q")            # [0]: pos, [1]: rung; poll() reads them
        self.ctl_seq = ctl.cast("I")            # [4]
        self.views = [self.ring, self.note_pos, self.note_state, note,
                      self.ctl_pos, self.ctl_seq, ctl]
        self.doorbells = None       # the module was loaded with doorbells=ioctl
        if db_map:
            self.doorbells = memoryview(self._map(page, db_off, both)).cast("I")
            self.views.append(self.doorbells)
        self.db_data = db_data // 4
        self.pos = self.ctl_pos[0]
        self.rung = self.ctl_pos[1]
        self.seq = self.ctl_seq[4]
        self.poll = select.poll()
        self.poll.register(fd, select.POLLIN)

    def _map(self, length, offset, prot):
        area = mmap.mmap(self.fd, length, mmap.MAP_SHARED, prot, offset=offset)
        self.maps.append(area)
        return area

    def _give_back(self):
        """Give the consumed room back to the card: one posted write, or an ioctl."""
        units = (self.pos - self.rung) // self.unit
        if units:
            self.rung = self.pos
            self.ctl_pos[1] = self.rung
            if self.doorbells:
                self.doorbells[self.db_data] = units
            else:
                fcntl.ioctl(self.fd, IOC_KICK, KICK.pack(KICK.size, 0, units, 0))

    def recv(self, timeout_ms=None):
        """Receive the next message as bytes. Sleeps in poll(), which arms the pipe."""
        while True:
            # Read the state before the position, so that no last message is missed.
            state = self.note_state[3]
            if self.note_pos[0] != self.pos:
                break
            if state != STATE_OPEN:
                raise EOFError(f"the pipe has ended (state {state})")
            self._give_back()
            if not self.poll.poll(timeout_ms):
                raise TimeoutError("no message")
        at = self.pos % self.ring_size
        length, seq, _ = HEADER.unpack_from(self.ring, at)
        if length > self.max_size or seq != (self.seq + 1) & 0xFFFF:
            raise OSError(f"header at {self.pos}: {length} bytes, message {seq}")
        message = bytes(self.ring[at + HEADER.size:at + HEADER.size + length])
        self.pos += -(-(HEADER.size + length) // self.unit) * self.unit
        self.seq = (self.seq + 1) & 0xFFFFFFFF
        self.ctl_pos[0] = self.pos
        self.ctl_seq[4] = self.seq
        if self.pos - self.rung >= self.limit // 4:
            self._give_back()
        return message

    def close(self):
        """Give the room back, unmap and close. The last user of the pipe ends it."""
        self._give_back()
        for view in self.views:
            view.release()
        for area in self.maps:
            area.close()
        os.close(self.fd)


def main():
    """Send each argument, and print the reply."""
    words = sys.argv[1:]
    plain = words[:1] == ["--plain"]
    card = os.open("/dev/nfp_chan0", os.O_RDWR | os.O_CLOEXEC)
    out = channel_open(card, "echo-out", 0 if plain else OPEN_MAPPED)
    to_card = channel_open(card, "echo-in")
    receiver = None if plain else MappedReceiver(out)
    for word in words[1:] if plain else words:
        os.write(to_card, word.encode())
        reply = os.read(out, 2048) if plain else receiver.recv(timeout_ms=1000)
        print(reply.decode())
    os.close(to_card)
    if receiver:
        receiver.close()
    else:
        os.close(out)
    os.close(card)


if __name__ == "__main__":
    main()
