#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# The unmodified nfp driver of the distribution on the emulated card: one VM,
# guest/driver.sh in it, then what the card's counters and wire say.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

scripts/vm --no-nfp --no-module --pcap-out "$tmp/out.pcap" --stats "$tmp/stats.json" \
	--board-log "$tmp/board.log" -- bash selftests/board/guest/driver.sh \
	</dev/null >"$tmp/tap" 2>"$tmp/err"
status=$?
cat "$tmp/tap"
n=$(grep -c -e '^ok ' -e '^not ok ' "$tmp/tap")

# FIELD of frames matching FILTER, as tshark checks them, each value once.
shark() {
	tshark -n -r "$tmp/out.pcap" -o udp.check_checksum:TRUE -Y "$1" -T fields -e "$2" \
		2>/dev/null | sort -u
}
count() { tshark -n -r "$tmp/out.pcap" -Y "$1" 2>/dev/null | wc -l; }
stat() { python3 -c '
import json, sys
v = json.load(open(sys.argv[1]))
for k in sys.argv[2:]:
    v = v[int(k) if isinstance(v, list) else k]
print(v)' "$tmp/stats.json" "$@"; }

good_log() { ! grep -e warning -e error "$tmp/board.log"; }

check 'the guest ran to its end, its kernel log without a complaint' \
	eval "cat '$tmp/err'; test $status = 0"
check 'the card logged no warning' good_log
check '20 pings of 1000 bytes left the wire' test "$(count 'icmp.type == 8 && frame.len == 1042')" = 20
check 'UDP left with a right checksum' test "$(shark 'udp.dstport == 9' udp.checksum.status)" = 1
check 'every frame that left is in the capture' \
	test "$(count frame)" = "$(stat ports 0 tx_frames)"
check 'no DMA fault' test "$(stat dma faults)" = 0
check 'no access to what the card does not have' test "$(stat unsupported)" = 0
check 'no vNIC ring stopped' test "$(stat vnics 0 faults)$(stat vnics 1 faults)" = 00
check 'no interrupt was left behind' test "$(stat msix pending)" = 0
echo "1..$n"
