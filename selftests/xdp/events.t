#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Events of offloaded programs arrive in channels: one VM with two cards runs
# guest/xdp_hook.c. It has one CPU, so that a perf ring keeps the order. The test also fails
# if a card reports an error.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
card_vm --cpus 1 --timeout 300 --cards 2 --board ports=cable -- \
	bash selftests/rig/guest/xdp.sh build/guest/test/xdp_hook eth0 eth1 eth2 &&
	card_quiet &&
	card_counts --say '{xdp.events} events for channels, {bpf.events} the stock way' \
		xdp.events 'not xdp.faults' 'not bpf.events_lost'
