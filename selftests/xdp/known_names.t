#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# selftests/xdp/KNOWN.rst lists each program that shows a known bug, and each name
# that the generator of random programs avoids. It lists no program that does not exist.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
cd selftests/xdp || exit 1
list=KNOWN.rst

none() { [ $# = 0 ] || { echo "missing: $*"; return 1; }; }

mapfile -t missing < <(for f in programs/known_*.c crash/*.c; do
	grep -q "\`\`${f#programs/}\`\`" $list || echo "$f"
done)
check 'each program is listed' none "${missing[@]}"

mapfile -t missing < <(grep -o '``[a-z0-9_-]*/*[a-z0-9_]*\.c``' $list | tr -d '`' | sort -u |
	grep -vxE '(known_NAME|jit|verifier|cmsg)\.c' | while read -r f; do
		[ -e "programs/$f" ] || [ -e "$f" ] || echo "$f"
	done)
check 'each listed program exists' none "${missing[@]}"

mapfile -t missing < <(sed -n 's/.*\[AVOID_[A-Z0-9_]*\] = "\(.*\)",/\1/p' ../fuzz/xdp/avoid.c |
	while read -r name; do
		grep -qE "^([a-z0-9_]+, )*$name\b" $list || echo "$name"
	done)
check 'each avoided name has an entry' none "${missing[@]}"
done_testing
