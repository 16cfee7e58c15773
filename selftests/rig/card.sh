# shellcheck shell=sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Run a VM, and then check its emulated card: the card's log, the card's counters, and the XDP
# programs that the stock driver has compiled for the card. All files are in $tmp, which the guest
# sees at the same path. Source this file at the top of the tree.

mkdir -p build/vm
tmp=$(mktemp -d build/vm/card.XXXXXX) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Run scripts/vm, and keep the card's log and counters. If the VM fails, print the counters: they
# show where the card has dropped a frame.
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

# Check that this project's disassembler and binutils agree on each instruction that the driver has
# compiled. The VM must have run with --board images=$tmp/images.
card_images() {
	selftests/rig/me-compare --jited "$tmp" <"$tmp/images" || return
	echo "# $(wc -l <"$tmp/words") instructions in $(grep -c '^#' "$tmp/images") images, disassembled like binutils"
}

card_counts() { # [--say TEXT] EXPRESSION..., as card-counts takes them
	selftests/rig/card-counts "$tmp/stats" "$@"
}
