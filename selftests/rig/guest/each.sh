#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Run tests one after the other in one VM. scripts/check-one starts this script. Print a line
# "@@ begin TEST" before each test, and a line "@@ end STATUS" after it. Write the names of tests to
# the kernel's log as well.
#
# usage: each.sh TEST...

# Bind nfp to the card, if the previous test has left the card without a driver.
bring_back() {
	local card

	[ ! -e /dev/nfp_chan0 ] || return 0
	for card in /sys/bus/pci/devices/*; do
		[ "$(<"$card/vendor")" != 0x19ee ] || [ -e "$card/driver" ] ||
			echo "${card##*/}" >/sys/bus/pci/drivers/nfp/bind
	done
	udevadm settle
}

for t; do
	bring_back
	echo "nfp-chan: test $t" >/dev/kmsg
	echo "@@ begin $t"
	timeout -s KILL $((200 * NFPCHAN_SLOW)) "$t"
	echo "@@ end $?"
done
