#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Run LOOPS + 1 times, by as many boots of one machine: those with an odd number end in a
# reset, the others in another kernel that starts at once, and the last by itself. Each
# finds the card as it must be.
#
# usage: storm_boot.sh FILE LOOPS: where the number of boots is kept
last=$(($2 + 1))
boot=$(($(<"$1") + 1))
echo "$boot" >"$1"

# The channels of a card that another kernel has used before
if ! build/guest/test/storm_chan kill 1 >/tmp/log; then
	sed 's/^/# /' /tmp/log
	echo "not ok $boot - boot $boot: channels work"
	exit 1
fi
echo "ok $boot - boot $boot: channels work"
if [ "$boot" = "$last" ]; then
	echo "1..$last"
	exit 0
fi
if [ $((boot % 2)) = 1 ]; then
	build/guest/test/storm_boot restart >/tmp/log
else
	for name in kernel initrd; do
		mkdir -p "/run/boot/$name"
		mount -t 9p -o trans=virtio,version=9p2000.L,ro "$name" "/run/boot/$name"
	done
	build/guest/test/storm_boot kexec "/run/boot/kernel/boot/vmlinuz-$(uname -r)" \
		/run/boot/initrd/initrd >/tmp/log
fi
sed 's/^/# /' /tmp/log
echo "Bail out! boot $boot did not end"
exit 1
