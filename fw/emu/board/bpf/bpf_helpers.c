// SPDX-License-Identifier: BSD-2-Clause
/*
 * bpf_helpers.c - the helpers that JITed programs call: operations on maps, and events. The
 * driver's JIT compiler defines where the arguments and results are (bpf/jit.c:
 * map_call_stack_common(), nfp_perf_event_output()).
 */
#include <errno.h>
#include <linux/bpf.h>

#include "bpf_maps.h"
#include "bpf_prog.h"
#include "nffw.h"
#include "bpf_frame.h"

/* BPF register n is in GPR 2n (low half) and GPR 2n + 1 (high half). */
#define ARG(c, r)	me_gpr(c, ME_R_A, 2 * (r))
#define ARG_HI(c, r)	me_gpr(c, ME_R_A, 2 * (r) + 1)

/* Local memory pointer 0 points to the key, pointer 2 to the value. */
#define LM_KEY		0
#define LM_VALUE	2

/* bpf.h: BPF_F_CTXLEN_MASK, of the high word of the helper's flags */
#define CTXLEN_MASK	0xfffffu

/*
 * Kinds of memory that R4 may point to. A1 has the kind (bpf/fw.h; the values are the
 * verifier's).
 */
#define PTR_MAP_VALUE	4
#define PTR_STACK	6

/* Return from the helper with a 64-bit value in R0. */
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

/* Copy bytes from local memory. Byte 0 is the lowest of its word. Addresses wrap at the end. */
static void lm_bytes(const struct me *me, uint32_t addr, void *buf, uint32_t len)
{
	uint8_t *p = buf;
	uint32_t i;

	for (i = 0; i < len; i++)
		p[i] = me->lm[(addr + i) / 4 % ME_LM_WORDS] >> 8 * ((addr + i) % 4);
}

/* Local memory ignores the two low bits of a pointer. */
static uint32_t lm_pointer(const struct me_ctx *c, unsigned int i)
{
	return c->lm_addr[i] & ~3u;
}

struct map_call {
	uint32_t tid;
	const struct bd_map_attr *attr;
	uint8_t key[BD_MAP_KEY_MAX];
};

/*
 * Fetch the arguments that all map helpers have: the map's id from A0, and the key from local
 * memory.
 */
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
 * Return the 40-bit address of the value as (R0 high << 8) + R0 low. The low half has only 8
 * bits, because the program adds offsets to the low half without a carry.
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

/* Copy the event's data from the memory to which the program points. */
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

static me_hook_fn helper(uint32_t func)
{
	switch (func) {
	case BPF_FUNC_map_lookup_elem:
		return fn_lookup;
	case BPF_FUNC_map_update_elem:
		return fn_update;
	case BPF_FUNC_map_delete_elem:
		return fn_delete;
	case BPF_FUNC_perf_event_output:
		return fn_event;
	default:
		return NULL;
	}
}

void bd_xdp_hooks(struct board *b)
{
	const struct fw_caps *caps = &b->ustore->caps;
	unsigned int i;

	/* me.h has room for ME_HOOKS helpers. A firmware file may name some that are unknown. */
	me_hook(&b->xdp->me, bd_firmware(b)->bpf.done, NULL, b);
	for (i = 0; i < caps->funcs; i++)
		if (helper(caps->func[i].id))
			me_hook(&b->xdp->me, caps->func[i].addr, helper(caps->func[i].id), b);
}
