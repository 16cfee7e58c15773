#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm long nightly 6.12 7 debug kcsan
# Storms: processes, interrupts, drivers and the card come and go under traffic on every kind of
# channel, and the system goes to sleep, LOOPS times each; see guest/storm.sh. By default a few
# times, after three loops to warm up: slow storms fewer times, and all fewer on a slow kernel,
# except two. With the warm-up, 3 loops unload the modules in each of six orders
# (guest/storm_card.c), and 7 kill in each of nine states (guest/storm_chan.c). A nightly run has
# 50 loops. For LOOPS=200 on the debug kernel set NFPCHAN_KMEMLEAK=off: storms count leaks, too.
cd "$(dirname "$0")/../.." || exit 1
[ -z "${NIGHTLY-}" ] || LOOPS=${LOOPS:-50}
loops=${LOOPS:-4} few=${LOOPS:-3} orders=${LOOPS:-3}
[ "${LOOPS-}${NFPCHAN_KERNEL-}" != debug ] || loops=2 few=1
[ $# -gt 0 ] || set -- open "kill=${LOOPS:-7}" affinity hotplug freezer devices "platform=$few" \
	"idle=$few" "bind=$few" "rescan=$few" "modules=$orders"
# Storms end by themselves when a loop takes too long; the timeout is for a guest that hangs.
# --wake 2: wake the guest every 2 s (idle). Going to sleep takes less.
exec scripts/vm --sleep --wake 2 --timeout $((300 + (3 + loops) * $# * 20)) -- \
	selftests/stress/guest/storm.sh "$loops" "$@"
