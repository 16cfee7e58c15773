#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm nightly debug kcsan
# Random calls on the card's node and on channels: for TIME seconds, of SEED (of the day),
# or else CALLS of them (a million, 100,000 on KCSAN, where what two programs touch at a
# time is a race, 10,000 on a stock kernel), of SEED (2). A nightly run takes an hour.
# They run on the debug kernel, which sees what goes wrong unseen and guides them, or on
# that of NFPCHAN_KERNEL; on the stock one kmod/hostile.t has some.
cd "$(dirname "$0")/../.." || exit 1
export NFPCHAN_KERNEL="${NFPCHAN_KERNEL:-debug}" NFPCHAN_KMEMLEAK="${NFPCHAN_KMEMLEAK:-off}"
# Who writes to the control page of a pipe of his may have it armed without the card.
export CHAN_KNOWN='an interrupt did not come'
# What a crash of the kernel was running is there afterwards.
trace='--trace build/vm/fuzz-calls'
case $NFPCHAN_KERNEL in
debug) calls=1000000 ;;
kcsan) calls=100000 trace= ;;
*) calls=10000 ;;
esac
[ -z "${NIGHTLY-}" ] || TIME=${TIME:-3600}
if [ -n "${TIME-}" ]; then
	SEED=${SEED:-$(date +%Y%m%d)}
	many="--seconds $TIME" CHAN_TIMEOUT=$((TIME + 600))
else
	calls=${CALLS:-$calls}
	many="--calls $calls --results" CHAN_TIMEOUT=$((1000 + calls / 50))
fi
export CHAN_TIMEOUT
echo "# SEED=${SEED:-2} $many NFPCHAN_KERNEL=$NFPCHAN_KERNEL"
exec selftests/rig/programs "chan_fuzz --corpus selftests/fuzz/calls/corpus --detach 50 \
	--seed ${SEED:-2} $many $trace"
