#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host long
# build: image-guest
# nfpchan-test as a user of it finds it: an ordinary user tests the sample of userspace/examples/ci
# from an empty folder, and a program that the firmware refuses in the file system of the OCI image.
# `make image` makes the roots, and the test is skipped without them.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
# shellcheck source=selftests/rig/roots.sh
. selftests/rig/roots.sh

need_roots 'nfpchan-test' image image_key image_tools_key

unset MAKEFLAGS MFLAGS
version=$(sed -n 's/^VERSION := //p' Makefile)
image=build/image-test
tmp=$(mktemp -d)
place=$(mktemp -d)		# of the ordinary user
trap 'rm -rf --one-file-system "$tmp" "$place"' EXIT
chmod 755 "$tmp"
timeout=$((300 * ${NFPCHAN_SLOW:-1}))

check 'the image is made' scripts/packaging/image --only oci "$version" "$image"
cp -R "$image/nfpchan-test-$version" "$tmp/nfpchan-test"
cp -R userspace/examples/ci "$image/sample"
check 'the sample is compiled' scripts/in-root -- make -C "$image/sample"
cp "$image"/sample/* build/guest/xdp/count.o selftests/xdp/programs/count.c "$place"
# The sources keep their times, so that make does not compile again.
touch "$place"/udp.o "$place"/frames.pcap
chown -R 65534:65534 "$place"

# Run a command as a user without rights, in the folder $place.
as_user() {
	(cd "$place" && exec setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs \
		--bounding-set=-all env HOME=/nonexistent PATH="$tmp/nfpchan-test/bin:$PATH" "$@")
}

# status NAME STATUS COMMAND...: COMMAND ends with it. Its output is in $tmp/out and $tmp/err.
status() {
	local name=$1 want=$2 got=0

	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err" || got=$?
	ok "$((got != want))" "$name" "status $got, want $want"
}

# Print the parts of a report that are the same in each run.
junit() {
	python3 - "$1" <<-'END'
		import sys, xml.etree.ElementTree as ET
		s = ET.parse(sys.argv[1]).getroot()
		print(s.get("tests"), s.get("failures"), s.get("skipped"), *(
		    "%s:%s" % (c.get("name"), c[0].tag) for c in s))
	END
}

sarif() {
	python3 - "$1" <<-'END'
		import json, sys
		for r in json.load(open(sys.argv[1]))["runs"][0]["results"]:
		    at = r["locations"][0]["physicalLocation"]
		    print(r["ruleId"], r["level"], at["artifactLocation"]["uri"], at["region"]["startLine"])
	END
}

# ---- the sample, from an empty folder ----

status 'the sample passes' 0 as_user make -s test NFPCHAN_TEST="nfpchan-test"
same 'its steps' "$(sed 's/[0-9]* instructions on the card/N instructions on the card/' "$tmp/out")" \
'ok 1 - explain: udp: N instructions on the card, of 2816
ok 2 - load: the driver runs udp on the card
ok 3 - frames: 10 frames: 4 pass, 6 drop, 0 tx, 0 abort, 0 error
    packets: 4 passed, 6 dropped
ok 4 - command: ./check.py: exit status 0
ok 5 - expect: pass: 4, drop: 6
1..5'
same 'JUnit has them' "$(junit "$place/junit.xml")" \
	'5 0 0 explain:system-out load:system-out frames:system-out command:system-out expect:system-out'
same 'SARIF has no findings' "$(sarif "$place/udp.sarif")" ''

# ---- a refused program, in the file system of the OCI image ----

# shellcheck disable=SC2016
check 'umoci unpacks the image' scripts/in-root --image-tools -- sh -euc '
	mkdir "$1/oci"
	tar -C "$1/oci" -xf "$1/nfpchan-test-$2.oci.tar"
	umoci unpack --image "$1/oci:$2" "$1/bundle"' sh "$PWD/$image" "$version"
# shellcheck disable=SC2016
in_container() {
	unshare --mount --pid --fork --propagation private -- sh -euc '
		cd "$1"
		shift
		mount --bind "$1" work
		mount --rbind /dev dev
		mount -t proc proc proc
		mount -t tmpfs -o mode=1777 tmp tmp
		shift
		exec chroot . setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs \
			--bounding-set=-all env -i PATH=/opt/nfpchan-test/bin:/usr/sbin:/usr/bin \
			sh -c "cd /work && exec \"\$@\"" sh "$@"' sh "$image/bundle/rootfs" "$place" "$@"
}
status 'a program that needs more than the firmware has fails' 1 in_container nfpchan-test run \
	--timeout "$timeout" --object count.o --junit count.xml --sarif count.sarif -- true
same 'what fails, and what is skipped' "$(grep -v '^ ' "$tmp/out")" \
'not ok 1 - explain: count: offloadable: no
not ok 2 - load: the driver refuses count
ok 3 - command # SKIP no program is loaded
1..3'
check 'the firmware is named' grep -q 'error: bpf-2.0.6.124 offers no bpf_map_update_elem()' "$tmp/out"
check 'the driver is quoted' grep -q 'map_delete: not supported by FW' "$tmp/out"
same 'JUnit' "$(junit "$place/count.xml")" '3 2 1 explain:failure load:failure command:skipped'
same 'SARIF has the lines of the source' "$(sarif "$place/count.sarif")" \
	"firmware-helper error count.c $(grep -n 'bpf_map_delete_elem(' "$place/count.c" | cut -d: -f1)
firmware-helper error count.c $(grep -n 'bpf_map_update_elem(' "$place/count.c" | cut -d: -f1)"

# ---- wrong usage ----

refused() { # TEXT ARGUMENT...
	local text=$1

	shift
	status "refused: $*" 2 as_user nfpchan-test run "$@"
	check 'the message' grep -qF -- "$text" "$tmp/err"
}

refused '--object: cannot read none.o' --object none.o
refused "'drop' is not VERDICT=N, VERDICT one of pass, drop, tx, abort" --object udp.o --expect drop
refused '--junit: cannot write /nowhere/x' --object udp.o --junit /nowhere/x
refused "'0' is not a number of seconds from 1 to 86400" --object udp.o --timeout 0
refused '--firmware: cannot read new.nffw' --object udp.o --firmware new.nffw

same 'its page has each option' "$(as_user nfpchan-test run --help | grep -o '^  --[a-z-]*' | sort -u |
	while read -r o; do grep -qF -- "${o//-/\\-}" userspace/man/nfpchan-test.1 || echo "$o"; done)" ''
done_testing
