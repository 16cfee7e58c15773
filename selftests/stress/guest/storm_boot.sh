#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Run LOOPS + 1 times, by as many boots of one machine: those with an odd number end in a
# reset, the others in another kernel that starts at once, and the last by itself. Each
# finds the card as it must be.
#
# usage: storm_boot.sh FILE LOOPS: where the number of boots is kept, and the command line
# of the first one, in FILE.line
last=$(($2 + 1))
boot=$(($(<"$1") + 1))
echo "$boot" >"$1"

# A reset keeps it, and kexec takes what storm_boot gives it.
line=$(</proc/cmdline)
[ "$boot" != 1 ] || echo "$line" >"$1.line"
if [ "$line" != "$(<"$1.line")" ]; then
	echo "Bail out! boot $boot has another command line: $line"
	exit 1
fi

# One that kexec has started and that died before it could say so would be reset, and
# pass for the one that follows. 13 is kexec in Linux's boot protocol.
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
	# Past the page cache, 9p moves a megabyte in a second.
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
