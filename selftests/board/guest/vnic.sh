#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Test traffic between two network namespaces. Each has one port of the card, and a cable joins the
# two ports. selftests/board/vnic.t runs this script in a VM. The script prints TAP lines without
# a plan. $1: length of the soak test in seconds. What the card's firmware does not offer is
# expected to be off: the public firmware has no VLAN offloads, and hashes by CRC-32.

set -u
# shellcheck source=selftests/rig/guest/kernel.sh
. "$(dirname "$0")/../../rig/guest/kernel.sh"
# shellcheck source=selftests/rig/tap.sh
. "$(dirname "$0")/../../rig/tap.sh"
soak=${1:-3}
here=$(dirname "$0")
test=build/guest/test
tmp=$(mktemp -d)

# The public firmware has the name of its version.
full=1
! ethtool -i eth0 | grep -q ' bpf-' || full=0

a() { ip netns exec a "$@"; }
b() { ip netns exec b "$@"; }

stat() { # NAMESPACE INTERFACE NAME
	ip netns exec "$1" ethtool -S "$2" | awk -v k="$3:" '$1 == k { print $2 }'
}

join() { # move each port into its namespace, set addresses, and wait for links
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

# Run all commands in parallel, and fail if one fails: starting a program takes long on the
# emulated CPU.
all() { # COMMAND...
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

pings() { # sizes around Ethernet's minimum, around the MTU, and above it (fragments)
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

# The card must drop and count a frame that is longer than the receiver's buffers.
too_long() {
	local before after

	ip -n b link set eth1 mtu 1500 && link_up && a ping -q -c 1 -W 10 10.9.0.2 || return 1
	before=$(stat b eth1 dev_rx_discards)
	! a ping -q -c 1 -W 1 -M 'do' -s 3000 10.9.0.2 || return 1
	after=$(stat b eth1 dev_rx_discards)
	[ "$after" -gt "$before" ] && mtu 1500
}

# iperf3 measures the rate; vnic_tcp.py compares the data. Both servers and the vnic_tcp.py client
# run for the whole test. They are reached by FIFOs, because check() runs each test in a subshell.
# Each server prints a line when it listens.
servers() {
	local line

	read -r -t $((60 * NFPCHAN_SLOW)) line <&6 && echo "$line" &&
	read -r -t $((60 * NFPCHAN_SLOW)) line <&6 && echo "$line" &&
	send 10.9.0.2 1 0
}

send() { # ADDRESS STREAMS BYTES: send data by TCP, and compare what comes back
	local answer=none

	echo "$*" >&4
	read -r -t $((100 * NFPCHAN_SLOW)) answer <&5
	[ "$answer" = whole ] || { echo "$*: $answer"; return 1; }
}

tcp() { # NAME ARGUMENT...: run iperf3, and print the rate
	local name=$1 rate

	shift
	a timeout $((100 * NFPCHAN_SLOW + soak)) iperf3 -i 0 -f m "$@" >"$tmp/iperf" 2>&1 ||
		{ cat "$tmp/iperf"; return 1; }
	rate=$(rates <"$tmp/iperf") || { cat "$tmp/iperf"; return 1; }
	echo "# $name: $rate" >&3
}

# Print the rates of iperf3's last lines. With several streams these are the lines of the sums. Fail
# if nothing was received in one direction.
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

# Write all counters of both ports to FILE, at a moment when no frame is in flight. The counters are
# read one by one, which takes long, and meanwhile the kernel may send frames (it probes a neighbour
# that was silent for 5 s). So read all counters until two readings are equal.
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

# Print how many unicast frames from namespace FROM to namespace TO no counter explains: lost on the
# wire, in the receiving card, and between that card and its driver. Multicast frames are left out,
# because the card's filter drops them uncounted.
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

# Run TCP at full speed in both directions, together with numbered datagrams. gap() also counts
# frames for other addresses, which earlier tests sent, so it need not be 0: it must not change
# during the soak. TCP segments must arrive in order, unless the card or a socket had no buffer and
# dropped one.
soak() {
	local status=0 before after drops late streams=4

	# The iperf3 server stops a test 40 s after its end. A slow machine does not finish four streams in
	# that time.
	[ "$NFPCHAN_SLOW" -lt 5 ] || streams=1
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

# Print the errors, drops and out-of-order segments that TCP counts in both namespaces.
tcp_counters() {
	local n

	for n in a b; do
		ip netns exec $n nstat -asz | awk -v n=$n '
			/^TcpIn.*Err|^TcpExt(TCPOFOQueue|TCPBacklogDrop|TCPRcvQDrop|.*Prune)/ {
				print n, $1, $2
			}'
	done
}

grown() { # SUFFIX PATTERN: print how much the counters grew from file "before" to file "after"
	awk -v p="$2" '$2 ~ p { n += FNR == NR ? -$3 : $3 } END { print n + 0 }' \
		"$tmp/before$1" "$tmp/after$1"
}

# The firmware says that a sum is right, or it gives the sum.
no_bad_sums() {
	local good=hw_rx_csum_ok

	[ $full = 1 ] || good=hw_rx_csum_complete
	[ "$(stat a eth0 hw_rx_csum_err)$(stat b eth1 hw_rx_csum_err)" = 00 ] &&
	[ "$(stat b eth1 $good)" -gt 100 ] &&
	[ "$(b nstat -asz TcpInCsumErrors | awk '/Csum/ { print $2 }')" = 0 ]
}

segmented() { [ "$(stat a eth0 tx_lso)" -gt 10 ] && [ "$(stat b eth1 tx_lso)" -gt 10 ]; }

# Send DATAGRAMS numbered datagrams. None may arrive changed or out of order. The number lost must
# equal the number of drops counted. With OTHERS there is other traffic, whose drops are in the same
# counters: then the number lost may be smaller.
udp() { # DATAGRAMS [OTHERS]
	local line drops w

	exec 7< <(b "$here/vnic_udp.py" recv 10.9.0.2 7000)
	read -r -t $((120 * NFPCHAN_SLOW)) line <&7 || return 1
	drops=$(losses)
	a "$here/vnic_udp.py" send 10.9.0.2 7000 "$1" || { kill $!; return 1; }
	read -r -t $((120 * NFPCHAN_SLOW)) line <&7 || return 1
	echo "$line"
	echo "# udp: $line" >&3
	read -ra w <<<"$line"
	drops=$(($(losses) - drops))
	echo "${w[5]} lost, $drops counted"
	[ "${w[5]}" -le "$drops" ] || elsewhere
	[ "${w[7]}${w[9]}" = 00 ] && [ "${w[5]}" -le "$drops" ] &&
	{ [ $# = 2 ] || [ "${w[5]}" = "$drops" ]; }
}

# Print all other counters of drops, for the log of a failed test.
elsewhere() {
	local n

	for n in a b; do
		ip netns exec $n nstat -as | grep -iE 'drop|err|discard|noport|mem' | sed "s/^/$n /"
		ip -n $n -s link show | grep -A 1 -E '[RT]X:'
		tc -n $n -s qdisc show | grep dropped
	done
}

losses() { # print the number of datagrams that the card or a socket in b dropped
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

# Test VLAN traffic with each combination of tag insertion at the sender and tag removal at the
# receiver.
vlan_offloads() {
	local rx tx

	if [ $full = 0 ]; then
		a ethtool -k eth0 | grep -qx 'tx-vlan-offload: off \[fixed\]' &&
		b ethtool -k eth1 | grep -qx 'rx-vlan-offload: off \[fixed\]'
		return
	fi
	for rx in on off; do
		for tx in on off; do
			all "a ethtool -K eth0 txvlan $tx" "b ethtool -K eth1 rxvlan $rx" &&
			all 'a ping -q -c 3 -i 0.01 -W 5 -s 1472 10.42.0.2' \
				'send 10.42.0.2 1 300000' || return 1
		done
	done
	a ethtool -K eth0 txvlan on && b ethtool -K eth1 rxvlan on
}

features() { # switch off one feature at a time at both ports, and send data each time
	local f on=""

	for f in rx tx sg tso gso gro rxhash tx-udp-segmentation; do
		all "a ethtool -K eth0 $on $f off" "b ethtool -K eth1 $on $f off" &&
		send 10.9.0.2 1 300000 || return 1
		on="$f on"
	done
	on="$on rx on tx on sg on tso on"
	all "a ethtool -K eth0 $on" "b ethtool -K eth1 $on" && send 10.9.0.2 2 1000000
}

# Direct all flows to ring 1, then to ring 0, with the indirection table. Then set another hash key:
# flows must arrive at both rings.
rss() {
	local ring before after key=6d:5a:56:da

	[ $full = 0 ] || key+=:25:5b:0e:c2:41:67:25:3d:43:a3:8f:b0:d0:ca:2b:cb:ae:7b:30:b4:77:cb:2d:a3:80:30:f2:0c:6a:42:b7:3b:be:ac:01:fa

	for ring in 1 0; do
		b ethtool -X eth1 weight $((1 - ring)) $ring || return 1
		read -ra before < <(rings)
		send 10.9.0.2 4 300000 || return 1
		read -ra after < <(rings)
		echo "ring $ring: ${before[*]}, ${after[*]}"
		[ $((after[ring] - before[ring])) -gt 200 ] &&
		[ $((after[1 - ring] - before[1 - ring])) -lt 50 ] || return 1
	done
	b ethtool -X eth1 default && b ethtool -X eth1 hkey "$key" || return 1
	# Ports that Linux gives to connections in a row may have CRCs that are all even, or all odd.
	[ $full = 1 ] || return 0
	read -ra before < <(rings)
	send 10.9.0.2 16 30000 || return 1
	read -ra after < <(rings)
	echo "both: ${before[*]}, ${after[*]}"
	[ "${after[0]}" -gt "${before[0]}" ] && [ "${after[1]}" -gt "${before[1]}" ]
}

rings() { b ethtool -S eth1 | awk '/rxq_[01]_pkts/ { printf "%s ", $2 } END { print "" }'; }

# Print the number of interrupts of 100 pings with and without moderation. The numbers are not
# compared, because they depend on the emulator's speed.
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

irqs() { # COMMAND...: print how many interrupts eth0 had while the command ran
	local before

	before=$(irq_count) && "$@" >&2 && echo $(($(irq_count) - before))
}

irq_count() { awk '/eth0-rxtx/ { n += $2 + $3 } END { print n }' /proc/interrupts; }

mac_filter() { # frames to another address arrive only while the interface is promiscuous
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

new_mac() { # change the address while the interface is up; the peer resolves it again
	ip -n b link set eth1 address 02:00:00:00:00:22 && ip -n a neigh flush dev eth0 &&
	a ping -q -c 3 -i 0.01 -W 5 10.9.0.2
}

flows() { # the flow meter counts the packets of both ports that the host gets
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

# Run COMMAND while traffic flows in both directions. Traffic may pause meanwhile, but must flow
# again afterwards.
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

# Wait until 50 packets have arrived at each port.
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

reload() { # modprobe makes new network devices, which are not in the namespaces yet
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

# Keep a socket with time stamps open during the whole test. Each ping enables time stamps, and the
# kernel patches its receive path when the first socket enables them and when the last one closes.
# Under load on two CPUs of QEMU's TCG, such a patch once ended in an int3 Oops
# (netif_receive_skb_list_internal). With this socket the kernel does not patch.
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
check 'both ports are in namespaces and have a link' join
check 'ping of all sizes, IPv4 and IPv6' pings
check 'the servers listen' servers
check 'TCP' tcp tcp -t 1 -c 10.9.0.2
# With firmware "full", only what depends on the firmware's offers is tested.
if [ $full = 0 ]; then
check 'TCP, reverse' tcp 'tcp reverse' -t 1 -R -c 10.9.0.2
check 'TCP, both ways, four streams' tcp 'tcp bidirectional' -t 1 -P 2 --bidir -c 10.9.0.2
check 'TCP, IPv6' tcp 'tcp ipv6' -t 1 -c fd09::2
check 'TCP, IPv6, reverse' tcp 'tcp ipv6 reverse' -t 1 -R -c fd09::2
check 'UDP' tcp udp -u -b 50M -t 1 -c 10.9.0.2
fi
check 'data sent by TCP comes back unchanged, IPv4' send 10.9.0.2 4 2000000
check 'data sent by TCP comes back unchanged, IPv6' send fd09::2 4 2000000
check 'datagrams arrive unchanged and in order' udp 4000
check 'the card segmented large packets' segmented
check 'neither card nor kernel found a wrong checksum' no_bad_sums
check 'two readings of all counters are equal' snapshot "$tmp/now"
check 'every frame sent is received or counted, a to b' counters a b
check 'every frame sent is received or counted, b to a' counters b a
check 'VLAN' vlan
check 'VLAN with tag insertion and removal on and off' vlan_offloads
check 'ethtool -K' features
check 'ethtool -X' rss
if [ $full = 0 ]; then
check 'jumbo frames' jumbo
check 'frames longer than the buffers are dropped and counted' too_long
check 'ethtool -C' coalesce
check 'MAC filter, and promiscuous mode' mac_filter
check 'MAC address changes while the interface is up' new_mac
check 'the flow meter counts the packets' flows
check 'ethtool -G under traffic' under_traffic resize
check 'ethtool -L under traffic' under_traffic channels
check 'ifdown and ifup under traffic' under_traffic up_down
check "soak, $soak s: every frame is received or counted, in order and unchanged" soak
check 'driver reload under traffic' under_traffic reload
check 'TCP after the reload' tcp 'tcp at the end' -t 1 -c 10.9.0.2
fi
check 'the kernel logs no unexpected message' complaints
exec 4>&-
kill %1
