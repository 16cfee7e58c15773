#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm long
# build: build/host/test/test_me_words
# Offload to a card that runs the BPF application: one VM runs guest/bpf.py.
# The test also fails if the card reports an error.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
# bpftool shows only the kernel's view. The card's counters show which requests arrived.
card_vm --timeout 600 --board firmware=full --board ports=cable --board images="$tmp/images" -- \
	selftests/xdp/guest/bpf.py && card_quiet && card_images &&
	card_counts --say '{bpf.loads} loads, {bpf.maps_made} maps, {xdp.packets} packets' \
		'all(bpf.loads)' 'not bpf.loads_refused' bpf.requests 'not bpf.dropped' \
		'not bpf.events_lost' 'not bpf.faults' 'not dma.faults' \
		xdp.packets 'not xdp.faults' 'not xdp.tx_full' \
		'bpf.maps_made == bpf.maps_freed' 'not bpf.maps' 'not bpf.map_elements'
