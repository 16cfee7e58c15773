#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# `make demo-split`: a firewall with one program on the host handles the recorded capture.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/tap.sh

out=$(scripts/demo-split 2>&1)
ok $? "demo-split exits with 0" "$out"
said() { # WORDS NAME
	[[ $out == *"$1"* ]]
	ok $? "$2" "$out"
}
said "limit            host    the card has no bpf_ktime_get_ns()" "the last program runs on the host"
# 43 frames of the capture have a blocked address; 253 open connections to no service.
said "296 were dropped by the card: 39% did not reach the host" "the card drops 296 frames"
said "472 reached the host: 459 that the card passed, 13 for the program on the host" \
	"the host gets the others"
done_testing
