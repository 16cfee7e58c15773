#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 debug
# With an IOMMU, nobody gets the addresses that a card which does not answer may still use.
cd "$(dirname "$0")/../.." || exit 1
# The kernel may complain that mappings outlive a driver: that is what keeps the addresses.
exec scripts/vm --iommu --known ".*(pending DMA allocations|DMA-API: Mapped at:).*" --board fault=off --board ports=cable -- selftests/kmod/guest/fault.py "$@"
