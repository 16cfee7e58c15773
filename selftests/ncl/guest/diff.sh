#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Run ncl_diff with the two ports of the card and with a veth pair. Usage: diff.sh LIST
cd "$(dirname "$0")/../../.." || exit 1
ip link add ncl0 type veth peer name ncl1 || exit
for dev in ncl0 ncl1; do
	sysctl -q -w "net.ipv6.conf.$dev.disable_ipv6=1" || exit
	ethtool -K "$dev" gro off rxvlan off txvlan off || exit
	ip link set dev "$dev" arp off promisc on up || exit
done
exec selftests/rig/guest/xdp.sh build/ncl/test/ncl_diff eth0 eth1 ncl0 ncl1 "$1"
