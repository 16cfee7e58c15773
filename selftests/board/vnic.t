#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm long
# The data path of the vNICs with the unmodified nfp driver: one VM whose card
# has its ports joined by a cable, guest/vnic.sh in it, then what the card
# counted. SOAK=60 makes the soak that many seconds long (3).

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
# shellcheck source=selftests/rig/card.sh
. selftests/rig/card.sh

soak=${SOAK:-3}
card_vm --timeout $((900 + 3 * soak)) --board ports=cable -- \
	bash selftests/board/guest/vnic.sh "$soak" </dev/null 2>"$tmp/err" | tee "$tmp/tap"
status=${PIPESTATUS[0]}
n=$(grep -c -e '^ok ' -e '^not ok ' "$tmp/tap")

# Frames are either where they were sent or in a counter that says why not.
each() { card_counts "all($1 for p, q, v in zip(ports, ports[::-1], vnics))"; }

check 'the guest ran to its end, its kernel log without a complaint' \
	eval "cat '$tmp/err'; test $status = 0"
check 'the card logged no warning' card_quiet
check 'every frame that left one port arrived at the other, or is counted' \
	each 'p.tx_frames == p.wire_lost + q.rx_frames + q.rx_no_firmware + q.rx_no_link + q.rx_too_long'
check 'every frame that arrived was given to the host, or is counted' \
	each 'p.rx_frames == v.rx_given + v.rx_filtered + v.rx_off + v.rx_errors + v.rx_discards'
check 'no ring stopped, no DMA fault' \
	card_counts 'not vnics[0].faults' 'not vnics[1].faults' 'not dma.faults'
check 'no interrupt was left behind' card_counts 'msix.pending == 0'
check 'no access to what the card does not have' card_counts 'unsupported == 0'
done_testing
