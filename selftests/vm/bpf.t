#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Offload to a card that runs the BPF application: one VM, guest/bpf.py in it.
# It fails as well when the card has something to complain about.
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
scripts/vm --timeout 200 --board images="$tmp/images" --board-log "$tmp/log" --stats "$tmp/stats" \
	--pcap-in selftests/data/real.pcap -- selftests/vm/guest/bpf.py || exit
if grep -e warning -e error "$tmp/log" >&2; then
	echo 'bpf.t: the card has warned' >&2
	exit 1
fi
selftests/me-compare --jited "$tmp" <"$tmp/images" || exit
python3 - "$tmp/stats" <<'END'
import json, sys

with open(sys.argv[1], encoding="utf-8") as f:
    stats = json.load(f)
bpf = stats["bpf"]
bad = {k: bpf[k] for k in ("dropped", "events_lost", "faults", "loads_refused") if bpf[k]}
if bad or stats["dma"]["faults"] or not bpf["requests"] or not all(bpf["loads"]):
    sys.exit(f"bpf.t: the card has counted what should not be: {stats['dma']} {bpf}")
END
