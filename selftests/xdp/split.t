#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm long
# Chains of programs whose front is on the card and whose rest is on the host: one VM,
# guest/split.py in it. It fails as well when the card has something to complain about.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
card_vm --timeout 600 --board ports=cable --board chan=off --board images="$tmp/images" -- \
	bash selftests/rig/guest/xdp.sh selftests/xdp/guest/split.py "$@" && card_quiet && card_images &&
	card_counts --say '{xdp.packets} packets, {bpf.loads} loads' xdp.packets 'not xdp.faults' \
		'not bpf.loads_refused' 'not bpf.maps'
