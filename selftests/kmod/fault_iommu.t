#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 debug
# Memory in the hands of a card that does not answer, where an IOMMU stops the card.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --iommu --board fault=off --board ports=cable -- selftests/kmod/guest/fault.py "$@"
