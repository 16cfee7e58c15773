#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm nightly
# build: build/host/bin/nfpchan build/host/test/test_me_words
# COUNT (100) random objects with XDP programs that call each other by tail calls, with seeds from
# SEED (1) on. Each object is linked, and runs in the card, in a VM with one CPU, so that a vNIC has
# one ring and packets stay in order. A nightly run has 2,000 objects, with the day as their seed.
# Objects that cannot be linked are counted; at least nine of ten must be compared.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
count=100 seed=1
[ -z "${NIGHTLY-}" ] || count=2000 seed=$(date +%Y%m%d0000)
count=${COUNT:-$count} seed=${SEED:-$seed}
echo "# SEED=$seed COUNT=$count"
mkdir "$tmp/source" "$tmp/linked" &&
	selftests/fuzz/xdp/tails.py "$tmp/source" "$seed" "$count" &&
	scripts/in-root -- make -s -j"$(nproc)" O="$tmp" TAILS="$tmp/source" bpf-tails &&
	selftests/rig/link-tails "$tmp/linked" "$tmp/tails" "$tmp"/source/*.c || exit
card_vm --cpus 1 --timeout $((300 + 2 * count)) --board firmware=full --board ports=cable \
	--board images="$tmp/images" -- bash selftests/rig/guest/xdp.sh \
	build/guest/test/xdp_tails eth0 eth1 "$tmp/linked/list" &&
	card_quiet && card_images &&
	card_counts --say '{xdp.packets} packets, {xdp.instructions} instructions' \
		xdp.packets 'not xdp.faults' 'not xdp.tx_full'
