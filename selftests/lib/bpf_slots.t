#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Messages to a program on firmware without map_update and map_delete: runs guest/bpf_slots.c in a VM.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 300 --board firmware=public --board chan=off --board ports=cable -- \
	bash selftests/rig/guest/xdp.sh build/guest/test/bpf_slots \
	build/guest/xdp-channel/orders_slots.o eth0 eth1 build/guest/xdp-channel/orders.o
