// SPDX-License-Identifier: BSD-2-Clause
/*
 * bpf_helpers.c - firmware functions that JITed programs call: maps, events. Where
 * arguments and results are is bpf/jit.c's (map_call_stack_common(),
 * nfp_perf_event_output()).
 */
#include <errno.h>

#include "bpf_maps.h"
#include "bpf_prog.h"
#include "xdp.h"

/* BPF register n is GPRs 2n and 2n + 1, the low and the high half. */
#define ARG(c, r)	me_gpr(c, ME_R_A, 2 * (r))
#define ARG_HI(c, r)	me_gpr(c, ME_R_A, 2 * (r) + 1)

/* Local memory pointers: a key is at 0, a value at 2. */
#define LM_KEY		0
#define LM_VALUE	2

/* bpf.h: BPF_F_CTXLEN_MASK of the helper's flags, in their high word */
#define CTXLEN_MASK	0xfffffu

/* What R4 points to, in A1: bpf/fw.h, enum nfp_bpf_... of the verifier's types */
#define PTR_MAP_VALUE	4
#define PTR_STACK	6

/* R0, a 64-bit value */
static enum me_hook_ret result(struct me_ctx *c, uint32_t lo, uint32_t hi)
{
	me_gpr_set(c, 0, lo);
	me_gpr_set(c, 1, hi);
	return ME_HOOK_RETURN;
}

static enum me_hook_ret result_errno(struct me_ctx *c, int err)
{
	return result(c, (uint32_t)err, err < 0 ? UINT32_MAX : 0);
}

/* Bytes of local memory: the first is the low one of its word. It wraps. */
static void lm_bytes(const struct me *me, uint32_t addr, void *buf, uint32_t len)
{
	uint8_t *p = buf;
	uint32_t i;

	for (i = 0; i < len; i++)
		p[i] = me->lm[(addr + i) / 4 % ME_LM_WORDS] >> 8 * ((addr + i) % 4);
}

/* A pointer's low two bits are not there for local memory. */
static uint32_t lm_pointer(const struct me_ctx *c, unsigned int i)
{
	return c->lm_addr[i] & ~3u;
}

struct map_call {
	uint32_t tid;
	const struct bd_map_attr *attr;
	uint8_t key[BD_MAP_KEY_MAX];
};

/* The map in A0, the key where LM0 points to. */
static bool map_call(struct board *b, const struct me *me, const struct me_ctx *c,
		     struct map_call *m)
{
	m->tid = ARG(c, 0);
	m->attr = bd_map_attr(b, m->tid);
	if (!m->attr)
		return false;
	lm_bytes(me, lm_pointer(c, LM_KEY), m->key, m->attr->key_size);
	return true;
}

/*
 * The address of a value is 40 bits, (high << 8) + low. A program adds to the
 * low half, so there must be room in it.
 */
static enum me_hook_ret fn_lookup(struct me *me, struct me_ctx *c, void *priv)
{
	struct map_call m;
	uint64_t addr;

	if (!map_call(priv, me, c, &m) || bd_map_lookup(priv, m.tid, m.key, &addr))
		return result(c, 0, 0);
	return result(c, addr & 0xff, addr >> 8);
}

static enum me_hook_ret fn_update(struct me *me, struct me_ctx *c, void *priv)
{
	uint8_t value[BD_MAP_VALUE_MAX];
	struct map_call m;

	if (!map_call(priv, me, c, &m))
		return result_errno(c, -EBADFD);
	if (ARG_HI(c, 4))
		return result_errno(c, -EINVAL);
	lm_bytes(me, lm_pointer(c, LM_VALUE), value, m.attr->value_size);
	return result_errno(c, bd_map_update(priv, m.tid, m.key, value, ARG(c, 4)));
}

static enum me_hook_ret fn_delete(struct me *me, struct me_ctx *c, void *priv)
{
	struct map_call m;

	if (!map_call(priv, me, c, &m))
		return result_errno(c, -EBADFD);
	return result_errno(c, bd_map_delete(priv, m.tid, m.key));
}

/* The program's own bytes of an event. */
static int event_data(struct board *b, const struct me *me, const struct me_ctx *c,
		      uint8_t *buf, uint32_t len)
{
	uint64_t addr = ((uint64_t)ARG_HI(c, 4) << 8) + ARG(c, 4);

	switch (ARG_HI(c, 0)) {
	case PTR_STACK:
		lm_bytes(me, ARG(c, 4), buf, len);
		return 0;
	case PTR_MAP_VALUE:
		return me_mu_ops.read(b, ME_SPACE_MU, addr, buf, len) ? -EFAULT : 0;
	}
	return -EINVAL;
}

static enum me_hook_ret fn_event(struct me *me, struct me_ctx *c, void *priv)
{
	const uint32_t *pv = ((struct board *)priv)->xdp->pv;
	uint8_t data[BD_XDP_STACK];
	struct bd_event e = {
		.map_id = ARG(c, 2) | (uint64_t)ARG_HI(c, 2) << 32,
		.cpu = ARG(c, 3),
		.pkt_len = ARG_HI(c, 3) & CTXLEN_MASK,
		.data = data,
		.data_len = ARG(c, 5),
	};
	int err;

	if (ARG_HI(c, 3) & ~CTXLEN_MASK)
		return result_errno(c, -EINVAL);
	if (ARG_HI(c, 5) || e.data_len > sizeof(data))
		return result_errno(c, -E2BIG);
	if (e.pkt_len > (pv[BD_PV_LEN] & BD_PV_LEN_MASK))
		return result_errno(c, -EFAULT);
	e.pkt = bd_xdp_ptr(((struct board *)priv)->xdp, pv[BD_PV_ADDR], e.pkt_len);
	if (!e.pkt)
		return result_errno(c, -EFAULT);
	err = event_data(priv, me, c, data, e.data_len);
	if (!err && !bd_xdp_event(priv, &e, pv[BD_PV_LEN] & BD_PV_LEN_MASK, &err))
		err = bd_ccm_event(priv, &e);
	return result_errno(c, err);
}

void bd_xdp_hooks(struct board *b)
{
	static const struct {
		unsigned int addr;
		me_hook_fn fn;
	} hooks[] = {
		{ BD_USTORE_DONE, NULL },
		{ BD_USTORE_LOOKUP, fn_lookup },
		{ BD_USTORE_UPDATE, fn_update },
		{ BD_USTORE_DELETE, fn_delete },
		{ BD_USTORE_EVENT, fn_event },
	};
	unsigned int i;

	/* Cannot fail: there is room for ME_HOOKS. */
	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		me_hook(&b->xdp->me, hooks[i].addr, hooks[i].fn, b);
}
