#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12
# boot: --no-board --no-nfp --no-module --iommu --accel aes-gcm --accel classify
# Each accelerator alone, with vfio-pci and an IOMMU.
modprobe vfio-pci || exit 1
exec build/guest/test/accel_jobs
