#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# bpf_channel.t on firmware without map_update and map_delete. bpf_slots.t has the checks of messages
# to the program.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 300 --board firmware=public --board chan=off --board ports=cable -- \
	bash selftests/rig/guest/xdp.sh build/guest/test/bpf_channel \
	build/guest/xdp-channel/orders_slots.o eth0 eth1
