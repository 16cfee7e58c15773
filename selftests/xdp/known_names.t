#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# selftests/xdp/KNOWN.rst has each program that pins a difference, and each name
# that the generator avoids; and no program that there is not.
cd "$(dirname "$0")" || exit 1
n=0 failed=0

ok() {		# NAME, what is missing
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		echo "# missing: $2"
		failed=1
	fi
}

list=KNOWN.rst
missing=
for f in programs/known_*.c crash/*.c; do
	name=${f#programs/}
	grep -q "\`\`$name\`\`" "$list" || missing="$missing $name"
done
ok 'each program is listed' "$missing"

missing=$(grep -o '``[a-z0-9_-]*/*[a-z0-9_]*\.c``' "$list" | tr -d '`' | sort -u |
	while read -r f; do
		case $f in known_NAME.c | jit.c | verifier.c | cmsg.c) continue ;; esac
		[ -e "programs/$f" ] || [ -e "$f" ] || printf '%s ' "$f"
	done)
ok 'each program listed is there' "$missing"

missing=$(sed -n 's/.*\[AVOID_[A-Z0-9_]*\] = "\(.*\)",/\1/p' ../fuzz/xdp/avoid.c |
	while read -r name; do
		grep -qE "^([a-z0-9_]+, )*$name\b" "$list" || printf '%s ' "$name"
	done)
ok 'each name that is avoided is an entry' "$missing"
echo "1..$n"
exit $failed
