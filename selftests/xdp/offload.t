#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Offload to a card that runs the BPF application: one VM, guest/bpf.py in it.
# It fails as well when the card has something to complain about.
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
scripts/vm --timeout 600 --board ports=cable --board images="$tmp/images" \
	--board-log "$tmp/log" --stats "$tmp/stats" -- selftests/xdp/guest/bpf.py || {
	status=$?
	# Where a frame was lost, if one was
	sed 's/^/# /' "$tmp/stats"
	exit $status
}
if grep -e warning -e error "$tmp/log" >&2; then
	echo 'bpf.t: the card has warned' >&2
	exit 1
fi
selftests/rig/me-compare --jited "$tmp" <"$tmp/images" || exit
python3 - "$tmp/stats" <<'END'
import json, sys

with open(sys.argv[1], encoding="utf-8") as f:
    stats = json.load(f)
bpf, xdp = stats["bpf"], stats["xdp"]
bad = {k: bpf[k] for k in ("dropped", "events_lost", "faults", "loads_refused") if bpf[k]}
print(f"# {bpf['loads']} loads, {bpf['maps_made']} maps, {xdp['packets']} packets")
if bad or stats["dma"]["faults"] or not bpf["requests"] or not all(bpf["loads"]):
    sys.exit(f"bpf.t: the card has counted what should not be: {stats['dma']} {bpf}")
if xdp["faults"] or xdp["tx_full"] or not xdp["packets"]:
    sys.exit(f"bpf.t: the card has counted what should not be: {xdp}")
# bpftool shows what the kernel knows of; here is what the card was told.
if bpf["maps_made"] != bpf["maps_freed"] or bpf["maps"] or bpf["map_elements"]:
    sys.exit(f"bpf.t: maps were left in the card: {bpf}")
END
