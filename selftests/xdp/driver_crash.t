#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: nightly
# Programs that crash the stock driver (selftests/xdp/KNOWN.rst), each in a separate VM. The
# test checks the kernel's message and the exit status of the VM. A driver without the bug
# loads the program, or refuses it.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh

# crash NAME STATUS PATTERN...: check the status of scripts/vm, and lines of the kernel log.
# The VM runs $command, or if that is not set, loads the object NAME.
crash() {
	local object=$1 want=$2 status=0 p
	local run=${command:-ip link set dev eth0 xdpoffload obj build/guest/$1.o sec xdp}

	shift 2
	scripts/vm --timeout 100 -- sh -c "$run" >/dev/null 2>&1 || status=$?
	for p; do
		grep -aqE "$p" build/vm/last/dmesg && continue
		echo "# the kernel's log does not have: $p"
		want="$want, and that"
	done
	same "$object" "$status" "$want"
}

# Status 125: the log has a warning. Status 122: the guest has panicked.
crash xdp-crash/call_byte 125 'WARNING: .*jit\.c:[0-9]* wrp_lmem_load'
crash xdp-refused/div_zero 122 'divide error' 'RIP: .*reciprocal_value_adv'
crash xdp-refused/value_unwritten 122 'BUG: (kernel NULL pointer dereference|unable to handle)' \
	'RIP: .*nfp_verify_insn'
crash xdp-refused/open_copy 122 'BUG: kernel NULL pointer dereference' 'RIP: .*nfp_bpf|RIP: .*mem_ldx'
crash xdp-crash/recursion 122 'BUG: ' 'RIP: .*nfp_bpf_finalize'
command='bpftool prog load build/guest/xdp/pass.o /sys/fs/bpf/p type xdp xdpmeta_dev eth0 &&
	ip link set dev eth0 xdpoffload pinned /sys/fs/bpf/p' \
	crash bound 122 'BUG: kernel NULL pointer dereference' 'RIP: .*nfp_net_bpf_offload'
done_testing
