# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# TAP of shell scripts, here and in the guest. Sourced; the plan is the script's.

n=0

# A test: COMMAND is to succeed. If not, what it has said is shown, and what the script
# keeps of the run that it is about, if it does: $tmp/out, $tmp/err.
check() { # NAME, COMMAND...
	local name=$1 out

	n=$((n + 1))
	shift
	if out=$("$@" 2>&1); then
		echo "ok $n - $name"
		return
	fi
	echo "not ok $n - $name"
	{
		printf '%s\n' "$*" "$out"
		[ ! -e "${tmp-}/err" ] || tail -n 30 "$tmp/err"
		[ ! -e "${tmp-}/out" ] || tail -n 30 "$tmp/out"
	} | sed 's/^/# /'
}
