#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm ncl
# Figures 4 and 5 of the paper, as userspace/ncl/examples/paper has them: on the card, on the
# host and as plain C, with the same frames. The windows' numbers are those of the array.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
paper=userspace/ncl/examples/paper
sed '2s|^/\*|/* seq: 64. fill: random.|' $paper/fig4.c >"$tmp/paper4.c"
cp $paper/fig5.cpp "$tmp/paper5.cpp"
cp $paper/net.and "$tmp"
scripts/in-root --ncl -- selftests/ncl/compile.py "$tmp/programs" "$tmp/paper4.c" "$tmp/paper5.cpp" || exit
card_vm --root ncl --cpus 1 --timeout 300 --board ports=cable -- \
	selftests/ncl/guest/diff.sh "$tmp/programs/list" && card_quiet &&
	card_counts --say '{xdp.packets} packets, {xdp.instructions} instructions' \
		xdp.packets 'not xdp.faults' 'not xdp.tx_full'
