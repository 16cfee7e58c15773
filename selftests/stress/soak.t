#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm debug
# A soak of MINUTES (5): two dozen processes use every kind of channel, and
# frames the card's ports, which a cable joins; see
# guest/soak.c. First undisturbed, then with processes that are killed and come
# again, then both with a card that interrupts twice or for nothing and answers
# twice, and with one that forgets interrupts, so that messages wait for some seconds:
# under that nothing may be lost either. SEED: who is killed, as a run has printed it.
cd "$(dirname "$0")/../.." || exit 1
part=$((${MINUTES:-5} * 60 / 6))
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh

# A boot's lines, as a subtest.
boot() { # NAME LEAST-FAULTS [OPTION...]
	# shellcheck disable=SC2016 # the guest expands it
	subtest "$1" scripts/vm --board ports=cable --timeout $((part * 2 + 900)) "${@:3}" -- sh -c '
		p=build/guest/test/soak r=0
		# Frames of the guest itself are not among those that are counted.
		for d in eth0 eth1; do echo 1 >/proc/sys/net/ipv6/conf/$d/disable_ipv6; done
		$p "$1" || r=1
		$p "$1" kill $3 || r=1
		# How often faults have struck (fw/board/fault/fault.h)
		hits=$(od -An -t u4 -j $((0x5c8)) -N 4 /sys/class/nfp_chan/nfp_chan0/device/config)
		echo "# $((hits)) faults"
		[ "$((hits))" -ge "$2" ] || r=1
		exit $r' sh "$part" "$2" "${SEED:-}"
}

boot "faults off" 0
boot "faults on" 1000 --board fault=irq-twice,irq-spurious,mbox-twice
# Of each kind of channel a few, in the midst of it: the module looks every 2 s.
lost=()
for chan in echo-out rv-out load loop64-out source64; do
	lost+=(--board "fault=irq-lost:chan=$chan:after=20:count=3")
done
boot "interrupts lost" 1 "${lost[@]}"
done_testing
