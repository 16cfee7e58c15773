#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: nightly
# What the random programs avoid: let in, it shows. One VM for all of it.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cpus 1 --timeout 3600 --board ports=cable -- bash selftests/rig/guest/xdp.sh bash -c '
	n=0 failed=0
	for name in $(build/guest/test/xdp_fuzz --list); do
		n=$((n + 1))
		if said=$(build/guest/test/xdp_fuzz eth0 eth1 --count 3000 --allow $name --find); then
			echo "ok $n - $name: $said"
		else
			echo "not ok $n - $name: $said"
			failed=1
		fi
	done
	echo "1..$n"
	exit $failed'
