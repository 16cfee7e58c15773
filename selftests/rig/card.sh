# shellcheck shell=sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Run a VM, and check its card afterwards: the card's log, its counters, and the programs that the
# stock driver has compiled for it. The files are in $tmp, which the guest sees as well. Source
# this file at the top of the tree.

mkdir -p build/vm
tmp=$(mktemp -d build/vm/card.XXXXXX) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Run scripts/vm with the card's log and counters. If it fails, show the counters: they say where
# a frame was lost.
card_vm() { # ARGUMENT...
	scripts/vm --board-log "$tmp/log" --stats "$tmp/stats" "$@" && return
	set -- $?
	[ ! -e "$tmp/stats" ] || sed 's/^/# /' "$tmp/stats"
	return "$1"
}

# Check that no card has logged a warning, except lines that match $card_known.
card_quiet() {
	grep -h -e warning -e error "$tmp"/log* | grep -v -e "${card_known:-^$}" >&2 || return 0
	echo "$0: the card has logged a warning" >&2
	return 1
}

# Check that each word that the driver has compiled (--board images=$tmp/images) disassembles as in
# binutils.
card_images() {
	selftests/rig/me-compare --jited "$tmp" <"$tmp/images" || return
	echo "# $(wc -l <"$tmp/words") different words of $(grep -c '^#' "$tmp/images") images, each disassembled as by binutils"
}

card_counts() { # [--say TEXT] EXPRESSION..., as card-counts takes them
	selftests/rig/card-counts "$tmp/stats" "$@"
}
