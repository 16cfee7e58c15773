#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm long 6.12
# scripts/vm passes arguments, streams and exit status through, and detects failures.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export NFPCHAN_NO_BUILD=1

bare() { scripts/vm --no-board --no-module --no-nfp "$@"; }
says() { grep -qF -- "$1" "$tmp/err"; }

# Arguments, streams and exit status in one run.
args=('a b' '' '*' "it's" '"' $'two\nlines\n' '$HOME' '--' 'back\slash')
printf '%s\0' "${args[@]}" >"$tmp/want"
head -c 100000 /dev/urandom >"$tmp/in"
# shellcheck disable=SC2016
bare -- bash -c 'printf "%s\0" "$@"; cat >&2; exit 37' sh "${args[@]}" \
	<"$tmp/in" >"$tmp/out" 2>"$tmp/err"
check "the exit status is the command's" test $? = 37
check "the arguments arrive as they are" cmp "$tmp/want" "$tmp/out"
check "input and standard error are byte for byte" cmp "$tmp/in" "$tmp/err"

# The root file system is stock, and a run does not change it.
bare --no-cpu smap --known 'of this test' -- sh -c 'uname -r
	! grep -w smap /proc/cpuinfo; grep -m 1 -ow smep /proc/cpuinfo; cd / && grep -h -e /vmlinuz -e /nfp.ko \
		"/var/lib/dpkg/info/linux-image-$(uname -r).md5sums" | md5sum -c
	cd "$NFPCHAN_TREE" || exit
	touch /etc/left-behind; echo x >build/vm/from-guest
	scripts/vm -- true; echo "vm in the guest: $?"
	echo "<4>WARNING: of this test" >/dev/kmsg' \
	</dev/null >"$tmp/out" 2>"$tmp/err"
check "a second run works, and a warning that is known is none" test $? = 0
check "the kernel is the root's" \
	test "$(head -n 1 "$tmp/out")" = "$(scripts/setup --print kernel)"
check "the kernel and nfp.ko are those of the package" \
	test "$(grep -c ': OK$' "$tmp/out")" = 2
check "what the CPU is told to be without it is" \
	test "$(sed -n 2p "$tmp/out")" = smep
check "scripts/vm refuses to run in the guest" grep -qx "vm in the guest: 2" "$tmp/out"
check "it says why" says "vm: this is the guest"
check "a run changes nothing in the root" \
	test ! -e "$(scripts/setup --print root)/etc/left-behind"
check "the tree is writable" test "$(cat build/vm/from-guest)" = x
rm -f build/vm/from-guest

# So many warnings that they do not fit into a pipe to the program that shows the first ones.
bare -- sh -c 'echo on >/proc/sys/kernel/printk_devkmsg
	{
		echo "<4>WARNING: of this test"
		echo "<4>nfp_chan: command 3 (number 7) not answered within 1 s"
		for i in $(seq 1500); do
			echo "<4>WARNING: of this test, which goes on until a pipe is full"
		done
	} >/dev/kmsg' 2>"$tmp/err"
check "warnings of the kernel fail the run, however many" test $? = 125
check "the first of them is shown" says "WARNING: of this test"
check "so is a command without an answer" says "not answered within 1 s"

bare -- sh -c 'dmesg --console-level err; echo "<4>WARNING: of this test" >/dev/kmsg' 2>"$tmp/err"
check "a run without warnings on the console is no run without warnings" test $? = 125
bare --known '(' -- true 2>"$tmp/err"
check "known warnings that are no pattern are refused" test $? = 2
check "with the pattern" says "--known '('"
scripts/vm --board firmware=host -- true 2>"$tmp/err"
check "a card without firmware needs a file" test $? = 2
check "the message names the option" says "--board firmware=host needs --firmware"
scripts/vm --firmware /nowhere -- true 2>"$tmp/err"
check "a firmware file that is not there is refused" test $? = 2
check "with its name" says "--firmware: cannot read /nowhere"

# Lines that arrived before the port was opened are read without a wait; later ones are not.
# shellcheck disable=SC2016
bare --wake 1 --timeout 60 -- bash -c 'exec </dev/ttyS1
	while read -r -t 0.2 x; do [ -z "$x" ] || exit; done
	for i in 1 2; do read -r x && [ -z "$x" ] || exit; done' 2>"$tmp/err"
check "lines come in at ttyS1" test $? = 0

bare --timeout 4 -- sleep infinity 2>"$tmp/err"
check "a run ends when its time is up" test $? = 124

python3 - 2>"$tmp/err" <<'END'
import os, pty, sys
pid, tty = pty.fork()
if not pid:
    os.execl("scripts/vm", "vm", "--no-board", "--no-module", "--no-nfp")
said = b""
while b"booting" not in said:
    said += os.read(tty, 4096)
os.write(tty, b"\x03")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
check "Ctrl-C ends a VM that boots for a shell" test $? = 130

bare -- sh -c 'echo c >/proc/sysrq-trigger' 2>"$tmp/err"
check "a panic ends the run" test $? = 122
check "the panic is told" says "the guest panicked"

# Two VMs wait for each other's output, so both must run at the same time, and
# their output must come out while they run.
mkfifo "$tmp/a" "$tmp/b"
bare -- sh -c 'echo here; read -r x; test "$x" = here' \
	<"$tmp/a" >"$tmp/b" 2>"$tmp/err" &
# Both VMs open the pipes in the same order, or they would block.
bare -- sh -c 'echo here; read -r x; test "$x" = here' \
	>"$tmp/a" <"$tmp/b" 2>"$tmp/err2"
check "two run at once: the one" test $? = 0
wait $!
check "two run at once: the other" test $? = 0

# Tests that share a boot; one of them ends the boot.
boot=$(mktemp -d build/vm/boot.XXXXXX)
trap 'rm -rf "$tmp" "$boot"' EXIT
shared() { # NAME, LINE...: write a test that runs these lines in the guest
	printf '%s\n' '#!/bin/sh' '# check: vm' '# boot: --no-board --no-module --no-nfp' \
		"${@:2}" 'echo "ok 1 - well"; echo 1..1' >"$boot/$1"
	chmod +x "$boot/$1"
}
run_shared() { # NAME...
	NFPCHAN_CHECK_LOGS=$tmp/logs scripts/check "${@/#/$boot/}" >"$tmp/out" 2>&1
}
passed() { grep -c '\.t \.* ok' "$tmp/out"; }
shared first.t; shared second.t 'echo c >/proc/sysrq-trigger'; shared third.t
run_shared first.t second.t third.t
check "a boot that several tests share, and one ends" test $? = 1
check "what came before has passed" test "$(passed)" = 1
check "the others say why" \
	test "$(grep -c 'the VM ended with status 122 before this test did' "$tmp/out")" = 2
shared second.t 'echo "<4>WARNING: of this test" >/dev/kmsg'
run_shared first.t second.t
check "a complaint of the kernel fails a boot, too" test $? = 1
check "one test fails for it" test "$(passed)" = 1
# "last" may be the log of another VM that runs at the same time.
log=$(sed -n 's/.*(all of it: \(.*\)):$/\1/p' "$tmp"/logs/*second.t)
check "the log says after which test" \
	eval "grep -a -A 2 'nfp-chan: test .*second.t' '$log' | grep -q WARNING"

# A board whose firmware never becomes idle: with the watchdog, and without.
export FW_FAULT=spin
spins() { NFPCHAN_BOARD=$tmp/spins bare --cards 1 "$@" 2>"$tmp/err"; }
check "a board with a fault is made" selftests/fw/faulty_board "$tmp/spins"
spins --board watchdog=1 -- true
check "an ME process that spins ends the run" test $? = 121
check "the process is told" says "i35.me1.0 echo has run for 1 s without a swap"
spins --board watchdog=0 --timeout 4 -- true
# 123: on a slow machine QEMU, which waits 5 s for an answer of the card, ends before the time is up.
check "a board that never swaps ends when its time is up" sh -c '[ "$1" = 124 ] || [ "$1" = 123 ]' sh $?
check "its end is told" says "a board does not end at SIGTERM, so it is killed"
check "no board is left behind" test -z "$(pgrep -f "$tmp/spins")"
unset FW_FAULT

# The readable part of a damaged capture is played, and then the run fails.
whole=selftests/data/real.pcap
frames=$(tshark -r $whole -T fields -e frame.number 2>/dev/null | tail -n 1)
head -c -10 $whole >"$tmp/short.pcap"
scripts/vm --pcap-in "$tmp/short.pcap" -- nfpchan flows --json --flush >"$tmp/out" 2>"$tmp/err"
check "a capture that breaks off ends the run with a status of its own" test $? = 120
check "what came before is there" grep -q '"flows"' "$tmp/out"
check "it is told after how many frames, and why" says \
	"--pcap-in: $tmp/short.pcap: breaks off after $((frames - 1)) frames: truncated dump file"

# Frames that cannot arrive at a port, and one that can.
python3 - "$tmp/left.pcap" <<'END'
import struct, sys
frame = bytes.fromhex("020000000001020000000002") + b"\x88\xb5" + bytes(46)
with open(sys.argv[1], "wb") as f:
    f.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
    for data, length in ((frame, 60), (frame.ljust(262144, b"\0"), 300000), (frame, 20), (frame, 40)):
        f.write(struct.pack("<IIII", 1, 0, len(data), length) + data)
END
scripts/vm --stats "$tmp/stats" --pcap-in "$tmp/left.pcap" -- nfpchan flows --json --flush \
	>"$tmp/out" 2>"$tmp/err"
check "a capture with frames that are left out ends the run with that status" test $? = 120
check "it is told how many, and why" says "--pcap-in: $tmp/left.pcap: 3 of 4 frames are left out: \
1 longer than 262144 bytes, 2 with more bytes captured than they have; the first is frame 2"
check "the card's counters have each frame" selftests/rig/card-counts "$tmp/stats" \
	'ports[0].rx_frames == 1' 'ports[0].wire_refused == 3'
scripts/vm --pcap-in $whole --pcap-out /dev/full -- sh -c 'ip link set eth0 up
	build/guest/test/net_wait eth0 up; ping -c 1 -I eth0 192.0.2.1; true' >/dev/null 2>"$tmp/err"
check "so does a file for frames that leave, but cannot be written" test $? = 120
check "that is told" says "--pcap-out: /dev/full: No space left on device: at least "
check "it is told, too, that the capture has not begun" says \
	"--pcap-in: $(realpath $whole): no frame has arrived"

# A board process that exits at its start.
printf '#!/bin/sh\necho no such wire >&2\nexit 3\n' >"$tmp/board"
chmod 755 "$tmp/board"
NFPCHAN_BOARD=$tmp/board scripts/vm --no-module -- true 2>"$tmp/err"
check "a board that dies is told with its log" says "no such wire"

# A board process that exits after the guest has printed something.
mkfifo "$tmp/go"
exec 4<>"$tmp/go"	# opened here, as opening one end waits for the other
cat >"$tmp/board" <<END
#!/bin/sh
read -r x <"$tmp/go" && echo shot down >&2 && kill -9 \$\$ &
exec "${NFPCHAN_BOARD:-build/host/bin/nfpboard}" "\$@"
END
NFPCHAN_BOARD=$tmp/board scripts/vm --no-module --no-nfp -- \
	sh -c 'echo go; exec sleep infinity' </dev/null >&4 2>"$tmp/err"
check "the board's death ends the run" test $? = 121
check "the board's death is told with its log" says "shot down"
done_testing
