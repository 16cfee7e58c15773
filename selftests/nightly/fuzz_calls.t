#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Random calls on the card's node and on channels for TIME seconds (3600), of SEED
# (of the day). What a crash of the kernel was running is in build/vm/fuzz-calls.
seed=${SEED:-$(date +%Y%m%d)}
echo "# SEED=$seed TIME=${TIME:-3600}"
export CHAN_TIMEOUT=$((${TIME:-3600} + 600))
exec "$(dirname "$0")/../vm/chan.t" "chan_fuzz --corpus selftests/chan-fuzz/corpus \
	--seconds ${TIME:-3600} --seed $seed --detach 50 --trace build/vm/fuzz-calls"
