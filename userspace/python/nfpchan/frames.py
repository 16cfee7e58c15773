# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Frames of the wire ports (uapi/nfpchan/nfp_chan_frames.h)."""

import collections
import secrets
import struct

ELEM = 16
PORTS = 2
SNAP_MAX = 65535
PART = 1 << 18      # bytes to receive at a time
HEADER = struct.Struct("<BBHIQ")
REQUEST = struct.Struct("<IIIBBHQ")
INSN = struct.Struct("<HBBI")
FRAME, DROPS, START, TOTALS = 1, 2, 3, 4
OP_START, OP_STOP = 1, 3
REFUSED = ("", "the request is not valid", "no instruction of classic BPF", "the jump leaves the program",
           "the scratch memory has cells 0 to 15", "division by 0, or a shift by more than 31 bits",
           "an offset that only Linux has", "the last instruction is no return")

# data: a memoryview of the captured bytes. length: bytes of the frame on the wire
Frame = collections.namedtuple("Frame", "data port ns length")
PortTotals = collections.namedtuple("PortTotals", "seen accepted copied dropped lost")


class Frames:
    """A capture of frames, an iterator:

        with nfpchan.Frames(card, ports=1) as frames:
            for frame in frames:
                print(frame.port, frame.ns, frame.length, bytes(frame.data[:14]))

    The card runs the filter, a list of instructions (code, jt, jf, k) of classic BPF. One in
    `sample` frames is copied, and at most `snap` bytes of each. `ports` is a bit mask. `dropped`
    is how many frames are missing so far, for lack of room in the ring.

    OSError with EBUSY: another capture runs. ValueError: the card refuses the options or the
    filter.
    """

    def __init__(self, card, filter=(), ports=(1 << PORTS) - 1, snap=SNAP_MAX, sample=1):
        self.dropped = 0
        self._left = b""
        self._ctl = card.channel("frames-ctl")
        try:
            self._in = card.channel("frames")
        except BaseException:
            self._ctl.close()
            raise
        try:
            self._ask(OP_START, filter, ports, snap, sample)
            self._sync()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """End the capture."""
        self._in.close()
        self._ctl.close()

    def fileno(self):
        """The descriptor to poll. Frames that were received with others are not seen in it."""
        return self._in.fileno()

    def _ask(self, operation, filter=(), ports=0, snap=0, sample=0):
        self._token = secrets.randbits(64)
        try:
            request = REQUEST.pack(operation, snap, sample, ports, 0, len(filter), self._token)
            request += b"".join(INSN.pack(*insn) for insn in filter)
        except struct.error as e:
            raise ValueError(f"frames: {e}") from e
        self._ctl.send(request)

    def _more(self, timeout=None):
        self._left = memoryview(bytes(self._left) + self._in.recv(timeout, size=PART))

    def _sync(self):
        """Skip what the card has made for an earlier host, up to the answer to the request."""
        while True:
            while len(self._left) < ELEM:
                self._more()
            kind, why, caplen, where, token = HEADER.unpack_from(self._left)
            self._left = self._left[ELEM:]
            if (kind, caplen, token) != (START, 0, self._token):
                continue
            if why:
                raise ValueError(f"frames: the card refuses instruction {where} of the filter: "
                                 f"{REFUSED[why] if why < len(REFUSED) else why}")
            return

    def _record(self, timeout=None):
        while True:
            if len(self._left) >= ELEM:
                header = HEADER.unpack_from(self._left)
                end = ELEM + header[2]
                size = (end + ELEM - 1) // ELEM * ELEM
                if size <= len(self._left):
                    data = self._left[ELEM:end]
                    self._left = self._left[size:]
                    return header, data
            self._more(timeout)

    def recv(self, timeout=None):
        """Wait for the next frame, which stays valid. Errors are those of Channel.recv()."""
        while True:
            (kind, port, _, length, ns), data = self._record(timeout)
            if kind == DROPS:
                self.dropped += length
            elif kind == FRAME:
                return Frame(data, port, ns, length)

    def __iter__(self):
        return self

    def __next__(self):
        try:
            return self.recv()
        except BrokenPipeError:
            raise StopIteration from None

    def stop(self):
        """End the capture, drop what was not read, and return a PortTotals for each port."""
        self._ask(OP_STOP)
        while True:
            (kind, _, _, _, token), data = self._record()
            if (kind, token) == (TOTALS, self._token):
                return [PortTotals._make(t) for t in struct.iter_unpack("<5Q", data)]
