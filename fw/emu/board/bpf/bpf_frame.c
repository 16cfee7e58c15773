// SPDX-License-Identifier: BSD-2-Clause
/*
 * bpf_frame.c - frames pass through offloaded programs: what the firmware sets up before the jump into
 * the image, and what it does with the verdict (nic-firmware, ebpf.uc; bpf/jit.c, nfp_outro()).
 */
#include <errno.h>
#include <syslog.h>

#include "bpf_prog.h"
#include "bytes.h"
#include "mac.h"
#include "pkt_hdr.h"
#include "pktbuf.h"
#include "vnic.h"
#include "vnic_bar.h"
#include "bpf_frame.h"

/*
 * Limit of instructions for one frame. A program has at most BD_USTORE_WORDS instructions, and
 * the host's verifier bounds its loops far below this limit. On a card, a program that does not
 * end would block its microengine.
 */
#define INSNS_MAX		(1u << 20)

/* A program reads whole words, so it may read up to 3 bytes after the end of the packet buffer. */
#define OVERREAD		3u

/*
 * Layout of a context's local memory, in bytes. The stack does not begin at address 0, because a
 * program may compare a pointer to the stack with NULL.
 */
#define LM_CTX(ctx)		(1024u * (ctx))
#define LM_PV			0u
#define LM_STACK		64u

/* GPR with the stack's address in local memory. */
#define GPR_STACK		22

/* A packet address has bit 31 set, the packet's number, and the offset in its buffer. */
#define PKT_ADDR(nr)		(1u << 31 | (nr) << 16)
#define PKT_OFF_MASK		0xffffu

/* Result of a program in A0: bits of the verdict, and bits of the counters to increment. */
#define RET_PASS		(1u << 16)
#define RET_DROP		(1u << 17)
#define RET_TX			(1u << 18)
#define RET_VERDICT		(RET_PASS | RET_DROP | RET_TX)
#define RET_STAT(v)		(1u << (20 + (v)))

/* ---- memory as programs reach it ---- */

uint8_t *bd_xdp_ptr(struct bd_xdp *x, uint32_t addr, uint32_t len)
{
	uint32_t off = addr - x->base;

	return off <= x->size && len <= x->size - off ? x->buf + off : NULL;
}

static int pkt_read(struct bd_xdp *x, uint32_t addr, uint8_t *buf, uint32_t len)
{
	uint32_t over = 0;
	uint8_t *p;

	while (!(p = bd_xdp_ptr(x, addr, len - over)))
		if (++over > OVERREAD || over == len)
			return -EFAULT;
	memcpy(buf, p, len - over);
	memset(buf + len - over, 0, over);
	return 0;
}

static int xdp_read(void *priv, enum me_space space, uint64_t addr, void *buf, size_t len)
{
	struct board *b = priv;

	if (space == ME_SPACE_PACKET)
		return pkt_read(b->xdp, addr, buf, len);
	return me_mu_ops.read(b, space, addr, buf, len);
}

static int xdp_write(void *priv, enum me_space space, uint64_t addr, const void *buf, size_t len)
{
	struct board *b = priv;
	uint8_t *p;

	if (space != ME_SPACE_PACKET)
		return me_mu_ops.write(b, space, addr, buf, len);
	p = bd_xdp_ptr(b->xdp, addr, len);
	if (!p)
		return -EFAULT;
	memcpy(p, buf, len);
	return 0;
}

/* An atomic add to a packet address is refused by me_mu_ops: packet memory has no such command. */
static int xdp_add(void *priv, enum me_space space, uint64_t addr, bool wide, uint64_t v)
{
	return me_mu_ops.add(priv, space, addr, wide, v);
}

static const struct me_ops xdp_ops = { .read = xdp_read, .write = xdp_write, .add = xdp_add };

/* ---- life ---- */

void bd_xdp_exit(struct board *b)
{
	unsigned int i;

	me_exit(&b->xdp->me);
	for (i = 0; i < BOARD_PORTS; i++) {
		me_image_put(b->xdp->prog[i].img);
		b->xdp->prog[i].img = NULL;
	}
}

void bd_xdp_reset(struct board *b)
{
	bd_xdp_exit(b);
	b->xdp->table = NULL;
	me_init(&b->xdp->me, &xdp_ops, b);
}

/* Return: the decoded image of the vNIC. It is decoded at the first frame after a load. */
static struct me_image *image(struct board *b, unsigned int vnic)
{
	struct bd_xdp *x = b->xdp;
	const uint64_t *words;
	uint32_t count;

	if (x->prog[vnic].img && x->prog[vnic].load == b->ustore->prog[vnic].loads)
		return x->prog[vnic].img;
	me_image_put(x->prog[vnic].img);
	words = bd_prog_active(b, vnic, &count);
	x->prog[vnic].img = me_image_new(bd_prog_start(b, vnic), words, count, NULL);
	x->prog[vnic].load = b->ustore->prog[vnic].loads;
	x->prog[vnic].warned = false;
	return x->prog[vnic].img;
}

/* ---- a frame ---- */

/* Count a fault of a program, and log the first fault after each load. Return: 0, no verdict. */
static uint32_t fault(struct board *b, unsigned int vnic, const char *why)
{
	const struct me_ctx *c = &b->xdp->me.ctx[b->xdp->ctx];
	const struct me_fault *f = &c->fault;
	char text[96];

	b->xdp->faults++;
	if (b->xdp->prog[vnic].warned)
		return 0;
	b->xdp->prog[vnic].warned = true;
	if (!f->insn || me_text(f->insn, text, sizeof(text)))
		text[0] = 0;
	board_log(LOG_WARNING, "vNIC %u: program: %s: pc %u (start %u), context %u, instruction 0x%012llx %s",
		  vnic, why, f->reason ? f->pc : me_pc(c), bd_prog_start(b, vnic), b->xdp->ctx,
		  (unsigned long long)f->insn, text);
	return 0;
}

/* Prepare the next context: registers, packet vector and stack, as the image expects them. */
static void enter(struct board *b, unsigned int vnic, struct me_image *img,
		  const struct board_pkt *pkt)
{
	struct bd_xdp *x = b->xdp;
	struct me_ctx *c;

	x->ctx = (x->ctx + 1) % ME_CTXS_BPF;
	x->buf = pkt->data - BD_XDP_OFF;
	x->size = BD_XDP_OFF + ((const struct bd_pktbuf *)pkt)->room;
	x->base = PKT_ADDR(x->ctx);
	x->pkt = pkt;
	x->pv = x->me.lm + (LM_CTX(x->ctx) + LM_PV) / 4;
	x->pv[BD_PV_LEN] = pkt->caplen;
	x->pv[BD_PV_ADDR] = x->base + BD_XDP_OFF;
	x->pv[BD_PV_FLAGS] = 0;
	x->pv[BD_PV_QUEUE] = 0;
	c = &x->me.ctx[x->ctx];
	me_start(&x->me, x->ctx, img, bd_prog_start(b, vnic));
	me_gpr_set(c, GPR_STACK, LM_CTX(x->ctx) + LM_STACK);
	me_lm_addr(c, 0, LM_CTX(x->ctx) + LM_STACK);
	me_lm_addr(c, 1, LM_CTX(x->ctx) + LM_PV);
}

/*
 * Set @pkt to the frame that the packet vector describes. Return: false if that is not a valid
 * frame.
 */
static bool take_back(struct bd_xdp *x, struct board_pkt *pkt)
{
	uint32_t len = x->pv[BD_PV_LEN] & BD_PV_LEN_MASK, addr = x->pv[BD_PV_ADDR];
	uint32_t off = addr - x->base;
	uint8_t *p = bd_xdp_ptr(x, addr, len);

	if (!p || off < BD_XDP_OFF_MIN || off > BD_XDP_OFF_MAX || len < ETH_HLEN)
		return false;
	pkt->data = p;
	pkt->caplen = len;
	pkt->len = len;
	return true;
}

/* Run the program on a frame. Return: A0 at the end of the program, or 0 if there is no verdict. */
static uint32_t run(struct board *b, unsigned int vnic, struct board_pkt *pkt)
{
	struct me_image *img = image(b, vnic);
	struct bd_xdp *x = b->xdp;
	const struct me_ctx *c;
	enum me_status st;
	uint32_t ret;

	if (!img) {
		x->faults++;
		return 0;
	}
	enter(b, vnic, img, pkt);
	c = &x->me.ctx[x->ctx];
	st = me_run(&x->me, x->ctx, INSNS_MAX);
	x->insns += c->insns;
	if (st == ME_FAULT)
		return fault(b, vnic, me_fault_text(c->fault.reason));
	if (st != ME_DONE)
		return fault(b, vnic, st == ME_BUDGET ? "does not end" : "waits for nothing");
	ret = me_gpr(c, ME_R_A, 0);
	/* Exactly one verdict bit must be set. */
	if (__builtin_popcount(ret & RET_VERDICT) != 1)
		return fault(b, vnic, "no verdict in A0");
	if (!take_back(x, pkt))
		return fault(b, vnic, "packet moved out of its buffer, or shorter than Ethernet's header");
	return ret;
}

static void send_back(struct board *b, unsigned int vnic, const struct board_pkt *pkt)
{
	/* Do not wait for room on the wire: its other end may be waiting for this card. */
	if (bd_port_room(b, vnic)) {
		bd_port_tx(b, vnic, pkt->data, pkt->caplen);
		return;
	}
	b->xdp->tx_full++;
	bd_add64(bd_vnic_bar(b, vnic) + STATS_TX + STAT_DISCARDS, 1);
}

bool bd_xdp_frame(struct board *b, unsigned int vnic, struct board_pkt *pkt,
		  unsigned int *ring)
{
	struct bd_xdp *x = b->xdp;
	enum bd_verdict v;
	uint32_t ret;

	x->packets++;
	ret = run(b, vnic, pkt);
	if (!ret)
		ret = RET_DROP | RET_STAT(BD_VERDICT_ABORTED);
	for (v = BD_VERDICT_PASS; v <= BD_VERDICT_ABORTED; v++)
		if (ret & RET_STAT(v))
			bd_prog_count(b, vnic, v, pkt->caplen);
	if (ret & RET_TX)
		send_back(b, vnic, pkt);
	if (x->pv && x->pv[BD_PV_FLAGS] & BD_PV_QUEUE_SET)
		*ring = x->pv[BD_PV_QUEUE] & 0xff;
	return ret & RET_PASS;
}
