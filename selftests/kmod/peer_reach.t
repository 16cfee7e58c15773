#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# If two cards cannot write to each other, no link is made, and the kernel's log says why.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/tap.sh
# Run peer_api in a VM, and then look for TEXT in the guest's kernel log.
try() { # NAME TEXT ARGUMENT...
	local name=$1 text=$2

	shift 2
	subtest "$name" scripts/vm --cards 2 "$@" -- bash -c ". selftests/rig/tap.sh
		subtest links build/guest/test/peer_api unreachable
		dmesg | grep -q '$text'; ok \$? 'the log says: $text' \"\$(dmesg | tail -5)\"
		done_testing"
}
# QEMU sends also the writes that the switch would route itself to the IOMMU, which refuses them.
try 'a switch that does not send requests to the IOMMU' 'no link with 0000:[0-9a-f:.]*: the card cannot' \
	--known 'DMAR.*' --board peers=on --iommu --switch
try 'writes to the other card do not arrive' 'no link with 0000:[0-9a-f:.]*: the card cannot' \
	--board peers=off
done_testing
