#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# Users against each other, against the kernel and against themselves, in one VM.
# A warning in the guest's kernel log is a failure, too.
cd "$(dirname "$0")/../.." || exit 1
. selftests/fuzz/calls.sh
export CHAN_TIMEOUT=400
set -- isolation limits
# debug/hostile.t has more of the others.
[ "${NFPCHAN_KERNEL:-}" = debug ] ||
	set -- "$@" scribble "$(random_calls --seed 1 --calls 10000 --detach 10)"
exec selftests/kmod/channels.t "$@"
