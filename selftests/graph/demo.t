#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12
# build: fabric
# `make demo-chain`: encrypted images go through two accelerators that the card drives, and leave
# at the card's wire port. With an IOMMU they leave at the wire port of a second card.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/tap.sh

for how in "--cards 1" "--cards 2 --iommu"; do
	# shellcheck disable=SC2086 # options
	out=$(scripts/demo-chain $how --keys 2>&1)
	ok $? "$how: each image has its class, each tampered one is named" "$out"
	said() { # KEY VALUE NAME
		[[ $'\n'$out$'\n' == *$'\n'"$1 $2"$'\n'* ]]
		ok $? "$how: $3" "$out"
	}
	said images_equal_to_reference 1.0 "classes equal those of NumPy"
	said tampered_to_host 1.0 "all tampered images come to the host"
	# On a slow kernel images may come before the counters are read.
	[[ $out == *images_cpu_* ]] || { echo "# images came early"; continue; }
	said images_cpu_doorbells 0 "the CPU rings no doorbell"
	said images_cpu_interrupts 0 "and has no interrupt"
	said images_cpu_turns 0 "and the process that holds the graph does not run"
done
done_testing
