#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: accel
# The command nfpaccel: its arguments, its socket, its files.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
tmp=$(mktemp -d)
pid=''
trap '[ -z "$pid" ] || kill "$pid"; rm -rf "$tmp"' EXIT
nfpaccel=build/host/bin/nfpaccel

fails() { # STATUS TEXT ARGUMENT...
	local want=$1 text=$2 got=0

	shift 2
	$nfpaccel "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || got=$?
	[ "$got" = "$want" ] && grep -qF -- "$text" "$tmp/err"
}

check "no socket" fails 2 '--socket is missing' --kind classify
check "no kind" fails 2 '--kind is missing' --socket "$tmp/s"
check "an unknown kind" fails 2 '--kind must be aes-gcm or classify: tpu' --kind tpu
check "a descriptor that is not open" fails 2 '--ready-fd is not an open descriptor: 77' \
	--socket "$tmp/s" --kind classify --ready-fd 77
check "one argument too many" fails 2 'unknown argument: more' --socket "$tmp/s" --kind classify more
check "a path too long for a socket" fails 1 'must be 1 to 107' \
	--socket "$tmp/$(printf '%0110d' 0)" --kind classify
check "a folder that there is not" fails 1 'No such file' --socket "$tmp/none/s" --kind classify

mkfifo "$tmp/ready"
$nfpaccel --socket "$tmp/s" --kind aes-gcm --stats "$tmp/stats" --ready-fd 3 \
	3>"$tmp/ready" 2>"$tmp/log" &
pid=$!
read -r line <"$tmp/ready"
check "it says when it listens" test "$line" = ready
check "a socket that is served" fails 1 'another server listens there' --socket "$tmp/s" --kind classify
kill -TERM $pid
wait $pid
check "SIGTERM ends it well" test $? = 0
pid=''
check "its counters are JSON" python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
assert d["kind"] == "aes-gcm" and d["good"] == 0, d' "$tmp/stats"
check "its socket is gone" test ! -e "$tmp/s"
scripts/vm --accel tpu -- true >"$tmp/out" 2>"$tmp/err"
check "scripts/vm knows kinds, too" test $? = 2
done_testing
