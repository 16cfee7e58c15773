#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: nightly
# What the random programs avoid: let in, it shows. One VM for all of it.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cpus 1 --timeout 3600 --board ports=cable -- bash selftests/rig/guest/xdp.sh bash -c '
	. selftests/rig/tap.sh
	for name in $(build/guest/test/xdp_fuzz --list); do
		said=$(build/guest/test/xdp_fuzz eth0 eth1 --count 3000 --allow $name --find)
		ok $? "$name: $said"
	done
	done_testing'
