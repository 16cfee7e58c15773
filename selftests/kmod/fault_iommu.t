#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 debug
# With an IOMMU, memory of a card that does not answer can be freed: the IOMMU stops its writes.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --iommu --board fault=off --board ports=cable -- selftests/kmod/guest/fault.py "$@"
