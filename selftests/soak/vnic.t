#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The data path of the vNICs with the unmodified nfp driver: one VM whose card
# has its ports joined by a cable, guest/vnic.sh in it, then what the card
# counted. SOAK=60 makes the soak that many seconds long (4).

set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

scripts/vm --timeout $((500 + ${SOAK:-4})) --board ports=cable --stats "$tmp/stats.json" --board-log "$tmp/board.log" \
	-- bash selftests/vm/guest/vnic.sh "${SOAK:-4}" </dev/null >"$tmp/tap" 2>"$tmp/err"
status=$?
cat "$tmp/tap"
n=$(grep -c -e '^ok ' -e '^not ok ' "$tmp/tap")

check() { # NAME, COMMAND...
	local name=$1 out

	n=$((n + 1))
	shift
	if out=$("$@" 2>&1); then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		printf '%s\n' "$*" "$out" | sed 's/^/# /'
	fi
}

stats() { python3 -c '
import json, sys
s = json.load(open(sys.argv[1]))
p, v = s["ports"], s["vnics"]
print(p)
ok = {
    "cable": all(p[i]["tx_frames"] == p[1 - i]["rx_frames"] + p[1 - i]["rx_no_firmware"] +
                 p[1 - i]["rx_no_link"] + p[1 - i]["rx_too_long"] for i in (0, 1)),
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
check 'no ring stopped, no DMA fault' stats rings
check 'no interrupt was left behind' stats irqs
check 'no access to what the card does not have' stats access
echo "1..$n"
