#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm nightly
# build: build/host/test/test_me_words
# COUNT (200) random XDP programs, with seeds from SEED (1) on, in the card and on the host, in a VM
# with one CPU, so that a vNIC has one ring and packets stay in order. A nightly run has 10,000,
# with the day as their seed. All words of all images must disassemble as by GNU binutils, and the
# card must not log a warning.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
count=200 seed=1
[ -z "${NIGHTLY-}" ] || count=10000 seed=$(date +%Y%m%d00000)
count=${COUNT:-$count} seed=${SEED:-$seed}
echo "# SEED=$seed COUNT=$count"
card_vm --cpus 1 --timeout $((300 + count)) --board firmware=full --board ports=cable \
	--board images="$tmp/images" -- bash selftests/rig/guest/xdp.sh \
	build/guest/test/xdp_fuzz eth0 eth1 --seed "$seed" --count "$count" &&
	card_quiet && card_images &&
	card_counts --say '{xdp.packets} packets, {xdp.instructions} instructions' \
		xdp.packets 'not xdp.faults' 'not xdp.tx_full'
