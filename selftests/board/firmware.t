#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# build: ncl me-image
# Firmware files of the vendor: those that the stock driver loads onto the card (--board firmware=host),
# and those that the card has from its start (--board firmware=FILE). The files are of Debian's package
# firmware-netronome. Where it cannot be had, this test is skipped. The driver also loads a file with
# code that mecc has compiled.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
# shellcheck source=selftests/rig/card.sh
. selftests/rig/card.sh

if ! files=$(scripts/setup --print firmware 2>"$tmp/why"); then
	echo "1..0 # SKIP no package firmware-netronome: $(grep -m1 '^[EW]:' "$tmp/why")"
	exit 0
fi

# Boot a card with firmware FILE, and test it with the shell script COMMAND in the guest.
card() { # FILE COMMAND
	card_vm --timeout 200 --firmware --board chan=off --board firmware="$files/$1" -- \
		bash -c '. selftests/rig/tap.sh
			said() { [[ "$(eval "$1" 2>&1)" == *$2* ]] || { eval "$1"; return 1; }; }
			'"$2"'
			done_testing' </dev/null
}

for program in primes:36.8 beat:36.9; do
	check "mecc compiles ${program%:*}.c for microengine ${program#*:}" \
		scripts/in-root --ncl -- build/ncl/bin/mecc "fw/mecc/examples/${program%:*}.c" \
		-o "build/${program%:*}.o" --me "${program#*:}"
done
subtest "files that the driver loads" card_vm --timeout 300 \
	--firmware "$files/bpf/nic_AMDA0099-0001_2x25.nffw" -- \
	selftests/board/guest/fw_host.sh </dev/null
# A process has 3 commands before its first message, and 5 at least for it.
executed() { # MICROENGINE
	local n

	n=$(sed -n "s/.*: $1\.0 has executed .*, \([0-9]*\) commands.*/\1/p" "$tmp/log" | sort -n | tail -n 1)
	[ "${n:-0}" -ge 8 ] || { echo "commands: $n"; grep executed "$tmp/log"; return 1; }
}
check "microcode was echo" executed i35.me1
check "microcode was capitals" executed i35.me2
check "the card's log says why it refused the damaged file" \
	grep -q 'refused: damaged: section [0-9]* reaches beyond the end' "$tmp/log"

# The symbols of this image are at other addresses, some of them in other islands.
# shellcheck disable=SC2016
subtest "the BPF image of another card" card bpf/nic_AMDA0058-0011_2x40.nffw '
	check "ethtool shows its version" said "ethtool -i eth0" "bpf-2.0.6.124 ebpf"
	check "a program is offloaded" \
		ip link set dev eth0 xdpoffload obj build/guest/xdp/array.o sec xdp
	check "the statistics of the MACs are read" said "ethtool -S eth0" "mac.rx_pkts: 0"'

# shellcheck disable=SC2016
subtest "the NIC image for this card" card nic/nic_AMDA0099-0001_2x25.nffw '
	check "ethtool shows its version" said "ethtool -i eth0" "nic-2.1.16.1 nic"
	check "a program is refused" \
		eval "! ip link set dev eth0 xdpoffload obj build/guest/xdp/pass.o sec xdp"'

refused() { # FILE REASON
	local said status=0

	said=$(build/host/bin/nfpboard --socket "$tmp/none" --set firmware="$1" 2>&1) || status=$?
	[ $status != 0 ] && [[ $said == *"$2"* ]] || { echo "status $status: $said"; return 1; }
}

check 'an image for four ports is refused' \
	refused "$files/bpf/nic_AMDA0081-0001_4x10.nffw" 'bpf-2.0.6.124 is for 4 ports; the board has 2'
check 'an image of another application is refused' \
	refused "$files/flower/nic_AMDA0099.nffw" 'is of application 3; the board has NIC (1) and BPF (2)'
done_testing
