#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: build/host/bin/nfpchan
# The nfpchan command on a machine without a card: usage, options, messages.

set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d -p /tmp)
trap 'rm -rf "$tmp"' EXIT
tool=build/host/bin/nfpchan
as=()	# prefix that runs nfpchan with other rights
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh

# try STATUS TEXT ARGUMENT...: nfpchan has this exit status, TEXT on stderr (stdout if it is 0),
# and nothing on the other of the two
try() {
	local want=$1 text=$2 rc=0 said=err silent=out

	shift 2
	"${as[@]}" "$tool" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || rc=$?
	[ "$want" != 0 ] || { said=out; silent=err; }
	[ "$rc" = "$want" ] && grep -qF -- "$text" "$tmp/$said" && [ ! -s "$tmp/$silent" ]
	ok $? "nfpchan ${*//$tmp/...}" "status $rc, expected $want and \"$text\""
}

try 0 "Exit status: 0 success" --help
try 0 "nfpchan " --version
for c in list info stats top send recv signal flows capture replay extcap "xdp explain" xdp "firmware show" "firmware list" "firmware verify" "firmware graft" "firmware dump" firmware help; do
	# shellcheck disable=SC2086
	try 0 "usage: nfpchan $c " $c --help
	# shellcheck disable=SC2086
	try 0 "usage: nfpchan $c " help $c
done
try 0 "Exit status: 0 success" help

# full ARGUMENT...: output that cannot be written is reported as a failure
full() {
	local rc=0

	"$tool" "$@" >/dev/full 2>"$tmp/err" </dev/null || rc=$?
	[ $rc = 1 ] && grep -q "standard output: No space left" "$tmp/err"
	ok $? "nfpchan $* to a full disk" "status $rc"
}

full --help
full --version
full list --help
full xdp --help
full xdp explain --help

try 2 "usage: nfpchan"
try 2 'no command "nope"' nope
try 2 'no command "stat". Did you mean "stats"?' stat
try 2 'nfpchan xdp: no command "explian". Did you mean "explain"?' xdp explian
try 2 "Did you mean --json? Try nfpchan list --help." list --jsno
try 2 "Did you mean --count? Try nfpchan recv --help." recv ch --coutn=3
try 2 "Did you mean --card? Try nfpchan --help." --crad 0 list
try 2 'nfpchan: no command "nope"' help nope
try 2 'nfpchan xdp: no command "nope"' help xdp nope
try 2 "nfpchan: unrecognized option '--nope'" --nope
for c in list recv "xdp explain"; do
	# shellcheck disable=SC2086
	try 2 "nfpchan $c: unrecognized option '--nope'" $c --nope
done
try 2 "nfpchan recv: invalid option -- 'z'" recv ch -z
try 2 "nfpchan: option requires an argument -- 'c'" -c
try 2 'one argument too many: "x"' list x
try 2 'one argument too many: "y"' info x y
try 2 "a channel is missing" signal

try 2 "a channel is missing" send
try 2 "no message: give one of" send ch
try 2 "more than one message: give one of" send ch data --hex 00
try 2 'one argument too many: "b"' send ch a b
try 2 "hexadecimal of 3 digits" send ch --hex 123
try 2 "character 2 is 'g'" send ch --hex 1g
try 2 '--count is "0", allowed are 1 to' send ch data --count 0
try 2 '--count is "-1", allowed are' send ch data --count -1
try 2 '--timeout is "1x", allowed are 0 to 86400000' send ch data --timeout 1x
try 2 '--timeout is "86400001"' recv ch --timeout 86400001

try 2 "a channel is missing" recv
try 2 'one argument too many: "b"' recv a b
try 2 "give one of --hex and --raw" recv ch --hex --raw
try 2 "no --hex, no --raw" recv ch --json --hex
try 2 '--count is "18446744073709551616"' recv ch --count 18446744073709551616

try 2 "give one of --json and --prometheus" stats --json --prometheus

try 2 "no terminal with escape codes: --once prints one interval" top
try 2 "no JSON: nfpchan stats and nfpchan flows have it" top --once --json
try 2 '--delay is "0", allowed are 1 to 3600' top --once --delay 0
try 1 "card 4711: no such card" top --once -c 4711

try 2 "go with --flush" flows --quiet 3
try 2 "go with --flush" flows --follow
try 2 '--quiet is "4000001", allowed are 0 to 4000000' flows --flush --quiet 4000001
try 2 'one argument too many: "x"' flows x

try 2 'filter "tcp prt 80": ' capture tcp prt 80
try 2 "more than one filter: give one of EXPR and --dd" capture --dd x tcp
try 2 "--json prints to the standard output: give --write FILE" capture --json
try 2 '--snap is "65536", allowed are 1 to 65535' capture --snap 65536
try 2 '--port is "2", allowed are 0 to 1' capture --port 2
try 2 "none: No such file or directory" capture --dd "$tmp/none"
printf '{ 0x28, 0, 0, 0x0000000c },\n{ 0x6, 0, 0 },\n' >"$tmp/dd"
try 2 "dd:2: no instruction as tcpdump -dd prints them" capture --dd "$tmp/dd"
printf '{ 0x28, 0, 0, 0xfffff02c },\n{ 0x6, 0, 0, 0x00000001 },\n' >"$tmp/dd"
try 2 "instruction 0 of the filter: an offset that only Linux has" capture --dd "$tmp/dd"
printf '{ 0x6, 0, 0, 0x00000001 },\n%.0s' {1..257} >"$tmp/dd"
try 2 "more than 256 instructions, the card takes no more" capture --dd "$tmp/dd"
printf '{ 0x6, 0, 0, 0x00000001 },\n' >"$tmp/dd"
try 1 "card (first): no such card" capture --dd "$tmp/dd"

try 2 "a capture is missing" replay
try 2 "give one of --speed and --as-fast-as-possible" replay x --speed 2 -a
try 2 '--speed is "0", allowed are 0.001 to 1000000' replay x --speed 0
try 2 '--speed is "fast", allowed are' replay x --speed fast
try 1 "none: No such file or directory" replay "$tmp/none"

try 0 "extcap {version=" extcap --extcap-interfaces --extcap-version=4.4
try 0 "dlt {number=1}{name=EN10MB}" extcap --extcap-interface nfp_chan0 --extcap-dlts
try 0 "arg {number=1}{call=--snap}" extcap --extcap-interface nfp_chan0 --extcap-config
try 2 "give --extcap-interfaces or --extcap-interface" extcap --capture
try 2 "--capture needs --fifo" extcap --extcap-interface nfp_chan0 --capture
try 2 "give one of --extcap-dlts" extcap --extcap-interface nfp_chan0
try 1 "can't parse filter expression" extcap --extcap-interface nfp_chan0 --extcap-capture-filter "tcp or"
try 1 "/dev/nfp_chan4711: no such card" extcap --extcap-interface nfp_chan4711 --capture --fifo "$tmp/x"

try 2 "usage: nfpchan firmware COMMAND" firmware
try 2 "give one of a file and --dev" firmware show
try 2 "give one of a file and --dev" firmware show --dev lo x.nffw
try 1 "none.nffw: No such file or directory" firmware show "$tmp/none.nffw"
try 1 "lo: " firmware show --dev lo
try 1 "none.nffw: No such file or directory" firmware list "$tmp/none.nffw"
try 1 "none.nffw: No such file or directory" firmware verify "$tmp/none.nffw"
try 2 "give --base and --output" firmware graft -b x.nffw x.o
try 2 "give an object, or --idle" firmware graft -b x.nffw -o y.nffw
try 2 "--idle i36.me12: not a microengine such as i36.me8" firmware graft -b x.nffw -o y.nffw -i i36.me12
try 1 "none: No such file or directory" firmware dump "$tmp/none"
try 1 "not a file of ethtool -w, or damaged at byte 0" firmware dump Makefile
try 2 "--raw needs a symbol" firmware dump -r "$tmp/none"
try 1 "none.nffw: No such file or directory" firmware graft -b "$tmp/none.nffw" -o y.nffw -i i36.me8
printf '\3757zXZ\000' >"$tmp/packed"
try 1 "compressed by xz: unpack it first (xz -dk FILE)" firmware show "$tmp/packed"
printf '\050\265\057\375' >"$tmp/packed"
try 1 "compressed by zstd: unpack it first (zstd -dk FILE)" firmware show "$tmp/packed"
try 2 "--firmware nope: no firmware of this name" xdp explain --firmware nope x.o

try 2 "usage: nfpchan xdp COMMAND" xdp
try 2 'no command "nope"' xdp nope
try 2 "an object file is missing" xdp explain
try 2 "options of --split" xdp explain --host a x.o
try 2 '--carrier is "x", allowed are ethertype and queue' xdp explain --split --carrier x x.o
try 2 "with COUNT a multiple of 16, within 0x600 to 0xffff" xdp explain --split --ethertypes 0xfff0/32 x.o
try 2 "cannot be used with --carrier queue" xdp explain --split --carrier queue --ethertypes 0xf000 x.o
try 2 "an interface is missing" xdp run --split x.o
try 2 "need --link or --split" xdp run --dev lo --entry a x.o
try 1 "its driver is" xdp run --split --dev lo --entry a x.o
try 2 "cannot be used with --split" xdp run --split --dev lo --count 1 x.o
try 2 "a map's name is missing" xdp map dump
try 2 'no command "show"' xdp map show
try 2 "an interface is missing" xdp map dump x
try 2 'one argument too many: "b"' xdp explain a b
try 2 "nope: No such device" xdp explain --dev nope a
try 2 'no helper "nope", there are lookup,update,delete,event,adjust_head,adjust_tail,random,queue' \
	xdp explain --helpers lookup,nope a
try 2 '--helpers lookup,: no helper ""' xdp explain --helpers lookup, a
try 2 '--words is "0", allowed are 1 to 16383' xdp explain --words 0 a
try 2 '--words is "16384", allowed are 1 to 16383' xdp explain --words 16384 a
try 2 "failed to open /does/not/exist" xdp explain /does/not/exist
try 2 "is not a proper ELF object" xdp explain Makefile

# Cards that do not exist, and arguments that are not a card
try 1 "card 4711: no such card" -c 4711 list
try 1 "card ffff:ff:1f.7: no such card" list -c ffff:ff:1f.7
try 1 "card /dev/null: not a device of nfp_chan.ko" list -c /dev/null
try 1 "neither a number, a PCI function" list -c nonsense
try 1 "card /dev/does-not-exist: no such card" --card /dev/does-not-exist info

# Device nodes that the user may not open. Root is run without CAP_DAC_OVERRIDE. The rights of
# the owner do not matter; the node's group is one of a user who is not root.
[ "$(id -u)" != 0 ] || as=(setpriv "--bounding-set=-dac_override,-dac_read_search")
touch "$tmp/grouped" "$tmp/private"
chgrp 1 "$tmp/grouped" 2>/dev/null
chmod 0060 "$tmp/grouped"
chmod 0000 "$tmp/private"
group=$(stat -c %G "$tmp/grouped")
try 1 "no permission to open $tmp/grouped: group $group has it (usermod -aG $group USER, then a new login)" \
	-c "$tmp/grouped" list
try 1 "no permission to open $tmp/private: group $(stat -c %G "$tmp/private"), mode 0000 (udev's 60-nfp-chan.rules gives it to group nfpchan)" \
	list -c "$tmp/private"
mkdir -m 0 "$tmp/closed"
try 1 "no permission to reach $tmp/closed/node" -c "$tmp/closed/node" info
rmdir "$tmp/closed"
done_testing
