#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The part of measure that runs in the VM. It prints lines "KEY {JSON}". After a line "mark NAME"
# it waits for a line at its standard input, while measure reads the card's counters.
#
# usage: guest.sh COUNT CARD-ROUNDS MPI-ROUNDS QUERIES WORKERS...
set -eu
. selftests/ncl/guest/net.sh
bin=$PWD/build/ncl/bench-ncl
lib=$PWD/build/ncl/examples
count=$1 rounds=$2 mpi_rounds=$3 queries=$4
shift 4
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

mark() { echo "mark $1"; read -r _; }

# Print the lines with figures, with words in front: "4 card worker {...}"
labelled() { sed -n "/{/s/^/$1 /p" "$tmp"/said.*; }

workers() { # N: run N workers, each on its host, until all have checked their sums
	local pids='' p i

	rm -f "$tmp"/said.*
	export NCL_FIRST=$((${EPOCHREALTIME/./} / 1000 % 1000000000))
	for ((i = 1; i <= $1; i++)); do
		NCL_HOST=w$i on "w$i" timeout 120 "$bin/sum_ncl" worker $((i - 1)) "$1" "$count" "$rounds" \
			>"$tmp/said.$i" </dev/null &
		pids="$pids $!"
	done
	for p in $pids; do wait "$p"; done
}

until_ready() { # FILE PID: wait until the process has written "ready" to the file
	until grep -q ready "$1"; do kill -0 "$2"; done
}

# N: run N workers with MPI, whose traffic goes from host to host and not through the card
mpi() { # N
	local hosts i

	for ((i = 1; i <= $1; i++)); do hosts=${hosts:+$hosts,}w$i; done
	rm -f "$tmp"/said.*
	export PRTE_MCA_plm_ssh_agent=$PWD/selftests/bench/ncl/in_netns
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	timeout 200 mpirun --host "$hosts" -np "$1" --oversubscribe --bind-to none \
		--mca btl tcp,self --mca pml ob1 --mca btl_tcp_if_include eth0 \
		--mca mpi_yield_when_idle 1 "$bin/sum_mpi" "$count" "$mpi_rounds" \
		>"$tmp/said.mpi" </dev/null
}

# Keep the hosts' multicast reports (joins of a group) away from the card: it gets only windows
around_card() { # HOSTS
	net_up --hosts "$1"
	ip -n wire link set eth1 type bridge_slave mcast_flood off
}

sums() { # N
	local net server

	around_card "$1"
	net=$NCL_AND
	export NCL_AND=$bin/$1/net.and NCL_PROGRAM=$bin/$1/allreduce.ncd
	ncl deploy "$NCL_PROGRAM" "$NCL_AND" --map "s1=$NET_DEV:offload" >/dev/null
	NCL_HOST=server "$bin/sum_ncl" tell "$1"
	mark "allreduce $1"
	workers "$1"
	mark end
	labelled "$1 card"
	ncl undo allreduce >/dev/null

	NCL_HOST=server "$bin/sum_ncl" server "$1" >"$tmp/server" </dev/null &
	server=$!
	until_ready "$tmp/server" "$server"
	workers "$1"
	kill "$server"
	wait "$server"
	mv "$tmp/server" "$tmp/said.server"
	labelled "$1 server"

	mpi "$1"
	labelled "$1 mpi"
	NCL_AND=$net
	net_down
}

# Print the CPU seconds that all threads of the processes have used
cpu_of() { # PID...
	local p

	for p in "$@"; do cat /proc/"$p"/task/*/schedstat; done | awk '{ s += $1 } END { print s / 1e9 }'
}

# Measure queries, 90 % of them for 16 keys. NAME is "cache": the card has the values of these
# keys, or "plain": it has none.
queries() { # NAME HOT-THRESHOLD
	local server before after

	NCL_HOST=server "$lib/kvs-server" -t "$2" >"$tmp/server" 2>&1 </dev/null &
	server=$!
	until_ready "$tmp/server" "$server"
	NCL_HOST=w1 on w1 "$bin/kvs_ask" put 116 </dev/null
	NCL_HOST=w1 on w1 "$bin/kvs_ask" get 16 8 </dev/null
	before=$(cpu_of "$server" "$memcached")
	[ "$1" != cache ] || mark kvs
	NCL_HOST=w1 on w1 "$bin/kvs_ask" ask 16 116 "$queries" 90 >"$tmp/said" </dev/null
	[ "$1" != cache ] || mark end
	after=$(cpu_of "$server" "$memcached")
	sed "s/^/kvs $1 /" "$tmp/said"
	echo "kvs $1 server {\"cpu\": $(awk "BEGIN { print $after - $before }")}"
	kill "$server"
	wait "$server"
}

kvs() {
	local memcached net

	around_card 2
	net=$NCL_AND
	export NCL_AND=$bin/2/net.and NCL_PROGRAM=$bin/2/kvs.ncd
	memcached -u nobody -l 127.0.0.1 -p 11211 -m 16 </dev/null &
	memcached=$!
	until bash -c : 2>/dev/null </dev/tcp/127.0.0.1/11211; do kill -0 "$memcached"; done
	queries plain 100000
	ncl deploy "$NCL_PROGRAM" "$NCL_AND" --map "s1=$NET_DEV:offload" >/dev/null
	queries cache 8
	ncl undo kvs >/dev/null
	kill "$memcached"
	wait "$memcached" || :
	NCL_AND=$net
	net_down
}

# Run a program with its own traffic. Only the card's instructions are counted.
other() { # PROGRAM FOLDER COMMAND...
	export NCL_AND=userspace/ncl/examples/$2/net.and NCL_PROGRAM=$lib/$1.ncd
	ncl deploy "$NCL_PROGRAM" "$NCL_AND" --map "s1=$NET_DEV:offload" >/dev/null
	mark "$1"
	NCL_HOST=w1 "${@:3}" </dev/null >/dev/null
	mark end
	ncl undo "$1" >/dev/null
}

bids() {
	local i

	for ((i = 1; i <= 20; i++)); do on w1 "$lib/auction" "$i"; done
}

words() {
	local reducer

	NCL_HOST=reducer "$lib/wordcount" reduce 1 selftests/README.rst >"$tmp/words" &
	reducer=$!
	until_ready "$tmp/words" "$reducer"
	on w1 "$lib/wordcount" map selftests/README.rst
	wait "$reducer"
}

others() {
	local net

	around_card 3
	net=$NCL_AND
	other calc calc on w1 "$lib/calc" test 200 1
	other auction first bids
	other lock lock on w1 "$lib/lock" count 5 40 "$tmp/count"
	other wordcount wordcount words
	NCL_AND=$net
	net_down
}

for n in "$@"; do
	sums "$n"
	echo "bench-ncl: $n workers: done after $SECONDS s" >&2
done
kvs
others
echo "bench-ncl: all done after $SECONDS s" >&2
