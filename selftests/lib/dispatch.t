#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Handlers on the threads of a pool; see guest/chan_dispatch.c. This test cannot share a boot
# with others: the ME process of channel "once" can end only once in a boot.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 240 -- build/guest/test/chan_dispatch
