#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12
# Links between two cards below a switch that routes their writes by address, with an IOMMU above
# it. routes.ko does what QEMU's switch does not do.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cards 2 --board peers=on --iommu --switch -- sh -c '
	cd /sys/bus/pci/drivers/nfp && set -- 0000:* && cd - >/dev/null &&
	insmod build/guest/routes/routes.ko functions="$1,$2" &&
	build/guest/test/peer_api messages; status=$?
	rmmod routes && exit $status'
