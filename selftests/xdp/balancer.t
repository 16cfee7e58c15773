#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# build: build/host/test/test_me_words
# The offloaded balancer of userspace/examples/xdp handles the recorded capture:
# each verdict and all maps are the same as on the host. One VM, with one CPU, so
# that a vNIC has one ring and the packets stay in order.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh

# The capture has 160 bytes of each frame. Some were captured on the sending host, before
# the MAC padded them: pad them with zeroes, as the receiver sees them.
python3 - "$tmp/in" <<'END' || exit
import capture, sys

frames = []
for f in capture.read(capture.REAL):
    length = max(f.length, 60)
    frames.append(f._replace(length=length, data=f.data.ljust(length, b"\0")))
capture.write(sys.argv[1], frames)
END

card_vm --cpus 1 --timeout 300 --board firmware=full --pcap-in "$tmp/in" --pcap-out "$tmp/out" \
	--board images="$tmp/images" -- \
	bash selftests/rig/guest/xdp.sh build/guest/test/xdp_balancer eth0 \
	build/guest/xdp/balancer.o "$tmp/in" "$tmp/sent" "$tmp/flows" || exit
card_quiet && card_images || exit
# The numbers of frames that arrived, that were sent back, and that the flow meter counted
numbers=$(python3 - "$tmp" <<'END'
import capture, json, sys

with open(f"{sys.argv[1]}/sent", encoding="ascii") as f:
    want = [bytes.fromhex(line) for line in f]
got = [f.data for f in capture.read(f"{sys.argv[1]}/out")]
if got != want:
    at = next((i for i, (g, w) in enumerate(zip(got, want)) if g != w), min(len(got), len(want)))
    sys.exit(f"balancer.t: {len(got)} frames left the card, the host's run sends {len(want)}; "
             f"the first difference is in {at}")
with open(f"{sys.argv[1]}/flows", encoding="utf-8") as f:
    flows = json.load(f)
print(len(capture.read(f"{sys.argv[1]}/in")), len(got), flows["packets"] + sum(flows["counters"].values()))
END
) || exit
read -r arrived sent met <<<"$numbers"
# The flow meter counts all frames except those that were dropped or sent back.
card_counts --say "{xdp.packets} packets, {xdp.instructions} instructions, $sent sent back" \
	"xdp.packets == $arrived" 'not xdp.faults' 'not xdp.tx_full' \
	"0 < $met == ports[0].rx_frames - bpf.events - $sent"
