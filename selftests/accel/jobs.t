#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12
# boot: --board chan=off --no-nfp --no-module --accel aes-gcm --accel classify
# Each accelerator alone, without an IOMMU.
echo 8 >/proc/sys/vm/nr_hugepages
exec build/guest/test/accel_jobs
