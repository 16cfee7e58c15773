#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7
# Which PCI functions DEVICE takes: BARs without an address, BARs that share a page, a virtual
# function, a function that is asleep, and none if the kernel is locked down.
cd "$(dirname "$0")/../.." || exit 1
# The class of the card and of the accelerator is 0.
set -- -global vfio-user-pci.x-pci-class-code=0 \
	-device pcie-root-port,id=rp,chassis=9,slot=9 -device igb,bus=rp -device edu
for n in 1 2; do
	set -- "$@" -object "memory-backend-ram,id=mem$n,size=1M,share=on" \
		-device "ivshmem-plain,memdev=mem$n"
done
for argument; do
	shift
	set -- "$@" --qemu "$argument"
done
exec scripts/vm --accel aes-gcm "$@" -- sh -c "modprobe igb && exec build/guest/test/device_bars"
