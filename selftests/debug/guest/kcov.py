#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""How many places of nfp_chan.ko an ioctl went through, as KCOV saw it. Nothing else in
the debug kernel is compiled for KCOV."""

import fcntl
import mmap
import os
import struct

WORDS = 4096
KCOV_INIT_TRACE, KCOV_ENABLE, KCOV_DISABLE, KCOV_TRACE_PC = 0x80086301, 0x6364, 0x6365, 0
NFP_CHAN_IOC_INVALID = 0x4e7f       # no ioctl of ours: refused, but by us

kcov = os.open("/sys/kernel/debug/kcov", os.O_RDWR)
fcntl.ioctl(kcov, KCOV_INIT_TRACE, WORDS)
seen = mmap.mmap(kcov, WORDS * 8)
card = os.open("/dev/nfp_chan0", os.O_RDWR)
fcntl.ioctl(kcov, KCOV_ENABLE, KCOV_TRACE_PC)
try:
    fcntl.ioctl(card, NFP_CHAN_IOC_INVALID, 0)
except OSError:
    pass
fcntl.ioctl(kcov, KCOV_DISABLE, 0)
print(struct.unpack_from("=Q", seen)[0])
