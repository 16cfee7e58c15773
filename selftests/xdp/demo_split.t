#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# `make demo-split`: the recorded capture through a firewall, of which one program is on the host.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/tap.sh

out=$(scripts/demo-split 2>&1)
ok $? "it ends well" "$out"
said() { # WORDS NAME
	[[ $out == *"$1"* ]]
	ok $? "$2" "$out"
}
said "limit            host    the card has no bpf_ktime_get_ns()" "the last program is the host's"
# Of the capture, 43 frames are of an address that is blocked, and 253 begin what is no service.
said "296 were dropped by the card: 39% did not reach the host" "the card drops"
said "472 came to the host: 459 that the card let in, 13 for the program on the host" "the host gets the rest"
done_testing
