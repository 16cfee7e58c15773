#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Guest side of examples.t: run the programs of userspace/ncl/examples with their servers and
# peers. Device s1 is the card at eth0, or, for sixteen workers, a veth with generic XDP.
cd "$(dirname "$0")/../../.." || exit 1
. selftests/rig/tap.sh
. selftests/ncl/guest/net.sh
ex=$PWD/userspace/ncl/examples
lib=$PWD/build/ncl/examples
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# deploy() changes NCL_AND. end() restores the value that net_down needs.
begin() { # OPTION...
	net_up "$@" || { ok 1 "net.sh builds the network: $*"; exit 1; }
	net=$NCL_AND
}

end() { NCL_AND=$net net_down; }

# Deploy a program that was compiled with FOLDER's AND file. MAP is an argument of --map.
deploy() { # FOLDER PROGRAM MAP...
	local maps=() m

	export NCL_AND=${and:-$ex/$1/net.and} NCL_PROGRAM=$lib/$2.ncd
	for m in "${@:3}"; do maps+=(--map "$m"); done
	check "$2: ncl deploy ${*:3}" ncl deploy "$NCL_PROGRAM" "$NCL_AND" "${maps[@]}"
}

undo() { check "$1: ncl undo" ncl undo "$1"; }

# Run the same command on several hosts at once. It must succeed on all of them.
each() { # "LABEL..." COMMAND...
	local l pids='' status=0

	for l in $1; do
		NCL_HOST=$l on "$l" timeout $((60 * NFPCHAN_SLOW)) "${@:2}" >"$tmp/said.$l" 2>&1 &
		pids="$pids $!"
	done
	for l in $pids; do wait "$l" || status=1; done
	for l in $1; do cat "$tmp/said.$l"; done
	return "$status"
}

# Give wN the addresses of several hosts of a program: wN is the machine on which they run.
machine() { # N LAST-BYTE...
	local i l

	for i in "${@:2}"; do
		for l in 1 2; do ip -n "w$l" addr del "10.1.0.$i/24" dev eth0 2>/dev/null; done
		ip -n "w$1" addr add "10.1.0.$i/24" dev eth0
		ip neigh flush to "10.1.0.$i"
	done
}

# Wait until the process has printed "ready" to the file, or has ended.
ready() { # FILE PROCESS
	until grep -q ready "$1"; do
		kill -0 "$2" || break
		sleep 0.1
	done
}

# Set the packet loss of each host in both directions. Without arguments no packet is lost.
netem() { # LABELS ARGUMENT...
	local l

	for l in $1; do
		tc -n "$l" qdisc del dev eth0 root 2>/dev/null
		tc -n wire qdisc del dev "$l" root 2>/dev/null
	done
	net_netem=("${@:2}")
	[ $# = 1 ] || echo "# netem ${*:2}, seeds from $((net_seed + 1)) on"
	for l in $1; do net_loss "$l" eth0 && net_loss wire "$l" || return; done
}

# Set a rising number of the first invocation. The device's memory then needs no reset.
first() { export NCL_FIRST=$((${EPOCHREALTIME/./} / 1000 % 1000000000)); }

allreduce() { # PROGRAM "LABEL..." COUNT ROUNDS
	local list=${2// /,}

	first
	NCL_HOST=server "$lib/$1" -c "$list" && each "$2" "$lib/$1" -n "$3" -r "$4" "$list"
}

test_allreduce() {
	local w="w1 w2 w3 w4"

	deploy allreduce allreduce "s1=$NET_DEV:offload"
	check "allreduce: four workers" allreduce allreduce "$w" 810 2
	first
	check "allreduce: four workers sum floats" each "$w" "$lib/allreduce" -f -n 160 "${w// /,}"
	check "allreduce: two of the four workers" allreduce allreduce "w2 w4" 100 1
	netem "$w" loss random 1%
	check "allreduce: 1 % of packets is lost in each direction" allreduce allreduce "$w" 810 2
	netem "$w" loss random 10% duplicate 5% delay 1ms reorder 75%
	check "allreduce: 10 % are lost, 5 % are doubled, 25 % are late" \
		allreduce allreduce "$w" 400 2
	netem "$w"
	unset NCL_FIRST		# other programs number by the clock
	undo allreduce
}

worker() { exec python3 "$ex/allreduce/train.py" --steps 5 --first "$NCL_FIRST" --number "${NCL_HOST#w}"; }

test_train() {
	local one

	deploy allreduce allreduce "s1=$NET_DEV:offload"
	export PYTHONDONTWRITEBYTECODE=1 NCL_FIRST
	first
	one=$(python3 "$ex/allreduce/train.py" --alone --steps 5) || ok 1 "train: alone" "$one"
	export -f worker
	export ex
	check "train: four workers" each "w1 w2 w3 w4" bash -c worker
	same "train: four workers get the same weights as one machine" \
		"$(tail -qn 1 "$tmp"/said.w[1-4] | sort -u)" "$(tail -n 1 <<<"$one")"
	echo "# $one" | head -n 1
	unset NCL_FIRST
	undo allreduce
}

kvs_clients() { # NAME KEYS QUERIES
	local said status=0

	said=$(on w1 timeout $((90 * NFPCHAN_SLOW)) "$lib/kvs-client" -k "$2" -n "$3" -s "$RANDOM" c1 c2) || status=$?
	ok "$status" "kvs: $1" "$said"
	echo "# ${said//$'\n'/$'\n'# }"
}

test_kvs() {
	local server memcached said

	machine 1 21 22
	deploy kvs kvs "s1=$NET_DEV:offload"
	memcached -u nobody -l 127.0.0.1 -p 11211 -m 16 &
	memcached=$!
	until bash -c : 2>/dev/null </dev/tcp/127.0.0.1/11211; do
		kill -0 "$memcached" || break
		sleep 0.1
	done
	NCL_HOST=server "$lib/kvs-server" -t 3 >"$tmp/server" 2>&1 &
	server=$!
	ready "$tmp/server" "$server"
	said=$(on w1 "$lib/kvs-client" -k 64 -n 10 c1 c2 2>&1)
	ok $? "kvs: GETs of unknown keys, and PUTs" "$said$(<"$tmp/server")"
	kvs_clients "no GET returns a value older than an answered PUT" 64 150
	netem w1 loss random 5% duplicate 5%
	kvs_clients "no GET returns an old value while 5 % are lost and 5 % are doubled" 64 60
	netem w1
	kill "$server"
	wait "$server"
	ok $? "kvs: the server ends" "$(<"$tmp/server")"
	kill "$memcached"
	sed 's/^/# /' "$tmp/server"
	undo kvs
}

test_calc() {
	deploy calc calc "s1=$NET_DEV:offload"
	same "calc: 1000 - 1" "$(NCL_HOST=w1 on w1 "$lib/calc" sub 1000 1)" 999
	check "calc: random numbers" each w1 "$lib/calc" test 2000 "$RANDOM"
	undo calc
}

counted() { od -An -t u8 -N 8 "$1" | tr -d ' '; }

test_lock() {

	deploy lock lock "s1=$NET_DEV:offload"
	check "lock: three hosts count in a file" each "w1 w2 w3" "$lib/lock" count 5 40 "$tmp/count"
	same "lock: no count was lost" "$(counted "$tmp/count")" 120
	netem "w1 w2 w3" loss random 5% duplicate 10% delay 500us reorder 75%
	check "lock: three hosts count while packets are lost and doubled" \
		each "w1 w2 w3" "$lib/lock" count 6 15 "$tmp/count6"
	same "lock: no count was lost while packets were lost" "$(counted "$tmp/count6")" 45
	netem "w1 w2 w3"
	same "lock: w1 takes the lock" "$(NCL_HOST=w1 on w1 "$lib/lock" take 7)" "w1 1"
	same "lock: w2 is refused" "$(NCL_HOST=w2 on w2 "$lib/lock" take 7)" "w1 1"
	same "lock: w2 cannot break the lock with a wrong token" \
		"$(NCL_HOST=w2 on w2 "$lib/lock" break 7 9)" "w1 1"
	same "lock: w2 breaks the lock with the right token" \
		"$(NCL_HOST=w2 on w2 "$lib/lock" break 7 1)" "- 1"
	same "lock: w2 takes the lock" "$(NCL_HOST=w2 on w2 "$lib/lock" take 7)" "w2 2"
	undo lock
}

# Count the words of files, and print them as `wordcount reduce` does. It compares twelve letters.
words_of() {
	cat "$@" | LC_ALL=C tr '[:upper:]' '[:lower:]' | LC_ALL=C tr -cs '[:lower:]' '\n' | cut -c 1-12 | grep . | LC_ALL=C sort |
		uniq -c | awk '{ print $2, $1 }' | LC_ALL=C sort
}

test_wordcount() {
	local reducer

	deploy wordcount wordcount "s1=$NET_DEV:offload"
	NCL_HOST=reducer "$lib/wordcount" reduce 3 README.rst >"$tmp/words" 2>"$tmp/reducer" &
	reducer=$!
	ready "$tmp/words" "$reducer"
	netem w2 loss random 5% duplicate 5%
	check "wordcount: three mappers" each "w1 w2 w3" "$lib/wordcount" map selftests/README.rst
	netem w2
	wait "$reducer"
	ok $? "wordcount: the reducer ends" "$(<"$tmp/reducer")"
	sed 's/^/# /' "$tmp/reducer"
	sed 1d "$tmp/words" | LC_ALL=C sort >"$tmp/got"
	words_of selftests/README.rst selftests/README.rst selftests/README.rst >"$tmp/want"
	check "wordcount: the counts are those of sort and uniq" diff "$tmp/want" "$tmp/got"
	undo wordcount
}


# The logs of both learners must be equal, and must have each proposer's values in order.
paxos_log() {
	local log a

	log=$(sed 1d "$tmp/log.l3")
	same "paxos: both logs are the same" "$(sed 1d "$tmp/log.l4")" "$log"
	for a in p1 p2; do
		same "paxos: each value of $a was decided once, in order" \
			"$(awk -v p="$a" '$2 == p { printf "%s ", $3 }' <<<"$log")" "1 2 3 4 5 6 7 8 "
	done
}

test_paxos() {
	local l pids='' paxos=$lib/paxos

	machine 1 21 23
	machine 2 22 24
	deploy paxos paxos leader="$NET_DEV:offload" a1=s2/eth0:generic a2=s3/eth0:native \
		a3=s4/eth0:generic learner=s5/eth0:generic
	NCL_HOST=server "$paxos" lead 1 || ok 1 "paxos: lead"
	for l in 1 2; do
		NCL_HOST=l$((l + 2)) on "w$l" timeout $((90 * NFPCHAN_SLOW)) "$paxos" learn 16 >"$tmp/log.l$((l + 2))" 2>&1 &
		pids="$pids $!"
	done
	ready "$tmp/log.l3" $!
	ready "$tmp/log.l4" $!
	NCL_HOST=p2 on w2 timeout $((60 * NFPCHAN_SLOW)) "$paxos" propose l2 8 >"$tmp/p2" 2>&1 &
	check "paxos: p1 proposes" env NCL_HOST=p1 ip netns exec w1 timeout $((60 * NFPCHAN_SLOW)) "$paxos" propose l1 8
	wait $!
	ok $? "paxos: p2 proposes" "$(<"$tmp/p2")"
	for l in $pids; do wait "$l" || ok 1 "paxos: a learner" "$(cat "$tmp"/log.*)"; done
	paxos_log
	check "paxos: acceptor a3 is undone" ncl undo paxos a3
	check "paxos: the other two acceptors decide" \
		env NCL_HOST=p1 ip netns exec w1 timeout $((60 * NFPCHAN_SLOW)) "$paxos" propose l1 3
	NCL_HOST=server "$paxos" lead 0
	l=$(awk '$1 == "3:"' "$tmp/log.l3")
	same "paxos: a host takes over from the leader, and a decided value stays" \
		"$(NCL_HOST=p2 on w2 timeout $((60 * NFPCHAN_SLOW)) "$paxos" take-over l2 3 2)" "$l"
	same "paxos: a position without a proposal is decided as nothing" \
		"$(NCL_HOST=p2 on w2 timeout $((60 * NFPCHAN_SLOW)) "$paxos" take-over l2 40 2)" "40: nothing 0"
	undo paxos
}

test_sixteen() {
	local l='' i

	for ((i = 1; i <= 16; i++)); do l="$l w$i"; done
	begin --device veth --hosts 16
	and=$ex/allreduce/net16.and deploy allreduce 16/allreduce "s1=$NET_DEV:generic"
	netem "$l" loss random 10% duplicate 5%
	check "allreduce: sixteen workers, 10 % are lost and 5 % are doubled" \
		allreduce 16/allreduce "${l# }" 64 1
	undo allreduce
	end
}

tests=$*
begin --hosts 4 --devices 5
for t in $tests; do
	[ "$t" != sixteen ] || continue
	"test_$t"
	echo "# $t: $SECONDS s"
done
end
[[ $tests != *sixteen* ]] || test_sixteen
echo "# $SECONDS s"
done_testing
