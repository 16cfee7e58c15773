#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm kcsan
# CALLS (100,000) random calls on channels, several programs of several threads at
# once, of SEED (2): what two of them touch at a time without a word of it is a race.
cd "$(dirname "$0")/../.." || exit 1
. selftests/fuzz/calls.sh
export NFPCHAN_KERNEL=kcsan CHAN_TIMEOUT=1800
exec selftests/kmod/channels.t "$(random_calls --calls "${CALLS:-100000}")"
