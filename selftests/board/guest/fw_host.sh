#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The stock driver loads firmware files onto a card without firmware in its flash (firmware=host).
# firmware.t runs this, with the public BPF file for this card as scripts/vm --firmware FILE.

. selftests/rig/tap.sh

name=netronome/serial-00-15-4d-12-34-56-10-ff.nffw
file=/lib/firmware/updates/$name
cp "$file" /run/good || exit 1

said() { [[ "$(eval "$1" 2>&1)" == *$2* ]] || { eval "$1"; return 1; }; }
logged() { dmesg | grep -qF -- "$1" || { dmesg | grep -w nfp; return 1; }; }
load() { dmesg --clear; modprobe nfp; udevadm settle; }
offload() { ip link set dev eth0 xdpoffload obj build/guest/xdp/array.o sec xdp; }

check "the driver finds the file of the card's serial number" logged "$name: found"
check "it resets the card" logged "Soft-resetting the NFP"
check "it loads the file" logged "Finished loading FW image"
check "ethtool shows its version" said "ethtool -i eth0" "0.0.3.5 0.37 bpf-2.0.6.124 ebpf"
check "nfpchan shows this file, and that it runs" \
	said "nfpchan firmware show --dev eth0" "file         $file
firmware     bpf-2.0.6.124"
check "a program that looks entries up is offloaded" offload
ip link set dev eth0 xdpoffload off
check "a program that updates entries is refused, by the driver" \
	said "! ip link set dev eth0 xdpoffload obj build/guest/xdp/hash.o sec xdp" \
	"map_update: not supported by FW"
check "the channel firmware runs as well" said "nfpchan list" echo-in

rmmod nfp
check "the driver unloads the file when it goes" logged "Firmware safely unloaded"
head -c 100000 /run/good >"$file"
load
check "a damaged file is refused, and the driver says why" \
	logged "Firmware loading failure, can not parse FW file"
check "it gives up" logged "FW loading failed: -8"
check "there is no interface" [ ! -e /sys/class/net/eth0 ]

rmmod nfp
cp /run/good "$file"
load
check "the good file is loaded after that" logged "Finished loading FW image"
check "a program is offloaded" offload
ip link set dev eth0 xdpoffload off

# The first file of userspace/doc/GRAFT.rst, with the second name that the driver looks for
graft() {
	nfpchan firmware graft --base /run/good --idle i36.me8 --idle i36.me9 \
		--output "${file%/*}/pci-0000:01:00.0.nffw"
}
rmmod nfp
rm "$file"
check "nfpchan gives two workers up" graft
load
check "the driver loads that file" said "ethtool -i eth0" "bpf-2.0.6.124+c"
check "a program is offloaded on it" offload
ip link set dev eth0 xdpoffload off

# Code of ours in their place. It runs at once, and the stock driver reads what it has written.
compiled() {
	nfpchan firmware graft --base /run/good build/primes.o build/beat.o \
		--output "${file%/*}/pci-0000:01:00.0.nffw"
}
dumped() { # SYMBOL
	ethtool -W eth0 1000 && ethtool -w eth0 data /run/dump &&
		nfpchan firmware dump --raw /run/dump "$1" >"/run/$1"
}
# Wait until beat.c has written its record anew, which it does each second of the card's clock.
changes() {
	dumped beat && cp /run/beat /run/before
	for _ in $(seq 300); do
		dumped beat && ! cmp -s /run/before /run/beat && return
		sleep 0.1
	done
	return 1
}
# Print a field of primes: word N behind the text.
field() { od -An -tu4 --endian=big -j $((16 + 4 * $1)) -N4 /run/primes | tr -d ' '; }
rmmod nfp
check "code of mecc takes the place of two workers" compiled
load
check "the driver loads that file, too" said "ethtool -i eth0" "bpf-2.0.6.124+c"
check "nfpchan says which microengines have code of ours" \
	said "nfpchan firmware show --dev eth0 | grep i36.me8" "grafted code"
check "ethtool reads what the code has written" dumped primes
same "its text" "$(head -c 12 /run/primes)" "made by mecc"
same "limit, prime numbers below, the last of them, and that it is done" \
	"$(field 0) $(field 1) $(field 2) $(field 3)" "512 97 509 1"
check "the other microengine counts seconds" changes
same "its text" "$(head -c 12 /run/beat)" "made by mecc"
check "a program is offloaded beside it" offload
ip link set dev eth0 xdpoffload off

# ME processes as microcode. The managers of channels are those of the emulated card.
processes() {
	nfpchan firmware graft --base /run/good build/me/35.1.o build/me/35.2.o \
		--output "${file%/*}/pci-0000:01:00.0.nffw"
}
answer() { # PROCESS TEXT: what the process answers
	nfpchan recv --timeout 60000 --count 1 "$1-out" >/run/answer &
	nfpchan send --timeout 60000 "$1-in" "$2" && wait $! && cat /run/answer
}
rmmod nfp
check "two processes take the places of workers" processes
load
check "the driver loads that file" said "ethtool -i eth0" "bpf-2.0.6.124+c"
check "the channels are those of the card" said "nfpchan list" capitals-in
same "echo answers by nfp_chan.ko" "$(answer echo "out and back")" "out and back"
same "capitals answers" "$(answer capitals "small letters")" "SMALL LETTERS"

rmmod nfp
rm "${file%/*}"/*
load
check "without these files the driver takes the one with the name of the board" \
	logged "netronome/nic_AMDA0099-0001_2x25.nffw: found"
check "ethtool shows its version" said "ethtool -i eth0" "nic-2.1.16.1 nic"
check "the channel firmware runs again" said "nfpchan list" echo-in
done_testing
