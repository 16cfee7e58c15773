# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The contents of the test environment. Sourced by env.sh, not run. A change to a list or to a
# build_* function here gives the part a new key in the cache, so the part is built again.

suite=trixie
backports=$suite-backports

# Packages of the host: to build the root, the board and the unit tests, and to read captures.
host_packages=(mmdebstrap debian-archive-keyring gpgv gcc make pkg-config
	libc6-dev libbpf-dev libcmocka-dev libpcap-dev libssl-dev tshark python3 perl shellcheck spin
	valgrind util-linux cpio xz-utils)

# DPDK's driver of the card, and the libraries that testpmd is linked with, most of them drivers of
# other cards: 15 MB. The package of testpmd depends on all of DPDK, so only the program is taken
# out of it.
dpdk_packages=(librte-net-nfp25 librte-mempool-ring25 librte-bitratestats25 librte-bpf25
	librte-cmdline25 librte-crypto-scheduler25 librte-gro25 librte-gso25
	librte-latencystats25 librte-net-bnxt25 librte-net-bond25 librte-net-dpaa25
	librte-net-i40e25 librte-net-iavf25 librte-net-ice25 librte-net-ixgbe25
	librte-net-mlx5-25 librte-pdump25)
testpmd_package=dpdk-dev

# The vendor's firmware files. The package is not in main, and a mirror may not have its component.
firmware_package=firmware-netronome
firmware_component=non-free-firmware

root_packages=(ca-certificates linux-image-amd64 linux-headers-amd64 kmod udev
	gcc libc6-dev make pkg-config clang llvm sparse binutils file perl python3
	bpftool libbpf-dev libelf-dev libcmocka-dev libpcap-dev libfixbuf-dev liburing-dev golang-go
	iproute2 ethtool iputils-ping iperf3 tcpdump tshark dnsmasq-base netcat-openbsd
	nfdump pmacct kcat bpftrace procps strace pciutils bsdextrautils "${dpdk_packages[@]}")

# The root of the first make demo: a kernel, what builds the module and nfpchan, and what every Debian has
demo_packages=(linux-image-amd64 linux-headers-amd64 kmod udev gcc libc6-dev make pkg-config python3
	libbpf-dev libelf-dev libpcap-dev libfixbuf-dev base-files bash coreutils dash diffutils findutils
	grep gzip mawk perl-base sed util-linux)

# busybox-static is the whole user space of the initrd, besides its init.
qemu_packages=(qemu-system-x86 qemu-system-data seabios busybox-static)

initrd_modules=(9p 9pnet_virtio overlay)

source_package=linux-source-6.12
source_files=(scripts/checkpatch.pl scripts/spelling.txt
	scripts/const_structs.checkpatch)

# The source of the disassembler of microengine instructions, which no package has.
binutils_package=binutils-source

# Programs that `make bench` compares with, and gnuplot for its plots. They have a separate root, so
# that hundreds of packages are neither on this machine nor in the VM.
peers_packages=(gcc libc6-dev pkg-config libdpdk-dev gnuplot-nox fonts-dejavu-core)

# Packages to build fuzzers: the VM's root does not have their runtime.
fuzz_packages=(clang libclang-rt-19-dev llvm gcc libc6-dev libpcap-dev make passwd
	pkg-config python3)

# Packages to build NCL's compiler, and the programs that run beside NCL's hosts. The guest can have
# this root instead of the ordinary one: it has all of that except the kernel.
ncl_packages=(llvm-19-dev g++ memcached python3-numpy python3-sklearn openmpi-bin
	libopenmpi-dev)

# Packages to build, check and install Debian packages, and to use them (scripts/transcript): tshark,
# nfdump, iproute2. The group nfpchan is not in this root, and manual pages are: packages bring the group,
# and are installed with their pages.
deb_packages=(build-essential debhelper dh-dkms dh-python dkms lintian reuse python3 python3-docutils
	python3-pip python3-setuptools abigail-tools rpm rpmlint pkg-config libc6-dev libbpf-dev
	libelf-dev libfixbuf-dev libpcap-dev libssl-dev llvm-19-dev clang-19 linux-headers-amd64 kmod udev
	systemd man-db bash-completion iproute2 tshark nfdump)

# Packages of `make docs`: Sphinx for the site, docutils for manual pages, groff to show them, rich for
# pictures of terminals.
docs_packages=(python3-sphinx python3-docutils groff-base python3-rich)

# The system of the image of nfpchan-test (scripts/packaging/image): its container and its guest. The
# guest has the kernel of the VM's root. libfixbuf's package does not name the library that it needs.
image_packages=(bpftool ca-certificates ethtool iproute2 iputils-ping kmod libbpf1 libelf1t64
	libfixbuf9t64 libglib2.0-0t64 libpcap0.8t64 mount procps python3 tcpdump passwd)
image_tools_packages=(umoci erofs-utils qemu-utils)

# Other kernels than the root's, each in a separate root with its headers and compiler: the newest
# of the backports, and a debug kernel.
kernel_7_packages=(linux-image-amd64 linux-headers-amd64 gcc libc6-dev make kmod passwd
	initramfs-tools)
kernel_debug_packages=("$source_package" gcc libc6-dev make bc flex bison libelf-dev
	perl python3 kmod passwd xz-utils)

# MB that must be free before a part is built.
root_mb=2500 demo_mb=1200 qemu_mb=600 source_mb=400 testpmd_mb=20 firmware_mb=150 binutils_mb=700 peers_mb=2500
fuzz_mb=1500 ncl_mb=4000 deb_mb=3000 docs_mb=500 image_mb=500 image_tools_mb=500
kernel_7_mb=2000 kernel_debug_mb=5000 kernel_kcsan_mb=3000

# Build the VM's root. It has no initramfs: initrd-init.c is all that the VM needs.
build_root() { # DIRECTORY
	local opt=() p

	for p in /usr/share/man /usr/share/doc /usr/share/info /usr/share/locale \
		/usr/share/lintian /etc/kernel/postinst.d/initramfs-tools; do
		opt+=(--dpkgopt="path-exclude=$p*")
	done
	mmdebstrap --mode=root --variant=apt --format=directory --verbose \
		--architectures=amd64 --dpkgopt=force-unsafe-io \
		--include="$(IFS=,; echo "${root_packages[*]}")" \
		--aptopt='APT::Install-Recommends "false"' "${apt_options[@]}" \
		"${opt[@]}" "$suite" "$1" "${mirror[@]}"
	chroot "$1" /usr/sbin/groupadd --system nfpchan
	chroot "$1" /usr/sbin/useradd --uid 1000 --user-group --create-home \
		--shell /bin/bash tester
	echo nfp-chan >"$1/etc/hostname"
	printf '127.0.0.1 localhost nfp-chan\n::1 localhost\n' >"$1/etc/hosts"
}

# The root of the first make demo is unpacked, not installed, because that is several times as fast. The
# rest is what scripts of the packages would do.
build_demo() { # DIRECTORY
	mmdebstrap --mode=root --variant=extract --format=directory --verbose \
		--architectures=amd64 --include="$(IFS=,; echo "${demo_packages[*]}")" \
		--aptopt='APT::Install-Recommends "false"' "${apt_options[@]}" \
		"$suite" "$1" "${mirror[@]}"
	ln -sf gcc "$1/usr/bin/cc"
	ln -sf mawk "$1/usr/bin/awk"
	chroot "$1" /usr/sbin/depmod "$(kernel_version "$1")"
	echo 'root:x:0:0:root:/root:/bin/bash' >"$1/etc/passwd"
	printf '%s:x:%s:\n' root 0 nfpchan 999 >"$1/etc/group"
}

# The roots of the peers, of the fuzzers and of NCL are built like the VM's root.
build_peers() { # DIRECTORY
	local root_packages=("${peers_packages[@]}")

	build_root "$1"
}

build_fuzz() { # DIRECTORY
	local root_packages=("${fuzz_packages[@]}")

	build_root "$1"
}

build_ncl() { # DIRECTORY
	local root_packages=("${root_packages[@]}" "${ncl_packages[@]}") i

	for i in "${!root_packages[@]}"; do
		case ${root_packages[i]} in linux-*) unset "root_packages[i]" ;; esac
	done
	build_root "$1"
}

build_image() { # DIRECTORY
	local root_packages=("${image_packages[@]}")

	build_root "$1"
}

build_image_tools() { # DIRECTORY
	local root_packages=("${image_tools_packages[@]}" passwd)

	build_root "$1"
}

build_deb() { # DIRECTORY
	mmdebstrap --mode=root --variant=apt --format=directory --verbose \
		--architectures=amd64 --dpkgopt=force-unsafe-io \
		--include="$(IFS=,; echo "${deb_packages[*]}")" \
		--aptopt='APT::Install-Recommends "false"' "${apt_options[@]}" \
		"$suite" "$1" "${mirror[@]}"
}

# docutils has files in /usr/share/docutils, which build_root leaves out with /usr/share/doc*.
build_docs() { # DIRECTORY
	local deb_packages=("${docs_packages[@]}")

	build_deb "$1"
}

# QEMU is unpacked, not installed. It runs with the dynamic loader and the libraries of its root, so
# the host's C library does not matter.
build_qemu() { # DIRECTORY
	mmdebstrap --mode=root --variant=extract --format=directory --verbose \
		--architectures=amd64 \
		--include="$(IFS=,; echo "${qemu_packages[*]}")" \
		--aptopt='APT::Install-Recommends "false"' "${apt_options[@]}" \
		--aptopt="APT::Default-Release \"$backports\"" \
		"" "$1" "deb ${mirror[0]} $suite main" "deb ${mirror[0]} $backports main"
	test -x "$1/usr/bin/qemu-system-x86_64"
	test -x "$1/usr/lib64/ld-linux-x86-64.so.2"
	rm -rf "${1:?}"/{dev,var,tmp}

	# A script that runs QEMU with the right loader, libraries and ROMs.
	cat >"$1/qemu" <<-'END'
		#!/bin/sh
		# Run QEMU with the libraries beside it.
		d=$(dirname "$0")/usr
		l=$d/lib/x86_64-linux-gnu
		export QEMU_MODULE_DIR="$l/qemu"
		exec "$d/lib64/ld-linux-x86-64.so.2" --library-path "$l:$d/lib" \
			"$d/bin/qemu-system-x86_64" -L "$d/share/qemu" -L "$d/share/seabios" "$@"
	END
	chmod 755 "$1/qemu"
}

# Download a package to DIRECTORY/source.deb, without installing it.
download() { # DIRECTORY PACKAGE
	mmdebstrap --mode=root --variant=custom --format=directory --verbose \
		--architectures=amd64 "${apt_options[@]}" \
		--setup-hook='mkdir -p "$1/var/lib/dpkg" "$1/tmp" &&
			: >"$1/var/lib/dpkg/status"' \
		--customize-hook='set -e; d=$(mktemp -d); cd "$d"
			APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" apt-get download -q '"$2"'
			mv ./*.deb "$1/source.deb"' \
		"$suite" "$1" "${mirror[@]}"
}

# Of the kernel's source, keep only the tools for lint.
build_checkpatch() { # DIRECTORY
	local deb

	download "$1" "$source_package"
	deb=$1/source.deb
	# tar stops at the last file wanted: the writers before it get SIGPIPE.
	{ dpkg-deb --fsys-tarfile "$deb" 2>&3 |
		tar -xO --wildcards './usr/src/*.tar.xz' 2>&3 |
		tar -C "$1" -xJ --occurrence=1 --strip-components=1 --wildcards \
			"${source_files[@]/#/*/}" 2>&3 || :; } 3>/dev/null
	for f in "${source_files[@]}"; do test -s "$1/$f"; done
	find "$1" -mindepth 1 -maxdepth 1 ! -name scripts -exec rm -rf {} +
}

build_testpmd() { # DIRECTORY
	download "$1" "$testpmd_package"
	dpkg-deb --fsys-tarfile "$1/source.deb" | tar -C "$1" -xO ./usr/bin/dpdk-testpmd \
		>"$1/dpdk-testpmd"
	chmod 755 "$1/dpdk-testpmd"
	find "$1" -mindepth 1 -maxdepth 1 ! -name dpdk-testpmd -exec rm -rf {} +
}

build_firmware() { # DIRECTORY
	local mirror=("deb ${mirror[0]} $suite $firmware_component")

	download "$1" "$firmware_package"
	dpkg-deb -x "$1/source.deb" "$1/deb"
	mv "$1/deb/usr/lib/firmware/netronome" "$1"
	find "$1" -mindepth 1 -maxdepth 1 ! -name netronome -exec rm -rf {} +
}

# The release of the backports is preferred where both have a package; only kernels are in both.
build_kernel_7() { # DIRECTORY
	local root_packages=("${kernel_7_packages[@]}") mirror=("${mirror[0]}")
	local apt_options=("${apt_options[@]}" --aptopt="APT::Default-Release \"$backports\"")

	mirror=("deb ${mirror[0]} $suite main" "deb ${mirror[0]} $backports main")
	build_root "$1"
}

build_kernel_debug() { make_kernel "$1" '' debug-kernel.config; }

# KCSAN excludes KASAN. KCSAN_SANITIZE=n leaves the kernel itself uninstrumented: only modules that
# are built later are followed, so that each report is about nfp_chan.ko.
build_kernel_kcsan() {
	make_kernel "$1" KCSAN_SANITIZE=n debug-kernel.config kcsan-kernel.config
}

# Print the options of all fragments; of two lines for an option the last.
merge_fragments() { # FRAGMENT...
	awk '{ option = $0; sub(/^# /, "", option); sub(/[= ].*/, "", option) }
		option !~ /^CONFIG_/ { next }
		!(option in line) { order[++n] = option }
		{ line[option] = $0 }
		END { for (i = 1; i <= n; i++) print line[order[i]] }' "${@/#/$tree/scripts/}"
}

make_kernel() { # DIRECTORY MAKE-ARGUMENT FRAGMENT...
	local root_packages=("${kernel_debug_packages[@]}")

	build_root "$1"
	mkdir "$1/usr/src/linux"
	tar -C "$1/usr/src/linux" -xJ --strip-components=1 \
		-f "$1/usr/src/$source_package.tar.xz"
	merge_fragments "${@:3}" >"$1/usr/src/fragment"
	# Check that .config has each line of the fragment: if not, a dependency is missing. "is not
	# set" may also be a missing line.
	chroot "$1" /bin/bash -euc '
		cd /usr/src/linux
		export KBUILD_BUILD_USER=nfp-chan KBUILD_BUILD_HOST=nfp-chan
		make KCONFIG_ALLCONFIG=../fragment allnoconfig
		missing=$({ grep ^CONFIG_ ../fragment | grep -vxFf .config
			sed -n "s/^# \(CONFIG_[A-Z0-9_]*\) is not set$/^\1=/p" ../fragment |
				grep -f - .config; } || :)
		[ -z "$missing" ] || { echo "not in the configuration: $missing"; exit 1; }
		make -j"$1" $2 bzImage modules
		v=$(make -s kernelrelease)
		cp arch/x86/boot/bzImage "/boot/vmlinuz-$v"
		cp System.map "/boot/System.map-$v"
		make -s modules_install
		rm -f "/lib/modules/$v/build" "/lib/modules/$v/source"
		make -s run-command KBUILD_RUN_COMMAND="\${srctree}/scripts/package/\
install-extmod-build /lib/modules/$v/build"
	' bash "$(nproc)" "$2"
	rm -rf "$1"/usr/src/*
}

# Make an initrd for a root's kernel, with the modules that the VM needs to mount its root, if the
# kernel has them as modules.
make_initrd() { # DIRECTORY ROOT
	local m module kernel

	kernel=$(kernel_version "$2")
	mkdir -p "$1/bin" "$1/lib" "$1/dev" "$1/proc" "$1/new"
	cp "$cache/$qemu_key/usr/bin/busybox" "$1/bin/busybox"
	: >"$1/lib/order"
	for m in "${initrd_modules[@]}"; do
		chroot "$2" /usr/sbin/modprobe -S "$kernel" -D "$m"
	done | while read -r kind module _; do
		[ "$kind" = insmod ] || continue
		m=$(basename "${module%.xz}")
		[ -e "$1/lib/$m" ] && continue
		xz -dc <"$2$module" >"$1/lib/$m"
		echo "$m" >>"$1/lib/order"
	done
	gcc -O2 -Wall -static -s -o "$1/init" "$tree/scripts/initrd-init.c"
	(cd "$1" && find . | cpio --quiet -o -H newc) >"$1.cpio"
	rm -rf "${1:?}"/*
	mv "$1.cpio" "$1/initrd"
}

build_initrd() { make_initrd "$1" "$cache/$root_key"; }
build_initrd_7() { make_initrd "$1" "$cache/$kernel_7_key"; }
build_initrd_debug() { make_initrd "$1" "$cache/$kernel_debug_key"; }
build_initrd_kcsan() { make_initrd "$1" "$cache/$kernel_kcsan_key"; }

# Build libopcodes for the NFP and link nfp-opcodes with it; keep only this program. No manuals,
# which would need makeinfo.
build_opcodes() { # DIRECTORY
	local b=$1/build

	download "$1" "$binutils_package"
	dpkg-deb --fsys-tarfile "$1/source.deb" |
		tar -xO --wildcards './usr/src/binutils/*.tar.xz' |
		(mkdir "$1/source" && tar -C "$1/source" -xJ --strip-components=1)
	mkdir "$b"
	(cd "$b" && ../source/configure --target=nfp-elf --disable-nls --disable-gdb \
		--disable-gdbserver --disable-sim --disable-gas --disable-ld \
		--disable-gprofng --disable-binutils --without-zstd CFLAGS=-O1)
	make -C "$b" -s -j"$(nproc)" MAKEINFO=true all-opcodes
	gcc -O2 -Wall -DPACKAGE -I"$b/bfd" -I"$1/source/include" \
		-o "$1/nfp-opcodes" "$tree/scripts/nfp-opcodes.c" \
		"$b/opcodes/.libs/libopcodes.a" "$b/bfd/.libs/libbfd.a" \
		"$b/libiberty/libiberty.a" "$b/libsframe/.libs/libsframe.a" "$b/zlib/libz.a"
	find "$1" -mindepth 1 -maxdepth 1 ! -name nfp-opcodes -exec rm -rf {} +
}
