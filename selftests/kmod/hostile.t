#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# Users against each other, against the kernel and against themselves, in one VM.
# A warning in the guest's kernel log is a failure, too. The debug kernel has ROUNDS
# (1000) of scribblers, and as many random calls as kmemleak can follow in a few minutes,
# of SEED (2); fuzz/calls.t has more of those.
cd "$(dirname "$0")/../.." || exit 1
# Who writes to the control page of a pipe of his may have it armed without the card.
export CHAN_TIMEOUT=400 CHAN_KNOWN='an interrupt did not come'
scribble=scribble calls='--seed 1 --calls 10000 --detach 10'
if [ "${NFPCHAN_KERNEL:-}" = debug ]; then
	CHAN_TIMEOUT=1800 scribble="scribble ${SEED:-2} ${ROUNDS:-1000}"
	calls="--seed ${SEED:-2} --calls 20000 --detach 50 --trace build/vm/fuzz-calls"
fi
exec selftests/rig/programs isolation limits "$scribble" \
	"chan_fuzz --corpus selftests/fuzz/calls/corpus $calls"
