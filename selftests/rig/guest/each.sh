#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Tests that share a boot, one after the other, for scripts/check-one: between lines that
# say where one begins and how it ended. The kernel's log has their names, too.
#
# usage: each.sh TEST...

# One that takes the card away need not bring it back.
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
