#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm nightly ncl
# build: build/host/test/test_me_words
# COUNT (50) random programs for nclc, with seeds from SEED (1) on. They run in the card, in native
# and generic XDP and as plain C, in a VM with one CPU, so that a vNIC has one ring and frames stay
# in order. A nightly run has 500, with the day as their seed. Programs that nclc refuses are
# counted; at least nine of ten must be compared.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
count=50 seed=1
[ -z "${NIGHTLY-}" ] || count=500 seed=$(date +%Y%m%d0000)
count=${COUNT:-$count} seed=${SEED:-$seed}
echo "# SEED=$seed COUNT=$count"
mkdir "$tmp/source" &&
	selftests/fuzz/ncl/kernels.py "$tmp/source" "$seed" "$count" &&
	scripts/in-root --ncl -- sh -c \
		'selftests/ncl/compile.py --some "$1" "$1"/source/*.c' sh "$tmp" || exit
card_vm --root ncl --cpus 1 --timeout $((300 + 2 * count)) --board firmware=full --board ports=cable \
	--board images="$tmp/images" -- selftests/ncl/guest/diff.sh "$tmp/list" &&
	card_quiet && card_images &&
	card_counts --say '{xdp.packets} packets, {xdp.instructions} instructions' \
		xdp.packets 'not xdp.faults' 'not xdp.tx_full'
