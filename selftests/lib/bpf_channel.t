#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Channels by bpf(2) of a card without channel firmware: one VM, in it guest/bpf_channel.c.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 300 --board chan=off --board ports=cable -- \
	bash selftests/rig/guest/xdp.sh build/guest/test/bpf_channel eth0 eth1
