#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm debug
# CALLS (a million) random calls on channels, guided by KCOV, of SEED (2).
cd "$(dirname "$0")/../.." || exit 1
. selftests/fuzz/calls.sh
export NFPCHAN_KERNEL=debug NFPCHAN_KMEMLEAK="${NFPCHAN_KMEMLEAK:-off}" CHAN_TIMEOUT=14400
exec selftests/kmod/channels.t "$(random_calls --calls "${CALLS:-1000000}" --results "$keep_calls")"
