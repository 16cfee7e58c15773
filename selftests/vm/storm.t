#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Storms: processes, interrupts, drivers and the card come and go under traffic on
# every kind of channel, and the system goes to sleep, LOOPS times each; see
# guest/storm.sh. A few times here, for some of them; selftests/debug/storm.t has all.
cd "$(dirname "$0")/../.." || exit 1
[ $# -gt 0 ] || set -- open kill affinity hotplug freezer devices
# What takes longer than a loop may ends by itself: this is for a guest that is stuck.
exec scripts/vm --sleep --timeout $((300 + ${LOOPS:-7} * $# * 20)) -- \
	selftests/vm/guest/storm.sh "${LOOPS:-7}" "$@"
