#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host long
# build: -
# protocol.t - check models of the ring protocol (uapi/PROTOCOL.rst) with spin.
#
# selftests/model/runs lists the runs: a model and a configuration. A run of the protocol as it is
# must hold in every interleaving. A run with a mistake (BUG_*) must violate the assertion that the
# list names.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
models=$top/selftests/model
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=selftests/rig/tap.sh
. "$top/selftests/rig/tap.sh"
MB=900		# memory of one run, in MB. At most two runs go on at a time
DEPTH=200000	# most steps of a path

# run_one NUMBER MODEL OUTCOME DEFINE...: run a model. Write the outcome to $tmp/NUMBER.got and the
# number of states to $tmp/NUMBER.states
run_one() {
	local n=$1 model=$2.pml want=${3//_/ } opt=-O0 got line
	local dir=$tmp/$1.d log=$tmp/$1.log

	shift 3
	# Optimize only a run that must hold. A run with a mistake ends soon: with -O1 the compiler
	# would take longer than the search.
	[ "$want" = holds ] && opt=-O1
	# Work in a copy of the models. Then spin prints the name of a file without its folder.
	cp -r "$models" "$dir" && cd "$dir" || return
	{
		spin "${@/#/-D}" -a "$model" &&
			gcc $opt -w -DSAFETY -DNOCLAIM -DMEMLIM=$MB -o pan pan.c &&
			./pan -E -m$DEPTH
	} >"$log" 2>&1
	if grep -q '^State-vector.*errors: 0$' "$log" &&
		! grep -q 'search depth too small\|out of memory\|not completed' "$log"; then
		got=holds
	elif [ -e "$model.trail" ]; then
		line=$(spin "${@/#/-D}" -t "$model" 2>/dev/null |
			sed -n 's/^spin: *\([^ ,]*\):\([0-9]*\), Error: assertion violated.*/\1 \2/p' | head -n 1)
		got=$(sed -n "${line#* }s|.*assert.*/\* \(.*\) \*/.*|\1|p" "${line% *}")
		: "${got:=an assertion without a name at ${line/ /:}}"
	else
		got="no result"
	fi
	sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' "$log" >"$tmp/$n.states"
	[ "$got" = "$want" ] || got+=$'\n'$(tail -n 5 "$log")
	echo "$got" >"$tmp/$n.got"
	rm -rf "$dir"
}
export -f run_one
export models tmp MB DEPTH

# Number the runs. The longest ones come first in the list.
sed 's/#.*//; /^ *$/d' "$models/runs" | awk '{ print NR, $0 }' >"$tmp/runs"
cpus=$(nproc)
xargs -P "$((cpus > 2 ? 2 : cpus))" -L 1 bash -c 'run_one "$@"' run_one <"$tmp/runs"
while read -r run model want defines; do
	outcome=${want//_/ }
	[ "$want" = holds ] || outcome="violates $outcome"
	same "$model $defines: $outcome" "$(cat "$tmp/$run.got" 2>&1)" "${want//_/ }"
done <"$tmp/runs"
echo "# $(cat "$tmp"/*.states | awk '{ s += $1 } END { print s }') states in all," \
	"$(sort -n "$tmp"/*.states | tail -n 1) in the largest run, $SECONDS s"

# Each mistake in a model needs a run, which shows that an assertion finds it.
grep -oh 'BUG_[A-Z_]*' "$models"/*.pml "$models"/*.h | sort -u >"$tmp/known"
grep -o 'BUG_[A-Z_]*' "$models/runs" | sort -u >"$tmp/sought"
check "each of the $(wc -l <"$tmp/known") mistakes BUG_* has a run" diff "$tmp/known" "$tmp/sought"
done_testing
