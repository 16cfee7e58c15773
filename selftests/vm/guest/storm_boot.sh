#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Run three times, by three boots of one machine: the first ends in a reset, the
# second in another kernel that starts at once. Each finds the card as it must be.
#
# usage: storm_boot.sh FILE: where the number of boots is kept
boot=$(($(<"$1") + 1))
echo "$boot" >"$1"

# The channels of a card that another kernel has used before
if ! build/guest/test/storm_chan kill 1 >/tmp/log; then
	sed 's/^/# /' /tmp/log
	echo "not ok $boot - boot $boot: channels work"
	exit 1
fi
echo "ok $boot - boot $boot: channels work"
case $boot in
1) build/guest/test/storm_boot restart >/tmp/log ;;
2)
	for name in kernel initrd; do
		mkdir -p "/run/boot/$name"
		mount -t 9p -o trans=virtio,version=9p2000.L,ro "$name" "/run/boot/$name"
	done
	build/guest/test/storm_boot kexec "/run/boot/kernel/boot/vmlinuz-$(uname -r)" \
		/run/boot/initrd/initrd >/tmp/log
	;;
3)
	echo 1..3
	exit 0 ;;
esac
sed 's/^/# /' /tmp/log
echo "Bail out! boot $boot did not end"
exit 1
