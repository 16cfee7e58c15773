#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: build/host/test/test_me_words
# me_disasm.t - compare the emulated microengine's decoder with the disassembler of GNU binutils.
#
# The instruction words are all that the other unit tests assemble, and some hundred thousand that
# test_me_words generates. If the microengine accepts a word, both decoders must give the same
# mnemonic and operands. If binutils reports a word as invalid, the microengine must refuse it too.
# xdp/programs.t and xdp/offload.t compare the images that the driver loads in the same way.

top=$(cd "$(dirname "$0")/../.." && pwd)
bin=$top/build/host/test
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=selftests/rig/tap.sh
. "$top/selftests/rig/tap.sh"

: >"$tmp/err"
status=0
export NFPCHAN_ME_WORDS="$tmp/tests"
for t in alu flow mem; do
	"$bin/test_me_$t" >"$tmp/log" 2>&1 || { status=1; cat "$tmp/log" >>"$tmp/err"; }
done
sort -u "$tmp/tests" >"$tmp/words.all"
[ "$(wc -l <"$tmp/words.all")" -gt 300 ] || status=1
ok $status "the unit tests assemble $(wc -l <"$tmp/words.all") different instructions"
"$bin/test_me_words" gen >>"$tmp/words.all" 2>>"$tmp/err"
ok $? "with the generated words there are $(wc -l <"$tmp/words.all")"

"$top/selftests/rig/me-compare" "$tmp" <"$tmp/words.all" >"$tmp/err" 2>&1
ok $? "both decoders give the same text for each word that the microengine accepts"

# Each mnemonic must occur often among the words compared: words that the microengine refuses show
# nothing about its decoder.
awk '!/^</ { sub(/[^a-z_0-9=!].*/, ""); if ($0) count[$0]++ }
	END { for (m in count) print m, count[m] }' "$tmp/ours" | sort >"$tmp/err"
want='alu alu_shf asr bcc bcs beq bge blt bmi bne br br!=byte br=byte br_bclr br_bset ctx_arb
	dbl_shf immed immed_w0 immed_w1 ld_field ld_field_w_clr local_csr_wr mem mul_step rtn'
status=0
grep -q local_csr_rd "$tmp/err" || status=1	# only one word has this mnemonic
for m in $want; do
	c=$(awk -v m="$m" '$1 == m { print $2 }' "$tmp/err")
	[ "${c:-0}" -ge 50 ] || status=1
done
ok "$status" "compared: $(awk '{ s += $2 } END { print s }' "$tmp/err") words of $(wc -l <"$tmp/err") mnemonics"
done_testing
