// SPDX-License-Identifier: BSD-2-Clause
/*
 * xdp_event.c - the ME process that sends events of offloaded programs into channels
 * (chan_xdp.h).
 *
 * Several contexts do this, so several messages can be under way. One context at a time waits for
 * work. It passes the turn on when its message has its place in the channel's order. So events
 * keep the order of the work ring.
 */
#include <nfpchan/nfp_chan_xdp.h>
#include <nfp/me.h>
#include <nfp/mem_atomic.h>
#include <nfp/mem_bulk.h>
#include <nfp/mem_ring.h>
#include <nfp/remote_me.h>
#include <nfp_chan_offsets.h>

#include "chan.h"
#include "chan_xdp.h"

#define CTXS		4	/* as in xdp.chan */

#define SIG_TURN	1
#define SIG_WORK	2

#define CHECK_SIZE(type, size)		ctassert(sizeof(struct type) == (size));
#define CHECK_OFFSET(type, field, off)	ctassert(offsetof(struct type, field) == (off));
NFP_CHAN_XDP_OFFSETS(CHECK_SIZE, CHECK_OFFSET)

/* @n events of the slot have ended. Control may wait for the last one. */
static __swaps void done(unsigned int slot, uint32_t n)
{
	const struct me_context *ctl = &me_contexts[PROC_CHAN_CTL];
	__xrw uint32_t users = -n;

	mem_test_add(&users, emem40(&chan_xdp.bind[slot].users), sizeof(users));
	if (users == n && !*(volatile __emem uint32_t *)&chan_xdp.map_id[slot])
		signal_me(ctl->island, ctl->me, ctl->ctx, CHAN_XDP_SIG_IDLE);
}

/*
 * Count lost events until there are no more. The next event that is lost finds a count of 0, and
 * adds new work.
 */
static __swaps void lost(unsigned int slot)
{
	__emem struct chan_xdp_bind *b = &chan_xdp.bind[slot];
	__xrw uint32_t before;
	uint32_t n;

	do {
		n = *(volatile __emem uint32_t *)&b->lost;
		chan_drop(b->chan, n);
		before = -n;
		mem_test_add(&before, emem40(&b->lost), sizeof(before));
		done(slot, n);
	} while (before != n);
}

static void pass_turn(void)
{
	signal_ctx((ctx() + 1) % CTXS, SIG_TURN);
}

static __swaps void send(const struct chan_xdp_work *work)
{
	unsigned int chan = chan_xdp.bind[work->slot].chan;
	__xwrite uint32_t buf = work->buf;
	SIGNAL sent;
	int err;

	err = chan_send_post(chan, emem40(chan_xdp_buf[work->buf]), work->len, &sent);
	pass_turn();
	if (err == CHAN_OK)
		wait_for_all(&sent);
	else
		chan_drop(chan, 1);
	mem_ring_put(CHAN_RING_XDP_FREE, 0, &buf, sizeof(buf));
	done(work->slot, 1);
}

void xdp_event_main(void)
{
	__xread struct chan_xdp_work in;
	struct chan_xdp_work work;
	SIGNAL turn, sig;

	__assign_relative_register(&turn, SIG_TURN);
	__assign_relative_register(&sig, SIG_WORK);
	chan_attach();
	if (ctx() == 0)
		signal_ctx(0, SIG_TURN);
	for (;;) {
		wait_for_all(&turn);
		__mem_workq_add_thread(CHAN_RING_XDP, 0, &in, sizeof(in), sizeof(in), sig_done,
				       &sig);
		wait_for_all(&sig);
		work = in;
		if (work.kind == CHAN_XDP_SEND) {
			send(&work);
		} else {
			pass_turn();
			lost(work.slot);
		}
	}
}
