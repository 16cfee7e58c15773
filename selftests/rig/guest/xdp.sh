#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Take eth0 and eth1 up, keep the kernel from sending frames on them, and run a command.
# Usage: xdp.sh COMMAND...
cd "$(dirname "$0")/../../.." || exit 1
# Keep frames in order: turn off a queue for each flow, GRO, and lists of frames (in which frames of
# unknown protocols come last).
sysctl -q -w net.core.default_qdisc=pfifo_fast net.core.gro_normal_batch=1 || exit
for dev in eth0 eth1; do
	sysctl -q -w "net.ipv6.conf.$dev.disable_ipv6=1" || exit
	ethtool -K "$dev" rxvlan off gro off || exit
	ip link set dev "$dev" arp off promisc on up || exit
done
for dev in eth0 eth1; do
	build/guest/test/net_wait "$dev" up || exit
done
exec "$@"
