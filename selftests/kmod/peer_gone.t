#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Links between two cards. One card is lost in mid-stream. Another card writes to its peer after
# the link is down, and the IOMMU refuses these writes. Cards do not confirm the end of a link: then
# the kernel may complain that mappings outlive a driver, which keeps their addresses.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cards 2 --board peers=on --board fault=off --iommu \
	--known '(nfp|DMAR|pending DMA allocations|DMA-API: Mapped at:).*' -- bash -c '. selftests/rig/tap.sh
	subtest late build/guest/test/peer_end late
	dmesg | grep -q "DMAR: \[DMA Write.*fault addr"; ok $? "the IOMMU has refused the late write" "$(dmesg | tail -5)"
	subtest gone build/guest/test/peer_end gone
	subtest state build/guest/test/peer_state
	done_testing'
