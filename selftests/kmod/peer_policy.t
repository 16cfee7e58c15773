#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 7
# Writes to another card or to a device follow the kernel's policy (CONFIG_PCI_P2PDMA). It allows
# them below a common switch, and otherwise if it trusts the host bridge or the CPU to forward them.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/tap.sh
old=(--qemu -cpu --qemu "max,-erms,-fsrm,family=15")
try() { # NAME COMMAND ARGUMENT...
	local name=$1 command=$2

	shift 2
	subtest "$name" scripts/vm --kernel 7 --cards 2 --board peers=on "$@" -- bash -c ". selftests/rig/tap.sh
		$command
		done_testing"
}
try 'neither the host bridge nor the CPU is trusted' '
	subtest card build/guest/test/peer_api unreachable
	dmesg | grep -q "the kernel does not allow writes to 0000:[0-9a-f:.]*: no common switch"
	ok $? "the log says who refuses" "$(dmesg | tail -5)"
	subtest device build/guest/test/device_bars policy' "${old[@]}" --qemu -device --qemu edu
try 'a common switch' 'subtest card build/guest/test/peer_api messages' "${old[@]}" --switch
try 'a CPU that is trusted' 'subtest card build/guest/test/peer_api messages'
done_testing
