#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12
# boot: --no-board --no-nfp --no-module --iommu --accel aes-gcm --accel classify
# Two accelerators with vfio-pci and an IOMMU; the first rings the doorbell of the second.
modprobe vfio-pci || exit 1
exec build/guest/test/accel_chain
