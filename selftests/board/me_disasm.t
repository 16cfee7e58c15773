#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# me_disasm.t - what the emulated microengine decodes is what GNU binutils does.
#
# Words: all that the other unit tests assemble, and some hundred thousand that
# test_me_words generates. Every one that the microengine takes must have the
# same text, mnemonic and operands, from both; a word that binutils calls wrong
# must be one that the microengine refuses. xdp/programs.t and xdp/offload.t do the same
# with the images that the driver loads.

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
ok $status "words of $(wc -l <"$tmp/words.all") instructions in tests"
"$bin/test_me_words" gen >>"$tmp/words.all" 2>>"$tmp/err"
ok $? "words generated: $(wc -l <"$tmp/words.all") in all"

"$top/selftests/rig/me-compare" "$tmp" <"$tmp/words.all" >"$tmp/err" 2>&1
ok $? "the same text for each word that is executed"

# Of each mnemonic many were compared: a corpus that is refused proves nothing.
awk '!/^</ { sub(/[^a-z_0-9=!].*/, ""); if ($0) count[$0]++ }
	END { for (m in count) print m, count[m] }' "$tmp/ours" | sort >"$tmp/err"
want='alu alu_shf asr bcc bcs beq bge blt bmi bne br br!=byte br=byte br_bclr br_bset ctx_arb
	dbl_shf immed immed_w0 immed_w1 ld_field ld_field_w_clr local_csr_wr mem mul_step rtn'
status=0
grep -q local_csr_rd "$tmp/err" || status=1	# of this there is but one
for m in $want; do
	c=$(awk -v m="$m" '$1 == m { print $2 }' "$tmp/err")
	[ "${c:-0}" -ge 50 ] || status=1
done
ok "$status" "compared: $(awk '{ s += $2 } END { print s }' "$tmp/err") words of $(wc -l <"$tmp/err") mnemonics"
done_testing
