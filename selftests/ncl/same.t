#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm ncl
# build: build/host/test/test_me_words
# Compile the programs of selftests/ncl/programs and the examples, and compare each of them in the
# card, in native XDP and in generic XDP with plain C. The same comparison of bpf/hand.c, which is
# written by hand, tests the models. The VM has one CPU, so that a vNIC has one ring and frames stay
# in order. SEED chooses the frames.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
scripts/in-root --ncl -- sh -c 'selftests/ncl/hand/models.py "$1/hand" &&
	selftests/ncl/compile.py "$1/programs" selftests/ncl/programs/*.c* &&
	selftests/ncl/compile.py "$1/examples" $(grep -l "^#include <ncl.h>" userspace/ncl/examples/*/*.c*)' sh "$tmp" || exit
cat "$tmp"/*/list >"$tmp/list"
card_vm --root ncl --cpus 1 --timeout 300 --board firmware=full --board ports=cable --board images="$tmp/images" -- \
	selftests/ncl/guest/diff.sh "$tmp/list" &&
	card_quiet && card_images &&
	card_counts --say '{xdp.packets} packets, {xdp.instructions} instructions' \
		xdp.packets 'not xdp.faults' 'not xdp.tx_full'
