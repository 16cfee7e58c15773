#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm ncl
# build: build/host/test/test_me_words
# NetCL's dialect: compile each program of selftests/ncl/netcl, and compare it in the card, in
# native XDP and in generic XDP with plain C++. SEED chooses the frames.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
scripts/in-root --ncl -- selftests/ncl/compile.py "$tmp/netcl" selftests/ncl/netcl/*.cpp || exit
card_vm --root ncl --cpus 1 --timeout 300 --board firmware=full --board ports=cable --board images="$tmp/images" -- \
	selftests/ncl/guest/diff.sh "$tmp/netcl/list" &&
	card_quiet && card_images
