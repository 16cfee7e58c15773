#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Two cards that do not reach each other: no link, and the kernel's log says why.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/tap.sh
# What the log says is the last test of the guest's.
try() { # NAME TEXT ARGUMENT...
	local name=$1 text=$2

	shift 2
	subtest "$name" scripts/vm --cards 2 "$@" -- bash -c ". selftests/rig/tap.sh
		subtest links build/guest/test/peer_api unreachable
		dmesg | grep -q '$text'; ok \$? 'the log says: $text' \"\$(dmesg | tail -5)\"
		done_testing"
}
try 'a switch that does not ask the IOMMU' 'does not redirect requests to the IOMMU (ACS)' \
	--board peers=on --iommu --switch
try 'writes that do not arrive' 'does not arrive' --board peers=off
done_testing
