#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The kernel module in the guest: load and unload, permissions, and what the
# test programs beside this script say. Prints TAP; run by selftests/kmod/module.t.
set -u
shopt -s nullglob

bin=build/guest/test
ko=/tmp/nfp_chan.ko
pci=$(basename "$(readlink -f /sys/class/nfp_chan/nfp_chan0/device)")
state=
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh

program() { # NAME ARGUMENT...
	subtest "$*" timeout -s KILL $((100 * NFPCHAN_SLOW)) "$bin/$1" "${@:2}"
}

# What the module has of the system: vectors, interrupts, node, class.
# Without a process: each takes long to start here.
holds() {
	local irqs line count=0 f=() all=""

	mapfile -t irqs </proc/interrupts
	for line in "${irqs[@]}"; do
		[[ $line != *nfp_chan* ]] || count=$((count + 1))
	done
	for line in "/sys/bus/pci/devices/$pci/msi_irqs" /sys/class/nfp_chan /proc/irq; do
		f=("$line"/*)
		all+=" ${#f[@]}"
	done
	f=(/dev/nfp_chan*)
	state="$count$all ${#f[@]}"
}

# Over 9p its debug information takes longer than all the rest.
strip --strip-debug -o "$ko" build/guest/kmod/nfp_chan.ko
rmmod nfp_chan
holds; without=$state
insmod "$ko"
holds; with=$state
for i in $(seq 20); do
	rmmod nfp_chan || break
	holds
	[ "$state" = "$without" ] || break
	insmod "$ko" || break
	holds
	[ "$state" = "$with" ] || break
	[ "$i" = 20 ] && break
done
holds
same "20 times unloaded and loaded, nothing left behind, all there again" \
	"$i $state" "20 $with"

udevadm settle
same "the node is the group's" "$(stat -c '%U %G %a' /dev/nfp_chan0)" "root nfpchan 660"
su tester -c 'exec 3</dev/nfp_chan0' 2>/tmp/err
grep -q 'Permission denied' /tmp/err
ok $? "a user outside of the group gets EACCES"
su -g nfpchan tester -c 'exec 3<>/dev/nfp_chan0' 2>/tmp/err
ok $? "one with the group opens it"

exec 3<>/dev/nfp_chan0
rmmod nfp_chan 2>/tmp/err
grep -q 'in use' /tmp/err
ok $? "an open node holds the module"
exec 3>&-

program ioctl_errors
program pipe_io
program ioctl_32
program detach unbind
program detach rmmod
program uffd
program pair_api
echo "$pci" >/sys/bus/pci/drivers/nfp/bind
holds
same "nothing left behind by all that" "$state" "$with"

subtest "control blocks that no firmware should write" \
	timeout -s KILL $((400 * NFPCHAN_SLOW)) selftests/kmod/guest/control_block.py

# The other order: nfp first, then the module, then nfp without it.
rmmod nfp && rmmod nfp_chan && modprobe nfp && rmmod nfp && insmod "$ko" && modprobe nfp
ok $? "both modules in any order"
holds
same "the card is attached again" "$state" "$with"
netdevs=("/sys/bus/pci/devices/$pci/net"/*)
ip link set dev "${netdevs[0]##*/}" up
ip netns add other
ip link set dev "${netdevs[0]##*/}" netns other
[ -e /dev/nfp_chan0 ]
ok $? "a netdev moves to another namespace: still attached"
ip netns del other
done_testing
