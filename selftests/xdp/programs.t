#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# build: build/host/test/test_me_words
# Each program of selftests/xdp/programs runs on the card and on the host: one VM, with one
# CPU, so that a vNIC has one ring and the packets stay in order. The firmware is "full". With
# FIRMWARE=public (programs_public.t) the programs are those that the public firmware can run.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
# offload.t has programs that must not load, and one that only a card can run (it selects a queue).
names=$(sed -n 's,^/\* ---- \([a-z0-9_]*\):.*,\1,p' selftests/xdp/programs/*.c)
objects=$(for name in $names; do
	case ${FIRMWARE:-full}/$name in
	*/bad_helper | */too_long | */move) ;;
	# These update or delete entries of maps.
	public/count | public/hash | public/hash_flags | public/hash_large | public/atomic_hash) ;;
	*) echo "build/guest/xdp/$name.o" ;;
	esac
done)
# A kernel with UBSAN reports the shift of known_call_byte (KNOWN.rst). For
# known_head_unchecked the card prints one warning, and counts each of 48 packets as a fault.
card_known='program: packet moved out'
# shellcheck disable=SC2086
card_vm --cpus 1 --timeout 300 --board "firmware=${FIRMWARE:-full}" --board ports=cable --board images="$tmp/images" \
	--known 'UBSAN: shift-out-of-bounds in .*/nfp/bpf/jit\.c:' -- \
	bash selftests/rig/guest/xdp.sh build/guest/test/xdp_diff eth0 eth1 $objects &&
	card_quiet && card_images &&
	card_counts --say '{xdp.packets} packets, {xdp.instructions} instructions' \
		xdp.packets 'xdp.faults == 48' 'not xdp.tx_full'
