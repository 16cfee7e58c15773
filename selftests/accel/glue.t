#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12
# boot: --board peers=on --accel aes-gcm --accel classify
# The card drives two accelerators without the CPU.
echo 16 >/proc/sys/vm/nr_hugepages
exec build/guest/test/glue_images
