#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# boot: --board peers=on --accel aes-gcm --accel classify
# The card drives two accelerators without the CPU. Also with a process, a device or the card that
# is removed during the traffic.
. selftests/rig/tap.sh
echo 16 >/proc/sys/vm/nr_hugepages
subtest images build/guest/test/glue_images
for t in killed removed closed-first closed-last detached; do
	subtest $t build/guest/test/glue_ends $t
done
done_testing
