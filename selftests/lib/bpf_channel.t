#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Channels over bpf(2), with a card without channel firmware: runs guest/bpf_channel.c in a VM.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 300 --board firmware=full --board chan=off --board ports=cable -- \
	bash selftests/rig/guest/xdp.sh build/guest/test/bpf_channel \
	build/guest/xdp-channel/orders.o eth0 eth1
