#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Test the distribution's unmodified nfp driver on the emulated card. guest/driver.sh runs in a VM;
# afterwards this script checks the card's counters and the capture of its wire.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
# shellcheck source=selftests/rig/card.sh
. selftests/rig/card.sh

card_vm --no-nfp --no-module --pcap-out "$tmp/out.pcap" -- \
	bash selftests/board/guest/driver.sh </dev/null >"$tmp/tap" 2>"$tmp/err"
status=$?
cat "$tmp/tap"
n=$(grep -c -e '^ok ' -e '^not ok ' "$tmp/tap")

# shark FILTER FIELD: print the values of FIELD in the frames that match FILTER, each value once.
# tshark also verifies UDP checksums.
shark() {
	tshark -n -r "$tmp/out.pcap" -o udp.check_checksum:TRUE -Y "$1" -T fields -e "$2" \
		2>/dev/null | sort -u
}
count() { tshark -n -r "$tmp/out.pcap" -Y "$1" 2>/dev/null | wc -l; }

check 'the guest script succeeded' \
	eval "cat '$tmp/err'; test $status = 0"
check 'the card logged no warning' card_quiet
check '20 pings of 1000 bytes left the wire' test "$(count 'icmp.type == 8 && frame.len == 1042')" = 20
check 'the UDP datagram on the wire has a correct checksum' \
	test "$(shark 'udp.dstport == 9' udp.checksum.status)" = 1
check 'every frame that left is in the capture' \
	card_counts "ports[0].tx_frames == $(count frame)"
check 'no DMA fault' card_counts 'dma.faults == 0'
check 'no access was to a register or memory that the card does not have' \
	card_counts 'unsupported == 0'
check 'no vNIC ring stopped' card_counts 'vnics[0].faults == vnics[1].faults == 0'
check 'no interrupt is pending at the end' card_counts 'msix.pending == 0'
done_testing
