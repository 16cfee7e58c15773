# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Shared by the test environment's scripts: messages, and where things lie in
# the cache. Sourced, with `set -eu` in force.

tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
me=${0##*/}
cache=${NFPCHAN_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/nfp-chan}

say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() { say "$*"; exit 1; }
usage_error() { say "$*"; say "try: scripts/$me --help"; exit 2; }

# The text between the first "## " lines of a script is its help.
help() { sed -n 's/^## \{0,1\}//p' "$0"; }

# shellcheck source=scripts/recipe.sh
. "$tree/scripts/recipe.sh"

# A part's key covers its lists and the function that builds it.
part_key() { # NAME, TEXT...
	local name=$1 sum

	shift
	sum=$( (declare -f "build_$name"; printf '%s\n' "$suite" "$@") | sha256sum)
	echo "$name-${sum:0:12}"
}

root_key=$(part_key root "${root_packages[@]}")
qemu_key=$(part_key qemu "${qemu_packages[@]}")
# shellcheck disable=SC2034
checkpatch_key=$(part_key checkpatch "$source_package" "${source_files[@]}")
# shellcheck disable=SC2034
opcodes_key=$(part_key opcodes "$binutils_package" "$(<"$tree/scripts/nfp-opcodes.c")")
# shellcheck disable=SC2034
peers_key=$(part_key peers "${peers_packages[@]}" "$(declare -f build_root)")
initrd_key=$(part_key initrd "$root_key" "$qemu_key" "${initrd_modules[@]}" \
	"$(<"$tree/scripts/initrd-init")")

kernel_version() { # ROOT
	local k

	for k in "$1"/boot/vmlinuz-*; do
		[ -e "$k" ] && echo "${k##*/vmlinuz-}" && return
	done
	return 1
}

have_all() {
	[ -d "$cache/$root_key" ] && [ -d "$cache/$qemu_key" ] &&
		[ -d "$cache/$initrd_key" ]
}
