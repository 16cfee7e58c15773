#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# If two cards cannot write to each other, no link is made, and the kernel's log says why.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/tap.sh
# Run PROGRAM in a VM, and then look for TEXT in the guest's kernel log.
try() { # NAME PROGRAM TEXT ARGUMENT...
	local name=$1 program=$2 text="no link with 0000:[0-9a-f:.]*: the card $3"

	shift 3
	subtest "$name" scripts/vm --cards 2 "$@" -- bash -c ". selftests/rig/tap.sh
		subtest links build/guest/test/$program
		dmesg | grep -q '$text'; ok \$? 'the log says: $text' \"\$(dmesg | tail -5)\"
		done_testing"
}
# QEMU sends also the writes that the switch would route itself to the IOMMU, which refuses them.
try 'a switch that does not send requests to the IOMMU' 'peer_api unreachable' \
	'cannot ring the doorbell (0x' --known 'DMAR.*' --board peers=on --iommu --switch
try 'writes to the other card do not arrive' 'peer_api unreachable' \
	'cannot ring the doorbell (0x' --board peers=off
# The address is one of memory, which is below 2 GiB, and not one of a doorbell.
try 'the other card does not see a write to host memory' 'peer_state unseen' \
	'does not see what the other card has written to host memory (0x[0-7]\?[0-9a-f]\{1,7\})' \
	--board peers=on --board fault=off
done_testing
