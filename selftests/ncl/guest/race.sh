#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Create a veth pair, race0 and race1, with four queues in each direction, and run a command.
# Usage: race.sh COMMAND...
cd "$(dirname "$0")/../../.." || exit 1
ip link add race0 numtxqueues 4 numrxqueues 4 type veth peer name race1 numtxqueues 4 numrxqueues 4 || exit
trap 'ip link del race0' EXIT
for dev in race0 race1; do
	sysctl -q -w "net.ipv6.conf.$dev.disable_ipv6=1" || exit
	ip link set dev "$dev" arp off up || exit
done
"$@"
