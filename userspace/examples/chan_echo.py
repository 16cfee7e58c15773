#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Example: use channels without a library, in a language that has ioctl().

Sends each argument to the card's echo process with write(), and prints the reply, for which
read() waits. Nothing is mapped.
"""

import fcntl
import os
import struct
import sys

OPEN = struct.Struct("<II32sIiIIiiQ")   # struct nfp_chan_open
IOC_OPEN = 0xE1 << 8 | 0x02             # NFP_CHAN_IOC_OPEN
LARGEST = 2048                          # max_size of echo-out


def channel_open(card, name):
    """Open a channel of /dev/nfp_chanN. Returns its file descriptor."""
    request = bytearray(OPEN.pack(OPEN.size, 0, name.encode(), 0, -1, 0, 0, -1, -1, 0))
    fcntl.ioctl(card, IOC_OPEN, request)
    return OPEN.unpack(request)[4]


def main():
    """Send each argument, and print the reply."""
    card = os.open("/dev/nfp_chan0", os.O_RDWR | os.O_CLOEXEC)
    out, to_card = channel_open(card, "echo-out"), channel_open(card, "echo-in")
    for word in sys.argv[1:]:
        os.write(to_card, word.encode())
        print(os.read(out, LARGEST).decode())
    for fd in (to_card, out, card):
        os.close(fd)


if __name__ == "__main__":
    main()
