#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: build/host/test/test_me_alu build/host/test/test_me_bus build/host/test/test_me_ctx
# build: build/host/test/test_me_far build/host/test/test_me_flow build/host/test/test_me_mem
# build: build/host/test/test_me_words build/host/test/me_vendor
# me_disasm.t - compare the emulated microengine's decoder with the disassembler of GNU binutils.
#
# The instruction words are all that the other unit tests assemble, and some hundred thousand that
# test_me_words generates. If the microengine accepts a word, both decoders must give the same
# mnemonic and operands. If binutils reports a word as invalid, the microengine must refuse it too.
# xdp/programs.t and xdp/offload.t compare the images that the driver loads in the same way. The
# last tests do so with a firmware file of the vendor, and print which share of its words the
# microengine decodes. They are skipped where the package cannot be had.

top=$(cd "$(dirname "$0")/../.." && pwd)
bin=$top/build/host/test
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=selftests/rig/tap.sh
. "$top/selftests/rig/tap.sh"

: >"$tmp/err"
status=0
export NFPCHAN_ME_WORDS="$tmp/tests"
for t in alu bus ctx far flow mem; do
	"$bin/test_me_$t" >"$tmp/log" 2>&1 || { status=1; cat "$tmp/log" >>"$tmp/err"; }
done
sort -u "$tmp/tests" >"$tmp/words.all"
[ "$(wc -l <"$tmp/words.all")" -gt 300 ] || status=1
ok $status "the unit tests assemble $(wc -l <"$tmp/words.all") different instructions"
"$bin/test_me_words" gen >>"$tmp/words.all" 2>>"$tmp/err"
ok $? "with the generated words there are $(wc -l <"$tmp/words.all")"

"$top/selftests/rig/me-compare" "$tmp" <"$tmp/words.all" >"$tmp/err" 2>&1
ok $? "both decoders give the same text for each word that the microengine accepts"
mkdir "$tmp/ctx8"
"$top/selftests/rig/me-compare" --ctx8 "$tmp/ctx8" <"$tmp/words.all" >"$tmp/err" 2>&1
ok $? "and in eight-context mode"

# Each mnemonic must occur often among the words compared: words that the microengine refuses show
# nothing about its decoder.
awk '!/^</ { sub(/[^a-z_0-9=!].*/, ""); if ($0) count[$0]++ }
	END { for (m in count) print m, count[m] }' "$tmp/ours" | sort >"$tmp/err"
want='alu alu_shf asr bcc bcs beq bge bgt ble blt bmi bne bpl br br!=byte br!=ctx br=byte br=ctx
	br_!signal br_bclr br_bset br_signal bvc bvs byte_align_be byte_align_le cls ct ctx_arb
	dbl_shf ffs immed immed_b0 immed_b3 immed_w0 immed_w1 jump ld_field ld_field_w_clr
	local_csr_rd local_csr_wr mem mul_step nbi pcie rtn'
status=0
for m in $want; do
	c=$(awk -v m="$m" '$1 == m { print $2 }' "$tmp/err")
	[ "${c:-0}" -ge 50 ] || status=1
done
ok "$status" "compared: $(awk '{ s += $2 } END { print s }' "$tmp/err") words of $(wc -l <"$tmp/err") mnemonics"

decoded() { # MODE FILE
	"$bin/me_vendor" words "$2" "${1#ctx}" |
		"$bin/test_me_words" text "$1" | awk '{ n++ } /^</ { f++ } END { print n, n - f }'
}

if ! folder=$("$top/scripts/setup" --print firmware 2>"$tmp/err"); then
	skip "words of a vendor's firmware file" "no package firmware-netronome"
	done_testing
	exit
fi
image=$folder/bpf/nic_AMDA0099-0001_2x25.nffw
mkdir "$tmp/v4" "$tmp/v8"
"$bin/me_vendor" words "$image" 4 |
	"$top/selftests/rig/me-compare" "$tmp/v4" >"$tmp/err" 2>&1
ok "$((PIPESTATUS[0] + PIPESTATUS[1]))" "the same text for the vendor's workers"
"$bin/me_vendor" words "$image" 8 |
	"$top/selftests/rig/me-compare" --ctx8 "$tmp/v8" >"$tmp/err" 2>&1
ok "$((PIPESTATUS[0] + PIPESTATUS[1]))" "and for its microengines in eight-context mode"
read -r n4 d4 < <(decoded ctx4 "$image")
read -r n8 d8 < <(decoded ctx8 "$image")
share=$(((d4 + d8) * 1000 / (n4 + n8)))
status=0
[ "$((n4 + n8))" -gt 100000 ] && [ "$share" -ge 970 ] || status=1
ok $status "decoded: $((d4 + d8)) of $((n4 + n8)) words, $((share / 10)).$((share % 10)) %"
done_testing
