#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# nfpboard --stats: the counters while it runs, whole, and at its end.
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'kill "$board" 2>/dev/null; rm -rf "$tmp"' EXIT
mkfifo "$tmp/ready"
build/host/bin/nfpboard --socket "$tmp/sock" --stats "$tmp/stats" --ready-fd 3 \
	3>"$tmp/ready" 2>"$tmp/log" &
board=$!
read -r line <"$tmp/ready"
n=0
ok() { # STATUS, NAME
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || { echo "not ok $n - $2"; failed=1; }
}
whole() { python3 -c 'import json, sys; json.load(open(sys.argv[1]))["tlp"]' "$tmp/stats"; }
failed=0
[ "$line" = ready ] && [ ! -e "$tmp/stats" ]
ok $? "it runs, and has written nothing"
for _ in 1 2; do
	kill -USR1 "$board"
	for _ in $(seq 500); do
		[ ! -e "$tmp/stats" ] || break
		sleep 0.01
	done
	whole
	ok $? "SIGUSR1: the file is there, and whole"
	rm -f "$tmp/stats"
done
kill -TERM "$board"
wait "$board"
ok $? "SIGTERM: it ends well"
whole
ok $? "and has written the file"
kill -0 "$board" 2>/dev/null
[ $? = 1 ] && [ ! -e "$tmp/stats.new" ]
ok $? "nothing is left over"
echo "1..$n"
exit $failed
