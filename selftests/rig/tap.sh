# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# TAP output of shell scripts, here and in the guest. Sourced. COMMANDs see the script's variables.

n=0
failed=0

# Print a test's line. If it failed, show TEXT, and the end of the run's output if the script keeps
# it in $tmp/out and $tmp/err.
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

# Test that COMMAND succeeds. If not, show its output.
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

# Run COMMAND, whose output is TAP as well: all of it is one test.
subtest() { # NAME COMMAND...
	local _name=$1

	shift
	"$@" | sed -u 's/^/    /'
	ok "${PIPESTATUS[0]}" "$_name"
}

# Print the plan. As a script's last command, this also sets the script's exit status.
done_testing() {
	echo "1..$n"
	return "$failed"
}
