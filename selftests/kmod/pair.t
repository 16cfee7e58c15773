#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm debug
# One boot, for the debug kernel: channels through the library and by ioctl, rings that
# two of them share, the card going away under their mappings. scripts/vm fails for a
# splat, for memory that is lost, and for what DMA-API finds.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm -- build/guest/test/pair_api
