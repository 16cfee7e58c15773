# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# TAP output of shell scripts, in the guest and on the host. Tests source this file.

n=0
failed=0

# Print the result of a test: it has failed if STATUS is not 0. Then print TEXT, and the ends of the
# files $tmp/err and $tmp/out if they exist.
ok() { # STATUS NAME [TEXT]
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
		return
	fi
	failed=1
	echo "not ok $n - $2"
	{
		[ -z "${3-}" ] || printf '%s\n' "$3"
		[ ! -f "${tmp-}/err" ] || tail -n 30 "$tmp/err"
		[ ! -f "${tmp-}/out" ] || tail -n 30 "$tmp/out"
	} | sed 's/^/# /'
}

# Test that COMMAND succeeds. If it fails, print its output.
check() { # NAME COMMAND...
	local _name=$1 _said _status=0

	shift
	_said=$("$@" 2>&1) || _status=$?
	ok $_status "$_name" "$*
$_said"
}

same() { # NAME GOT WANTED
	local status=0

	[ "$2" = "$3" ] || status=1
	ok $status "$1" "got $2, want $3"
}

skip() { # NAME REASON
	ok 0 "$1 # SKIP $2"
}

# Run COMMAND, which prints TAP itself, as one test. Indent its output.
subtest() { # NAME COMMAND...
	local _name=$1

	shift
	"$@" | sed -u 's/^/    /'
	ok "${PIPESTATUS[0]}" "$_name"
}

# Print the plan. Return 1 if a test has failed. Call this last: it sets the script's exit status.
done_testing() {
	echo "1..$n"
	return "$failed"
}
