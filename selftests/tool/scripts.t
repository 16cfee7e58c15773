#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: userspace
# The scripts of the test environment refuse what they cannot do, with a message.

set -u
tree=$(cd "$(dirname "$0")/../.." && pwd -P)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
export NFPCHAN_NO_BUILD=1
# shellcheck source=selftests/rig/tap.sh
. "$tree/selftests/rig/tap.sh"

# refuses NAME STATUS TEXT COMMAND...: the command has this exit status, and TEXT in its output
refuses() {
	local name=$1 want=$2 text=$3 rc=0

	shift 3
	"$@" >"$tmp/out" 2>&1 </dev/null || rc=$?
	[ $rc = "$want" ] && grep -qF -- "$text" "$tmp/out"
	ok $? "$name" "exit status $rc, expected $want: $text"
}

vm=$tree/scripts/vm
refuses "vm: unknown option" 2 "unknown argument: --frob" "$vm" --frob -- true
refuses "vm: command without --" 2 "unknown argument: true" "$vm" true
refuses "vm: missing value" 2 "--pcap-in needs a value" "$vm" --pcap-in
refuses "vm: missing file" 2 "cannot read $tmp/none" "$vm" --pcap-in "$tmp/none" -- true
refuses "vm: missing file, with =" 2 "cannot read $tmp/none" "$vm" --pcap-in="$tmp/none" -- true
refuses "vm: unwritable file" 2 "cannot write $tmp/none/x" "$vm" --stats "$tmp/none/x" -- true
refuses "vm: no KEY=VALUE" 2 "KEY=VALUE, not 'x'" "$vm" --board x -- true
refuses "vm: memory is a number" 2 "--mem needs a number" "$vm" --mem 1G -- true
refuses "vm: time is a number" 2 "--timeout needs a number" "$vm" --timeout -5 -- true
refuses "vm: unknown root" 2 "--root: no root 'frob'" "$vm" --root frob -- true
refuses "vm: no command" 2 "no COMMAND after --" "$vm" --
refuses "vm: a shell needs a terminal" 2 "no terminal" "$vm"
refuses "vm: help" 0 "exit status" "$vm" --help
check "make: what needs no NCL fetches none of it" \
	[ "$(env -u MAKEFLAGS make -n -C "$tree" setup demo demo-xdp guest 2>&1 | grep -c -e --ncl)" = 0 ]
refuses "make: BOARD reaches the card" 0 "real.pcap\" --board chan=off --board pace=real" \
	make -C "$tree" -n demo-xdp "BOARD=chan=off pace=real"

# The output ends with why a test failed; tests that passed are not mentioned there.
cat >"$tmp/good.t" <<'END'
#!/bin/sh
# check: host
echo 'not ok 1 - known # TODO'; echo 'ok 2 - well'; echo '# so so'; echo 1..2
END
cat >"$tmp/bad.t" <<'END'
#!/bin/sh
# check: host
echo 'not ok 1 - bad'; echo '# got 1' >&2; echo 'ok 2 - well'; echo '# so so'; echo 1..2
END
cat >"$tmp/dead.t" <<'END'
#!/bin/sh
# check: host
echo 'ok 1 - well'; echo 'cannot go on' >&2; exit 3
END
chmod +x "$tmp"/*.t
check_of() { NFPCHAN_CHECK_LOGS=$tmp/logs "$tree/scripts/check" "$tmp/good.t" "$@"; }
refuses "check: a test that fails" 1 "    # got 1" check_of "$tmp/bad.t"
check "check: nothing else is shown" \
	[ "$(sed -n '/^Result/,$p' "$tmp/out" | grep -c 'well\|so so\|known')" = 0 ]
refuses "check: a test that ends early" 1 "    cannot go on" check_of "$tmp/dead.t"
refuses "check: tests that pass" 0 "Result: PASS" check_of
cat >"$tmp/skip.t" <<'END'
#!/bin/sh
# check: host
echo 'ok 1 - well'; echo 'ok 2 - not here # SKIP why'; echo 1..2
END
chmod +x "$tmp/skip.t"
refuses "check: a skip is no pass" 0 "3 passed, 0 failed, 1 skipped" check_of "$tmp/skip.t"
sed -i '/^# check/d' "$tmp/skip.t"
refuses "check: a script that does not say what it needs" 1 "no line" check_of "$tmp/skip.t"
refuses "check: a kernel that there is not" 2 "no kernel '8'" env KERNEL=8 "$tree/scripts/check"

refuses "in-root: no command" 2 "no COMMAND" "$tree/scripts/in-root"
refuses "in-root: unknown option" 2 "unknown argument: -x" "$tree/scripts/in-root" -x
refuses "lint: unknown tool" 2 "unknown tool: frob" "$tree/scripts/lint" frob
refuses "setup: unknown option" 2 "unknown argument: --frob" "$tree/scripts/setup" --frob
refuses "setup: missing value" 2 "--print needs a value" "$tree/scripts/setup" --print
refuses "setup: unknown value" 2 "--print: no part 'frob'" "$tree/scripts/setup" --print frob
refuses "setup: help" 0 "usage: scripts/setup" "$tree/scripts/setup" --help

# From here on, roots and kernels are built in empty caches, mostly with a fake mmdebstrap.
export NFPCHAN_CACHE=$tmp/cache
if [ "$(id -u)" != 0 ]; then
	refuses "setup: not root" 1 "must run as root" "$tree/scripts/setup"
	skip "what root can do" "not root"
	done_testing
	exit
fi
mkdir -p "$tmp/tree"
cp -r "$tree/scripts" "$tmp/tree/"
chmod -R a+rX "$tmp/tree"
refuses "setup: not root" 1 "must run as root" \
	setpriv --reuid 65534 --regid 65534 --clear-groups "$tmp/tree/scripts/setup"
refuses "in-root: not root" 1 "must run as root" \
	setpriv --reuid 65534 --regid 65534 --clear-groups "$tmp/tree/scripts/in-root" -- true

SECONDS=0
NFPCHAN_MIRROR=http://127.0.0.1:9/none \
	refuses "setup: no network" 1 "cannot use http://127.0.0.1:9/none" "$tree/scripts/setup"
check "setup: no network is found at once" test "$SECONDS" -lt $((20 * ${NFPCHAN_SLOW:-1}))
check "setup: no network leaves nothing" test -z "$(find "$tmp/cache" -mindepth 1 ! -name lock)"

mkdir -p "$tmp/bin" "$tmp/mirror/dists/trixie"
export NFPCHAN_MIRROR=file:$tmp/mirror
echo >"$tmp/mirror/dists/trixie/InRelease"
refuses "setup: a mirror signed by nobody" 1 "debian-archive-keyring" "$tree/scripts/setup"

fake() { # NAME; the script comes from standard input
	{ echo '#!/bin/sh'; cat; } >"$tmp/bin/$1"
	chmod 755 "$tmp/bin/$1"
}
fake gpgv <<<'exit 0'
PATH=$tmp/bin:$PATH

fake df <<<'printf "x\nx 1 1 17 1 x\n"'
refuses "setup: disk is short" 1 "17 MB are free" "$tree/scripts/setup"
rm "$tmp/bin/df"

fake mmdebstrap <<<'echo the reason >&2; exit 1'
refuses "setup: a failed build says its reason" 1 "the reason" "$tree/scripts/setup"
NFPCHAN_DEMO=1 refuses "setup: the first demo gets a smaller root" 1 "building demo" "$tree/scripts/setup"
check "setup: a failed build leaves nothing" test -z "$(find "$tmp/cache" -mindepth 1 ! -name lock)"

# A fake that reports when it runs, and then hangs.
mkfifo "$tmp/runs" "$tmp/says" "$tmp/never"
fake mmdebstrap <<<"echo x >$tmp/runs; exec cat $tmp/never"
# Two of them report, and the second may do so when the first report was read.
exec 3<>"$tmp/runs"
"$tree/scripts/setup" >"$tmp/out" 2>&1 &
first=$!
read -r _ <&3
"$tree/scripts/setup" >"$tmp/says" 2>&1 &
second=$!
read -r line <"$tmp/says"
check "setup: a second run says that it waits" \
	test "$line" = "setup: another run is building, waiting for it"
kill $second
wait $second 2>/dev/null
kill $first
wait $first
check "setup: SIGTERM ends a build" test $? = 143
check "setup: SIGTERM leaves nothing half-done" \
	test -z "$(find "$tmp/cache" -mindepth 1 ! -name lock)"

# Use Debian's own Python, as it searches other folders than a Python from elsewhere.
PATH=/usr/bin:/bin make -s -C "$tree" install DESTDIR="$tmp/root" >"$tmp/out" 2>&1
check "install: all of it" test $? = 0
PATH=/usr/bin:/bin python3 -c 'import site; print(*site.getsitepackages(), sep="\n")' >"$tmp/site"
init=$(find "$tmp/root" -path '*/nfpchan/__init__.py')
init=${init#"$tmp/root"}
check "install: Python looks where its package is" \
	grep -qx "${init%/nfpchan/__init__.py}" "$tmp/site"
done_testing
