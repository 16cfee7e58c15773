#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: nightly
# For each known difference that the random programs avoid: when it is allowed, a program that
# differs must be found. All of them share one VM.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cpus 1 --timeout 3600 --board firmware=full --board ports=cable -- bash selftests/rig/guest/xdp.sh bash -c '
	. selftests/rig/tap.sh
	for name in $(build/guest/test/xdp_fuzz --list); do
		said=$(build/guest/test/xdp_fuzz eth0 eth1 --count 3000 --allow $name --find)
		ok $? "$name: $said"
	done
	done_testing'
