#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Messages leave at a wire port. A message of the host leaves unchanged. A message of an ME process
# gets a header, in which the card counts the messages.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh

card_vm --pcap-out "$tmp/out" -- selftests/graph/guest/wire.py "$tmp/sent" || exit
card_quiet || exit
python3 - "$tmp" <<'END' || exit
import capture, sys

with open(f"{sys.argv[1]}/sent", encoding="ascii") as f:
    want = [bytes.fromhex(line).ljust(60, b"\0") for line in f]
got = [f.data for f in capture.read(f"{sys.argv[1]}/out")]
at = next((i for i, (g, w) in enumerate(zip(got, want)) if g != w), min(len(got), len(want)))
if got != want:
    sys.exit(f"wire.t: {len(got)} frames left the card, {len(want)} were sent; the first difference is in {at}")
print(f"# {len(got)} frames in order")
END
card_counts 'ports[0].tx_frames == 600' 'ports[1].tx_frames == 3' 'not tlp.vnic.dev_nonposted'
