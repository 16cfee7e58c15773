#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Test the stock nfp driver on the emulated card. selftests/board/driver.t runs this script in a VM
# in which nfp is not loaded yet. The script prints TAP lines without a plan.

set -u
# shellcheck source=selftests/rig/guest/kernel.sh
. "$(dirname "$0")/../../rig/guest/kernel.sh"
# shellcheck source=selftests/rig/tap.sh
. "$(dirname "$0")/../../rig/tap.sh"
kernel=$(uname -r)
ports=(eth0 eth1)

has() { # COMMAND... -- TEXT: its output has the text
	local cmd=() out

	while [ "$1" != -- ]; do cmd+=("$1"); shift; done
	out=$("${cmd[@]}" 2>&1) || { echo "$out"; return 1; }
	[[ $out == *"$2"* ]] || { echo "$out"; return 1; }
}

# Fail if the kernel log has a message of level notice or worse after the marker, from any part of
# the kernel. Expected messages are: missing firmware files (the card has its firmware in flash),
# a slow emulator, and the resets that the PCI core logs since 6.13 if a driver has no reset handler
# (nfp has none).
complaints() {
	local log expected=(-e ' firmware: failed to load ' -e ' hrtimer: interrupt took '
		-e " nfp [0-9a-f:.]*: reset\(ting\| done\)$")

	! small_frags || expected+=(-e ' nfp .* eth0: Failed to alloc receive page frag$')
	log=$(dmesg --level=emerg,alert,crit,err,warn,notice | sed '1,/driver.sh: start/d' |
		grep -v "${expected[@]}")
	[ -z "$log" ] || { echo "$log"; return 1; }
}

two_ports() {
	local p

	for p in "${ports[@]}"; do
		has readlink "/sys/class/net/$p/device/driver" -- /nfp || return 1
	done
	[ "$(find /sys/bus/pci/drivers/nfp/ -path '*:*' | wc -l)" = 1 ]
}

no_ports() { [ ! -e /sys/class/net/eth0 ] && [ ! -e /sys/class/net/eth1 ]; }

up() { # the driver reads the link state when the interface is opened
	ip link set "$1" up && [ "$(cat "/sys/class/net/$1/carrier")" = 1 ]
}

down() { ip link set "$1" down; }

stat() { ethtool -S "$1" | awk -v k="$2:" '$1 == k { print $2 }'; }

# Wait until the card has completed all frames that the driver gave to it.
tx_done() {
	local f

	for f in "/sys/class/net/$1/queues/"tx-*/byte_queue_limits/inflight; do
		timeout $((5 * NFPCHAN_SLOW)) sh -c "until [ \"\$(cat $f)\" = 0 ]; do :; done" ||
			{ echo "$f: $(cat "$f")"; return 1; }
	done
}

# nfp.ko has the checksum of the package's list, and modprobe loads this file.
is_package_file() {
	local list

	list=$(grep -h -e '/nfp\.ko' "/var/lib/dpkg/info/linux-image-$kernel.md5sums") || return 1
	(cd / && md5sum -c --strict - <<<"$list") && [ "/${list#*  }" -ef "$(modinfo -n nfp)" ]
}

is_loaded_file() { # the loaded module was built from the source of that file
	[ "$(cat /sys/module/nfp/srcversion)" = "$(modinfo -F srcversion nfp)" ] &&
	[ "$(cat /sys/module/nfp/taint)" = '' ]
}

load() {
	modprobe nfp && two_ports
}

reload() {
	for _ in 1 2 3; do
		rmmod nfp && no_ports && load && up eth0 && up eth1 || return 1
	done
}

rebind() {
	echo "$dev" >/sys/bus/pci/drivers/nfp/unbind && no_ports &&
	echo "$dev" >/sys/bus/pci/drivers/nfp/bind && two_ports && up eth0 && up eth1
}

up_down() {
	for _ in 1 2 3; do
		down eth0 && [ "$(cat /sys/class/net/eth1/carrier)" = 1 ] && up eth0 || return 1
	done
}

# Set a large MTU. A kernel with small page fragments has no buffers for it: then the driver must
# refuse the MTU and keep the old one.
large_mtu() {
	local said

	said=$(ip link set eth0 mtu 9000 2>&1) && return
	echo "$said"
	small_frags && [[ $said == *'Cannot allocate memory'* ]] &&
	[ "$(cat /sys/class/net/eth0/mtu)" = 1500 ]
}

resize() {
	ethtool -G eth0 rx 512 tx 512 && has ethtool -g eth0 -- 512 &&
	ethtool -L eth0 combined 1 && has ethtool -l eth0 -- 1 &&
	ip link set eth0 mtu 3600 && ip link set eth0 mtu 1500 && large_mtu &&
	ip link set eth0 mtu 1500 &&
	ethtool -L eth0 combined 2 && [ "$(cat /sys/class/net/eth0/carrier)" = 1 ]
}

# Send frames of known content: driver.t looks for them in the capture of the wire.
send() {
	local before after

	# IPv6 would send solicitations between the two readings of the counter.
	echo 1 >/proc/sys/net/ipv6/conf/eth0/disable_ipv6
	ip addr add 192.0.2.1/24 dev eth0 || return 1
	ip neigh replace 192.0.2.2 lladdr 02:00:00:00:00:02 dev eth0 || return 1
	before=$(stat eth0 dev_tx_pkts)
	ping -q -c 20 -i 0.002 -W 0.1 -s 1000 192.0.2.2
	# The kernel leaves the UDP checksum to the card.
	echo 'to the discard port' >/dev/udp/192.0.2.2/9 || return 1
	tx_done eth0 || return 1
	after=$(stat eth0 dev_tx_pkts)
	[ $((after - before)) -ge 21 ] || { echo "$before to $after frames"; return 1; }
	[ "$(stat eth0 mac.tx_frames_transmitted_ok)" = "$after" ] &&
	[ "$(stat eth0 hw_tx_csum)" -ge 1 ] && [ "$(stat eth0 dev_tx_errors)" = 0 ]
}

# Reset the function without telling the driver. The interfaces must work after ifdown and ifup.
function_reset() {
	down eth0 && down eth1 && echo 1 >"/sys/bus/pci/devices/$dev/reset" &&
	up eth0 && up eth1 && tx_done eth0
}

interrupts() { # eth0 has two ring vectors, and they have fired
	[ "$(grep -c -e 'eth0-rxtx' /proc/interrupts)" = 2 ] &&
	[ "$(awk '/eth0-rxtx/ { s += $2 + $3 } END { print s + 0 }' /proc/interrupts)" -gt 0 ]
}

echo 'driver.sh: start' >/dev/kmsg
if [ -e "/var/lib/dpkg/info/linux-image-$kernel.md5sums" ]; then
	check 'nfp.ko is the file of the Debian package' is_package_file
else
	skip 'nfp.ko is the file of the Debian package' "$kernel is not the root's"
fi
start=${EPOCHREALTIME/./}
check 'modprobe nfp gives two network devices' load
took=$(((${EPOCHREALTIME/./} - start) / 1000))
echo "# guest time from modprobe to two network devices: $took ms"
check 'the loaded module is that file' is_loaded_file
check 'probe logs no unexpected kernel message' complaints
check 'the log names the card' has dmesg -- 'Model: 0x40010010, SN: 00:15:4d:12:34:56, Ifc: 0x10ff'
dev=$(basename "$(readlink -f /sys/class/net/eth0/device)")

for p in "${ports[@]}"; do
	check "$p comes up with link" up "$p"
	check "$p is 25 Gb/s" test "$(cat "/sys/class/net/$p/speed")" = 25000
done
check 'ethtool -i' has ethtool -i eth0 -- 'firmware-version: 0.0.3.5 0.37 bpf-2.0.6.124 ebpf'
check 'ethtool -S' has ethtool -S eth1 -- 'mac.rx_octets: 0'
check 'ethtool -l' has ethtool -l eth0 -- Combined
check 'ethtool -g' has ethtool -g eth0 -- 4096
check 'ethtool -m' has ethtool -m eth0 -- 'emulated SFP28'
check 'ethtool -a' has ethtool -a eth0 -- 'RX:		on'
check 'ethtool -t' has ethtool -t eth0 -- PASS
check 'ethtool -d' has ethtool -d eth0 -- 0x0
check 'devlink dev info: identity' has devlink dev info -- 'serial_number NETAMDA0099-00014d123456'
check 'devlink dev info: versions' has devlink dev info -- 'fw.mgmt nfpboard-'
check 'devlink port show' has devlink port show -- 'netdev eth1 flavour physical port 1'
check 'hwmon temperature' has cat "/sys/bus/pci/devices/$dev/hwmon/"hwmon*/temp1_input -- 42000

check 'the card sends frames, and returns their buffers' send
check 'ring vectors fire' interrupts
check 'ifdown and ifup of one port leave the other port up' up_down
check 'ring sizes, channels and MTU change while the interface is up' resize
check 'unbind and bind with interfaces up' rebind
check 'rmmod and modprobe, three times, with interfaces up' reload
check 'function level reset' function_reset
check 'none of these tests logs an unexpected kernel message' complaints
