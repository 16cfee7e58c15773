#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12
# boot: --board chan=off --no-nfp --no-module --accel aes-gcm --accel classify
# An accelerator writes its completions and its output to the card.
echo 8 >/proc/sys/vm/nr_hugepages
exec build/guest/test/accel_card
