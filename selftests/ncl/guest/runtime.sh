#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# libncrt with a program that nclc has made, at a device that ncl has deployed: a card, generic
# XDP, while datagrams are lost, doubled and overtaken; and in C++ at native XDP.
cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
# shellcheck source=selftests/ncl/guest/net.sh
. selftests/ncl/guest/net.sh

program=build/ncl/test/ncl_runtime
log=$(mktemp -d) tmp=
trap 'rm -rf "$log"' EXIT

# host LABEL FIRST ROLE...: FIRST is the number of its first invocation
host() { on "$1" env NCL_HOST="$1" NCL_FIRST="$2" "$program" "${@:3}"; }

# Wait for all, and show what those that failed have said.
all() { # NAME PID...
	local name=$1 pid bad=0

	shift
	for pid; do wait "$pid" || bad=1; done
	ok "$bad" "$name"
	cat "$log"/*.out | grep '^#'
	rm -f "$log"/*.out
}

control() { # WHERE
	check "$1: deployed" ncl deploy build/ncl/ncl/runtime.ncd "$NCL_AND" --map "s1=$NET_DEV:$1"
	check "$1: variables and maps" host server 0 ctrl
	check "$1: locks of processes that were killed" host server 0 abandon
}

requests() {
	local server

	mkfifo "$log/ready"
	NCL_HOST=server NCL_FIRST=0 "$program" serve >"$log/ready" &
	server=$!
	exec 5<"$log/ready"
	read -r -t 60 <&5
	check "$1: numbers, a table, questions, acknowledged windows" host w2 0 client
	kill "$server"
	wait "$server" 2>/dev/null
	exec 5<&-
	rm "$log/ready"
}

sums() {
	local w pids=()

	for w in w1 w2 w3 w4; do
		host "$w" 1 sum 2 >"$log/$w.out" 2>&1 &
		pids+=($!)
	done
	all "$1: sums of four workers" "${pids[@]}"
}

# One of four is killed while all are at work.
killed() {
	local w pids=() last

	mkfifo "$log/at-work"
	for w in w1 w2 w3; do
		host "$w" 100000 late >"$log/$w.out" 2>&1 &
		pids+=($!)
	done
	ip netns exec w4 env NCL_HOST=w4 NCL_FIRST=100000 "$program" late >"$log/at-work" &
	last=$!
	exec 5<"$log/at-work"
	read -r -t 60 <&5
	kill -KILL "$last"
	wait "$last" 2>/dev/null
	exec 5<&-
	rm "$log/at-work"
	all "$1: three of four workers end in time" "${pids[@]}"
}

gone() {
	check "$1: undone" ncl undo runtime
	host server 0 ctrl >"$log/out" 2>&1
	same "$1: no variables without a device" \
		"$(grep -o 'no file /run/ncl/runtime.s1' "$log/out")" 'no file /run/ncl/runtime.s1'
}

for place in card:offload veth:generic; do
	net_up --device "${place%:*}" --hosts 4 --loss 2 --duplicate 2 --reorder 5 || break
	control "${place#*:}"
	requests "${place#*:}"
	sums "${place#*:}"
	killed "${place#*:}"
	gone "${place#*:}"
	net_down
done
net_up --device veth --hosts 4 && {
	check "native: C++ is deployed" ncl deploy build/ncl/ncl/paper.ncd "$NCL_AND" \
		--map "s1=$NET_DEV:native"
	program=build/ncl/test/ncl_paper
	check "native: figure 4 of the paper, and the rest of namespace ncl" host w1 0
	check "native: C++ is undone" ncl undo paper
	net_down
}
done_testing
