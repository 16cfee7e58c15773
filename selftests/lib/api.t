#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# libnfpchan in the VM against the card; see guest/lib_api.c, guest/stream_api.c.
# The last check of lib_api takes the card away, so it comes last.
cd "$(dirname "$0")/../.." || exit 1
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
# shellcheck disable=SC2016
scripts/vm --timeout 240 -- sh -c 'build/guest/test/stream_api && echo "# next" &&
	build/guest/test/lib_api' >"$out"
status=$?
# One plan for both.
awk '/^1\.\./ { next }
	/^(not )?ok / { n++; not = $1 == "not"; sub(/^(not )?ok [0-9]+/, (not ? "not ok " : "ok ") n) }
	{ print }
	END { print "1.." n }' "$out"
exit "$status"
