#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Two network namespaces, one at each port of a card whose ports a cable joins:
# TAP lines without a plan, for selftests/vm/vnic.t, which runs this in the VM.
# $1: seconds of the soak.

set -u
soak=${1:-4}
n=0
here=$(dirname "$0")
tmp=$(mktemp -d)

check() { # NAME, COMMAND...
	local name=$1 out

	n=$((n + 1))
	shift
	if out=$("$@" 2>&1); then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		printf '%s\n' "$*" "$out" | tail -n 40 | sed 's/^/# /'
	fi
}

a() { ip netns exec a "$@"; }
b() { ip netns exec b "$@"; }

stat() { # NAMESPACE INTERFACE NAME
	ip netns exec "$1" ethtool -S "$2" | awk -v k="$3:" '$1 == k { print $2 }'
}

join() { # the ports, in namespaces of their own, with addresses and link
	ip link set eth0 netns a && ip link set eth1 netns b &&
	ip -n a addr add 10.9.0.1/24 dev eth0 && ip -n b addr add 10.9.0.2/24 dev eth1 &&
	ip -n a addr add fd09::1/64 dev eth0 nodad && ip -n b addr add fd09::2/64 dev eth1 nodad &&
	ip -n a link set eth0 up && ip -n b link set eth1 up && link_up
}

carrier() { # NAMESPACE INTERFACE 0|1
	timeout 10 ip netns exec "$1" \
		sh -c "until [ \"\$(cat /sys/class/net/$2/carrier)\" = $3 ]; do :; done"
}

link_up() { carrier a eth0 1 && carrier b eth1 1; }

pings() { # sizes up to what the MTU takes, both protocols
	local s

	for s in 0 1 17 18 56 1000 1471 1472; do
		a ping -q -c 2 -i 0.01 -W 5 -s "$s" 10.9.0.2 || return 1
		a ping -q -c 2 -i 0.01 -W 5 -s "$s" fd09::2 || return 1
	done
	a ping -q -c 2 -i 0.01 -W 5 -s 9000 10.9.0.2	# in fragments
}

mtu() { ip -n a link set eth0 mtu "$1" && ip -n b link set eth1 mtu "$1" && link_up; }

jumbo() {
	mtu 9000 && a ping -q -c 3 -i 0.01 -W 5 -M 'do' -s 8972 10.9.0.2 &&
	a ping -q -c 3 -i 0.01 -W 5 -M 'do' -s 8952 fd09::2 && tcp jumbo -t 1 10.9.0.2
}

# A frame longer than the receiver's MTU is dropped by the card, and counted.
too_long() {
	local before after

	ip -n b link set eth1 mtu 1500 && link_up || return 1
	before=$(stat b eth1 dev_rx_errors)
	! a ping -q -c 1 -W 1 -M 'do' -s 4000 10.9.0.2 || return 1
	after=$(stat b eth1 dev_rx_errors)
	[ "$after" -gt "$before" ] && mtu 1500
}

server() { b sh -c "iperf3 -s -D -I $tmp/iperf.pid" && wait_for b 'iperf3 -c 10.9.0.2 -n 1K'; }

wait_for() { # NAMESPACE COMMAND: until it succeeds
	timeout 10 ip netns exec "$1" sh -c "until $2 >/dev/null 2>&1; do :; done"
}

quick() { # ARGUMENT...: a transfer too short to measure
	a timeout 60 iperf3 -c "${@: -1}" "${@:1:$#-1}"
}

tcp() { # NAME ARGUMENT...: prints the rate
	local name=$1 rate

	shift
	a timeout 100 iperf3 -J -c "${@: -1}" "${@:1:$#-1}" >"$tmp/json" || { cat "$tmp/json"; return 1; }
	rate=$(python3 -c '
import json, sys
e = json.load(open(sys.argv[1]))["end"]
r = e.get("sum_received") or e["sum"]
back = e.get("sum_received_bidir_reverse")
print("%.0f%s Mb/s, %s retransmits" % (r["bits_per_second"] / 1e6,
      " + %.0f" % (back["bits_per_second"] / 1e6) if back else "",
      e.get("sum_sent", {}).get("retransmits", "no")))
sys.exit(r["bits_per_second"] <= 0)' "$tmp/json") || return 1
	echo "# $name: $rate" >&3
}

# What leaves one MAC arrives at the other, and goes to the host but for what
# is counted; the filter drops multicast of no interest, which is not.
counters() { # FROM INTERFACE TO INTERFACE
	local sent got taken

	sent=$(stat "$1" "$2" mac.tx_unicast_pkts)
	got=$(stat "$3" "$4" mac.rx_unicast_pkts)
	taken=$(($(stat "$3" "$4" dev_rx_pkts) - $(stat "$3" "$4" dev_rx_mc_pkts) -
		 $(stat "$3" "$4" dev_rx_bc_pkts)))
	echo "$sent sent, $got arrived, $taken given, $(stat "$3" "$4" dev_rx_discards) dropped"
	[ "$sent" = "$got" ] &&
	[ $((taken + $(stat "$3" "$4" dev_rx_discards))) = "$got" ] &&
	[ "$(stat "$1" "$2" dev_tx_errors)$(stat "$3" "$4" dev_rx_errors)" = 00 ]
}

gap() { # FROM INTERFACE TO INTERFACE: unicast frames that no counter explains
	echo $(($(stat "$1" "$2" mac.tx_unicast_pkts) - $(stat "$3" "$4" dev_rx_pkts) +
		$(stat "$3" "$4" dev_rx_mc_pkts) + $(stat "$3" "$4" dev_rx_bc_pkts) -
		$(stat "$3" "$4" dev_rx_discards) - $(stat "$3" "$4" dev_rx_errors)))
}

# At full speed. What was for other addresses before is in the gap, and stays.
soak() {
	local before after

	before="$(gap a eth0 b eth1) $(gap b eth1 a eth0)"
	tcp "soak, each way" -t "$soak" -P 4 --bidir 10.9.0.2 || return 1
	after="$(gap a eth0 b eth1) $(gap b eth1 a eth0)"
	echo "unexplained: $before before, $after after"
	[ "$before" = "$after" ]
}

no_bad_sums() {
	[ "$(stat a eth0 hw_rx_csum_err)$(stat b eth1 hw_rx_csum_err)" = 00 ] &&
	[ "$(stat b eth1 hw_rx_csum_ok)" -gt 100 ] &&
	[ "$(b nstat -asz TcpInCsumErrors | awk '/Csum/ { print $2 }')" = 0 ]
}

segmented() { [ "$(stat a eth0 tx_lso)" -gt 10 ] && [ "$(stat b eth1 tx_lso)" -gt 10 ]; }

udp() { # DATAGRAMS: none changed or out of order; none lost but by the socket
	local line lost drops w

	b "$here/vnic_udp.py" recv 10.9.0.2 7000 >"$tmp/udp" &
	timeout 20 sh -c "until grep -q ready $tmp/udp; do :; done" || return 1
	drops=$(losses)
	a "$here/vnic_udp.py" send 10.9.0.2 7000 "$1" || return 1
	wait $! || return 1
	line=$(tail -n 1 "$tmp/udp")
	echo "$line"
	echo "# udp: $line" >&3
	read -ra w <<<"$line"
	lost=$((w[1] - w[3]))
	drops=$(($(losses) - drops))
	echo "$lost lost, $drops counted"
	[ "${w[5]}${w[7]}" = 00 ] && [ "$lost" = "$drops" ]
}

losses() { # of datagrams on their way to a socket in b
	echo $(($(b nstat -asz UdpRcvbufErrors | awk '/Udp/ { print $2 }') +
		$(stat b eth1 dev_rx_discards)))
}

vlan() {
	ip -n a link add link eth0 name v0 type vlan id 42 &&
	ip -n b link add link eth1 name v1 type vlan id 42 &&
	ip -n a addr add 10.42.0.1/24 dev v0 && ip -n b addr add 10.42.0.2/24 dev v1 &&
	ip -n a link set v0 up && ip -n b link set v1 up &&
	a ping -q -c 3 -i 0.01 -W 5 -s 1472 10.42.0.2 && tcp 'vlan' -t 1 10.42.0.2
}

# A tag is seen by a tap of the receiver only when the card left it in place.
vlan_offloads() {
	local rx tx

	for rx in on off; do
		for tx in on off; do
			a ethtool -K eth0 txvlan "$tx" && b ethtool -K eth1 rxvlan "$rx" || return 1
			a ping -q -c 3 -i 0.01 -W 5 -s 1472 10.42.0.2 || return 1
			quick -n 4M 10.42.0.2 || return 1
		done
	done
	a ethtool -K eth0 txvlan on && b ethtool -K eth1 rxvlan on
}

features() { # each off, with traffic, then on
	local f

	for f in rx tx sg tso gso gro rxhash tx-udp-segmentation; do
		a ethtool -K eth0 "$f" off && b ethtool -K eth1 "$f" off &&
		quick -n 4M 10.9.0.2 &&
		a ethtool -K eth0 "$f" on && b ethtool -K eth1 "$f" on || return 1
	done
	a ethtool -K eth0 rx on tx on sg on tso on && b ethtool -K eth1 rx on tx on sg on tso on
}

# All to ring 1, then to ring 0, by the indirection table.
rss() {
	local ring before after

	for ring in 1 0; do
		if [ "$ring" = 1 ]; then b ethtool -X eth1 weight 0 1; else b ethtool -X eth1 weight 1 0; fi ||
			return 1
		before=$(stat b eth1 "rxq_${ring}_pkts")
		quick -P 4 -n 2M 10.9.0.2 || return 1
		after=$(stat b eth1 "rxq_${ring}_pkts")
		[ $((after - before)) -gt 1000 ] || { echo "ring $ring: $before $after"; return 1; }
	done
	b ethtool -X eth1 default && b ethtool -X eth1 hkey \
		6d:5a:56:da:25:5b:0e:c2:41:67:25:3d:43:a3:8f:b0:d0:ca:2b:cb:ae:7b:30:b4:77:cb:2d:a3:80:30:f2:0c:6a:42:b7:3b:be:ac:01:fa &&
	quick -P 8 -n 1M 10.9.0.2 &&
	[ "$(stat b eth1 rxq_0_pkts)" -gt 0 ] && [ "$(stat b eth1 rxq_1_pkts)" -gt 0 ]
}

# Interrupts of the receiver for 300 pings: about one each without moderation
# of time, for the sender waits for the answer.
coalesce() {
	a ethtool -C eth0 adaptive-rx off adaptive-tx off rx-usecs 0 rx-frames 1 tx-usecs 0 tx-frames 1 &&
	a ping -q -c 100 -i 0.001 10.9.0.2 &&
	a ethtool -C eth0 rx-usecs 1000 rx-frames 64 tx-usecs 1000 tx-frames 64 &&
	a ping -q -c 100 -i 0.001 10.9.0.2 >"$tmp/slow" &&
	a ethtool -C eth0 rx-usecs 50 rx-frames 64 tx-usecs 50 tx-frames 64 adaptive-rx on adaptive-tx on &&
	echo "# ping with 1000 us: $(tail -n 1 "$tmp/slow")" >&3
}

mac_filter() { # of another address nothing comes, until promiscuous
	local before

	a ip neigh replace 10.9.0.77 lladdr 02:00:00:00:00:77 dev eth0
	before=$(stat b eth1 dev_rx_pkts)
	a ping -q -c 5 -i 0.01 -W 0.1 10.9.0.77
	[ $(($(stat b eth1 dev_rx_pkts) - before)) -lt 5 ] || return 1
	ip -n b link set eth1 promisc on || return 1
	before=$(stat b eth1 dev_rx_pkts)
	a ping -q -c 5 -i 0.01 -W 0.1 10.9.0.77
	[ $(($(stat b eth1 dev_rx_pkts) - before)) -ge 5 ] || return 1
	ip -n b link set eth1 promisc off
}

new_mac() { # while up; who knew the old one asks again
	ip -n b link set eth1 address 02:00:00:00:00:22 && ip -n a neigh flush dev eth0 &&
	a ping -q -c 3 -i 0.01 -W 5 10.9.0.2
}

flows() { # the flow meter sees what the host gets, at both ports
	nfpchan flows --json --flush --quiet 3000 >"$tmp/flows" &
	local meter=$! p

	a ping -q -c 300 -i 0.01 10.9.0.2
	wait "$meter" || return 1
	p=$(python3 -c '
import json, sys
f = json.load(open(sys.argv[1]))["flows"]
n = [sum(x["packets"] for x in f if x["proto"] == 1 and x["src"] == s)
     for s in ("10.9.0.1", "10.9.0.2")]
print(*n)
sys.exit(min(n) < 20 or abs(n[0] - n[1]) > 1)' "$tmp/flows") || { echo "$p"; return 1; }
	echo "# flow meter: $p of 300 pings and answers" >&3
}

# Traffic in both directions while COMMAND runs; it need not be fast, but it
# has to go on afterwards.
under_traffic() { # COMMAND...
	local pids=() status=0

	a timeout 60 iperf3 -c 10.9.0.2 -p 5201 -t 3 >"$tmp/t1" 2>&1 & pids+=($!)
	a ping -q -f -i 0.002 -w 3 10.9.0.2 >"$tmp/t2" 2>&1 & pids+=($!)
	"$@" || status=$?
	wait "${pids[@]}"
	link_up && a ping -q -c 3 -i 0.01 -W 5 10.9.0.2 && b ping -q -c 3 -i 0.01 -W 5 fd09::1 &&
	wait_for a 'iperf3 -c 10.9.0.2 -n 1K' && return $status
}

resize() {
	local s

	for s in 256 1024 8192 4096; do
		a ethtool -G eth0 rx "$s" tx "$s" && b ethtool -G eth1 rx "$s" tx "$s" || return 1
	done
}

channels() {
	a ethtool -L eth0 combined 1 && b ethtool -L eth1 combined 1 &&
	a ethtool -L eth0 combined 2 && b ethtool -L eth1 combined 2
}

reload() { # the netdevs go from their namespaces with the driver
	rmmod nfp_chan && rmmod nfp && modprobe nfp && join
}

up_down() {
	for _ in 1 2 3; do
		ip -n a link set eth0 down && carrier b eth1 0 && ip -n a link set eth0 up &&
		link_up || return 1
	done
	ip -n a addr replace fd09::1/64 dev eth0 nodad
}

complaints() {
	local log

	log=$(dmesg --level=emerg,alert,crit,err,warn | sed '1,/vnic.sh: start/d' |
		grep -v -e ' firmware: failed to load ' -e ' hrtimer: interrupt took ')
	[ -z "$log" ] || { echo "$log"; return 1; }
}

# Each ping asks for time stamps, and the kernel patches its receive path when
# the first one does and the last one ends. Under load on two CPUs of QEMU's TCG
# that ended, once, in an int3 Oops there (netif_receive_skb_list_internal): so
# somebody asks all the time.
keep_stamps() {
	python3 -c 'import signal, socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, 29, 1)	# SO_TIMESTAMP
signal.pause()' &
}

exec 3>&1
keep_stamps
echo '<4>vnic.sh: start' >/dev/kmsg
ip netns add a && ip netns add b && ip -n a link set lo up && ip -n b link set lo up
check 'both ports in namespaces, with link' join
check 'ping of all sizes, IPv4 and IPv6' pings
check 'iperf3 server' server
check 'TCP' tcp tcp -t 2 10.9.0.2
check 'TCP, reverse' tcp 'tcp reverse' -t 2 -R 10.9.0.2
check 'TCP, both ways, four streams' tcp 'tcp bidirectional' -t 2 -P 2 --bidir 10.9.0.2
check 'TCP, IPv6' tcp 'tcp ipv6' -t 2 fd09::2
check 'TCP, IPv6, reverse' tcp 'tcp ipv6 reverse' -t 2 -R fd09::2
check 'UDP' tcp udp -u -b 100M -t 2 10.9.0.2
check 'large packets were segmented by the card' segmented
check 'no checksum was found wrong' no_bad_sums
check 'datagrams come whole and in order' udp 10000
check 'every frame sent is accounted for, a to b' counters a eth0 b eth1
check 'every frame sent is accounted for, b to a' counters b eth1 a eth0
check 'jumbo frames' jumbo
check 'frames above the MTU are dropped and counted' too_long
check 'VLAN' vlan
check 'VLAN with insertion and strip on and off' vlan_offloads
check 'ethtool -K' features
check 'ethtool -X' rss
check 'ethtool -C' coalesce
check 'MAC filter, promiscuous' mac_filter
check 'MAC address changed while up' new_mac
check 'the flow meter sees the packets too' flows
check 'ethtool -G under traffic' under_traffic resize
check 'ethtool -L under traffic' under_traffic channels
check 'ifdown and ifup under traffic' under_traffic up_down
check 'TCP after all that' tcp 'tcp at the end' -t 2 10.9.0.2
check "soak, $soak s: every frame sent is accounted for" soak
check 'datagrams come whole and in order after the soak' udp 5000
check 'driver reload under traffic' under_traffic reload
check 'nothing of note in the kernel log' complaints
kill %1
