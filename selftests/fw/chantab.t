#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: -
# chantab.t - scripts/chantab generates correct tables, and refuses wrong declarations.

top=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=selftests/rig/tap.sh
. "$top/selftests/rig/tap.sh"

# run FILE...: run chantab. Its output is in $tmp/out, its messages are in $tmp/err.
run() {
	rm -rf "$tmp/out"
	(cd "$tmp" && "$top/scripts/chantab" --out out "$@") >"$tmp/log" 2>"$tmp/err"
}

# refused MESSAGE NAME: chantab refuses the declarations on stdin. It prints exactly MESSAGE, exits
# with status 1, and writes no output.
refused() {
	cat >"$tmp/t.chan"
	run t.chan
	status=$?
	[ "$status" -eq 1 ] && [ "$(cat "$tmp/err")" = "$1" ] && [ ! -e "$tmp/out" ]
	ok $? "$2"
}

p='process p island 32 me 0 ctx 0 entry f'

cat >"$tmp/a.chan" <<EOF
# comment
process one island 32 me 11 ctx 7 entry one_main	# another

channel first to-host size 80 depth 4 policy drop \\
	process two exclusive signal
EOF
cat >"$tmp/b.chan" <<EOF
process two island 0x24 me 0 ctx 0 entry two_main
channel a.b-c_D to-nfp max 65536 rendezvous process one
EOF
run a.chan b.chan
ok $? "two files make one table"
cp -r "$tmp/out" "$tmp/plain"
for f in a b; do
	{ printf '\357\273\277'; sed 's/another/\xc3\xa9tape/; s/$/\r/' "$tmp/$f.chan"; } >"$tmp/$f.mark.chan"
done
run a.mark.chan b.mark.chan
ok $? "files with a byte order mark, CR at the end of lines, and UTF-8 in a comment"
diff -r "$tmp/plain" "$tmp/out"
ok $? "they make the same table"
run a.chan b.chan
grep -q '^#define CHAN_COUNT 2$' "$tmp/out/chan_table.h" &&
	grep -q '^#define CHAN_ID_FIRST 0$' "$tmp/out/chan_table.h" &&
	grep -q '^#define CHAN_ID_A_B_C_D 1$' "$tmp/out/chan_table.h" &&
	grep -q '^void two_main(void);$' "$tmp/out/chan_table.h"
ok $? "ids follow the order of files; each name has a constant"
grep -q '{ "first", NFP_CHAN_TO_HOST, PROC_TWO, NFP_CHAN_MESSAGE, NFP_CHAN_F_EXCLUSIVE | NFP_CHAN_F_SIGNAL | NFP_CHAN_F_DROP, 80, 80, 4, 0 },' \
	"$tmp/out/chan_table.c" &&
	grep -q '{ "a.b-c_D", NFP_CHAN_TO_NFP, PROC_ONE, NFP_CHAN_MESSAGE, 0, 0, 65536, 0, 4 },' "$tmp/out/chan_table.c" &&
	grep -q '{ 32, 11, 7 },	/\* one \*/' "$tmp/out/chan_table.c" &&
	grep -q '{ "one", one_main, 32, 11, 7 },' "$tmp/out/chan_entries.c"
ok $? "table entries"
same "the names of the processes begin at multiples of 4" \
	"$(sed -n '/^const char chan_names/,$p' "$tmp/out/chan_table.c")" \
	'const char chan_names[] =
	"two\0"
	"one\0"
	;'
cc -std=gnu11 -Wall -Werror -fsyntax-only -I"$top/uapi" -I"$top/fw/abi" -I"$top/fw/emu/hal" -I"$top/fw/chan" \
	-I"$tmp/out" "$tmp"/out/*.c 2>"$tmp/err"
ok $? "the table and the images compile"
"$top/scripts/chantab" --out "$tmp/out" "$top"/{,selftests/}fw/apps/*.chan 2>"$tmp/err"
ok $? "the files of fw/apps and selftests/fw/apps are accepted"

refused "t.chan:1: unknown declaration 'chanel', expected process or channel" "unknown declaration" <<EOF
chanel x
EOF
refused "t.chan:1: no channel is declared" "no channel" <<EOF
$p
EOF
refused "t.chan:2: no process 'q'" "channel of an unknown process" <<EOF
$p
channel x to-host size 8 depth 1 process q
EOF
refused "t.chan:2: channel 'x' has no process
t.chan:3: context i32.me0.0 belongs to process 'p' of t.chan:1" "two processes on a context, and all errors at once" <<EOF
$p
channel x to-host size 8 depth 1
process q island 32 me 0 ctx 0 entry g
EOF
refused "t.chan:3: channel 'x' was declared at t.chan:2" "channel declared twice" <<EOF
$p
channel x to-host size 8 depth 1 process p
channel x to-host size 8 depth 1 process p
EOF
refused "t.chan:3: channel 'x-y' and 'x.y' of t.chan:2 have the same C name, X_Y" "same C name" <<EOF
$p
channel x.y to-host size 8 depth 1 process p
channel x-y to-host size 8 depth 1 process p
EOF
refused "t.chan:1: the names of processes that have channels take 416 bytes, at most 384: SRAM_NAMES in fw/chan/chan_sram.h" \
	"names of processes that are too long together" < <(
	for i in {10..22}; do
		name=a-name-of-thirty-one-characters
		echo "process ${name%??}$i island 32 me $((i / 8)) ctx $((i % 8)) entry f"
		echo "channel c$i to-host size 8 depth 1 process ${name%??}$i"
	done)
refused "t.chan:1: process 'p' has no entry" "process without entry" <<EOF
process p island 32 me 0 ctx 0
EOF

# one LINE REASON NAME: chantab refuses LINE after a correct process.
one() {
	printf '%s\n%s\n' "$p" "$1" >"$tmp/in"
	refused "t.chan:2: $2" "$3" <"$tmp/in"
}
n32=abcdefghijklmnopqrstuvwxyz012345
c='channel x to-host'
one "channel" "channel name is missing" "no name"
one "channel x/y to-host" "channel name 'x/y' has characters other than A-Z a-z 0-9 . _ -" "bad name"
one "channel $n32 to-host" "channel name '$n32' has 32 characters, at most 31" "long name"
one "channel x size 8 depth 1 process p" "channel 'x' has no direction: to-host or to-nfp" "no direction"
one "$c to-nfp size 8" "'to-nfp' is given twice, or contradicts another word of the line" "two directions"
one "$c size 8 max 9" "'max' is given twice, or contradicts another word of the line" "size and max"
one "$c size 8 depth 1 rendezvous" "'rendezvous' is given twice, or contradicts another word of the line" "depth and rendezvous"
one "$c depth 1 process p" "channel 'x' has no size, max or stream" "no size"
one "$c size 8 process p" "channel 'x' has no depth or rendezvous" "no depth"
one "$c size 0" "size 0 is out of range, 1 to 65536" "size 0"
one "$c max 65537" "max 65537 is out of range, 1 to 65536" "max too large"
one "$c size eight" "size 'eight' is not a number" "not a number"
one "$c size" "size is missing" "number missing"
one "$c stream 32769" "stream 32769 is out of range, 1 to 32768" "elements too large"
one "$c depth 0" "depth 0 is out of range, 1 to 4194304" "depth 0"
one "$c size 65536 depth 64 process p" \
	"depth 64 of 65536 bytes needs a ring of 4194816 bytes, at most 4194304" "ring too large"
one "$c size 8 depth 1 policy keep process p" "policy 'keep' is neither wait nor drop" "policy"
one "channel x to-nfp size 8 depth 1 policy drop process p" \
	"policy is for channels to the host: those to the NFP always wait" "policy to the NFP"
one "$c size 8 depth 1 xdp process p" \
	"xdp is for messages to the host with policy drop: programs do not wait" "xdp that waits"
one "$c stream 8 depth 1 policy drop xdp process p" \
	"xdp is for messages to the host with policy drop: programs do not wait" "xdp of a stream"
one "channel x to-nfp size 8 depth 1 xdp process p" \
	"xdp is for messages to the host with policy drop: programs do not wait" "xdp to the NFP"
one "$c fast" "unknown word 'fast'" "unknown word"
one "process q island 31 me 0 ctx 1 entry g" \
	"island 31 has no microengines, islands 4, 32, 33, 34, 35, 36, 48 have" "island"
one "process q island 4 me 4 ctx 1 entry g" "me 4 is out of range, island 4 has 0 to 3" "me"
one "process q island 32 me 0 ctx 8 entry g" "ctx 8 is out of range, 0 to 7" "ctx"
one "process q island 32 me 0 ctx 1 entry 1g" "entry '1g' is not a C function's name" "entry"

{
	echo "$p"
	for i in $(seq 65); do
		echo "channel c$i to-nfp size 1 depth 1 process p"
	done
} >"$tmp/in"
refused "t.chan:66: more than 64 channels" "too many channels" <"$tmp/in"

printf '%s\nchannel x to-nfp size 1 \\' "$p" >"$tmp/in"
refused "t.chan:2: the file ends in a continued line" "file ends in a continued line" <"$tmp/in"

run none.chan
[ $? -eq 1 ] && grep -q '^none.chan:1: cannot be read: ' "$tmp/err"
ok $? "a file that does not exist"
run
[ $? -eq 2 ]
ok $? "no file: usage"
done_testing
