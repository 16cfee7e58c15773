#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm debug
# Each call with each of its allocations failing; see guest/fail_nth.c.
export NFPCHAN_KERNEL=debug CHAN_TIMEOUT=600
exec "$(dirname "$0")/channels.t" fail_nth
