#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host long
# protocol.t - the ring protocol of uapi/PROTOCOL.rst, model-checked with spin.
#
# selftests/model/runs says which models are run, in which configuration: those
# of the protocol must hold in every interleaving, and each BUG_* in them must
# be found, by the assertion that is named there.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
models=$top/selftests/model
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=selftests/rig/tap.sh
. "$top/selftests/rig/tap.sh"
MB=900		# memory of a run; there are as many at a time as CPUs, at most 2
DEPTH=200000	# steps of the longest path

# run_one NUMBER MODEL OUTCOME DEFINE...: leaves $tmp/NUMBER.got and .states
run_one() {
	local n=$1 model=$2.pml want=${3//_/ } opt=-O0 got line
	local dir=$tmp/$1.d log=$tmp/$1.log

	shift 3
	# A bug is found soon, and the compiler takes longer than the search.
	[ "$want" = holds ] && opt=-O1
	# A copy, so that spin names a line by the file alone
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

# The table, numbered; the runs that take longest come first in it.
sed 's/#.*//; /^ *$/d' "$models/runs" | awk '{ print NR, $0 }' >"$tmp/runs"
cpus=$(nproc)
xargs -P "$((cpus > 2 ? 2 : cpus))" -L 1 bash -c 'run_one "$@"' run_one <"$tmp/runs"
while read -r run model want defines; do
	same "$model: ${want//_/ }: $defines" "$(cat "$tmp/$run.got" 2>&1)" "${want//_/ }"
done <"$tmp/runs"
echo "# $(cat "$tmp"/*.states | awk '{ s += $1 } END { print s }') states in all," \
	"$(sort -n "$tmp"/*.states | tail -n 1) in the largest run, $SECONDS s"

# A bug in a model that nobody looks for proves nothing.
grep -oh 'BUG_[A-Z_]*' "$models"/*.pml "$models"/*.h | sort -u >"$tmp/known"
grep -o 'BUG_[A-Z_]*' "$models/runs" | sort -u >"$tmp/sought"
check "each of $(wc -l <"$tmp/known") bugs is looked for" diff "$tmp/known" "$tmp/sought"
done_testing
