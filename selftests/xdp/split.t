#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm long
# build: build/host/test/test_me_words
# Of programs joined by tail calls, the first run on the card and the others on the host: one VM runs
# guest/split.py. The test also fails if the card reports an error.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
card_vm --timeout 600 --board ports=cable --board chan=off --board images="$tmp/images" -- \
	bash selftests/rig/guest/xdp.sh selftests/xdp/guest/split.py "$@" && card_quiet && card_images &&
	card_counts --say '{xdp.packets} packets, {bpf.loads} loads' xdp.packets 'not xdp.faults' \
		'not bpf.loads_refused' 'not bpf.maps'
