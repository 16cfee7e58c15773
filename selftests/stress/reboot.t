#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm debug
# The machine goes down while channels are in use, LOOPS times (2), by a reset and by
# kexec in turn; see guest/storm_boot.sh.
cd "$(dirname "$0")/../.." || exit 1
set -euo pipefail
# shellcheck source=scripts/env.sh
. scripts/env.sh
find_kernel "${NFPCHAN_KERNEL:-6.12}"

mkdir -p build/vm
count=$(mktemp build/vm/boots.XXXXXX)
trap 'rm -f "$count" "$count.line"' EXIT
echo 0 >"$count"
# Kernel and initrd are the machine's, not the guest's. The commas are QEMU's.
share=()
for name in kernel initrd; do
	key=kernel_key
	[ $name = kernel ] || key=kernel_initrd_key
	share+=(--qemu -fsdev
		--qemu "local,id=$name,path=$cache/${!key},security_model=none,readonly=on"
		--qemu -device --qemu "virtio-9p-pci,fsdev=$name,mount_tag=$name")
done
loops=${LOOPS:-2}
# A CPU without these two is a tenth faster in TCG, whose blocks end where SMAP is switched,
# and whose walks of page tables are a level shorter.
scripts/vm --timeout $((300 + 300 * loops)) --no-cpu smap --no-cpu la57 --qemu -action --qemu reboot=reset \
	"${share[@]}" -- selftests/stress/guest/storm_boot.sh "$count" "$loops"
