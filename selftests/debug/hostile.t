#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# CALLS (200,000) random calls on channels, guided by KCOV, and ROUNDS (5000) of
# scribblers, of SEED (2). What a crash was running is in build/vm/fuzz-calls.
export NFPCHAN_KERNEL=debug CHAN_TIMEOUT=7200
exec "$(dirname "$0")/../vm/chan.t" "scribble ${SEED:-2} ${ROUNDS:-5000}" \
	"chan_fuzz --corpus selftests/chan-fuzz/corpus --calls ${CALLS:-200000} \
	--seed ${SEED:-2} --detach 50 --results --trace build/vm/fuzz-calls"
