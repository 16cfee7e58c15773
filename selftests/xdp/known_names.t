#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: -
# selftests/xdp/KNOWN.rst lists each program that shows a known bug, and each name
# that the generator of random programs avoids. It lists no program that does not exist.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
cd selftests/xdp || exit 1
list=KNOWN.rst

none() { [ $# = 0 ] || { echo "missing: $*"; return 1; }; }

# Print the names of the cases in files.
cases() { sed -n 's,^/\* ---- \([a-z0-9_]*\):.*,\1,p' "$@"; }

programs=$(cases programs/known_*.c; ls crash/*.c)
mapfile -t missing < <(for f in $programs; do
	grep -q "\`\`$f\`\`" $list || echo "$f"
done)
check 'each program is listed' none "${missing[@]}"

programs+=$(echo; cases refused/*.c | sed 's,^,refused/,')
mapfile -t missing < <(grep -oE '``(known_[a-z0-9_]+|[a-z]+/[a-z0-9_]+(\.c)?)``' $list | tr -d '`' |
	sort -u | grep -vxF "$programs")
check 'each listed program exists' none "${missing[@]}"

mapfile -t missing < <(sed -n 's/.*\[AVOID_[A-Z0-9_]*\] = "\(.*\)",/\1/p' ../fuzz/xdp/avoid.c |
	while read -r name; do
		grep -qE "^([a-z0-9_]+, )*$name\b" $list || echo "$name"
	done)
check 'each avoided name has an entry' none "${missing[@]}"
done_testing
