#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The kernel module in the guest: load and unload, permissions, and the test programs of this
# folder. Prints TAP; run by selftests/kmod/module.t.
set -u
shopt -s nullglob

bin=build/guest/test
ko=/tmp/nfp_chan.ko
pci=$(basename "$(readlink -f /sys/class/nfp_chan/nfp_chan0/device)")
state=
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh

# Run a test program as one test, and kill it after a time limit.
program() { # NAME ARGUMENT...
	subtest "$*" timeout -s KILL $((100 * NFPCHAN_SLOW)) "$bin/$1" "${@:2}"
}

# Set $state to the resources that the module holds: interrupts, vectors, class devices, nodes.
# Use shell builtins only, because processes start slowly in the VM.
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

# Strip the module: reading its debug information over 9p would take most of the test's time.
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
same "20 times unloaded and loaded: all resources are released, and are there again" \
	"$i $state" "20 $with"

udevadm settle
same "the node belongs to the group nfpchan" "$(stat -c '%U %G %a' /dev/nfp_chan0)" "root nfpchan 660"
su tester -c 'exec 3</dev/nfp_chan0' 2>/tmp/err
grep -q 'Permission denied' /tmp/err
ok $? "a user outside of the group gets EACCES"
su -g nfpchan tester -c 'exec 3<>/dev/nfp_chan0' 2>/tmp/err
ok $? "a user in the group opens the node"

exec 3<>/dev/nfp_chan0
rmmod nfp_chan 2>/tmp/err
grep -q 'in use' /tmp/err
ok $? "the module is not unloaded while the node is open"
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
same "the module holds the same resources as before these tests" "$state" "$with"

subtest "control blocks that no firmware should write" \
	timeout -s KILL $((400 * NFPCHAN_SLOW)) selftests/kmod/guest/control_block.py

# Unload and load both modules in each order.
rmmod nfp && rmmod nfp_chan && modprobe nfp && rmmod nfp && insmod "$ko" && modprobe nfp
ok $? "nfp and nfp_chan load and unload in any order"
holds
same "the card is attached again" "$state" "$with"
netdevs=("/sys/bus/pci/devices/$pci/net"/*)
ip link set dev "${netdevs[0]##*/}" up
ip netns add other
ip link set dev "${netdevs[0]##*/}" netns other
[ -e /dev/nfp_chan0 ]
ok $? "the card stays attached when its netdev moves to another network namespace"
ip netns del other
done_testing
