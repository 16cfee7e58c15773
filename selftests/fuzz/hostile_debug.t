#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm debug
# ROUNDS (1000) of scribblers, and as many random calls as kmemleak can follow in a few
# minutes, of SEED (2); see fuzz.t.
cd "$(dirname "$0")/../.." || exit 1
. selftests/fuzz/calls.sh
export NFPCHAN_KERNEL=debug CHAN_TIMEOUT=1800
exec selftests/kmod/channels.t "scribble ${SEED:-2} ${ROUNDS:-1000}" \
	"$(random_calls --calls 20000 "$keep_calls")"
