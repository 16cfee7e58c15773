// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Generate the C code around the kernels of a place. shell_text() has ncl(), the XDP program: it
 * parses a frame, runs a kernel, and does with the frame what the kernel decided. maps_text() has
 * the maps of variables and the lock, and is called after layout.c and lock.c.
 *
 * Generated code loads each field of a frame as one word. Neither XDP of a host nor the card
 * requires alignment.
 */
#include <stdlib.h>

#include "ncl_abi.h"
#include "ncp.h"
#include "types.h"
#include "lock.h"
#include "shell.h"

static const char head[] =
	"typedef unsigned char u8;\n"
	"typedef unsigned short u16;\n"
	"typedef unsigned int u32;\n"
	"typedef unsigned long u64;\n"
	"#define SEC(s) __attribute__((section(s), used))\n"
	"#define INLINE static inline __attribute__((always_inline, unused))\n"
	"#define NULL ((void *)0)\n"
	"static void *(*ncl_lookup_)(const void *map, const void *key) = (void *)1;\n"
	"static long (*ncl_update_)(const void *map, const void *key, const void *value, u64 flags) = (void *)2;\n"
	"static long (*ncl_delete_)(const void *map, const void *key) = (void *)3;\n"
	"#define MAP(kind, k, v, n) struct { int (*type)[kind]; int (*key_size)[k]; int (*value_size)[v]; "
	"int (*max_entries)[n]; }\n";

static const char entry_head[] =
	"struct xdp_md { u32 data, data_end, data_meta, ingress_ifindex, rx_queue_index, egress_ifindex; };\n"
	"struct ncl_address { u32 ip; u16 port, flags; u8 mac[6], group_mac[6]; u32 group; };\n"
	"#define B(n) (*(u8 *)(p + (n)))\n"
	"#define H(n) (*(u16 *)(p + (n)))\n"
	"#define W(n) (*(u32 *)(p + (n)))\n"
	/*
	 * APART() keeps LLVM from merging the loads at the ends of two cases into one load. The
	 * driver's JIT refuses a load that accesses a packet on one path and a map on another.
	 */
	"#define APART(n) __asm__ volatile(\"\" : : \"i\"(n))\n"
	"enum { DROP = 1, PASS, TX };\n"
	"INLINE void ncl_count_(u32 what)\n"
	"{\n"
	"	u64 *n = ncl_lookup_(&ncl_counts, &what);\n"
	"	if (n)\n"
	"		__sync_fetch_and_add(n, 1);\n"
	"}\n";

/*
 * Append the IPv4 addresses of the groups that @node is a member of, each after the text @before.
 * With @node 0, append those of all groups that have a device as a member.
 */
static void put_groups(struct buf *b, const struct and_net *net, unsigned int node, const char *before)
{
	unsigned int i;

	for (i = 0; i < net->multicasts; i++)
		if (node ? net->multicast[i].member[node] : net->multicast[i].devices)
			put(b, "%s%uu", before, net->multicast[i].ip);
}

/* Does the AND file have another device? Only its addresses and links may change later. */
static bool other_device(const struct place *at)
{
	const struct and_net *net = at->p->net;
	unsigned int i;

	for (i = 0; i < net->nr && (!net->node[i].device || net->node[i].id == at->node); i++)
		;
	return i < net->nr;
}

/*
 * A frame for a group: rewrite the destination addresses to those of this place. The following code
 * then treats the frame like one that was sent to this place alone.
 */
static void put_to_own(struct buf *b, const struct place *at)
{
	struct buf groups = { 0 };

	put_groups(&groups, at->p->net, at->node, " ");
	if (groups.len || other_device(at))
		put(b, "	if (own->ip != W(30)) {\n"
		    "		W(0) = *(u32 *)own->mac;\n		H(4) = *(u16 *)(own->mac + 4);\n		ip = own->ip;\n"
		    "		sum = (u16)~H(24) + (u16)~H(30) + (u16)~H(32) + (ip & 0xffff) + (ip >> 16);\n"
		    "		sum = (sum & 0xffff) + (sum >> 16);\n		H(24) = ~(sum + (sum >> 16));\n"
		    "		W(30) = ip;\n		H(40) = 0;\n	}\n");
	free(groups.s);
}

/*
 * Generate the case of _multicast(). If the group has a device as a member, kernels run there on the
 * window. Otherwise the window is marked NCP_REPLY, so that no kernel runs.
 */
static void put_multicast(struct buf *b, const struct and_net *net)
{
	unsigned int i;

	put(b, "	case 4:\n		what = %u;\n		node = decision >> 8;\n		ip = 0;\n", NCL_BROADCAST);
	for (i = 0; i < net->multicasts; i++)
		put(b, "		if (node == %u)\n			ip = %uu;\n", net->multicast[i].id, net->multicast[i].ip);
	put(b, "		if (!ip) {\n			what = %u;\n			goto end;\n		}\n", NCL_NOWHERE);
	put(b, "		mac = 0x5e0001 | (ip & 0x7f00) << 16;\n		mac_end = ip >> 16;\n"
	    "		port = own->port;\n		APART(4);\n		if (0");
	put_groups(b, net, 0, " || ip == ");
	put(b, ")\n			goto send;\n		break;\n");
}

/*
 * Generate the decision whether a frame for another address is the broadcast of a neighbouring
 * device. It is if it comes from the next hop to the device that broadcast the window first, and is
 * for the group of that next hop. So each device takes a broadcast once, and no broadcast comes back.
 */
static void put_broadcast(struct buf *b, const struct place *at)
{
	put(b, " {\n		node = H(66);\n		to = ncl_lookup_(&ncl_nodes, &node);\n"
	    "		if (!to || to->group != W(30) || to->ip != W(26) || (B(45) & %u) != %u)\n"
	    "			return PASS;\n		H(52) = %u;\n		spread = 1;\n	}\n",
	    NCP_REPLY | NCP_ACK, NCP_REPLY, at->node);
}

/*
 * Generate the start of ncl(). A frame that is no window for this place goes to the host's stack. A
 * window of another version or program, or of a wrong size, is dropped and counted.
 */
static void put_parse(struct buf *b, const struct place *at)
{
	put(b, "SEC(\"xdp\") int ncl(struct xdp_md *ctx)\n"
	    "{\n"
	    "	u8 *p = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;\n"
	    "	const struct ncl_address *own, *to;\n"
	    "	u32 zero = 0, what = %u, decision = 0, verdict = DROP, spread = 0, node, ip, mac, sum;\n"
	    "	u16 mac_end, port;\n"
	    "	if (p + %u > end)\n"
	    "		return PASS;\n", NCL_MALFORMED, WINDOW_OFFSET);
	put(b, "	if (H(12) != __builtin_bswap16(0x800) || B(14) != 0x45 || B(23) != 17 ||\n"
	    "	    H(20) & __builtin_bswap16(0x3fff) || H(36) != __builtin_bswap16(%u) || H(42) != %u)\n"
	    "		return PASS;\n", NCP_PORT, NCP_MAGIC);
	put(b, "	own = ncl_lookup_(&ncl_place, &zero);\n"
	    "	if (!own)\n		return PASS;\n	if (!(own->ip == W(30)");
	put_groups(b, at->p->net, at->node, " || W(30) == ");
	put(b, "))");
	if (other_device(at))
		put_broadcast(b, at);
	else
		put(b, "\n		return PASS;\n");
	put(b, "	if (B(44) != %u || H(46) != %u || __builtin_bswap16(H(38)) != H(56) + %u)\n"
	    "		goto end;\n", NCP_VERSION, at->p->hash, WINDOW_OFFSET - 34);
	put_to_own(b, at);
	put(b, "	if (spread || !(B(45) & %u)) switch (H(48)) {\n", NCP_REPLY | NCP_ACK);
}

/* Append code that sets the fields of struct ncl_window, each after the text @to. */
static void put_window(struct buf *b, const struct place *at, const struct kernel *k, const char *to)
{
	unsigned int i;

	put(b, "%sseq = W(58); %sinvocation = W(62); %sfrom = H(50); %sto = H(52);\n", to, to, to, to);
	if (k->len)
		put(b, "%slen = %u;\n", to, k->len);
	else
		put(b, "%slen = H(54);\n", to);
	for (i = 0; i < at->p->fields; i++) {
		const struct field *f = &at->p->field[i];

		put(b, "%s%s = *(%s *)(p + %u);\n", to, f->name, type_c(&f->type),
		    WINDOW_OFFSET + f->offset);
	}
}

static void put_value(struct buf *b, const struct param *a)
{
	if (a->type.kind == BOOL)
		put(b, "B(%u) != 0", WINDOW_OFFSET + a->offset);
	else
		put(b, "*(%s *)(p + %u)", type_c(&a->type), WINDOW_OFFSET + a->offset);
}

/*
 * Generate ncl_run_N(), which runs kernel N. Its arguments are the frame, the frame's end, and the
 * address of each of the kernel's arguments in the window.
 */
static void put_run(struct buf *b, const struct place *at, unsigned int n)
{
	const struct kernel *k = at->run[n].k;
	unsigned int i;

	put(b, "extern void ncl_kernel_%u(", n);
	for (i = 0; i < k->args; i++)
		put(b, "%s%s", i ? ", " : "", k->arg[i].array || k->arg[i].ref ? "void *" :
		    type_c(&k->arg[i].type));
	put(b, "%s) __asm__(\"%s\");\n", k->args ? "" : "void", k->symbol);
	put(b, "extern const u32 ncl_locked_%u;\n", n);
	put(b, "u32 __attribute__((noinline)) ncl_run_%u(u8 *p, u8 *end", n);
	for (i = 0; i < k->args; i++)
		put(b, ", void *restrict a%u", i);	/* arguments do not overlap in the window */
	put(b, ")\n{\n");
	put_window(b, at, k, "	window.");
	put(b, "	location.id = %u;\n	ncl_decision_ = 0;\n	ncl_kernel_%u(", at->node, n);
	for (i = 0; i < k->args; i++) {
		put(b, i ? ", " : "");
		if (k->arg[i].array || k->arg[i].ref)
			put(b, "a%u", i);
		else
			put_value(b, &k->arg[i]);
	}
	put(b, ");\n	return ncl_decision_;\n}\n");
}

/*
 * Generate the key of the lock: the expression of _lock_(), in which the window's fields and the
 * arguments have their names, or 0.
 */
static void put_key(struct buf *b, const struct place *at, const struct kernel *k)
{
	unsigned int i;

	if (!k->lock) {
		put(b, "		u32 key = 0;\n");
		return;
	}
	put(b, "		u32 key = ({ struct ncl_window window;\n");
	put_window(b, at, k, "		window.");
	for (i = 0; i < k->args; i++) {
		const struct param *a = &k->arg[i];

		if (a->array && type_c(&a->type))
			put(b, "		%s *%s = (void *)(p + %u);\n", type_c(&a->type), a->name,
			    WINDOW_OFFSET + a->offset);
		if (a->array)
			continue;
		put(b, "		%s %s = ", type_c(&a->type), a->name);
		put_value(b, a);
		put(b, ";\n");
	}
	put(b, "\n#line %u \"%s\"\n(u32)(%s); });\n", k->at.line, k->at.file, k->lock);
}

/* Generate the case of ncl() for a kernel: check the window's size, lock, run, unlock. */
static void put_case(struct buf *b, const struct place *at, unsigned int n)
{
	const struct kernel *k = at->run[n].k;
	unsigned int i;

	put(b, "	case %u: {\n		if (H(56) != %u || p + %u > end", k->id, k->size,
	    WINDOW_OFFSET + k->size);
	if (k->len)
		put(b, " || H(54) != %u", k->len);
	put(b, ")\n			goto end;\n");
	put_key(b, at, k);
	/* explain_place.c counts code with this file name as the lock's. */
	put(b, "#line 1 \"" LOCK_LINES "%u\"\n"
	    "		if (ncl_locked_%u && !ncl_lock_(key)) {\n			what = %u;\n"
	    "			goto end;\n		}\n#line 1 \"nclc.shell\"\n", n, n, NCL_BUSY);
	put(b, "		decision = ncl_run_%u(p, end", n);
	for (i = 0; i < k->args; i++)
		put(b, ", p + %u", WINDOW_OFFSET + k->arg[i].offset);
	put(b, ");\n#line 1 \"" LOCK_LINES "%u\"\n		if (ncl_locked_%u)\n			ncl_unlock_(key);\n"
	    "#line 1 \"nclc.shell\"\n", n, n);
	put(b, "		ncl_count_(%u);\n		H(40) = 0;\n		break;\n	}\n", NCL_WINDOWS);
}

/* Windows of kernels of other places are passed on; those of unknown kernels are dropped. */
static void put_others(struct buf *b, const struct place *at)
{
	unsigned int id, n, i;

	for (id = 1; id <= at->p->out_ids; id++) {
		for (n = 0; n < at->runs && at->run[n].k->id != id; n++)
			;
		for (i = 0; i < at->p->kernels && at->p->kernel[i].id != id; i++)
			;
		if (n == at->runs && i < at->p->kernels)
			put(b, "	case %u: break;\n", id);
	}
	put(b, "	default: goto end;\n	}\n");
}

/*
 * Generate the end of ncl(), which does what the kernel decided: drop the frame, give it to the
 * host's stack, or send it to the sender, to a group, or to the next hop of a node.
 */
static void put_actions(struct buf *b, const struct place *at)
{
	put(b, "	switch (decision & 0xff) {\n"
	    "	case 1:\n		what = %u;\n		goto end;\n", NCL_DROPPED);
	put(b, "	case 2:\n		what = %u;\n		ip = W(26);\n		mac = W(6);\n"
	    "		mac_end = H(10);\n		port = H(34);\n		H(52) = H(50);\n		APART(2);\n		break;\n", NCL_REFLECTED);
	put(b, "	case 3:\n		what = %u;\n		ip = own->group;\n		mac = *(u32 *)own->group_mac;\n"
	    "		mac_end = *(u16 *)(own->group_mac + 4);\n		port = own->port;\n		if (!spread)\n"
	    "			H(66) = %u;\n		APART(3);\n		break;\n",
	    NCL_BROADCAST, at->node);
	put_multicast(b, at->p->net);
	put(b, "	default:\n		what = %u;\n		if (decision >> 8)\n			H(52) = decision >> 8;\n"
	    "		node = H(52);\n		verdict = PASS;\n		if (!node)\n			goto end;\n"
	    "		to = ncl_lookup_(&ncl_nodes, &node);\n		if (to && to->flags & %u)\n			goto end;\n",
	    NCL_PASSED, NCL_LOCAL);
	put(b, "		if (!to || !to->ip) {\n			verdict = DROP;\n			what = %u;\n			goto end;\n		}\n"
	    "		ip = to->ip;\n		mac = *(u32 *)to->mac;\n		mac_end = *(u16 *)(to->mac + 4);\n"
	    "		port = to->port;\n		APART(0);\n		goto send;\n	}\n	B(45) |= %u;\nsend:\n", NCL_NOWHERE, NCP_REPLY);
	/* The frame's destination addresses, which are this place's own, become the source. */
	put(b, "	W(6) = W(0);\n	H(10) = H(4);\n	W(0) = mac;\n	H(4) = mac_end;\n"
	    "	sum = (u16)~H(24) + (u16)~H(26) + (u16)~H(28) + (ip & 0xffff) + (ip >> 16);\n"
	    "	sum = (sum & 0xffff) + (sum >> 16);\n	H(24) = ~(sum + (sum >> 16));\n"
	    "	W(26) = W(30);\n	W(30) = ip;\n	H(34) = H(36);\n	H(36) = port;\n	H(40) = 0;\n"
	    "	verdict = TX;\nend:\n	ncl_count_(what);\n	return verdict;\n}\n");
}

char *shell_text(const struct place *at)
{
	struct buf b = { 0 };
	unsigned int i;

	put(&b, "%s", head);
	put(&b, "MAP(2, 4, %zu, 1) ncl_place SEC(\".maps\");\n", sizeof(struct ncl_address));
	put(&b, "MAP(2, 4, %zu, %u) ncl_nodes SEC(\".maps\");\n", sizeof(struct ncl_address),
	    at->p->net->nr + 1);
	put(&b, "MAP(2, 4, 8, %u) ncl_counts SEC(\".maps\");\n", NCL_COUNTS);
	put(&b, "%s", entry_head);
	put(&b, "struct ncl_window {\n	u32 seq, invocation, len, from, to;\n");
	for (i = 0; i < at->p->fields; i++)
		put(&b, "	%s %s;\n", type_c(&at->p->field[i].type), at->p->field[i].name);
	put(&b, "} window;\nstruct { u32 id; } location;\nu32 ncl_decision_;\n"
	    "int ncl_lock_(u32 key);\nvoid ncl_unlock_(u32 key);\n");
	for (i = 0; i < at->runs; i++)
		put_run(&b, at, i);
	put_parse(&b, at);
	for (i = 0; i < at->runs; i++)
		put_case(&b, at, i);
	put_others(&b, at);
	put_actions(&b, at);
	put(&b, "char ncl_license[] SEC(\"license\") = \"Dual BSD/GPL\";\n");
	return b.s;
}

/* Generate the map of a variable, and the functions that lower.c calls for it. */
static void put_layout(struct buf *b, const struct layout *l, unsigned int n)
{
	const struct var *v = l->var;

	if (v->map) {
		put(b, "MAP(1, %u, %u, %llu) %s SEC(\".maps\");\n", v->key.size, v->value.size,
		    (unsigned long long)v->entries, l->map);
		return;
	}
	put(b, "MAP(2, 4, %u, %u) %s SEC(\".maps\");\n", l->unit, l->entries, l->map);
	put(b, "INLINE void ncl_read_%u(u32 *key, void *to)\n{\n"
	    "	void *v = ncl_lookup_(&%s, key);\n"
	    "	if (v)\n		__builtin_memcpy(__builtin_assume_aligned(to, 8), __builtin_assume_aligned(v, 8), %u);\n"
	    "	else\n		__builtin_memset(__builtin_assume_aligned(to, 8), 0, %u);\n}\n",
	    n, l->map, l->unit, l->unit);
	put(b, "INLINE void ncl_write_%u(u32 *key, void *from)\n{\n"
	    "	u8 x[%u] __attribute__((aligned(8)));\n"
	    "	__builtin_memcpy(x, __builtin_assume_aligned(from, 8), sizeof(x));\n"
	    "	ncl_update_(&%s, key, x, 0);\n}\n", n, l->unit, l->map);
	put(b, "INLINE void ncl_put_%u(u32 *key, void *from)\n{\n"
	    "	ncl_update_(&%s, key, from, 0);\n}\n", n, l->map);
	put(b, "INLINE void *ncl_find_%u(u32 *key)\n{\n	return ncl_lookup_(&%s, key);\n}\n", n, l->map);
	put(b, "void *ncl_use_%u[] = { ncl_read_%u, ncl_write_%u, ncl_put_%u, ncl_find_%u };\n", n, n, n, n, n);
}

/*
 * Generate ncl_window_load() and _store() for words of @n bytes. The verifier knows the bound of the
 * offset only in the register that was compared. The asm keeps LLVM from adding a copy of it.
 */
static void put_window_access(struct buf *b, unsigned int n)
{
	unsigned int bits = 8 * n;

	put(b, "INLINE u%u ncl_window_load%u(u8 *a, u32 off, u32 most, u8 *end)\n{\n"
	    "	if (off > most)\n		return 0;\n	__asm__ volatile(\"\" : \"+w\"(off));\n"
	    "	a += off;\n	return a + %u > end ? 0 : *(u%u *)a;\n}\n", bits, n, n, bits);
	put(b, "INLINE void ncl_window_store%u(u8 *a, u32 off, u32 most, u8 *end, u%u x)\n{\n"
	    "	if (off > most)\n		return;\n	__asm__ volatile(\"\" : \"+w\"(off));\n"
	    "	a += off;\n	if (a + %u <= end)\n		*(u%u *)a = x;\n}\n", n, bits, n, bits);
	put(b, "void *ncl_use_window_%u[] = { ncl_window_load%u, ncl_window_store%u };\n", n, n, n);
}

/* How often a kernel tries to take the lock before the window is dropped, counted as NCL_BUSY */
#define LOCK_TRIES	128

char *maps_text(const struct place *at)
{
	struct buf b = { 0 };
	unsigned int i;

	put(&b, "%s", head);
	for (i = 4; i <= 8; i += 4)
		put(&b, "INLINE void ncl_add_%u(u%u *v, u%u x)\n{\n	if (v)\n		__sync_fetch_and_add(v, x);\n}\n",
		    i, 8 * i, 8 * i);
	put(&b, "void *ncl_use_[] = { ncl_add_4, ncl_add_8 };\n");
	for (i = 1; i <= 8; i *= 2)
		put_window_access(&b, i);
	for (i = 0; i < at->layouts; i++)
		if (at->layout[i].here)
			put_layout(&b, &at->layout[i], i);
	if (at->locks)
		put(&b, "MAP(1, 4, 4, %u) ncl_lock SEC(\".maps\");\n"
		    "int ncl_lock_(u32 key)\n{\n	u32 one = 1;\n"
		    "	_Pragma(\"clang loop unroll(disable)\")\n"
		    "	for (u32 i = 0; i < %u; i++)\n"
		    "		if (!ncl_update_(&ncl_lock, &key, &one, 1))\n			return 1;\n"
		    "	return 0;\n}\n"
		    "void ncl_unlock_(u32 key)\n{\n	ncl_delete_(&ncl_lock, &key);\n}\n",
		    1024, LOCK_TRIES);
	return b.s;
}
