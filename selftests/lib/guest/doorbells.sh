#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# A user without CAP_SYS_RAWIO may not map the doorbells if the module was loaded with
# doorbells=ioctl. Channels in C, Go, Python and Perl then work as with mapped doorbells. Prints
# TAP; run by selftests/lib/doorbells.t.
set -u

# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
export PYTHONDONTWRITEBYTECODE=1 NFPCHAN_TEST_CARD=1
user=(setpriv --reuid tester --regid nfpchan --clear-groups timeout -s KILL $((150 * NFPCHAN_SLOW)))

rmmod nfp_chan && insmod build/guest/kmod/nfp_chan.ko doorbells=ioctl
ok $? "the module is loaded with doorbells=ioctl"
udevadm settle
subtest "C, with CAP_SYS_RAWIO" build/guest/test/doorbell_calls mapped
subtest "C" "${user[@]}" build/guest/test/doorbell_calls
NFPCHAN_TEST_DOORBELLS=ioctl subtest "Go" "${user[@]}" build/guest/test/lang_go -test.v \
	-test.skip='^(TestRing|TestEnd|TestGone)'
subtest "Python" "${user[@]}" selftests/lib/guest/doorbells.py
words=$(printf '%s\n' one '' three)
same "Perl, without a binding" "$("${user[@]}" userspace/examples/chan_ping.pl one '' three)" "$words"
same "Python, without a binding" "$("${user[@]}" userspace/examples/chan_echo.py one '' three)" \
	"$words"
rmmod nfp_chan && insmod build/guest/kmod/nfp_chan.ko
ok $? "the module is loaded without a parameter"
udevadm settle
subtest "C, doorbells mapped" "${user[@]}" build/guest/test/doorbell_calls mapped
done_testing
