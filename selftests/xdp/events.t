#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Events of offloaded programs in channels: one VM with two cards, in it
# guest/xdp_hook.c; one CPU, so that a perf ring keeps the order. It fails as well
# when a card has something to complain about.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
card_vm --cpus 1 --timeout 300 --cards 2 --board ports=cable -- \
	bash selftests/rig/guest/xdp.sh build/guest/test/xdp_hook eth0 eth1 eth2 &&
	card_quiet &&
	card_counts --say '{xdp.events} events for channels, {bpf.events} the stock way' \
		xdp.events 'not xdp.faults' 'not bpf.events_lost'
