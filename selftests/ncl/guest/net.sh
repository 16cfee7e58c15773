#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Build a network around device s1 in the VM. Each host is a network namespace with a MAC and an IPv4
# address. A bridge connects the hosts with the other end of the wire of s1.
#
## usage: net.sh [OPTION]... -- COMMAND [ARGUMENT]...      (build the network, run COMMAND)
##        . net.sh; net_up [OPTION]...; on LABEL COMMAND...; net_down
##
##     w1 10.1.0.11 --.                      .-- s1 10.1.0.1: $NET_DEV in the namespace of
##     w2 10.1.0.12 --+-- bridge -- wire ----'   the caller, which is also the host "server"
##     s2 10.1.0.2  --'  (namespace "wire")
##
##   --device card|veth  s1 is eth0 of a card, cabled to its eth1 (default), or a veth
##   --hosts N           w1 to wN, at most 32; default 2
##   --devices N         s1 to sN, at most 9; s2 to sN are veths, each in a namespace; default 1
##   --queues N          queues of each veth in each direction; default 1
##   --no-neigh          enter no neighbours in advance: nodes find them by ARP
##   --loss P            lose P percent of the packets of each host, in each direction
##   --duplicate P       duplicate P percent of them
##   --reorder P         delay P percent of them by 2 ms, so that later packets overtake them
##   --seed N            seed for the choice of these packets; default random. It is printed
##
## The environment of COMMAND has NET_DEV, NET_HOSTS, and NCL_AND, an AND file of the network.
## `ip netns exec w1 ...` runs a command on host w1, whose interface is eth0.
## exit status: COMMAND's; 1 (the network cannot be built), 2 (wrong usage)

net_defaults() {
	NET_DEV=eth0 NET_HOSTS=2
	net_kind=card net_devices=1 net_queues=1 net_neigh=1 net_seed='' net_netem=()
	net_spaces=() net_file=
}

net_say() { echo "net.sh: $*" >&2; }

net_options() {
	net_defaults
	while [ $# -gt 0 ]; do
		[ "$1" = --no-neigh ] || [ $# -ge 2 ] || { net_say "$1 needs a value"; return 2; }
		case $1 in
		--device)
			net_kind=$2
			[[ $2 =~ ^(card|veth)$ ]] || { net_say "--device card or veth, not '$2'"; return 2; } ;;
		--no-neigh) net_neigh=0; shift; continue ;;
		--loss) net_netem+=(loss random "$2%") ;;
		--duplicate) net_netem+=(duplicate "$2%") ;;
		--reorder) net_netem+=(delay 2ms reorder "$((100 - $2))%") ;;
		--hosts | --devices | --queues | --seed)
			[[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || { net_say "$1 needs a number, not '$2'"; return 2; }
			case $1 in
			--hosts) NET_HOSTS=$2 ;;
			--devices) net_devices=$2 ;;
			--queues) net_queues=$2 ;;
			--seed) net_seed=$2 ;;
			esac ;;
		*) net_say "unknown argument: $1"; return 2 ;;
		esac
		shift 2
	done
	[ "$NET_HOSTS" -le 32 ] || { net_say "--hosts $NET_HOSTS: 32 at most"; return 2; }
	[ "$net_devices" -le 9 ] || { net_say "--devices $net_devices: 9 at most"; return 2; }
}

net_labels() {
	local i

	for ((i = 1; i <= NET_HOSTS; i++)); do echo "w$i"; done
	for ((i = 2; i <= net_devices; i++)); do echo "s$i"; done
}

net_address() { # LABEL
	case $1 in
	w*) echo "10.1.0.$((10 + ${1#w}))" ;;
	server) echo 10.1.0.1 ;;
	*) echo "10.1.0.${1#s}" ;;
	esac
}

net_mac() { # LABEL
	case $1 in
	w*) printf '02:00:0a:01:01:%02x\n' "${1#w}" ;;
	*) printf '02:00:0a:01:00:%02x\n' "${1#s}" ;;
	esac
}

# Print an AND file: all hosts and all other devices are linked to s1.
net_and() {
	local l

	for l in $(net_labels); do
		case $l in
		w*) echo "host $l $(net_address "$l")" ;;
		*) continue ;;
		esac
	done
	echo "device s1 $(net_address s1)"
	echo "host server $(net_address s1)"
	for l in $(net_labels); do
		case $l in s*) echo "device $l $(net_address "$l")" ;; esac
	done
	for l in $(net_labels); do echo "link $l s1"; done
}

# Run a command in the namespace of a node. s1 and server are in the namespace of the caller.
on() { # LABEL COMMAND...
	local label=$1

	shift
	case $label in
	s1 | server) "$@" ;;
	*) ip netns exec "$label" "$@" ;;
	esac
}

net_space() { # NAME: IPv6 is off, because it would send packets by itself
	ip netns add "$1" || return
	net_spaces+=("$1")
	ip netns exec "$1" sysctl -q -w net.ipv6.conf.all.disable_ipv6=1 \
		net.ipv6.conf.default.disable_ipv6=1 || return
	ip -n "$1" link set lo up
}

net_loss() { # NAMESPACE INTERFACE
	[ ${#net_netem[@]} -gt 0 ] || return 0
	net_seed=$((net_seed + 1))
	tc -n "$1" qdisc add dev "$2" root netem limit 10000 "${net_netem[@]}" seed "$net_seed"
}

# Connect an interface in a namespace ('': the caller's) to the bridge, by a veth pair. Packets that
# XDP sends back stay in the veth's ring unless the peer has an XDP program, so the peer of a device
# gets a program that passes all packets.
net_veth() { # NAMESPACE LABEL INTERFACE
	local at=()

	[ -z "$1" ] || at=(netns "$1")
	ip -n wire link add "$2" numtxqueues "$net_queues" numrxqueues "$net_queues" type veth \
		peer name "$3" "${at[@]}" address "$(net_mac "$2")" numtxqueues "$net_queues" \
		numrxqueues "$net_queues" || return
	[ -n "$1" ] || ip -n wire link set "$3" netns 1 || return
	ip -n wire link set "$2" master br0 up || return
	case $2 in s*) ip -n wire link set dev "$2" xdpdrv obj build/guest/xdp/pass.o sec xdp ;; esac
}

net_attach() { # LABEL
	net_space "$1" && net_veth "$1" "$1" eth0 &&
	ip -n "$1" addr add "$(net_address "$1")/24" dev eth0 && ip -n "$1" link set eth0 up &&
	case $1 in w*) net_loss "$1" eth0 && net_loss wire "$1" ;; esac
}

net_wire() {
	net_space wire &&
	ip -n wire link add br0 type bridge stp_state 0 forward_delay 0 mcast_snooping 0 &&
	ip -n wire link set br0 up || return
	if [ "$net_kind" = veth ]; then
		NET_DEV=dev0
		net_veth '' s1 dev0 || return
	else
		ip link set eth1 netns wire && ip -n wire link set eth1 master br0 up || return
	fi
	sysctl -q -w "net.ipv6.conf.$NET_DEV.disable_ipv6=1" &&
	ip addr add "$(net_address s1)/24" dev "$NET_DEV" && ip link set "$NET_DEV" up || return
	[ "$net_kind" = veth ] || net_links
}

net_links() {
	build/guest/test/net_wait eth0 up && ip netns exec wire build/guest/test/net_wait eth1 up
}

# Print commands for ip -batch that enter all other nodes as neighbours of a node.
net_neighbours() { # LABEL INTERFACE
	local l mac

	for l in s1 $(net_labels); do
		[ "$l" != "$1" ] || continue
		mac=$(net_mac "$l")
		[ "$l" != s1 ] || mac=$(</sys/class/net/$NET_DEV/address)
		echo "neigh replace $(net_address "$l") lladdr $mac dev $2 nud permanent"
	done
}

net_know() {
	local l

	net_neighbours s1 "$NET_DEV" | ip -batch - || return
	for l in $(net_labels); do
		net_neighbours "$l" eth0 | ip -n "$l" -batch - || return
	done
}

net_up() { # OPTION...
	local l

	net_options "$@" || return
	if [ ${#net_netem[@]} -gt 0 ]; then
		net_seed=${net_seed:-$RANDOM}
		echo "# net.sh: ${net_netem[*]}, seed $net_seed"
	fi
	net_wire || return
	for l in $(net_labels); do net_attach "$l" || return; done
	[ $net_neigh = 0 ] || net_know || return
	net_file=$(mktemp /tmp/net.XXXXXX) && chmod 644 "$net_file" && net_and >"$net_file" || return
	NCL_AND=$net_file
	export NET_DEV NET_HOSTS NCL_AND
}

net_down() {
	local s

	[ "$net_kind" = card ] || ip link del "$NET_DEV" 2>/dev/null
	ip addr flush dev "$NET_DEV" 2>/dev/null
	ip -n wire link set eth1 netns 1 2>/dev/null
	for s in "${net_spaces[@]}"; do ip netns del "$s"; done
	net_spaces=() net_netem=()
	rm -f "$net_file"
}

[ "${BASH_SOURCE[0]}" = "$0" ] || return 0

cd "$(dirname "$0")/../../.." || exit 1
options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	case $1 in -h | --help) sed -n 's/^## \{0,1\}//p' "$0"; exit 0 ;; esac
	options+=("$1")
	shift
done
[ $# -ge 2 ] || { net_say "no COMMAND (it comes after --)"; exit 2; }
shift
status=0
net_up "${options[@]}" || status=$?
case $status in
0) "$@"; status=$? ;;
2) exit 2 ;;
*) net_say "the network cannot be built"; status=1 ;;
esac
net_down
exit $status
