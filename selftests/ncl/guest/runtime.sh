#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Test libncrt with a program that nclc has compiled and that ncl deploys on a card and in generic
# XDP, while packets are lost, duplicated and reordered; and with a C++ program in native XDP.
cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
# shellcheck source=selftests/ncl/guest/net.sh
. selftests/ncl/guest/net.sh

program=build/ncl/test/ncl_runtime
log=$(mktemp -d) tmp=
trap 'rm -rf "$log"' EXIT

# Run the test program on a host. FIRST is the number of the host's first invocation.
host() { # LABEL FIRST ROLE...
	on "$1" env NCL_HOST="$1" NCL_FIRST="$2" "$program" "${@:3}"
}

# Run the test program on a host that is another machine than the device: it has neither the files of
# /run/ncl nor the right to use bpf(2).
away() { # LABEL ROLE...
	ip netns exec "$1" sh -c 'mount -t tmpfs ncl /run/ncl && exec setpriv --reuid 65534 --clear-groups "$@"' sh \
		env NCL_HOST="$1" NCL_FIRST=0 "$program" "${@:2}"
}

# Start ncl serve, and wait until its sockets are open.
serve() { # PROGRAM OPTION...
	mkfifo "$log/serving"
	ncl serve "$1" "$NCL_AND" "${@:2}" >"$log/serving" 2>&1 &
	server=$!
	exec 6<"$log/serving"
	served=
	read -r -t $((60 * NFPCHAN_SLOW)) served <&6
}

unserve() {
	kill "$server"
	wait "$server"
	exec 6<&-
	rm "$log/serving"
}

served() { # COUNTER: print its value
	ncl show | sed -n "s/^  served: .*$1 \([0-9]*\).*/\1/p"
}

remote() { # MODE
	local server served

	check "$1: a write fails if nobody serves the variables" away w1 refused "10.1.0.1:20813: \`ncl serve\`"
	serve runtime --allow w1 --allow w2
	same "$1: ncl serve says where it serves whom" "$served" "s1: 10.1.0.1:20813, for w1 w2"
	check "$1: a host of another machine writes and reads variables and maps" away w1 away
	check "$1: a host without access gets the reason" away w3 refused "w3 has no access to variables of s1: "
	check "$1: refused requests are counted" [ "$(served refused)" -ge 3 ]
	same "$1: no request is malformed" "$(served malformed)" 0
	echo "# $(served 'done') requests, $(served again) again"
	unserve
	same "$1: without ncl serve no counters are shown" "$(served 'done')" ''
	serve runtime
	same "$1: all hosts have access without --allow" "$served" "s1: 10.1.0.1:20813, for w1 w2 w3 w4 server"
	unserve
}

# Wait for the processes, which must all succeed, and print the notes in their output.
all() { # NAME PID...
	local name=$1 pid bad=0

	shift
	for pid; do wait "$pid" || bad=1; done
	ok "$bad" "$name"
	cat "$log"/*.out | grep '^#'
	rm -f "$log"/*.out
}

control() { # MODE
	check "$1: ncl deploy deploys the program" ncl deploy build/ncl/ncl/runtime.ncd "$NCL_AND" --map "s1=$NET_DEV:$1"
	check "$1: a host writes and reads variables and maps" host server 0 ctrl
	check "$1: processes write a variable after its writer was killed" host server 0 abandon
	remote "$1"
	check "$1: a host writes and reads variables and maps again" host server 0 ctrl
}

requests() { # MODE
	local server

	mkfifo "$log/ready"
	NCL_HOST=server NCL_FIRST=0 "$program" serve >"$log/ready" &
	server=$!
	exec 5<"$log/ready"
	read -r -t $((60 * NFPCHAN_SLOW)) <&5
	check "$1: a client gets the answers of kernels and of the server" host w2 0 client
	kill "$server"
	wait "$server" 2>/dev/null
	exec 5<&-
	rm "$log/ready"
}

sums() { # MODE
	local w pids=()

	for w in w1 w2 w3 w4; do
		host "$w" 1 sum 2 >"$log/$w.out" 2>&1 &
		pids+=($!)
	done
	all "$1: four workers get the right sums" "${pids[@]}"
}

# Kill one of four workers while all are at work. The calls of the others must time out.
killed() { # MODE
	local w pids=() last

	mkfifo "$log/at-work"
	for w in w1 w2 w3; do
		host "$w" 100000 late >"$log/$w.out" 2>&1 &
		pids+=($!)
	done
	ip netns exec w4 env NCL_HOST=w4 NCL_FIRST=100000 "$program" late >"$log/at-work" &
	last=$!
	exec 5<"$log/at-work"
	read -r -t $((60 * NFPCHAN_SLOW)) <&5
	kill -KILL "$last"
	wait "$last" 2>/dev/null
	exec 5<&-
	rm "$log/at-work"
	all "$1: three workers time out after the fourth is killed" "${pids[@]}"
}

gone() { # MODE
	check "$1: ncl undo detaches the program" ncl undo runtime
	host server 0 ctrl >"$log/out" 2>&1
	same "$1: a host finds no variables after ncl undo" \
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
	check "native: ncl deploy deploys the C++ program" ncl deploy build/ncl/ncl/paper.ncd "$NCL_AND" \
		--map "s1=$NET_DEV:native"
	program=build/ncl/test/ncl_paper
	serve paper
	check "native: figure 4 and all of namespace ncl work in C++, on another machine" away w1
	unserve
	check "native: ncl undo detaches the C++ program" ncl undo paper
	net_down
}
done_testing
