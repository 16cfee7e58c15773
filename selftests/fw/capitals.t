#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# boot:
"""Use the ME process "capitals" in the VM, with the Python package."""

import sys

import nfpchan
from tap import SLOW, done, same

with nfpchan.Card() as card:
    to, back = card.channel("capitals-in"), card.channel("capitals-out")
    for text in (b"Hello, world", b"", b"x" * 256):
        to.send(text, timeout=10 * SLOW)
        same(back.recv(timeout=10 * SLOW), text.upper(), f"{len(text)} bytes")
sys.exit(done())
