#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Users against each other, against the kernel and against themselves, in one VM.
# A warning in the guest's kernel log is a failure, too.
export CHAN_TIMEOUT=400
# Who writes to the control page of a pipe of his may have it armed without the card.
export CHAN_KNOWN='an interrupt did not come'
set -- isolation limits
# debug/hostile.t has more of the others.
[ "${NFPCHAN_KERNEL:-}" = debug ] || set -- "$@" scribble \
	"chan_fuzz --corpus selftests/chan-fuzz/corpus --calls 10000 --detach 10"
exec "$(dirname "$0")/chan.t" "$@"
