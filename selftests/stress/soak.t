#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm debug
# A soak of MINUTES (5): two dozen processes use every kind of channel, and frames go through the
# card's ports, which a cable joins; see guest/soak.c. First with no disturbance, then with
# processes that are killed and replaced. Then both with a card that raises interrupts twice or
# for nothing and answers twice, and with one that loses interrupts, so that messages wait for
# some seconds. Nothing may be lost in any of them. SEED chooses the kills, as a run has printed it.
cd "$(dirname "$0")/../.." || exit 1
part=$((${MINUTES:-5} * 60 / 6))
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh

# Run a boot as a subtest.
boot() { # NAME LEAST-FAULTS [OPTION...]
	# shellcheck disable=SC2016 # the guest expands it
	subtest "$1" scripts/vm --board ports=cable --timeout $((part * 2 + 900)) "${@:3}" -- sh -c '
		p=build/guest/test/soak r=0
		# Without IPv6 the guest itself sends no frames, which would be counted.
		for d in eth0 eth1; do echo 1 >/proc/sys/net/ipv6/conf/$d/disable_ipv6; done
		$p "$1" || r=1
		$p "$1" kill $3 || r=1
		# The number of faults that have struck (fw/emu/board/fault/fault.h)
		hits=$(od -An -t u4 -j $((0x5c8)) -N 4 /sys/class/nfp_chan/nfp_chan0/device/config)
		echo "# $((hits)) faults"
		[ "$((hits))" -ge "$2" ] || r=1
		exit $r' sh "$part" "$2" "${SEED:-}"
}

boot "faults off" 0
boot "faults on" 1000 --board fault=irq-twice,irq-spurious,mbox-twice
done_testing
