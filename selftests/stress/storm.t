#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm long nightly 6.12 7 debug kcsan
# Storms: processes, interrupts, drivers and the card come and go under traffic on
# every kind of channel, and the system goes to sleep, LOOPS times each; see
# guest/storm.sh. A few times here, after three to warm up, those that take long fewer
# than the others, and all on a slow kernel: but in the six orders that modules leave in
# (guest/storm_card.c), and with a kill in each of nine states (guest/storm_chan.c).
# A nightly run has 50. LOOPS=200 on the debug kernel has more: what is left is counted in the guest, so it can
# do without kmemleak (NFPCHAN_KMEMLEAK=off), which follows the few loops here.
cd "$(dirname "$0")/../.." || exit 1
[ -z "${NIGHTLY-}" ] || LOOPS=${LOOPS:-50}
loops=${LOOPS:-4} few=${LOOPS:-3} orders=${LOOPS:-3}
[ "${LOOPS-}${NFPCHAN_KERNEL-}" != debug ] || loops=2 few=1
[ $# -gt 0 ] || set -- open "kill=${LOOPS:-7}" affinity hotplug freezer devices "platform=$few" \
	"idle=$few" "bind=$few" "rescan=$few" "modules=$orders"
# What takes longer than a loop may ends by itself: this is for a guest that is stuck.
# It wakes a sleep (idle) every 2 s: going to sleep takes less.
exec scripts/vm --sleep --wake 2 --timeout $((300 + (3 + loops) * $# * 20)) -- \
	selftests/stress/guest/storm.sh "$loops" "$@"
