// SPDX-License-Identifier: BSD-2-Clause
/*
 * hal_cmd.c - commands to the cluster target and to work queues.
 *
 * Reflect commands go in a queue that is executed once the context that issued
 * them has swapped out, so firmware which lets go of its registers too early
 * fails here as it would on an NFP.
 */
#include <string.h>

#include "hal_int.h"
#include <nfp/mem_bulk.h>
#include <nfp/mem_ring.h>
#include <nfp/remote_me.h>

/* Commands that all contexts together can have outstanding; a power of 2. */
#define CMDS	1024
/* Work queues of this firmware, and what a unit of work holds at most. */
#define WORKQS	8
#define WORK_MAX	64
#define THREADS	64

struct cmd {
	struct hal_ctx *ctx;	/* to be signalled */
	void *dst;
	const void *src;	/* or NULL: @data */
	uint32_t data[REFLECT_MAX / 4];
	uint8_t size;
	uint8_t sig;
};

static struct cmd cmds[CMDS];
static unsigned int cmd_head, cmd_tail;

/* A context that waits for work. */
struct thread {
	struct hal_ctx *ctx;
	void *data;
	uint32_t size;
	uint8_t sig;
};

static struct {
	unsigned int ring;
	unsigned int words;	/* of work in the ring */
	unsigned int head, tail;
	struct thread threads[THREADS];
} workq[WORKQS];
static unsigned int workqs;

void hal_cmd_start(void)
{
	cmd_head = 0;
	cmd_tail = 0;
	workqs = 0;
	memset(workq, 0, sizeof(workq));
}

/* ---- reflect ---- */

static struct cmd *cmd_new(size_t size)
{
	if (size > REFLECT_MAX || size % 4)
		hal_fatal("reflect of a size that is not 4 to 56 bytes:", (long)size);
	if (cmd_tail - cmd_head == CMDS)
		hal_fatal("too many commands outstanding:", CMDS);
	return &cmds[cmd_tail++ % CMDS];
}

/* Register @reg and those behind it, of the context that XFER_REG() named. */
static uint32_t *xfer(unsigned int island, unsigned int me, unsigned int reg,
		      size_t size, bool write, struct hal_ctx **ctx)
{
	unsigned int n = reg % HAL_XFERS;

	*ctx = hal_ctx_find(island, me, reg / HAL_XFERS);
	if (n + size / 4 > HAL_XFERS)
		hal_fatal("reflect beyond the last transfer register, from", n);
	return write ? &(*ctx)->xwrite[n] : &(*ctx)->xread[n];
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

		if (c->size)
			memcpy(c->dst, c->src ? c->src : c->data, c->size);
		hal_signal(c->ctx, c->sig);
	}
}

/* ---- work queues ---- */

static unsigned int workq_of(unsigned int rnum)
{
	for (unsigned int i = 0; i < workqs; i++)
		if (workq[i].ring == rnum)
			return i;
	hal_fatal("no work queue on ring", rnum);
}

mem_ring_addr_t hal_workq_setup(unsigned int rnum, void *base, size_t size)
{
	int err = board_ring_init(hal.board, rnum, hal_mu_addr(base), (uint32_t)size / 4);

	if (err)
		hal_fatal("ring initialisation failed, error", err);
	if (workqs == WORKQS)
		hal_fatal("too many work queues:", WORKQS);
	workq[workqs++].ring = rnum;
	return (mem_ring_addr_t)(hal_mu_addr(base) >> 8) & 0xff000000;
}

void hal_workq_add_work(unsigned int rnum, const void *data, size_t size)
{
	unsigned int q = workq_of(rnum);
	int err;

	if (workq[q].head != workq[q].tail) {
		struct thread *t = &workq[q].threads[workq[q].head++ % THREADS];

		memcpy(t->data, data, size < t->size ? size : t->size);
		hal_signal(t->ctx, t->sig);
		return;
	}
	err = board_ring_put(hal.board, rnum, data, (unsigned int)size / 4);
	if (err)
		hal_fatal("work added to a full work queue, ring", rnum);
	workq[q].words += size / 4;
}

void hal_workq_add_thread(unsigned int rnum, void *data, size_t size, unsigned int sig)
{
	unsigned int q = workq_of(rnum);
	struct thread *t;

	if (size > WORK_MAX || size % 4)
		hal_fatal("work of a size that is not 4 to 64 bytes:", (long)size);
	if (workq[q].words) {
		if (board_ring_get(hal.board, rnum, data, (unsigned int)size / 4))
			hal_fatal("work of another size than put, ring", rnum);
		workq[q].words -= size / 4;
		hal_signal(hal.cur, sig);
		return;
	}
	if (workq[q].tail - workq[q].head == THREADS)
		hal_fatal("too many threads wait for ring", rnum);
	t = &workq[q].threads[workq[q].tail++ % THREADS];
	t->ctx = hal.cur;
	t->data = data;
	t->size = size;
	t->sig = sig;
}
