#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# One boot of LOOPS + 1 boots of one machine. Boots with an odd number end in a reset, the others
# start another kernel by kexec, and the last boot ends normally. Each must find the card in order.
#
# usage: storm_boot.sh FILE LOOPS
# FILE keeps the number of boots, FILE.line the kernel command line of the first boot.
last=$(($2 + 1))
boot=$(($(<"$1") + 1))
echo "$boot" >"$1"

# Each boot must have the first one's command line, after a reset and after kexec.
line=$(</proc/cmdline)
[ "$boot" != 1 ] || echo "$line" >"$1.line"
if [ "$line" != "$(<"$1.line")" ]; then
	echo "Bail out! boot $boot has another command line: $line"
	exit 1
fi

# Check how this boot was started. A kernel that kexec started and that died early would end in a
# reset, and the boot after the reset would pass for it. 13 is kexec in Linux's boot protocol.
loader=$(($(</proc/sys/kernel/bootloader_type) >> 4))
if [ $((boot > 1 && boot % 2)) != $((loader == 13)) ]; then
	echo "Bail out! boot $boot was started by loader $loader"
	exit 1
fi

storm=build/guest/test/storm_boot
if [ "$boot" = "$last" ]; then
	exec "$storm" "$boot" stay
elif [ $((boot % 2)) = 1 ]; then
	"$storm" "$boot" restart
else
	# Mount with a cache: without it 9p reads a megabyte a second.
	b=/run/initrd/busybox
	$b mkdir -p /run/boot/kernel /run/boot/initrd
	for name in kernel initrd; do
		$b mount -t 9p -o "ro,trans=virtio,version=9p2000.L,msize=512000,cache=loose" \
			"$name" "/run/boot/$name"
	done
	"$storm" "$boot" kexec "/run/boot/kernel/boot/vmlinuz-$(uname -r)" \
		/run/boot/initrd/initrd
fi
echo "Bail out! boot $boot did not end"
exit 1
