#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# The data path of the vNICs with the unmodified nfp driver: one VM whose card
# has its ports joined by a cable, guest/vnic.sh in it, then what the card
# counted. SOAK=60 makes the soak that many seconds long (3).

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

soak=${SOAK:-3}
scripts/vm --timeout $((900 + 3 * soak)) --board ports=cable --stats "$tmp/stats.json" \
	--board-log "$tmp/board.log" -- bash selftests/board/guest/vnic.sh "$soak" \
	</dev/null 2>"$tmp/err" | tee "$tmp/tap"
status=${PIPESTATUS[0]}
n=$(grep -c -e '^ok ' -e '^not ok ' "$tmp/tap")

# Frames are either where they were sent or in a counter that says why not.
stats() { python3 -c '
import json, sys
s = json.load(open(sys.argv[1]))
p, v = s["ports"], s["vnics"]
print(*p, *v, sep="\n")
ok = {
    "cable": all(p[i]["tx_frames"] == p[i]["wire_lost"] + sum(
        p[1 - i][k] for k in ("rx_frames", "rx_no_firmware", "rx_no_link", "rx_too_long"))
                 for i in (0, 1)),
    "host": all(p[i]["rx_frames"] == sum(
        v[i][k] for k in ("rx_given", "rx_filtered", "rx_off", "rx_errors", "rx_discards"))
                for i in (0, 1)),
    "rings": v[0]["faults"] + v[1]["faults"] + s["dma"]["faults"] == 0,
    "irqs": s["msix"]["pending"] == 0,
    "access": s["unsupported"] == 0,
}
sys.exit(not ok[sys.argv[2]])' "$tmp/stats.json" "$1"; }

good_log() { ! grep -e warning -e error "$tmp/board.log"; }

check 'the guest ran to its end, its kernel log without a complaint' \
	eval "cat '$tmp/err'; test $status = 0"
check 'the card logged no warning' good_log
check 'every frame that left one port arrived at the other, or is counted' stats cable
check 'every frame that arrived was given to the host, or is counted' stats host
check 'no ring stopped, no DMA fault' stats rings
check 'no interrupt was left behind' stats irqs
check 'no access to what the card does not have' stats access
echo "1..$n"
