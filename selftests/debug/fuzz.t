#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# CALLS (a million) random calls on channels, guided by KCOV, of SEED (2). What a crash
# was running is in build/vm/fuzz-calls.
export NFPCHAN_KERNEL=debug NFPCHAN_KMEMLEAK="${NFPCHAN_KMEMLEAK:-off}" CHAN_TIMEOUT=14400
exec "$(dirname "$0")/../vm/chan.t" \
	"chan_fuzz --corpus selftests/chan-fuzz/corpus --calls ${CALLS:-1000000} \
	--seed ${SEED:-2} --detach 50 --results --trace build/vm/fuzz-calls"
