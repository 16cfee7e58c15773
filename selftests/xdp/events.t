#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Events of offloaded programs in channels: one VM with two cards, in it
# guest/xdp_hook.c; one CPU, so that a perf ring keeps the order. It fails as well
# when a card has something to complain about.
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
scripts/vm --cpus 1 --timeout 300 --cards 2 --board ports=cable --board-log "$tmp/log" \
	--stats "$tmp/stats" -- bash selftests/rig/guest/xdp.sh \
	build/guest/test/xdp_hook eth0 eth1 eth2 || exit
if grep -e warning -e error "$tmp/log" "$tmp/log.2" >&2; then
	echo 'hooks.t: a card has warned' >&2
	exit 1
fi
python3 - "$tmp/stats" <<'END'
import json, sys

with open(sys.argv[1], encoding="utf-8") as f:
    stats = json.load(f)
xdp = stats["xdp"]
print(f"# {xdp['events']} events for channels, {stats['bpf']['events']} the stock way")
if not xdp["events"] or xdp["faults"] or stats["bpf"]["events_lost"]:
    sys.exit(f"hooks.t: the card has counted what should not be: {xdp} {stats['bpf']}")
END
