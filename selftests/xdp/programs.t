#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Each program of selftests/xdp/programs, offloaded and on the host: one VM, with one
# CPU, so that a vNIC has one ring and packets stay in order.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
# offload.t has what must not load, and what only a card takes: the choice of a queue.
objects=$(for f in selftests/xdp/programs/*.c; do
	name=$(basename "$f" .c)
	case $name in bad_helper | too_long | move) ;; *) echo "build/guest/xdp/$name.o" ;; esac
done)
# Where the kernel has UBSAN it tells of known_call_byte.c (KNOWN.rst). For the card,
# known_head_unchecked.c is worth a warning, once, and each of its 48 packets a fault.
card_known='program: packet moved out'
# shellcheck disable=SC2086
card_vm --cpus 1 --timeout 300 --board ports=cable --board images="$tmp/images" \
	--known 'UBSAN: shift-out-of-bounds in .*/nfp/bpf/jit\.c:' -- \
	bash selftests/rig/guest/xdp.sh build/guest/test/xdp_diff eth0 eth1 $objects &&
	card_quiet && card_images &&
	card_counts --say '{xdp.packets} packets, {xdp.instructions} instructions' \
		xdp.packets 'xdp.faults == 48' 'not xdp.tx_full'
