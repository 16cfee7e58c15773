#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# ROUNDS (1000) of scribblers, and as many random calls as kmemleak can follow in a few
# minutes, of SEED (2); see fuzz.t. What a crash was running is in build/vm/fuzz-calls.
export NFPCHAN_KERNEL=debug CHAN_TIMEOUT=1800
exec "$(dirname "$0")/../vm/chan.t" "scribble ${SEED:-2} ${ROUNDS:-1000}" \
	"chan_fuzz --calls 20000 --seed ${SEED:-2} --detach 50 --trace build/vm/fuzz-calls"
