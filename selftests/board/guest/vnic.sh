#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Two network namespaces, one at each port of a card whose ports a cable joins:
# TAP lines without a plan, for selftests/board/vnic.t, which runs this in the VM.
# $1: seconds of the soak.

set -u
# shellcheck source=selftests/rig/guest/kernel.sh
. "$(dirname "$0")/../../rig/guest/kernel.sh"
# shellcheck source=selftests/rig/tap.sh
. "$(dirname "$0")/../../rig/tap.sh"
soak=${1:-3}
here=$(dirname "$0")
test=build/guest/test
tmp=$(mktemp -d)

a() { ip netns exec a "$@"; }
b() { ip netns exec b "$@"; }

stat() { # NAMESPACE INTERFACE NAME
	ip netns exec "$1" ethtool -S "$2" | awk -v k="$3:" '$1 == k { print $2 }'
}

join() { # the ports, in namespaces of their own, with addresses and link
	ip link set eth0 netns a && ip link set eth1 netns b &&
	addresses a eth0 1 && addresses b eth1 2 && link_up
}

addresses() { # NAMESPACE INTERFACE NUMBER
	ip -n "$1" -batch - <<-END
		addr add 10.9.0.$3/24 dev $2
		addr add fd09::$3/64 dev $2 nodad
		link set $2 up
	END
}

link_up() { a $test/net_wait eth0 up && b $test/net_wait eth1 up; }

# What takes long in the emulated CPU is to start a program: several at a time.
all() { # COMMAND...: each in the background; do all succeed?
	local pids=() p status=0

	for p; do
		eval "$p &"
		pids+=($!)
	done
	for p in "${pids[@]}"; do
		wait "$p" || status=1
	done
	return $status
}

pings() { # sizes around Ethernet's least and up to what the MTU takes; fragments
	local s commands=()

	for s in 0 17 18 1471 1472 9000; do
		commands+=("a ping -q -c 2 -i 0.01 -W 5 -s $s 10.9.0.2")
	done
	for s in 0 1451 1452; do
		commands+=("a ping -q -c 2 -i 0.01 -W 5 -s $s fd09::2")
	done
	all "${commands[@]}"
}

mtu() { ip -n a link set eth0 mtu "$1" && ip -n b link set eth1 mtu "$1" && link_up; }

jumbo() {
	local size=9000

	! small_frags || size=3600
	mtu $size && a ping -q -c 3 -i 0.01 -W 5 -M 'do' -s $((size - 28)) 10.9.0.2 &&
	a ping -q -c 3 -i 0.01 -W 5 -M 'do' -s $((size - 48)) fd09::2 && send 10.9.0.2 1 1000000 &&
	tcp jumbo -t 1 -c 10.9.0.2
}

# A frame that is longer than the receiver's buffers is dropped by the card, and counted.
too_long() {
	local before after

	ip -n b link set eth1 mtu 1500 && link_up && a ping -q -c 1 -W 10 10.9.0.2 || return 1
	before=$(stat b eth1 dev_rx_discards)
	! a ping -q -c 1 -W 1 -M 'do' -s 3000 10.9.0.2 || return 1
	after=$(stat b eth1 dev_rx_discards)
	[ "$after" -gt "$before" ] && mtu 1500
}

# iperf3 measures, vnic_tcp.py compares. The fifos stand for its ends, as a
# check runs in a process of its own; each server says when it listens.
servers() {
	local line

	read -r -t 60 line <&6 && echo "$line" && read -r -t 60 line <&6 && echo "$line" &&
	send 10.9.0.2 1 0
}

send() { # ADDRESS STREAMS BYTES: there and back, whole
	local answer=none

	echo "$*" >&4
	read -r -t 100 answer <&5
	[ "$answer" = whole ] || { echo "$*: $answer"; return 1; }
}

tcp() { # NAME ARGUMENT...: prints the rate
	local name=$1 rate

	shift
	a timeout $((100 * NFPCHAN_SLOW + soak)) iperf3 -i 0 -f m "$@" >"$tmp/iperf" 2>&1 ||
		{ cat "$tmp/iperf"; return 1; }
	rate=$(rates <"$tmp/iperf") || { cat "$tmp/iperf"; return 1; }
	echo "# $name: $rate" >&3
}

# Of iperf3's last lines, those of the sums when there are several streams. Each
# way something must have come.
rates() {
	awk '
		/ (sender|receiver)$/ && (!sums || /^.SUM/) {
			if (/^.SUM/ && !sums++) {
				text = ""
				again = way = none = 0
			}
			for (i = 1; $i != "Mbits/sec"; i++)
				;
			if (/sender$/ && $(i + 1) ~ /^[0-9]+$/)
				again += $(i + 1)
			if (/receiver$/) {
				text = text (way++ ? " + " : "") $(i - 1)
				none += $(i - 1) <= 0
			}
		}
		END {
			print text " Mb/s, " again + 0 " retransmits"
			exit !way || none
		}'
}

# Every counter of both ports, with no frame under way: two readings that are
# the same. Reading takes long, and the stacks send frames of their own (they
# ask a neighbour again that was silent for 5 s): counters read one after the
# other are of different moments.
snapshot() { # FILE
	readings >"$1"
	for _ in {1..100}; do
		readings >"$1.again"
		cmp -s "$1" "$1.again" && return
		mv "$1.again" "$1"
	done
	echo 'the counters do not come to rest'
	return 1
}

readings() {
	a ethtool -S eth0 | sed -n 's/^ *\(.*\): \([0-9]*\)$/a \1 \2/p'
	b ethtool -S eth1 | sed -n 's/^ *\(.*\): \([0-9]*\)$/b \1 \2/p'
}

# Unicast frames from the one namespace to the other that no counter explains:
# what left one MAC arrives at the other, and is given to the host, where its
# driver gets it, or else counted. The filter drops other multicast, uncounted.
gap() { # FILE FROM TO
	awk -v f="$2" -v t="$3" '
		{ n[$1 " " $2] = $3 }
		$2 ~ /^rvec_._rx_pkts$/ { driver[$1] += $3 }
		END {
			given = n[t " dev_rx_pkts"]
			unicast = given - n[t " dev_rx_mc_pkts"] - n[t " dev_rx_bc_pkts"]
			lost = n[t " dev_rx_discards"] + n[t " dev_rx_errors"]
			print n[f " mac.tx_unicast_pkts"] - n[t " mac.rx_unicast_pkts"],
				n[t " mac.rx_unicast_pkts"] - unicast - lost, driver[t] - given
		}' "$1"
}

value() { awk -v k="$2 $3" '$1 " " $2 == k { print $3 }' "$1"; } # FILE NAMESPACE NAME

counters() { # FROM TO
	local got

	got=$(gap "$tmp/now" "$1" "$2")
	echo "lost on the wire, in the card, by the driver: $got"
	grep -e discards -e rx_pkts -e errors -e unicast "$tmp/now"
	[ "$got" = '0 0 0' ] && [ "$(value "$tmp/now" "$1" dev_tx_errors)" = 0 ]
}

# At full speed, with numbered datagrams among it. What was for other addresses
# before is in the gap, and stays. TCP's segments come in order, too, unless one
# before was dropped for want of buffers, by the card or by a socket.
soak() {
	local status=0 before after drops late streams=4

	# iperf3's server gives up 40 s after a test's time: a slow kernel needs more for four.
	[ "$NFPCHAN_SLOW" = 1 ] || streams=1
	snapshot "$tmp/before" && tcp_counters >"$tmp/before.tcp" || return 1
	udp $((soak * 1000)) others >"$tmp/soak.udp" 2>&1 3>&1 &
	tcp "soak, each way" -t "$soak" -P $streams --bidir -c 10.9.0.2 || status=1
	wait $! || status=1
	cat "$tmp/soak.udp"
	grep '^# ' "$tmp/soak.udp" >&3
	snapshot "$tmp/after" && tcp_counters >"$tmp/after.tcp" || return 1
	diff "$tmp/before.tcp" "$tmp/after.tcp"
	before="$(gap "$tmp/before" a b), $(gap "$tmp/before" b a)"
	after="$(gap "$tmp/after" a b), $(gap "$tmp/after" b a)"
	drops="$(grown '' dev_rx_discards) $(grown .tcp 'Drop|Prune')"
	late=$(grown .tcp OFOQueue)
	echo "# soak: $(grown '' '^dev_rx_pkts$') frames given to the hosts" >&3
	echo "# soak: dropped by card and sockets: $drops; TCP segments out of order: $late" >&3
	echo "unexplained: $before before, $after after"
	[ "$before" = "$after" ] && [ "$(grown .tcp Err)" = 0 ] &&
	{ [ "$late" = 0 ] || [ "$drops" != '0 0' ]; } && return $status
}

# What TCP's receivers found wrong, and what they dropped; IPv4 and IPv6
tcp_counters() {
	local n

	for n in a b; do
		ip netns exec $n nstat -asz | awk -v n=$n '
			/^TcpIn.*Err|^TcpExt(TCPOFOQueue|TCPBacklogDrop|TCPRcvQDrop|.*Prune)/ {
				print n, $1, $2
			}'
	done
}

grown() { # SUFFIX PATTERN: by how much, from before to after
	awk -v p="$2" '$2 ~ p { n += FNR == NR ? -$3 : $3 } END { print n + 0 }' \
		"$tmp/before$1" "$tmp/after$1"
}

no_bad_sums() {
	[ "$(stat a eth0 hw_rx_csum_err)$(stat b eth1 hw_rx_csum_err)" = 00 ] &&
	[ "$(stat b eth1 hw_rx_csum_ok)" -gt 100 ] &&
	[ "$(b nstat -asz TcpInCsumErrors | awk '/Csum/ { print $2 }')" = 0 ]
}

segmented() { [ "$(stat a eth0 tx_lso)" -gt 10 ] && [ "$(stat b eth1 tx_lso)" -gt 10 ]; }

# None changed or out of order; as many lost as counters say, or, with OTHERS
# about that lose as well, not more.
udp() { # DATAGRAMS [OTHERS]
	local line drops w

	exec 7< <(b "$here/vnic_udp.py" recv 10.9.0.2 7000)
	read -r -t 120 line <&7 || return 1
	drops=$(losses)
	a "$here/vnic_udp.py" send 10.9.0.2 7000 "$1" || { kill $!; return 1; }
	read -r -t 120 line <&7 || return 1
	echo "$line"
	echo "# udp: $line" >&3
	read -ra w <<<"$line"
	drops=$(($(losses) - drops))
	echo "${w[5]} lost, $drops counted"
	[ "${w[5]}" -le "$drops" ] || elsewhere
	[ "${w[7]}${w[9]}" = 00 ] && [ "${w[5]}" -le "$drops" ] &&
	{ [ $# = 2 ] || [ "${w[5]}" = "$drops" ]; }
}

# What else a host may have dropped, for the log of a failure.
elsewhere() {
	local n

	for n in a b; do
		ip netns exec $n nstat -as | grep -iE 'drop|err|discard|noport|mem' | sed "s/^/$n /"
		ip -n $n -s link show | grep -A 1 -E '[RT]X:'
		tc -n $n -s qdisc show | grep dropped
	done
}

losses() { # of datagrams on their way to a socket in b
	echo $(($(b nstat -asz UdpRcvbufErrors | awk '/Udp/ { print $2 }') +
		$(stat b eth1 dev_rx_discards)))
}

vlan() {
	tagged a 0 1 && tagged b 1 2 &&
	a ping -q -c 3 -i 0.01 -W 5 -s 1472 10.42.0.2 && send 10.42.0.2 2 1000000
}

tagged() { # NAMESPACE PORT NUMBER
	ip -n "$1" -batch - <<-END
		link add link eth$2 name v$2 type vlan id 42
		addr add 10.42.0.$3/24 dev v$2
		link set v$2 up
	END
}

# A tag is seen by a tap of the receiver only when the card left it in place.
vlan_offloads() {
	local rx tx

	for rx in on off; do
		for tx in on off; do
			all "a ethtool -K eth0 txvlan $tx" "b ethtool -K eth1 rxvlan $rx" &&
			all 'a ping -q -c 3 -i 0.01 -W 5 -s 1472 10.42.0.2' \
				'send 10.42.0.2 1 300000' || return 1
		done
	done
	a ethtool -K eth0 txvlan on && b ethtool -K eth1 rxvlan on
}

features() { # each off, with traffic, then on with the next one off
	local f on=""

	for f in rx tx sg tso gso gro rxhash tx-udp-segmentation; do
		all "a ethtool -K eth0 $on $f off" "b ethtool -K eth1 $on $f off" &&
		send 10.9.0.2 1 300000 || return 1
		on="$f on"
	done
	on="$on rx on tx on sg on tso on"
	all "a ethtool -K eth0 $on" "b ethtool -K eth1 $on" && send 10.9.0.2 2 1000000
}

# All to ring 1, then to ring 0, by the indirection table; then by another key
# to both.
rss() {
	local ring before after

	for ring in 1 0; do
		b ethtool -X eth1 weight $((1 - ring)) $ring || return 1
		read -ra before < <(rings)
		send 10.9.0.2 4 300000 || return 1
		read -ra after < <(rings)
		echo "ring $ring: ${before[*]}, ${after[*]}"
		[ $((after[ring] - before[ring])) -gt 200 ] &&
		[ $((after[1 - ring] - before[1 - ring])) -lt 50 ] || return 1
	done
	b ethtool -X eth1 default && b ethtool -X eth1 hkey \
		6d:5a:56:da:25:5b:0e:c2:41:67:25:3d:43:a3:8f:b0:d0:ca:2b:cb:ae:7b:30:b4:77:cb:2d:a3:80:30:f2:0c:6a:42:b7:3b:be:ac:01:fa ||
		return 1
	read -ra before < <(rings)
	send 10.9.0.2 16 30000 || return 1
	read -ra after < <(rings)
	echo "both: ${before[*]}, ${after[*]}"
	[ "${after[0]}" -gt "${before[0]}" ] && [ "${after[1]}" -gt "${before[1]}" ]
}

rings() { b ethtool -S eth1 | awk '/rxq_[01]_pkts/ { printf "%s ", $2 } END { print "" }'; }

# How many interrupts 100 pings take depends on the emulator's speed.
coalesce() {
	local one two

	a ethtool -C eth0 adaptive-rx off adaptive-tx off rx-usecs 0 rx-frames 1 tx-usecs 0 tx-frames 1 &&
	one=$(irqs a ping -q -c 100 -i 0.001 10.9.0.2) &&
	a ethtool -C eth0 rx-usecs 1000 rx-frames 64 tx-usecs 1000 tx-frames 64 &&
	two=$(irqs a ping -q -c 100 -i 0.001 10.9.0.2) &&
	a ethtool -C eth0 rx-usecs 50 rx-frames 64 tx-usecs 50 tx-frames 64 adaptive-rx on adaptive-tx on ||
		return 1
	echo "# interrupts of 100 pings: $one, moderated $two" >&3
}

irqs() { # COMMAND...: prints how many interrupts eth0 had meanwhile
	local before

	before=$(irq_count) && "$@" >&2 && echo $(($(irq_count) - before))
}

irq_count() { awk '/eth0-rxtx/ { n += $2 + $3 } END { print n }' /proc/interrupts; }

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
	nfpchan flows --json --flush --quiet 1000 >"$tmp/flows" &
	local meter=$! p

	a ping -q -c 200 -i 0.01 10.9.0.2
	wait "$meter" || return 1
	p=$(python3 -c '
import json, sys
f = json.load(open(sys.argv[1]))["flows"]
n = [sum(x["packets"] for x in f if x["proto"] == 1 and x["src"] == s)
     for s in ("10.9.0.1", "10.9.0.2")]
print(*n)
sys.exit(min(n) < 20 or abs(n[0] - n[1]) > 1)' "$tmp/flows") || { echo "$p"; return 1; }
	echo "# flow meter: $p of 200 pings and answers" >&3
}

# Traffic in both directions before, while and after COMMAND runs. It need not
# be fast, but it has to go on afterwards.
under_traffic() { # COMMAND...
	local pids=() status=0

	ip netns exec a "$here/vnic_tcp.py" stream 7001 10.9.0.2 2>"$tmp/stream" & pids+=($!)
	ip netns exec a ping -q -i 0.01 10.9.0.2 >"$tmp/pings" & pids+=($!)
	flowing && "$@" && flowing || status=1
	kill -9 "${pids[@]}"
	wait "${pids[@]}"
	cat "$tmp/stream"
	all 'a ping -q -c 3 -i 0.01 -W 5 10.9.0.2' 'b ping -q -c 3 -i 0.01 -W 5 fd09::1' \
		'send 10.9.0.2 2 300000' && return $status
}

# Packets come at each port.
flowing() { all "b $test/net_wait eth1 50" "a $test/net_wait eth0 50"; }

resize() {
	local s

	for s in 256 8192 4096; do
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
	for _ in 1 2; do
		ip -n a link set eth0 down && b $test/net_wait eth1 down &&
		ip -n a link set eth0 up &&
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
mkfifo "$tmp/orders" "$tmp/answers" "$tmp/listen"
exec 6<>"$tmp/listen"
b "$here/vnic_tcp.py" serve 7001 >&6 &
b iperf3 -s --forceflush | sed -u -n '/listening/p' >&6 &
a "$here/vnic_tcp.py" talk 7001 <"$tmp/orders" >"$tmp/answers" 2>&1 &
exec 4>"$tmp/orders" 5<"$tmp/answers"
check 'both ports in namespaces, with link' join
check 'ping of all sizes, IPv4 and IPv6' pings
check 'servers' servers
check 'TCP' tcp tcp -t 1 -c 10.9.0.2
check 'TCP, reverse' tcp 'tcp reverse' -t 1 -R -c 10.9.0.2
check 'TCP, both ways, four streams' tcp 'tcp bidirectional' -t 1 -P 2 --bidir -c 10.9.0.2
check 'TCP, IPv6' tcp 'tcp ipv6' -t 1 -c fd09::2
check 'TCP, IPv6, reverse' tcp 'tcp ipv6 reverse' -t 1 -R -c fd09::2
check 'what TCP brings there and back is whole, IPv4' send 10.9.0.2 4 2000000
check 'what TCP brings there and back is whole, IPv6' send fd09::2 4 2000000
check 'UDP' tcp udp -u -b 50M -t 1 -c 10.9.0.2
check 'datagrams come whole and in order' udp 4000
check 'large packets were segmented by the card' segmented
check 'no checksum was found wrong' no_bad_sums
check 'the counters come to rest' snapshot "$tmp/now"
check 'every frame sent is accounted for, a to b' counters a b
check 'every frame sent is accounted for, b to a' counters b a
check 'jumbo frames' jumbo
check 'frames that fit no buffer are dropped and counted' too_long
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
check "soak, $soak s: every frame is accounted for, in order and whole" soak
check 'driver reload under traffic' under_traffic reload
check 'TCP after all that' tcp 'tcp at the end' -t 1 -c 10.9.0.2
check 'nothing of note in the kernel log' complaints
exec 4>&-
kill %1
