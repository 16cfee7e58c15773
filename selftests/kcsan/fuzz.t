#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# CALLS (100,000) random calls on channels, several programs of several threads at
# once, of SEED (2): what two of them touch at a time without a word of it is a race.
export NFPCHAN_KERNEL=kcsan CHAN_TIMEOUT=1800
exec "$(dirname "$0")/../vm/chan.t" "chan_fuzz --corpus selftests/chan-fuzz/corpus \
	--calls ${CALLS:-100000} --seed ${SEED:-2} --detach 50"
