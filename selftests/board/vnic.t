#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm long
# Test the data path of the vNICs with the unmodified nfp driver. A cable joins the two ports of
# the VM's card. guest/vnic.sh runs in the VM; afterwards this script checks the card's counters.
# SOAK=60 makes the soak test 60 seconds long (default 3). FIRMWARE=full: the same with that firmware,
# as in vnic_full.t.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
# shellcheck source=selftests/rig/card.sh
. selftests/rig/card.sh

soak=${SOAK:-3}
card_vm --timeout $((900 + 3 * soak)) --board "firmware=${FIRMWARE:-public}" --board ports=cable -- \
	bash selftests/board/guest/vnic.sh "$soak" </dev/null 2>"$tmp/err" | tee "$tmp/tap"
status=${PIPESTATUS[0]}
n=$(grep -c -e '^ok ' -e '^not ok ' "$tmp/tap")

# Check condition $1 for each port p. q is the port at the other end of the cable, v the vNIC of p.
each() { card_counts "all($1 for p, q, v in zip(ports, ports[::-1], vnics))"; }

check 'the guest script succeeded' \
	eval "cat '$tmp/err'; test $status = 0"
check 'the card logged no warning' card_quiet
check 'every frame that left one port arrived at the other port, or a counter has it' \
	each 'p.tx_frames == p.wire_lost + q.rx_frames + q.rx_no_firmware + q.rx_no_link + q.rx_too_long'
check 'every frame that arrived was given to the host, or a counter has it' \
	each 'p.rx_frames == v.rx_given + v.rx_filtered + v.rx_off + v.rx_errors + v.rx_discards'
check 'no vNIC ring stopped, and no DMA failed' \
	card_counts 'not vnics[0].faults' 'not vnics[1].faults' 'not dma.faults'
check 'no interrupt is pending at the end' card_counts 'msix.pending == 0'
check 'no access was to a register or memory that the card does not have' \
	card_counts 'unsupported == 0'
done_testing
