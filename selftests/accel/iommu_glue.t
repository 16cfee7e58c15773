#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12
# boot: --board peers=on --iommu --accel aes-gcm --accel classify
# glue.t with an IOMMU: the card and both accelerators have their own DMA mappings.
. selftests/rig/tap.sh
modprobe vfio-pci || exit 1
subtest images build/guest/test/glue_images
for t in killed removed closed-first closed-last detached; do
	subtest $t build/guest/test/glue_ends $t
done
done_testing
