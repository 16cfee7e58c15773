#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host long
# build: -
# The Debian packages of the commit: lintian finds no error, they can be installed in a fresh root,
# everything in them works there without a card, and after their removal no file is left.
# `make deb` makes the root, and the test is skipped without it.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
# shellcheck source=selftests/rig/roots.sh
. selftests/rig/roots.sh

all=(libnfpchan-dev libnfpchan0 ncl nfp-chan-dkms nfpchan-board nfpchan-tools python3-nfpchan)
debs=build/deb-test

# ---- in the root ----

# All files but those of dpkg, of apt and of caches, and the key that DKMS makes for every module
files() {
	find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /run \
		-o -path /var/lib/dpkg -o -path /var/cache -o -path /var/log \
		-o -path '/var/lib/dkms/mok.*' \
		-o -path "$PWD" \) -prune -o ! -type d -print | sort
}

module() { ls /lib/modules/*/updates/dkms/nfp_chan.ko*; }

pc_program() {
	awk '/^\.\. code-block:: c/ { on = 1; next } on && /^[^ ]/ { exit } on' README.rst >/tmp/readme.c
	# shellcheck disable=SC2046
	cc -Wall -Werror -o /tmp/readme /tmp/readme.c $(pkg-config --cflags --libs libnfpchan) || return
	/tmp/readme 2>&1 | grep 'no such card'
}

python() { python3 -c 'import nfpchan; nfpchan.Card()' 2>&1 | grep 'no such card'; }

ncl_program() {
	local from=userspace/ncl/examples/allreduce

	# shellcheck disable=SC2046
	nclc "$from/allreduce.c" --and "$from/net.and" --firmware full -o /tmp/out &&
		cc -o /tmp/worker /tmp/out/allreduce.o $(pkg-config --libs libncrt) -lm &&
		ldd /tmp/worker | grep -F libncrt.so.0 && ls /tmp/out/*.ncd
}

# Completion offers the first command of nfpchan, through the loader of bash-completion.
completes() {
	bash -c '. /usr/share/bash-completion/bash_completion
		_comp_load nfpchan && complete -p nfpchan && _comp_load ncl && complete -p ncl' &&
		ls /usr/share/zsh/vendor-completions/{_nfpchan,_ncl} \
			/usr/share/fish/vendor_completions.d/{nfpchan,ncl}.fish
}

inside() {
	local version=$1

	export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
	files >/tmp/before
	check 'the packages can be installed' dpkg -i "${all[@]/#//tmp/debs/}"
	check 'the commands are of this version' sh -c "nfpchan --version | grep -xF 'nfpchan $version' &&
		ncl --version | grep -xF 'ncl $version'"
	check 'nfpchan explains that there is no card' sh -c '! nfpchan list 2>/tmp/list &&
		grep "no such card" /tmp/list'
	check 'the emulated card starts' sh -c 'nfpboard --help | grep -q -- --socket'
	check 'DKMS has built the module' module
	same 'for the kernel of the headers' "$(modinfo -F vermagic "$(module)" | cut -d ' ' -f 1)" \
		"$(basename "$(dirname /lib/modules/*/build)")"
	check 'modprobe loads it after nfp' sh -c \
		'modprobe --showconfig | grep -x "softdep nfp post: nfp_chan"'
	check 'group nfpchan is there' getent group nfpchan
	check 'udev accepts the rule' udevadm verify /usr/lib/udev/rules.d/60-nfp-chan.rules
	check 'systemd accepts the units' systemd-analyze verify --man=no \
		nfpchan-metrics@0.timer nfpchan-metrics@0.service nfpchan-ipfix@0.service
	check 'the program of README.rst is compiled by pkg-config, and runs' pc_program
	check 'Python finds module and library' python
	subtest 'pip installs the Python package from the source' bash selftests/tool/bindings.t python
	check 'nclc compiles a program, which is linked with libncrt' ncl_program
	check 'Python finds ncrt' python3 -c 'import ncrt'
	for page in nfpchan ncl nclc nfpboard nfpaccel nfpfabric libnfpchan nfpchan_open libncrt; do
		check "man $page" sh -c "man -w $page && man $page | grep -q ."
	done
	check 'completions are found' completes

	rm -rf /tmp/worker /tmp/out
	check 'the packages can be removed' dpkg --purge "${all[@]}"
	files >/tmp/after
	same 'no file is left' "$(diff /tmp/before /tmp/after)" ''
}

if [ "${1-}" = --inside ]; then
	mkdir /tmp/debs
	for p in "${all[@]}"; do
		ln -s "$PWD/$debs/${p}"_[0-9]*.deb "/tmp/debs/$p"
	done
	inside "$2"
	done_testing
	exit
fi

# ---- outside ----

need_roots 'Debian packages' deb deb_key

# Packages without optimization are built in half the time, and the test needs no speed.
unset MAKEFLAGS MFLAGS
version=$(git show HEAD:Makefile | sed -n 's/^VERSION := //p')
check 'the packages are built, and lintian finds no error' env \
	DEB_BUILD_OPTIONS='noopt noautodbgsym' scripts/packaging/deb "$version" "$debs"
same 'all of them' "$(LC_ALL=C; cd "$debs" && printf '%s\n' ./*.deb | sed 's|./||; s/_.*//' | xargs)" "${all[*]}"
subtest 'the packages are installed, used and removed' \
	scripts/in-root --deb --ro-tree -- bash selftests/tool/deb.t --inside "$version"
done_testing
