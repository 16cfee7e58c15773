#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: userspace
# `make install` puts files where its variables say, for programs in C and C++, and `make uninstall`
# removes them.

set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
out=build/host
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh

# Run make without the jobs and variables of the make that runs the tests.
mk() { env -u MAKEFLAGS -u MFLAGS make -s O="$out" "$@"; }

# Give pkg-config the files of the installation in FOLDER alone, without its list of folders that
# compilers search anyway.
pc() { # FOLDER LIBDIR OPTION...
	local folder=$1 libdir=$2

	shift 2
	PKG_CONFIG_LIBDIR=$folder$libdir/pkgconfig PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
		PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config "$@"
}

# pc_is WANT LIBDIR OPTION...
pc_is() {
	local want=$1 got

	shift
	got=$(pc "$tmp/root" "$@") || return
	[ "${got% }" = "$want" ] || { echo "\"$got\", not \"$want\""; return 1; }
}

there() { # FOLDER FILE...
	local folder=$1 f

	shift
	for f; do
		[ -s "$folder$f" ] || { echo "no $f"; return 1; }
	done
}

# Each header compiles alone, with nothing but the flags of pkg-config. nfpchan_bpf.h is for
# programs of the card, ncl.h and netcl.hpp are for nclc.
headers() { # COMPILER...
	local h flags

	flags=$(pc "$tmp/root" /usr/lib --define-variable=prefix="$tmp/root/usr" --cflags \
		libnfpchan libncrt) || return
	for h in "$tmp"/root/usr/include/{*.h,nfpchan/*.h,ncl/*.h}; do
		case $h in */nfpchan_bpf.h | */ncl.h) continue ;; esac
		# shellcheck disable=SC2086
		"$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only $flags -include "$h" \
			/dev/null || return
	done
}

# A program in C++ that calls both libraries, linked by the flags of pkg-config. It asks for a card
# that is not there.
program() { # OUTPUT PKG-CONFIG-OPTION...
	local output=$1

	shift
	cat >"$tmp/program.cc" <<-'END'
		#include <cerrno>
		#include <nfpchan.h>
		#include <ncrt.h>
		int main()
		{
			struct nfpchan_card *card;
			char why[200] = "";

			ncrt_close(nullptr);
			return nfpchan_card_open(&card, "/no/such", why, sizeof(why)) == -ENODEV ? 0 : 1;
		}
	END
	# shellcheck disable=SC2046
	g++ -Wall -Werror -o "$output" "$tmp/program.cc" \
		$(pc "$tmp/root" /usr/lib --define-variable=prefix="$tmp/root/usr" "$@" \
			--cflags --libs libnfpchan libncrt)
}

runs_shared() { program "$tmp/shared" && LD_LIBRARY_PATH=$tmp/root/usr/lib "$tmp/shared"; }
runs_static() {
	mkdir "$tmp/only-static" && mv "$tmp"/root/usr/lib/*.so* "$tmp/only-static" || return
	program "$tmp/static" --static && "$tmp/static"
	set -- $?
	mv "$tmp"/only-static/* "$tmp/root/usr/lib"
	return "$1"
}

only_own_names() {
	! nm -g --defined-only "$tmp"/root/usr/lib/lib{nfpchan,ncrt}.a |
		awk 'NF == 3 && $3 !~ /^(nfpchan|ncrt)_/' | grep .
}

nothing_left() { # FOLDER
	! find "$1" ! -type d | grep . && ! find "$1" -type d | grep -E '(nfpchan|ncl|ncrt)$'
}

check "a build with PREFIX=/opt/one" mk PREFIX=/opt/one userspace
check "install with PREFIX=/usr" mk PREFIX=/usr DESTDIR="$tmp/root" install
check "libnfpchan.pc says /usr" pc_is /usr /usr/lib --variable=prefix libnfpchan
check "its version is that of the Makefile" \
	pc_is "$(sed -n 's/^VERSION := //p' Makefile)" /usr/lib --modversion libnfpchan
check "flags for the compiler and the linker" \
	pc_is "-I/usr/include -L/usr/lib -lnfpchan" /usr/lib --cflags --libs libnfpchan
check "headers, libraries and pages are installed" there "$tmp/root/usr" /include/nfpchan.h \
	/share/man/man1/nfpchan.1 /share/man/man5/nfpchan-json.5 \
	/include/nfpchan_stream.h /include/nfpchan_port.h /include/nfpchan_link.h \
	/include/nfpchan_bpf.h /include/nfpchan/nfp_chan.h /lib/libnfpchan.so /lib/libnfpchan.a
check "NCL is installed, except its compiler" there "$tmp/root/usr" /bin/ncl /include/ncl/ncrt.h \
	/lib/libncrt.so /share/man/man1/ncl.1 /share/bash-completion/completions/ncl
check "completion is installed for three shells" there "$tmp/root/usr/share" \
	/bash-completion/completions/nfpchan /zsh/site-functions/_nfpchan /zsh/site-functions/_ncl \
	/fish/vendor_completions.d/nfpchan.fish /fish/vendor_completions.d/ncl.fish
check "rules for udev, systemd-sysusers and modprobe are" there "$tmp/root/usr/lib" \
	/udev/rules.d/60-nfp-chan.rules /sysusers.d/nfp-chan.conf /modprobe.d/nfp-chan.conf
check "units of systemd are" there "$tmp/root/usr/lib/systemd/system" \
	/nfpchan-metrics@.service /nfpchan-metrics@.timer /nfpchan-ipfix@.service
check "static libraries have no global names but their own" only_own_names
check "headers compile alone in C" headers cc -std=c99 -x c
if command -v g++ >/dev/null; then
	check "headers compile alone in C++" headers g++ -std=c++17 -x c++
	check "a C++ program runs with the shared libraries" runs_shared
	check "a C++ program runs with the static libraries" runs_static
else
	skip "headers and libraries in C++" "no g++"
fi
check "uninstall" mk PREFIX=/usr DESTDIR="$tmp/root" uninstall
check "nothing is left" nothing_left "$tmp/root"

where=(PREFIX=/usr DESTDIR="$tmp/root" LIBDIR=/usr/lib64 INCLUDEDIR=/usr/include/card
	SYSCONFDIR=/etc UDEVDIR=/usr/lib/udev)
check "install with other folders" mk "${where[@]}" install
check "they have the files" there "$tmp/root" /usr/lib64/libnfpchan.so.0 /usr/lib64/libncrt.a \
	/usr/include/card/nfpchan.h /usr/include/card/ncl/ncrt.h /etc/sysusers.d/nfp-chan.conf \
	/etc/modprobe.d/nfp-chan.conf /usr/lib/udev/rules.d/60-nfp-chan.rules
check "the flags name them" pc_is "-I/usr/include/card/ncl -L/usr/lib64 -lncrt" /usr/lib64 \
	--cflags --libs libncrt
check "uninstall from there" mk "${where[@]}" uninstall
check "nothing is left there" nothing_left "$tmp/root"

# A user's own PREFIX: the user can write nowhere else.
if [ "$(id -u)" = 0 ]; then
	user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	chmod 755 "$tmp"
	install -d -o 65534 "$tmp/home"
	as_user() { env -u MAKEFLAGS -u MFLAGS "${user[@]}" make -s O="$out" PREFIX="$tmp/home/.local" "$@"; }
	if "${user[@]}" test -r Makefile; then
		check "a user installs in the home folder" as_user install
		check "the command runs from there" "${user[@]}" "$tmp/home/.local/bin/nfpchan" --version
		check "a user uninstalls" as_user uninstall
		check "nothing is left in the home folder" nothing_left "$tmp/home"
	else
		skip "a user installs in the home folder" "user 65534 cannot read this tree"
	fi
else
	skip "a user installs in the home folder" "this test does not run as root"
fi

# Two trees in different folders give the same library, with the flag that packagers use.
for d in one another/place; do
	mkdir -p "$tmp/$d"
	git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read \
		-T - 2>/dev/null | tar -xC "$tmp/$d"
	env -u MAKEFLAGS -u MFLAGS make -s -C "$tmp/$d" O=o \
		CFLAGS="-O0 -g -ffile-prefix-map=$tmp/$d=." o/static/libncrt.a \
		"o/lib/libncrt.so.$(sed -n 's/^VERSION := //p' Makefile)" || failed=1
done
check "two builds in two folders give the same shared library" \
	cmp "$tmp"/{one,another/place}/o/lib/libncrt.so.0
check "and the same static library" cmp "$tmp"/{one,another/place}/o/static/libncrt.a

check "make builds with the default PREFIX again" mk userspace
done_testing
