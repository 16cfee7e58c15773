#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm debug
# Two channels that share a ring, through the library and by ioctl; nfp is unbound while the ring
# is mapped. On the debug kernel scripts/vm also fails for splats, leaks and DMA-API's findings.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm -- build/guest/test/pair_api
