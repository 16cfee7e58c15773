// SPDX-License-Identifier: BSD-2-Clause
/*
 * hal_cmd.c - commands to the cluster target and to work queues.
 *
 * Reflect commands are queued, and are executed after the issuing context has
 * swapped out. Therefore firmware that reuses its transfer registers before the
 * command's signal fails here, as it would on an NFP.
 */
#include <errno.h>
#include <string.h>

#include "hal_int.h"
#include <nfp/mem_bulk.h>
#include <nfp/mem_ring.h>
#include <nfp/remote_me.h>

/* Maximum of outstanding commands of all contexts together; a power of 2. */
#define CMDS	1024

/* A context of a microengine that the board itself executes, and a register of it */
struct far {
	uint8_t island, me, ctx, xfer;
};

struct cmd {
	struct hal_ctx *ctx;	/* gets signal @sig when the command completes; NULL: @far does */
	struct far far;
	void *dst;
	const void *src;	/* NULL: the command copies from @data */
	uint32_t data[REFLECT_MAX / 4];
	uint8_t size;
	uint8_t sig;
};

static struct cmd cmds[CMDS];
static unsigned int cmd_head, cmd_tail;

void hal_cmd_start(void)
{
	cmd_head = 0;
	cmd_tail = 0;
}

/* ---- reflect ---- */

static inline struct cmd *cmd_new(size_t size)
{
	if (size > REFLECT_MAX || size % 4)
		hal_fatal("reflect of a size that is not 4 to 56 bytes:", (long)size);
	if (cmd_tail - cmd_head == CMDS)
		hal_fatal("too many commands outstanding:", CMDS);
	return &cmds[cmd_tail++ % CMDS];
}

/* Find the registers from @reg, a number made by XFER_REG(), and set @ctx to their context. */
static uint32_t *xfer(unsigned int island, unsigned int me, unsigned int reg,
		      size_t size, bool write, struct hal_ctx **ctx)
{
	unsigned int n = reg % HAL_XFERS;

	*ctx = hal_ctx_find(island, me, reg / HAL_XFERS);
	if (n + size / 4 > HAL_XFERS)
		hal_fatal("reflect beyond the last transfer register, from", n);
	return write ? &(*ctx)->xwrite[n] : &(*ctx)->xread[n];
}

static bool to_far(struct cmd *c, unsigned int island, unsigned int me, unsigned int reg)
{
	if (!board_me_runs(hal.board, island, me))
		return false;
	c->ctx = NULL;
	c->far = (struct far){ (uint8_t)island, (uint8_t)me, (uint8_t)(reg / HAL_XFERS),
			       reg % HAL_XFERS };
	return true;
}

static void run_far(const struct cmd *c)
{
	const struct far *f = &c->far;

	/* A context that the file's code does not use gets nothing, and nobody waits for it. */
	if (board_me_push(hal.board, f->island, f->me, f->ctx, f->xfer, c->data, c->size / 4,
			  c->sig) == -EINVAL)
		hal_fatal("registers that a microengine of the board does not have, from", f->xfer);
}

void hal_reflect_read(void *data, unsigned int island, unsigned int me,
		      unsigned int reg, size_t size, unsigned int sig)
{
	struct cmd *c = cmd_new(size);
	struct hal_ctx *from;

	c->src = xfer(island, me, reg, size, true, &from);
	c->dst = data;
	c->ctx = hal.cur;
	c->size = size;
	c->sig = sig;
}

void hal_reflect_write(const void *data, unsigned int island, unsigned int me,
		       unsigned int reg, size_t size, unsigned int sig)
{
	struct cmd *c = cmd_new(size);

	if (!to_far(c, island, me, reg))
		c->dst = xfer(island, me, reg, size, false, &c->ctx);
	c->src = NULL;
	memcpy(c->data, data, size);
	c->size = size;
	c->sig = sig;
}

void hal_signal_me(unsigned int island, unsigned int me, unsigned int ctx_num,
		   unsigned int sig)
{
	struct cmd *c = cmd_new(0);

	if (!to_far(c, island, me, XFER_REG(ctx_num, 0)))
		c->ctx = hal_ctx_find(island, me, ctx_num);
	c->size = 0;
	c->sig = sig;
}

bool hal_cmd_pending(void)
{
	return cmd_head != cmd_tail;
}

void hal_cmd_run(void)
{
	while (cmd_head != cmd_tail) {
		struct cmd *c = &cmds[cmd_head++ % CMDS];

		if (!c->ctx) {
			run_far(c);
			continue;
		}
		if (c->size)
			memcpy(c->dst, c->src ? c->src : c->data, c->size);
		hal_signal(c->ctx, c->sig);
	}
}

/* ---- rings and work queues ---- */

mem_ring_addr_t hal_ring_setup(unsigned int rnum, void *base, size_t size)
{
	int err = board_ring_init(hal.board, rnum, hal_mu_addr(base), (uint32_t)size / 4);

	if (err)
		hal_fatal("ring initialisation failed, error", err);
	return (mem_ring_addr_t)(hal_mu_addr(base) >> 8) & 0xff000000;
}

void hal_ring_put(unsigned int rnum, const void *data, size_t size)
{
	hal_size_check(size, 4, HAL_RING_MAX);
	hal_cmd_begin();
	if (board_ring_put(hal.board, rnum, data, (unsigned int)size / 4))
		hal_fatal("words put into a full ring, or none:", rnum);
	hal_cmd_end();
}

void hal_workq_add_work(unsigned int rnum, const void *data, size_t size)
{
	hal_size_check(size, 4, HAL_RING_MAX);
	hal_cmd_begin();
	if (board_workq_work(hal.board, rnum, data, (unsigned int)size / 4))
		hal_fatal("work added to a full work queue, or of another size, ring", rnum);
	hal_cmd_end();
}

static void work_done(const struct board_thread *t)
{
	hal_signal(t->ctx, t->tag);
}

void hal_workq_add_thread(unsigned int rnum, void *data, size_t size, unsigned int sig)
{
	struct board_thread t = {
		.data = data,
		.n = (unsigned int)size / 4,
		.done = work_done,
		.ctx = hal.cur,
		.tag = sig,
	};

	hal_size_check(size, 4, HAL_RING_MAX);
	if (board_workq_thread(hal.board, rnum, &t))
		hal_fatal("too many threads, or work of another size, ring", rnum);
}
