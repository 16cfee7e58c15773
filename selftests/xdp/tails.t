#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# build: build/host/bin/nfpchan build/host/test/test_me_words
# Each object of selftests/xdp/tails runs with tail calls, linked, and linked on the card: one
# VM, with one CPU, so that a vNIC has one ring and the packets stay in order.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
# Some sources are linked with another source.
sources=$(grep -L '^ \* part of: ' selftests/xdp/tails/*.c)
# shellcheck disable=SC2086
selftests/rig/link-tails "$tmp" build/guest/xdp-tails $sources >"$tmp/linked"
cat "$tmp/linked"
if grep -q '^# refused' "$tmp/linked"; then
	echo "$0: each of these objects has to be linked" >&2
	exit 1
fi
card_vm --cpus 1 --timeout 300 --board firmware=full --board ports=cable --board images="$tmp/images" -- \
	bash selftests/rig/guest/xdp.sh build/guest/test/xdp_tails eth0 eth1 "$tmp/list" &&
	card_quiet && card_images &&
	card_counts --say '{xdp.packets} packets, {xdp.instructions} instructions' \
		xdp.packets 'not xdp.faults' 'not xdp.tx_full'
