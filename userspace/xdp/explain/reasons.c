// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* reasons.c - name, severity and advice of each obstacle. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "explain.h"

#define ERROR	SEVERITY_ERROR
#define UNKNOWN	SEVERITY_UNKNOWN
#define WARNING	SEVERITY_WARNING
#define NOTE	SEVERITY_NOTE

const struct reason_info reasons[WHYS] = {
	[WHY_PROGRAM_TYPE] = { "program-type", ERROR,
		"the card runs programs of sections \"xdp\" only" },
	[WHY_PROGRAM_TC] = { "program-tc", UNKNOWN,
		"the driver offloads it by tc filter ... bpf skip_sw; load it to see" },
	[WHY_PROGRAM_FLAGS] = { "program-flags", ERROR,
		"use section \"xdp\", not \"xdp.frags\", \"xdp_devmap\" or \"xdp_cpumap\"" },
	[WHY_MAP_TYPE] = { "map-type", ERROR,
		"use BPF_MAP_TYPE_HASH or BPF_MAP_TYPE_ARRAY; for events "
		"BPF_MAP_TYPE_PERF_EVENT_ARRAY" },
	[WHY_PROG_ARRAY] = { "prog-array", ERROR,
		"nfpchan xdp link makes one program of the programs in it" },
	[WHY_MAP_PERCPU] = { "map-percpu", ERROR,
		"use the plain type, and count with __sync_fetch_and_add(): the card adds "
		"atomically" },
	[WHY_MAP_FLAGS] = { "map-flags", ERROR, "leave map_flags 0" },
	[WHY_MAP_GLOBAL] = { "map-global", ERROR,
		"the loader puts global and static variables, and strings, into a map with flags; "
		"use a constant, the stack, or an array map of one entry" },
	[WHY_MAP_KEY] = { "map-key-size", ERROR, "use a shorter key, such as a hash of it" },
	[WHY_MAP_VALUE] = { "map-value-size", ERROR,
		"use shorter values, or several maps with the same key" },
	[WHY_MAP_ELEM] = { "map-elem-size", ERROR,
		"use shorter keys or values, or several maps with the same key" },
	[WHY_MAP_ENTRIES] = { "map-entries", ERROR,
		"use fewer max_entries; the limit holds for all maps on the card together" },
	[WHY_MAP_COUNT] = { "map-count", ERROR, "use fewer maps, or detach other programs" },
	[WHY_MAP_ARRAY_KEY] = { "map-array-key", ERROR, "the key of an array has 4 bytes" },
	[WHY_MAP_EMPTY] = { "map-empty", ERROR, "set max_entries, and sizes of key and value" },
	[WHY_OPCODE] = { "opcode", ERROR, "compile with clang -mcpu=v3" },
	[WHY_NEWER_CPU] = { "newer-cpu", ERROR, "compile with clang -mcpu=v3" },
	[WHY_STORE_IMM] = { "store-imm", ERROR,
		"compile with clang -mcpu=v3, which stores constants through registers" },
	[WHY_MODULO] = { "modulo", ERROR,
		"by a power of two use &; else x - x / n * n with a constant n, where x is known "
		"to have 32 bits" },
	[WHY_SWAP] = { "byte-swap", ERROR, "the card is little endian: leave it out" },
	[WHY_HELPER] = { "helper", ERROR,
		"a card can have bpf_map_lookup_elem(), _update_elem(), _delete_elem(), "
		"bpf_xdp_adjust_head(), bpf_xdp_adjust_tail(), bpf_get_prandom_u32(), "
		"bpf_perf_event_output()" },
	[WHY_TAIL_CALL] = { "tail-call", ERROR,
		"nfpchan xdp link makes one program of both" },
	[WHY_KFUNC] = { "kfunc", ERROR, "the card cannot call into the kernel" },
	[WHY_MISSING] = { "firmware-helper", ERROR,
		"leave it to the host: it can change maps of the card, and run the programs "
		"that need the helper (nfpchan xdp run --split); or name other firmware by --firmware" },
	[WHY_MUL_RANGE] = { "mul-range", ERROR,
		"bound both factors first: cast the operand to __u32, or mask it; results of "
		"divisions and variable shifts need it, too" },
	[WHY_DIV_RANGE] = { "div-range", ERROR,
		"bound the dividend first: cast it to __u32, or mask it" },
	[WHY_DIV_VARIABLE] = { "div-variable", ERROR,
		"divide by a constant, or shift; several divisors need a division each" },
	[WHY_DIV_NEGATIVE] = { "div-negative", ERROR, "divide unsigned numbers" },
	[WHY_DIV_ZERO] = { "div-zero", ERROR,
		"do not load it: the kernel would crash. Test the divisor, or leave the division out" },
	[WHY_SHIFT] = { "shift", ERROR, "bound the amount of the shift" },
	[WHY_ATOMIC_OP] = { "atomic-op", ERROR,
		"do not use the result of __sync_fetch_and_add(); the card has no other atomic "
		"operation" },
	[WHY_ATOMIC_TARGET] = { "atomic-target", ERROR,
		"only values of maps can be added to atomically; elsewhere use +=" },
	[WHY_ATOMIC_VALUE] = { "atomic-value", ERROR, "add a number" },
	[WHY_MAP_WRITE] = { "map-write", ERROR,
		"the card cannot store through a pointer that bpf_map_lookup_elem() returned: "
		"count with __sync_fetch_and_add(), replace with bpf_map_update_elem() if the firmware "
		"offers it" },
	[WHY_MAP_OFFSET] = { "map-offset", ERROR,
		"use a constant index into the value; make the index the key of an array map" },
	[WHY_MAP_USE] = { "map-use", ERROR,
		"read counters from the host only; or keep the values that the program reads in a "
		"second map" },
	[WHY_COUNTER_UPDATE] = { "counter-update", ERROR,
		"let the host create the entry; or zero the value on the stack byte by byte (the "
		"driver does not see 0 in a register stored at the start of 8 bytes), and add afterwards" },
	[WHY_COUNTER_NONZERO] = { "counter-nonzero", ERROR,
		"let the host create the entries and let the program only add; or keep counters "
		"and values that are updated in separate maps" },
	[WHY_VALUE_UNWRITTEN] = { "value-unwritten", ERROR,
		"do not load it: the kernel would crash. Initialize the value first" },
	[WHY_CTX_SIZE] = { "ctx-size", ERROR,
		"the fields of struct xdp_md have 4 bytes each: access one field, and all of it" },
	[WHY_CTX_LOAD] = { "ctx-load", ERROR, "the card knows data and data_end only" },
	[WHY_CTX_STORE] = { "ctx-store", ERROR, "only rx_queue_index can be written" },
	[WHY_POINTER] = { "pointer", ERROR, "the card does not have this memory: use a map's values or a header" },
	[WHY_POINTER_CHANGES] = { "pointer-changes", ERROR,
		"write the access once for each kind of memory; a compiler barrier, asm "
		"volatile(\"\"), keeps the compiler from merging them" },
	[WHY_STACK_VARIABLE] = { "stack-variable", ERROR,
		"use constant indices into arrays on the stack (unroll the loop), or an array map" },
	[WHY_STACK_MOVES] = { "stack-moves", ERROR,
		"align the variables to 4 bytes" },
	[WHY_KEY_NOT_STACK] = { "key-not-stack", ERROR,
		"copy it into a local variable first" },
	[WHY_KEY_ALIGN] = { "key-align", ERROR,
		"align the variable to 4 bytes: __attribute__((aligned(4)))" },
	[WHY_EVENT_FLAGS] = { "event-flags", ERROR,
		"pass BPF_F_CURRENT_CPU, and the bytes of packet << 32" },
	[WHY_EVENT_DATA] = { "event-data", ERROR, "copy them into a local variable first" },
	[WHY_EVENT_CHANGES] = { "event-changes", ERROR, "call the helper once for each" },
	[WHY_STACK_SIZE] = { "stack-size", ERROR,
		"use fewer local variables, or shallower calls: each function's frame is rounded up "
		"to 64 bytes" },
	[WHY_CALL_DEPTH] = { "call-depth", ERROR, "inline functions" },
	[WHY_RECURSION] = { "recursion", ERROR,
		"do not load it: the kernel would crash. Make a loop of it" },
	[WHY_TOO_LONG] = { "too-long", ERROR,
		"do not unroll loops, and make functions of inlined code (__noinline)" },
	[WHY_BRANCH] = { "branch", ERROR, "do not loop back to the start of the program" },
	[WHY_OPEN_COPY] = { "open-copy", ERROR,
		"do not load it: the kernel would crash. Put an instruction after the copy, such as "
		"the verdict: asm volatile(\"\") before the return" },
	[WHY_VERIFIER] = { "verifier", ERROR,
		"Linux 6.12 refuses it for any device; load it without offload to see the "
		"verifier's log" },
	[WHY_COMPLEX] = { "complex", ERROR, "simplify, or bound loops by smaller constants" },
	[WHY_UNKNOWN] = { "unknown", UNKNOWN,
		"load it to see; a function that is static is examined where it is called" },
	[WHY_DEV_DRIVER] = { "device-driver", ERROR, "name an interface of an Agilio card" },
	[WHY_DEV_APP] = { "device-firmware", ERROR,
		"load the BPF firmware (agilio-bpf-firmware), then reload the nfp driver" },
	[WHY_DEV_MTU] = { "device-mtu", ERROR,
		"lower the MTU, or let the program look at the packet's head only" },
	[WHY_DEV_TC] = { "device-tc", ERROR, "remove the filter: tc filter del" },
	[WHY_DEV_RELOAD] = { "device-reload", ERROR, "detach the program first" },
	[WHY_PRUNED] = { "pruned", WARNING,
		"the JIT relies on values that the verifier saw, but the verifier skips paths that "
		"differ only in values: bound the operand right before, as with & 31" },
	[WHY_MIN_IMM] = { "min-immediate", WARNING, "keep the constant in a variable" },
	[WHY_SHIFT_SIGN] = { "shift-sign", WARNING, "bound the amount, as with & 31" },
	[WHY_SHIFT_64] = { "shift-64", WARNING, "bound the amount, as with & 63" },
	[WHY_VALUE_BELOW] = { "value-below", WARNING,
		"keep pointers to the start of values: a compiler barrier, asm volatile(\"\"), "
		"where the compiler moves them" },
	[WHY_EVENT_COUNTERS] = { "event-counters", WARNING,
		"swap them where the event is read: counters are big endian on the card" },
	[WHY_CALLER_KEY] = { "caller-key", WARNING,
		"look it up with a copy in a local variable of the function, or inline it" },
	[WHY_CALLER_BYTE] = { "caller-byte", WARNING,
		"pass values of 4 bytes, or inline the function" },
	[WHY_COPY_LAST] = { "copy-last", WARNING,
		"load the value again after the copy, or copy 8 bytes at a time" },
	[WHY_COPY_OVERLAP] = { "copy-overlap", WARNING,
		"put a compiler barrier, asm volatile(\"\"), between the copies" },
	[WHY_CACHE_PATHS] = { "cache-paths", WARNING,
		"put a compiler barrier, asm volatile(\"\"), and a jump between the loads" },
	[WHY_SIGN_LOST] = { "sign-lost", WARNING,
		"compile with clang -mcpu=v3; otherwise the card computes something else" },
	[WHY_VALUE_BEYOND] = { "value-beyond", WARNING, "initialize the value first" },
	[WHY_FRAME_POINTER] = { "frame-pointer", WARNING,
		"do not keep or compare addresses of the stack" },
	[WHY_REDIRECT] = { "redirect", NOTE,
		"return XDP_TX, XDP_PASS or XDP_DROP" },
	[WHY_TAIL_GROWS] = { "tail-grows", WARNING, "handle -EINVAL, which the card returns" },
	[WHY_HEADROOM] = { "headroom", WARNING, "handle -EINVAL, which the card returns" },
	[WHY_AMOUNT] = { "amount", NOTE,
		"bound it where it is computed: the card can only shorten packets, and has 92 bytes "
		"in front of them; otherwise the helper returns -EINVAL" },
	[WHY_HEAD_UNCHECKED] = { "head-unchecked", WARNING,
		"move the start first, or by an amount from a variable: then the card checks it" },
	[WHY_COPY_TAIL] = { "copy-tail", WARNING,
		"copy fewer bytes at a time, or to an offset below 256" },
	[WHY_DIV_ONE] = { "div-one", WARNING, "leave the division out" },
	[WHY_DIV_UPPER] = { "div-upper", WARNING,
		"move the dividend first (asm volatile(\"%0 = %0\" : \"+w\"(x))): that clears the upper half" },
	[WHY_DEV_BUSY] = { "device-attached", NOTE, "attach with force to replace it" },
	[WHY_FUNC_ASSUMED] = { "helper-assumed", NOTE,
		"without it the driver reports \"not supported by FW\"; the driver does not show "
		"which helpers the firmware has" },
};

_Static_assert(WHYS <= 128, "a bit for each");

/* Return whether @to has an issue of this kind for @insn, and record that it has now. */
static bool noted(struct issues *to, enum reason why, int insn)
{
	uint64_t bit = 1ull << why % 64, *word;
	unsigned int room = to->noted_room;

	if ((unsigned int)insn >= room) {
		to->noted_room = insn + 1 > 2 * (int)room ? insn + 1 : 2 * (int)room;
		to->noted = xrealloc(to->noted, to->noted_room * sizeof(*to->noted));
		memset(to->noted + room, 0, (to->noted_room - room) * sizeof(*to->noted));
	}
	word = &to->noted[insn][why / 64];
	if (*word & bit)
		return true;
	*word |= bit;
	return false;
}

void issue_add(struct issues *to, enum reason why, int insn, const char *fmt, ...)
{
	struct issue *is;
	va_list ap;

	if (insn >= 0 && noted(to, why, insn))
		return;
	to->issue = xrealloc(to->issue, (to->count + 1) * sizeof(*to->issue));
	is = &to->issue[to->count++];
	is->why = why;
	is->insn = insn;
	va_start(ap, fmt);
	vsnprintf(is->text, sizeof(is->text), fmt, ap);
	va_end(ap);
}

void issues_free(struct issues *list)
{
	free(list->issue);
	free(list->noted);
	memset(list, 0, sizeof(*list));
}

enum severity issues_worst(const struct issues *list)
{
	enum severity worst = SEVERITY_NOTE;
	unsigned int i;

	for (i = 0; i < list->count; i++)
		if (reasons[list->issue[i].why].severity > worst)
			worst = reasons[list->issue[i].why].severity;
	return worst;
}

#define NAME(id)	[BPF_FUNC_ ## id] = "bpf_" #id

const char *helper_name(uint32_t id)
{
	static const char *const names[] = { __BPF_FUNC_MAPPER(NAME) };
	static char number[32];

	if (id < sizeof(names) / sizeof(*names) && names[id])
		return names[id];
	snprintf(number, sizeof(number), "helper %u", id);
	return number;
}
