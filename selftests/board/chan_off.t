#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# A card without channel firmware (--board chan=off). The nfp driver makes its two network devices.
# nfp_chan makes no device node and logs the reason. A capture given with --pcap-in starts only when
# an interface is promiscuous.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
# shellcheck source=selftests/rig/card.sh
. selftests/rig/card.sh

# shellcheck disable=SC2016
card_vm --timeout 120 --pcap-in selftests/data/real.pcap --board chan=off -- bash -c '
	. selftests/rig/tap.sh
	got() { [ "$(cat /sys/class/net/eth0/statistics/rx_packets)" = "$1" ]; }
	at_mac() { ethtool -S eth0 | grep -q "mac.rx_pkts: $1$"; }

	check "nfp_chan is loaded, and logs that the card has no channel firmware" \
		eval "dmesg | grep -q \"nfp_chan: no channel firmware\" && [ -d /sys/module/nfp_chan ]"
	check "nfp_chan makes no device node" [ ! -e /dev/nfp_chan0 ]
	check "nfp makes two interfaces" [ -e /sys/class/net/eth1 ]
	check "ethtool shows the version of the public firmware" \
		eval "ethtool -i eth0 | grep -qx \"firmware-version: 0.0.3.5 0.37 bpf-2.0.6.124 ebpf\""
	check "devlink shows the version of the public firmware" \
		eval "devlink dev info | grep -q \"fw.app bpf-2.0.6.124\""
	ip link set dev eth0 up
	build/guest/test/net_wait eth0 up
	check "the capture does not start when the interface is up" at_mac 0
	ip link set dev eth0 promisc on
	until at_mac 768; do sleep 0.1; done
	until got 361; do sleep 0.1; done
	check "the capture starts when the interface is promiscuous: all complete frames arrive" got 361
	exit "$failed"' </dev/null 2>"$tmp/err" | tee "$tmp/tap"
status=${PIPESTATUS[0]}
n=$(grep -c -e '^ok ' -e '^not ok ' "$tmp/tap")
check "the guest ran to its end" eval "cat '$tmp/err'; test $status = 0"
check "the host gets all frames except those that the capture truncated" \
	card_counts 'ports[0].rx_frames == 768' 'not ports[0].rx_no_firmware' \
	'vnics[0].rx_given == 361' 'vnics[0].rx_errors == 407'
done_testing
