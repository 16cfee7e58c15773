#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Guest side of explain.t: load each object, then run the command under
# several conditions of the card. Print the results.
cd "$(dirname "$0")/../../.." || exit 1
pin=/sys/fs/bpf/explain

# say LABEL COMMAND...: run the command, print its exit status and document on one line.
say() {
	local label=$1 doc rc=0

	shift
	doc=$("$@") || rc=$?
	echo "DEVICE $label $rc $doc"
}
tool=(nfpchan --json xdp explain)

ip link set dev eth0 up || exit
build/guest/test/xdp_load eth0 "$@" || exit

say plain "${tool[@]}" --dev eth0 build/guest/xdp/count.o
say user setpriv --reuid tester --clear-groups "${tool[@]}" --dev eth0 build/guest/xdp/count.o
say lo "${tool[@]}" --dev lo build/guest/xdp/count.o

ip link set dev eth0 xdpoffload obj build/guest/xdp/pass.o sec xdp || exit
say attached "${tool[@]}" --dev eth0 build/guest/xdp/count.o
ip link set dev eth0 xdpoffload off || exit

ip link set dev eth0 mtu 3600 || exit
say mtu "${tool[@]}" --dev eth0 build/guest/xdp/far.o
ip link set dev eth0 xdpoffload obj build/guest/xdp/far.o sec xdp 2>/dev/null && exit 1
ip link set dev eth0 mtu 1500 || exit

bpftool map create $pin type hash key 4 value 8 entries 2047950 name most offload_dev eth0 || exit
say full "${tool[@]}" --dev eth0 build/guest/xdp/count.o
build/guest/test/xdp_load eth0 build/guest/xdp/count.o | grep -q ' no Cannot allocate' || exit
rm $pin

ethtool -K eth0 hw-tc-offload on || exit
tc qdisc add dev eth0 clsact || exit
tc filter add dev eth0 ingress bpf skip_sw direct-action obj build/guest/xdp-refused/program_tc.o \
	sec tc || exit
say tc "${tool[@]}" --dev eth0 build/guest/xdp/count.o
ip link set dev eth0 xdpoffload obj build/guest/xdp/pass.o sec xdp 2>/dev/null && exit 1
tc qdisc del dev eth0 clsact
