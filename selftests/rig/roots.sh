# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# For tests of what is given to others, which need roots that `make check` does not make.

# End the test, as skipped, unless root runs it in a git checkout, and the cache has the roots. KEY
# is deb_key or another variable of scripts/env.sh; `make TARGET` makes these roots.
need_roots() { # TITLE TARGET KEY...
	local title=$1 target=$2 reason

	shift 2
	# shellcheck source=scripts/env.sh
	reason=$(set -eu; . scripts/env.sh
		for key; do
			# shellcheck disable=SC2154
			[ -d "$cache/${!key}" ] || { echo "no root in the cache (make $target makes it)"; break; }
		done)
	[ "$(id -u)" = 0 ] || reason='this test does not run as root'
	git rev-parse -q --verify HEAD >/dev/null || reason='no git checkout'
	[ -n "$reason" ] || return 0
	skip "$title" "$reason"
	done_testing
	exit
}
