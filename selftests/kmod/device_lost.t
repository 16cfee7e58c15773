#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# A device is removed that a card drives, and the card does not answer. The IOMMU keeps the card's
# writes from the device that is found again.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --iommu --board peers=on --board fault=off \
	--qemu -device --qemu pcie-root-port,id=rp,chassis=9,slot=9 --qemu -device --qemu edu,bus=rp \
	--known 'nfp .*' -- build/guest/test/device_lost
