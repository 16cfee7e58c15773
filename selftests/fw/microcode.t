#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host ncl
# build: me-image build/host/test/test_capitals build/host/test/test_pit build/host/test/test_chan_stress build/host/test/test_chan_fw build/host/test/test_chan_data build/host/test/test_chan_gather build/host/test/test_chan_hostile build/host/test/test_chan_irq build/host/test/test_chan_link build/host/test/test_chan_race build/host/test/test_chan_route
# The firmware's unit tests, on a card whose file has the ME processes echo, capitals and those of
# selftests/fw/apps as microcode. The managers are host code, as on any emulated card. The results are
# the same as without the file.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh

tmp=$(mktemp -d build/microcode.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
if ! base=$(scripts/setup --print firmware 2>"$tmp/why"); then
	echo "1..0 # SKIP no package firmware-netronome: $(grep -m1 '^[EW]:' "$tmp/why")"
	exit 0
fi

# unit TEST FILE: run a compiled test with a card that has this firmware file
unit() { NFPCHAN_FIRMWARE=$2 "build/host/test/$1"; }
fails() { ! unit "$@" >"$tmp/out" 2>&1 || { cat "$tmp/out"; return 1; }; }
graft() { # OUTPUT ARGUMENT...
	build/host/bin/nfpchan firmware graft --base "$base/bpf/nic_AMDA0099-0001_2x25.nffw" --output "$@"
}

for t in capitals pit chan_stress chan_fw chan_data chan_gather chan_hostile chan_irq chan_link chan_race chan_route; do
	check "$t" unit "test_$t" build/me/card.nffw
done

# The answers come from the microcode: without it there are none.
check "a file with the two microengines idle" \
	graft "$tmp/idle.nffw" --idle i35.me1 --idle i35.me2
check "on it, capitals does not answer" fails test_capitals "$tmp/idle.nffw"

# A process that was compiled for other channels does not begin.
check "a table of other channels" scripts/chantab --out "$tmp/table" fw/apps/*.chan \
	selftests/fw/apps/capitals.chan
check "capitals, compiled with it" scripts/firmware --table "$tmp/table" selftests/fw/apps/capitals.c \
	"$tmp/capitals.o"
check "its file" graft "$tmp/other.nffw" "$tmp/capitals.o"
check "it does not answer managers with another table" fails test_capitals "$tmp/other.nffw"
done_testing
