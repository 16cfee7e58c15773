#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm nightly 6.12 7 debug kcsan
# Random calls on the card's node and on channels, of SEED (2): CALLS of them (5,000; a
# million on the debug kernel, whose KCOV guides them; 100,000 on KCSAN, where what two
# programs touch at a time is a race), or for TIME seconds. A nightly run takes an hour, of
# the seed of the day.
cd "$(dirname "$0")/../.." || exit 1
[ -z "${NIGHTLY-}" ] || TIME=${TIME:-3600} SEED=${SEED:-$(date +%Y%m%d)}
calls=5000 detach=10
case ${NFPCHAN_KERNEL:=6.12} in
debug) calls=1000000 detach=50 NFPCHAN_KMEMLEAK=${NFPCHAN_KMEMLEAK:-off} ;;
kcsan) calls=100000 detach=50 ;;
esac
calls=${CALLS:-$calls} timeout=$((1000 + calls / 50))
many="--calls $calls"
[ -z "${TIME-}" ] || many="--seconds $TIME" timeout=$((TIME + 600))
export NFPCHAN_KERNEL NFPCHAN_KMEMLEAK="${NFPCHAN_KMEMLEAK:-on}"
echo "# SEED=${SEED:-2} $many NFPCHAN_KERNEL=$NFPCHAN_KERNEL"
# A process that writes to the control page of its pipe may have it armed without the card.
# What a crash of the kernel was running is in the trace afterwards.
# shellcheck disable=SC2086 # two words
exec scripts/vm --timeout $timeout --board stores=lenient --known 'an interrupt did not come' -- \
	build/guest/test/chan_fuzz --corpus selftests/fuzz/calls/corpus --seed "${SEED:-2}" \
	$many --detach $detach --results --trace build/vm/fuzz-calls
