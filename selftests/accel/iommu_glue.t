#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12
# boot: --board peers=on --iommu --accel aes-gcm --accel classify
# The card drives two accelerators without the CPU, and an IOMMU is between all of them.
modprobe vfio-pci || exit 1
exec build/guest/test/glue_images
