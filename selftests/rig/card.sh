# shellcheck shell=sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# A VM, and what its card says afterwards: its log, its counters, the programs that the
# driver has compiled for it. The files are in $tmp, which the guest sees, too. Sourced
# at the top of the tree.

mkdir -p build/vm
tmp=$(mktemp -d build/vm/card.XXXXXX) || exit 1
trap 'rm -rf "$tmp"' EXIT

# scripts/vm with the card's log and counters. Where it fails, the counters are shown:
# they tell where a frame was lost.
card_vm() { # ARGUMENT...
	scripts/vm --board-log "$tmp/log" --stats "$tmp/stats" "$@" && return
	set -- $?
	[ ! -e "$tmp/stats" ] || sed 's/^/# /' "$tmp/stats"
	return "$1"
}

# No card has logged a warning, but for lines that match $card_known.
card_quiet() {
	grep -h -e warning -e error "$tmp"/log* | grep -v -e "${card_known:-^$}" >&2 || return 0
	echo "$0: the card has warned" >&2
	return 1
}

# Each word that the driver has compiled (--board images=$tmp/images) reads as with binutils.
card_images() {
	selftests/rig/me-compare --jited "$tmp" <"$tmp/images" || return
	echo "# $(wc -l <"$tmp/words") different words of $(grep -c '^#' "$tmp/images") images, each as binutils has it"
}

card_counts() { # [--say TEXT] EXPRESSION..., as card-counts takes them
	selftests/rig/card-counts "$tmp/stats" "$@"
}
