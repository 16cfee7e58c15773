#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Storms in the guest: an action on the card, a driver or processes is repeated while channels
# are in use. Prints TAP; run by selftests/stress/storm.t.
#
# usage: storm.sh LOOPS [STORM[=LOOPS]...]
set -u

bin=build/guest/test
all=${1:?}
shift
[ $# -gt 0 ] || set -- open kill affinity hotplug freezer devices platform idle \
	bind rescan modules
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh

# Run a test program as a subtest.
program() { # NAME ARGUMENT...
	subtest "$1 $2" "$bin/$1" "${@:2}"
}

# Copy the modules, uncompressed and without debug information: over 9p they load slowly.
modules() {
	local ko

	ko=$(modinfo -n nfp)
	case $ko in
	*.xz)
		python3 -c 'import lzma, sys; sys.stdout.buffer.write(lzma.open(sys.argv[1]).read())' \
			"$ko" >/tmp/nfp.ko ;;
	*) cp "$ko" /tmp/nfp.ko ;;
	esac
	strip --strip-debug /tmp/nfp.ko
	strip --strip-debug -o /tmp/nfp_chan.ko build/guest/kmod/nfp_chan.ko
}

# The debug kernel has KASAN. splats.ko does nothing without an argument: see lib/storm.c.
case $(uname -r) in
*-nfpchan-debug) export STORM_PURGE=build/guest-debug/splats/splats.ko ;;
esac

# Stop udev: it loads a driver again for a device that the driver has left, and events of a storm
# that it has not read yet take kernel memory.
udevadm control --exit
# The stock driver logs 40 lines in each probe. scripts/vm looks for warnings only.
dmesg --console-level warn

for storm; do
	loops=$all
	case $storm in
	*=*) loops=${storm#*=} storm=${storm%%=*} ;;
	esac
	case $storm in
	open | kill) program storm_chan "$storm" "$loops" ;;
	affinity | hotplug) program storm_cpu "$storm" "$loops" ;;
	freezer | devices | platform | idle) program storm_sleep "$storm" "$loops" ;;
	bind | rescan) program storm_card "$storm" "$loops" ;;
	modules)
		modules
		program storm_card modules "$loops" /tmp/nfp.ko /tmp/nfp_chan.ko ;;
	*) ok 1 "no storm '$storm'" ;;
	esac
done
done_testing
