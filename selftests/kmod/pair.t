#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm debug
# Two channels share a ring, through the library and by ioctl. Then nfp is unbound while the ring is
# mapped. On the debug kernel scripts/vm also fails if the kernel reports a bug, a leak or a wrong
# use of the DMA API.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm -- build/guest/test/pair_api
