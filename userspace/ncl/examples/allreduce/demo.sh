#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Four workers sum arrays, first through the card at eth0, then through a plain XDP device, a veth
# interface; it compares both sums. It runs in the VM of scripts/demo-ncl, at the top of the tree.
set -eu
. selftests/ncl/guest/net.sh
bin=$PWD/build/ncl/bin
lib=$PWD/build/ncl/examples
workers=w1,w2,w3,w4
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# The sums of four workers through device s1, which is of that MODE: files $tmp/KIND.LABEL
sums() { # KIND MODE
	local pids='' failed=0 w net

	echo "demo-ncl: $1: building the network, with four hosts around s1" >&2
	net_up --device "$1" --hosts 4
	net=$NCL_AND
	export NCL_AND=$PWD/userspace/ncl/examples/allreduce/net.and NCL_FIRST=1
	"$bin/ncl" deploy "$lib/allreduce.ncd" "$NCL_AND" --map "s1=$NET_DEV:$2"
	NCL_HOST=server "$lib/allreduce" -c "$workers"
	for w in w1 w2 w3 w4; do
		NCL_HOST=$w on "$w" "$lib/allreduce" -n 4096 -r 4 -o "$tmp/$1.$w" "$workers" &
		pids="$pids $!"
	done
	for w in $pids; do wait "$w" || failed=1; done
	"$bin/ncl" show
	"$bin/ncl" undo allreduce
	NCL_AND=$net
	net_down || :
	return "$failed"
}

sums card offload
sums veth generic
for w in w1 w2 w3 w4; do
	cmp "$tmp/card.w1" "$tmp/card.$w"
	cmp "$tmp/card.w1" "$tmp/veth.$w"
done
echo "all workers have the same 4096 sums, from the card and from the plain XDP device"
