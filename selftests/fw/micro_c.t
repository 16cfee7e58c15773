#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: -
# scripts/lint micro-c refuses firmware that the vendor's compiler or the chip would refuse, and
# scripts/swaps functions whose declaration does not say whether they swap out.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/tap.sh
dir=$(mktemp -d build/micro-c.XXXXXX)
trap 'rm -rf "$dir"' EXIT

k=0
# snippet WHAT TEXT BODY: for a function with BODY, the checker prints TEXT. Empty TEXT: it accepts.
snippet() {
	k=$((k + 1))
	what[k]=$1 text[k]=$2
	cat >"$dir/$k.c" <<-EOT
		#include <nfp/mem_atomic.h>
		#include <nfp/mem_bulk.h>
		#include <nfp/mem_ring.h>
		#include <nfp/pcie.h>
		#include <nfp/remote_me.h>
		#include <std/reg_utils.h>
		struct thing { uint32_t a, b; };
		struct big { uint32_t word[33]; };
		extern __export __emem struct thing thing;
		extern __export __ctm struct thing staged;
		extern __export __cls struct thing held;
		void f(unsigned int n);
		void f(unsigned int n)
		{
			__xread struct thing in;
			__xwrite struct thing out;
			__xrw uint32_t both;
			struct thing local;
			struct big big;
			(void)n; (void)in; (void)out; (void)both; (void)local; (void)big;
			{ $3 }
		}
	EOT
}
spaces='different address spaces' size='does not have this size' fewer='registers are fewer'
snippet 'a read to a read register' '' 'mem_read8(&in, emem40(&thing), sizeof(in));'
snippet 'a write from a write register' '' 'mem_write8(&out, ctm40(&staged), sizeof(out));'
snippet 'registers as values' '' 'mem_read8(&in, emem40(&thing), sizeof(in)); local = in; out = local;'
snippet 'a read to local memory' "$spaces" 'mem_read8(&local, emem40(&thing), sizeof(local));'
snippet 'a write from local memory' "$spaces" 'mem_write8(&local, emem40(&thing), sizeof(local));'
snippet 'a read to a write register' "$spaces" 'mem_read8(&out, emem40(&thing), sizeof(out));'
snippet 'a write from a read register' "$spaces" 'mem_write8(&in, emem40(&thing), sizeof(in));'
snippet 'a read of local memory' "$spaces" 'mem_read8(&in, &local, sizeof(in));'
snippet 'a read of CLS' "$spaces" 'mem_read8(&in, &held, sizeof(in));'
snippet 'CTM taken for EMEM' "$spaces" 'mem_read8(&in, emem40(&staged), sizeof(in));'
snippet 'CTM without a conversion' "$spaces" 'mem_zero(&staged, sizeof(staged));'
snippet 'a pointer that loses its memory' "$spaces" 'struct thing *p = &thing; (void)p;'
snippet 'a cast that loses its memory' 'removes address space' '(void)(struct thing *)&thing;'
snippet 'local memory cleared by memory commands' "$spaces" 'mem_zero(&local, sizeof(local));'
snippet 'PCIe SRAM to local memory' "$spaces" 'pcie_sram_read(4, &local, 0, sizeof(local));'
snippet 'work from local memory' "$spaces" 'mem_workq_add_work(0, 0, &local, sizeof(local));'
snippet 'a reflected read to local memory' "$spaces" 'SIGNAL s; reflect_read_sig_init(&local, 36, 0, 0, 8, &s);'
snippet '33 bytes by a command of 8 bits' "$size" '__xread uint32_t nine[9]; mem_read8(nine, emem40(&thing), 33);'
snippet '6 bytes by a command of 32 bits' "$size" 'mem_read32(&in, emem40(&thing), 6);'
snippet '12 bytes by a command of 64 bits' "$size" 'mem_write64(&out, emem40(&thing), 12);'
snippet '132 bytes by a command of 32 bits' "$size" '__xread uint32_t w[33]; mem_read32(w, emem40(&thing), 132);'
snippet '12 bytes to 8 bytes of registers' "$fewer" 'mem_read8(&in, emem40(&thing), 12);'
snippet '12 bytes to an array of 8' "$fewer" '__xread uint32_t two[2]; mem_read32(two, emem40(&thing), 12);'
snippet '8 bytes to an array of 8' '' '__xread uint32_t two[2]; mem_read32(two, emem40(&thing), 8);'
snippet '12 bytes of PCIe SRAM to 8 bytes of registers' "$fewer" 'pcie_sram_read(4, &in, 0, 12);'
snippet '6 bytes of PCIe SRAM' "$size" 'pcie_sram_read(4, &in, 0, 6);'
snippet '132 bytes to PCIe SRAM' "$size" '__xwrite struct big o; pcie_sram_write(4, &o, 0, sizeof(o));'
snippet '68 bytes of work' "$size" '__xwrite uint32_t w[17]; mem_workq_add_work(0, 0, w, sizeof(w));'
snippet '68 bytes to a ring' "$size" '__xwrite uint32_t w[17]; mem_ring_put(0, 0, w, sizeof(w));'
snippet 'a thread that waits for 68 bytes' "$size" 'SIGNAL s; __xread uint32_t w[17]; __mem_workq_add_thread(0, 0, w, sizeof(w), sizeof(w), sig_done, &s);'
snippet 'a reflected read of 60 bytes' "$size" 'SIGNAL s; __xread uint32_t w[15]; reflect_read_sig_init(w, 36, 0, 0, sizeof(w), &s);'
snippet 'a reflected write of 12 bytes from 8' "$fewer" 'reflect_write_sig_remote(&out, 36, 0, 0, 12, 1);'
snippet 'an atomic add of 8 bytes by the command of 32 bits' "$size" 'mem_test_add(&both, emem40(&thing), 8);'
snippet 'an atomic add with a read register' "$spaces" '__xread uint32_t w; mem_test_add(&w, emem40(&thing), 4);'
snippet '132 bytes copied between registers' "$size" 'struct big other; reg_cp(&other, &big, sizeof(big));'
snippet '6 bytes of registers cleared' "$size" 'reg_zero(&local, 6);'
snippet 'registers cleared by a size that is not a constant' 'not a constant' 'reg_zero(&local, n);'
snippet 'a declaration after a statement' 'mixing declarations and code' 'n++; int late = 0; (void)late;'

mapfile -t files < <(seq -f "$dir/%g.c" $k)
scripts/lint --micro-c "${files[@]}" >"$dir/said" 2>&1
for i in $(seq $k); do
	said=$(grep -F "$dir/$i.c:" "$dir/said")
	[[ ${text[i]} && $said = *"${text[i]}"* || ! ${text[i]} && ! $said ]]
	ok $? "${what[i]}: ${text[i]:-accepted}" "$said"
done

cat >"$dir/swaps.c" <<-EOT
	static __swaps void right(SIGNAL *s)
	{
		wait_for_all(s);
	}

	static void missing(unsigned int chan)
	{
		right(0);	/* chan_kick() */
	}

	static __swaps void none(void)
	{
		ffs(1);
	}

	void echo_main(void)
	{
		right(0);
	}
EOT
said=$(scripts/swaps "$dir/swaps.c")
same "the functions that are declared wrongly" "${said//$dir\//}" \
	"swaps.c:6: missing() calls right(), which swaps out, and is not declared with __swaps
swaps.c:11: none() is declared with __swaps, and calls nothing that swaps out"
done_testing
