#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Guest side of scripts/demo-chain: load a policy graph, let images come, say what was seen.
# Usage: demo.sh GRAPH TAMPERED. At each line "mark" it waits until a line comes in.
set -eu
graph=$1 tampered=$2
name=$(basename "$graph" .chain)

mark() { echo "mark $1"; read -r _; }
# Of the card's channels, not of its interfaces
interrupts() { awk '/nfp_chan/ { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts; }
# How often the process that holds the graph ran
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
nfpchan chain load "$graph" >&2
holder=$(pgrep -f "^nfpchan chain load $graph")
before=$(interrupts) ran=$(turns)
# Now the wire begins. What follows it does by itself.
ip link set dev eth0 promisc on
mark begin
echo "interrupts $(($(interrupts) - before))"
echo "turns $(($(turns) - ran))"
echo "stats $(nfpchan chain stats --json "$name" | tr -d '\n')"
mark counted
# Those that no edge to a device takes
nfpchan recv dev0-out --count "$tampered" --timeout 20000 --hex | sed 's/^/tampered /'
nfpchan chain unload "$name" >&2
