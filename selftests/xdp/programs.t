#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Each program of selftests/xdp/programs, offloaded and on the host: one VM, with one
# CPU, so that a vNIC has one ring and packets stay in order.
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# bpf.t has what must not load, and what only a card takes: the choice of a queue.
objects=$(for f in selftests/xdp/programs/*.c; do
	name=$(basename "$f" .c)
	case $name in bad_helper | too_long | move) ;; *) echo "build/guest/xdp/$name.o" ;; esac
done)
# Where the kernel has UBSAN it tells of known_call_byte.c (KNOWN.rst).
# shellcheck disable=SC2086
scripts/vm --cpus 1 --timeout 300 --board ports=cable --board images="$tmp/images" \
	--known 'UBSAN: shift-out-of-bounds in .*/nfp/bpf/jit\.c:' \
	--board-log "$tmp/log" --stats "$tmp/stats" -- bash selftests/rig/guest/xdp.sh \
	build/guest/test/xdp_diff eth0 eth1 $objects || exit
# known_head_unchecked.c makes it warn, once, and aborts each of 48 packets.
if grep -e warning -e error "$tmp/log" | grep -v 'program: packet moved out' >&2; then
	echo 'xdp.t: the card has warned' >&2
	exit 1
fi
selftests/rig/me-compare --jited "$tmp" <"$tmp/images" || exit
echo "# $(wc -l <"$tmp/words") different words of $(grep -c '^#' "$tmp/images") images, each as binutils has it"
python3 - "$tmp/stats" <<'END'
import json, sys

with open(sys.argv[1], encoding="utf-8") as f:
    xdp = json.load(f)["xdp"]
print(f"# {xdp['packets']} packets, {xdp['instructions']} instructions")
if not xdp["packets"] or xdp["faults"] != 48 or xdp["tx_full"]:
    sys.exit(f"xdp.t: the card has counted what should not be: {xdp}")
END
