#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm nightly 6.12 7 debug kcsan
# Random calls on the card's node and on channels, from SEED (2): CALLS of them or for TIME seconds.
# CALLS is 5,000; on the debug kernel, whose KCOV guides the fuzzer, a million; on KCSAN, which
# reports races between programs, 100,000. A nightly run takes an hour, with the day as its seed.
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
# After a crash of the kernel, the trace has the running programs.
# shellcheck disable=SC2086 # $many is two words
exec scripts/vm --timeout $timeout --board stores=lenient -- \
	build/guest/test/chan_fuzz --corpus selftests/fuzz/calls/corpus --seed "${SEED:-2}" \
	$many --detach $detach --results --trace build/vm/fuzz-calls
