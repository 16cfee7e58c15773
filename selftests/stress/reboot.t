#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm debug
# Reset or restart the machine while channels are in use, LOOPS times (2), by a reset and by kexec
# in turn; see guest/storm_boot.sh.
cd "$(dirname "$0")/../.." || exit 1
set -euo pipefail
# shellcheck source=scripts/env.sh
. scripts/env.sh
find_kernel "${NFPCHAN_KERNEL:-6.12}"

mkdir -p build/vm
count=$(mktemp build/vm/boots.XXXXXX)
trap 'rm -f "$count" "$count.line"' EXIT
echo 0 >"$count"
# Share kernel and initrd, which are outside the guest's root. QEMU separates by commas.
share=()
for name in kernel initrd; do
	key=kernel_key
	[ $name = kernel ] || key=kernel_initrd_key
	share+=(--qemu -fsdev
		--qemu "local,id=$name,path=$cache/${!key},security_model=none,readonly=on"
		--qemu -device --qemu "virtio-9p-pci,fsdev=$name,mount_tag=$name")
done
loops=${LOOPS:-2}
# Without SMAP and 5-level page tables TCG is a tenth faster: it ends a block at each switch of
# SMAP, and walks one level more.
scripts/vm --timeout $((300 + 300 * loops)) --no-cpu smap --no-cpu la57 --qemu -action --qemu reboot=reset \
	"${share[@]}" -- selftests/stress/guest/storm_boot.sh "$count" "$loops"
