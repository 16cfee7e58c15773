#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12
# boot: --no-board --no-nfp --no-module --iommu --accel aes-gcm --accel classify
# Each accelerator by itself, by vfio-pci.
modprobe vfio-pci || exit 1
exec build/guest/test/accel_jobs
