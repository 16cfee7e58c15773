#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Guest side of scripts/demo-chain: load a policy graph, receive images, print what was counted.
# Usage: demo.sh GRAPH TAMPERED. After each line "mark" it waits for a line on stdin.
set -eu
graph=$1 tampered=$2
name=$(basename "$graph" .graph)

mark() { echo "mark $1"; read -r _; }
# Interrupts of the card's channels, without those of its interfaces
interrupts() { awk '/nfp_chan/ { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts; }
# Context switches of the process that holds the graph
turns() { awk '/ctxt_switches/ { n += $2 } END { print n }' "/proc/$holder/status"; }

if [ -d /sys/class/iommu ] && [ -n "$(ls /sys/class/iommu)" ]; then
	modprobe vfio-pci
else
	echo 16 >/proc/sys/vm/nr_hugepages
fi
sysctl -q -w net.ipv6.conf.eth0.disable_ipv6=1
ip link set dev eth0 arp off
ip link set dev eth0 up
ip link set dev eth0 xdpoffload obj build/guest/xdp/images.o sec xdp
nfpchan graph load "$graph" >&2
holder=$(pgrep -f "^nfpchan graph load $graph")
before=$(interrupts) ran=$(turns)
# Promiscuous mode starts the replay. From here on the cards do all the work.
ip link set dev eth0 promisc on
mark begin
echo "interrupts $(($(interrupts) - before))"
echo "turns $(($(turns) - ran))"
echo "stats $(nfpchan graph stats --json "$name" | tr -d '\n')"
mark counted
# The results that no edge to a device takes come to the host.
nfpchan recv dev0-out --count "$tampered" --timeout 20000 --hex | sed 's/^/tampered /'
nfpchan graph unload "$name" >&2
