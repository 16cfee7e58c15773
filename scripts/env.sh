# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Shared by the scripts of the test environment: messages, and the paths in the cache. Sourced,
# with `set -eu` in force.

tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
me=${0##*/}
cache=${NFPCHAN_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/nfp-chan}

say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() { say "$*"; exit 1; }
usage_error() { say "$*"; say "try: scripts/$me --help"; exit 2; }

# The guest has the tree at the same path, and can run no VM.
not_in_guest() {
	[ ! -e /run/vm/config ] || { say "this is the guest: run it on the host"; exit 2; }
}

# Print a script's help: its lines that begin with "## ".
help() { sed -n 's/^## \{0,1\}//p' "$0"; }

# shellcheck source=scripts/recipe.sh
. "$tree/scripts/recipe.sh"

# The key of a part in the cache. It depends on the part's lists and on the function that builds it.
part_key() { # NAME, TEXT...
	local name=$1 sum

	shift
	sum=$( (declare -f "build_$name"; printf '%s\n' "$suite" "$@") | sha256sum)
	echo "$name-${sum:0:12}"
}

root_key=$(part_key root "${root_packages[@]}")
# shellcheck disable=SC2034
demo_key=$(part_key demo "${demo_packages[@]}")
# While there is no root, make demo takes a smaller one, which is there earlier.
# shellcheck disable=SC2034
root_part=root
if [ -n "${NFPCHAN_DEMO:-}" ] && [ ! -d "$cache/$root_key" ]; then
	# shellcheck disable=SC2034
	root_part=demo root_key=$demo_key
fi
qemu_key=$(part_key qemu "${qemu_packages[@]}")
# shellcheck disable=SC2034
checkpatch_key=$(part_key checkpatch "$source_package" "${source_files[@]}")
# shellcheck disable=SC2034
testpmd_key=$(part_key testpmd "$testpmd_package")
# shellcheck disable=SC2034
firmware_key=$(part_key firmware "$firmware_package" "$firmware_component")
# shellcheck disable=SC2034
opcodes_key=$(part_key opcodes "$binutils_package" "$(<"$tree/scripts/nfp-opcodes.c")")
# shellcheck disable=SC2034
peers_key=$(part_key peers "${peers_packages[@]}" "$(declare -f build_root)")
# shellcheck disable=SC2034
fuzz_key=$(part_key fuzz "${fuzz_packages[@]}" "$(declare -f build_root)")
# shellcheck disable=SC2034
ncl_key=$(part_key ncl "${root_packages[@]}" "${ncl_packages[@]}" "$(declare -f build_root)")
# shellcheck disable=SC2034
deb_key=$(part_key deb "${deb_packages[@]}")
# shellcheck disable=SC2034
docs_key=$(part_key docs "${docs_packages[@]}" "$(declare -f build_deb)")
# shellcheck disable=SC2034
image_key=$(part_key image "${image_packages[@]}" "$(declare -f build_root)")
# shellcheck disable=SC2034
image_tools_key=$(part_key image_tools "${image_tools_packages[@]}" "$(declare -f build_root)")
kernel_7_key=$(part_key kernel_7 "${kernel_7_packages[@]}" "$(declare -f build_root)")
kernel_parts=("${kernel_debug_packages[@]}" "$(declare -f build_root make_kernel merge_fragments)"
	"$(<"$tree/scripts/debug-kernel.config")")
kernel_debug_key=$(part_key kernel_debug "${kernel_parts[@]}")
kernel_kcsan_key=$(part_key kernel_kcsan "${kernel_parts[@]}" \
	"$(<"$tree/scripts/kcsan-kernel.config")")
initrd_parts=("$qemu_key" "${initrd_modules[@]}" "$(<"$tree/scripts/initrd-init.c")"
	"$(declare -f make_initrd)")
initrd_key=$(part_key initrd "$root_key" "${initrd_parts[@]}")
initrd_7_key=$(part_key initrd_7 "$kernel_7_key" "${initrd_parts[@]}")
initrd_debug_key=$(part_key initrd_debug "$kernel_debug_key" "${initrd_parts[@]}")
initrd_kcsan_key=$(part_key initrd_kcsan "$kernel_kcsan_key" "${initrd_parts[@]}")

kernel_version() { # ROOT
	local k

	for k in "$1"/boot/vmlinuz-*; do
		[ -e "$k" ] && echo "${k##*/vmlinuz-}" && return
	done
	return 1
}

# Set the cache keys of a kernel and of its initrd.
find_kernel() { # NAME
	case $1 in
	6.12) kernel_key=$root_key kernel_initrd_key=$initrd_key ;;
	7) kernel_key=$kernel_7_key kernel_initrd_key=$initrd_7_key ;;
	debug) kernel_key=$kernel_debug_key kernel_initrd_key=$initrd_debug_key ;;
	kcsan) kernel_key=$kernel_kcsan_key kernel_initrd_key=$initrd_kcsan_key ;;
	*) return 1 ;;
	esac
}

have_kernel() { # NAME
	find_kernel "$1" && [ -d "$cache/$kernel_key" ] && [ -d "$cache/$kernel_initrd_key" ]
}

have_all() {
	[ -d "$cache/$root_key" ] && [ -d "$cache/$qemu_key" ] &&
		[ -d "$cache/$initrd_key" ]
}
