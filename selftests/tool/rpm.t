#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host long
# build: -
# The RPM packages of the commit: rpmlint finds no error, they can be installed in an empty root
# together, and after their removal no file is left. Their scripts, for DKMS and the group, are not
# run: the root is not Fedora's. `make deb` or `make rpm` makes the root of the tools, and the test
# is skipped without it.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
# shellcheck source=selftests/rig/roots.sh
. selftests/rig/roots.sh

all=(libnfpchan libnfpchan-devel ncl nfp-chan-dkms nfpchan-board nfpchan-tools python3-nfpchan)
rpms=build/rpm-test

inside() {
	local root=/tmp/root

	mkdir $root
	check 'the packages can be installed' rpm --root $root -i --nodeps --noscripts "$rpms"/*.rpm
	same 'all of them' "$(rpm --root $root -qa --qf '%{NAME}\n' | LC_ALL=C sort | xargs)" "${all[*]}"
	for f in bin/nfpchan bin/nclc bin/nfpboard lib64/libnfpchan.so.0 lib64/libncrt.so.0 \
		lib/udev/rules.d/60-nfp-chan.rules lib/systemd/system/nfpchan-metrics@.timer; do
		check "/usr/$f is there" test -e "$root/usr/$f"
	done
	check 'nfpchan runs, and is of this version' sh -c \
		"LD_LIBRARY_PATH=$root/usr/lib64 $root/usr/bin/nfpchan --version | grep -xF 'nfpchan $1'"
	check 'the packages have the files that they installed' rpm --root $root -V --nodeps "${all[@]}"
	check 'the packages can be removed' rpm --root $root -e --nodeps --noscripts "${all[@]}"
	# rpm of Debian puts copies of users and groups into the root's /etc.
	same 'no file is left' "$(find $root -path $root/var/lib/rpm -prune -o -path $root/etc -prune -o \
		! -type d -print)" ''
}

if [ "${1-}" = --inside ]; then
	inside "$2"
	done_testing
	exit
fi

need_roots 'RPM packages' rpm deb_key

unset MAKEFLAGS MFLAGS
version=$(git show HEAD:Makefile | sed -n 's/^VERSION := //p')
check 'the packages are built, and rpmlint finds no error' scripts/packaging/rpm "$version" "$rpms"
subtest 'the packages are installed and removed' \
	scripts/in-root --deb --ro-tree -- bash selftests/tool/rpm.t --inside "$version"
done_testing
