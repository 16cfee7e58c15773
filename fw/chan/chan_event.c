// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_event.c - the host's writes to queue controllers.
 *
 * In the data queue of a pipe the host gives room back (to host) or announces messages (to
 * NFP), in units. In the arm queue the host sets a register, by adding to it. User space maps
 * both queues, so all values are checked.
 *
 * This context sets the read pointer of a queue to the last write pointer that it has seen. So
 * the next write raises an event, and the difference of the pointers is what was added.
 */
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <nfp/pcie.h>
#include <nfp/remote_me.h>

#include "chan_int.h"
#include "chan_sram.h"

/* The groups of the pages of pipes and signal doorbells. Each has GROUP_PAGES pages. */
#define GROUP_PAGES	8
#define GROUPS		6
#define GROUP(i)	(CHAN_QUEUE(GROUP_PAGES * (i)) / 32)
#define GROUP_CTL	(CHAN_QUEUE_MBOX / 32)

ctassert(CHAN_PAGES_1 % GROUP_PAGES == 0);
ctassert(CHAN_PIPES + CHAN_BELLS <= GROUPS * GROUP_PAGES);
ctassert(CHAN_QUEUE_SIG / 32 == GROUP_CTL);

__export __emem uint32_t chan_sig_seen[CHAN_COUNT];

/* The host has consumed @bytes. It cannot consume more than a record has shown. */
static __swaps void give_room(unsigned int pipe, uint64_t bytes)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	unsigned int proc = p->waiter;

	if (bytes > p->sent_pos - p->cons || p->pair != CHAN_NONE) {
		chan_fault(pipe);
		return;
	}
	p->cons += bytes;
	if (proc != CHAN_NONE && p->cons == p->prod) {
		p->waiter = CHAN_NONE;
		chan_complete(proc, CHAN_XREG_SEND, CHAN_SIG_SEND, CHAN_OK);
	}
	chan_ask(pipe);
	if (p->chan == CHAN_PORT)
		chan_port_room(pipe);
	else if (chan_state[p->chan].head != CHAN_NONE)
		chan_kick(p->chan);
}

/* The host has written @bytes. */
static __swaps void take_data(unsigned int pipe, uint64_t bytes)
{
	struct chan_pipe *p = &chan_pipe[pipe];

	if (bytes > p->limit - (p->prod - p->cons) ||
	    (chan_is_stream(p->chan) && bytes % chan_desc[p->chan].elem_size) ||
	    !chan_pair_returns(pipe, bytes)) {
		chan_fault(pipe);
		return;
	}
	p->prod += bytes;
	if (chan_state[p->chan].rhead != CHAN_NONE)
		chan_kick(p->chan);
}

/*
 * Every event arms, even if the register has its old value: the host may have armed twice with
 * one count.
 */
static __swaps void arm(unsigned int pipe, uint32_t reg)
{
	struct chan_pipe *p = &chan_pipe[pipe];

	/* If the host arms with the same count again, a vector that is held back stays held back. */
	if (p->arm_seq != (reg & NFP_CHAN_ARM_SEQ_MASK) || p->armed == ARM_NO)
		p->armed = ARM_SET;
	p->arm_seq = reg & NFP_CHAN_ARM_SEQ_MASK;
	chan_ask(pipe);
	chan_fire_kick(pipe);
}

/* Return: the number that was added to a queue since the last look. Consumes the event. */
static __swaps uint32_t take_added(unsigned int queue, uint32_t *wptr)
{
	uint32_t added;

	*wptr = qc_read(CHAN_PCIE_ISL, queue, QC_WPTR);
	added = (*wptr - qc_read(CHAN_PCIE_ISL, queue, QC_RPTR)) & NFP_CHAN_FW_QC_PTR_MASK;
	qc_add_rptr(CHAN_PCIE_ISL, queue, added);
	return added;
}

/* @second: the arm queue, not the data queue */
static __swaps void pipe_event(unsigned int pipe, unsigned int second)
{
	unsigned int queue = CHAN_QUEUE_PIPE(pipe) + second;
	struct chan_pipe *p = &chan_pipe[pipe];
	uint32_t wptr, added;

	do {
		added = take_added(queue, &wptr);
		if (p->state != PIPE_OPEN && !(p->state == PIPE_FAULT && second))
			continue;
		if (second)
			arm(pipe, wptr);
		else if (added && p->dir == NFP_CHAN_TO_HOST)
			give_room(pipe, (uint64_t)added << p->unit_shift);
		else if (added)
			take_data(pipe, (uint64_t)added << p->unit_shift);
	} while (qc_read(CHAN_PCIE_ISL, queue, QC_WPTR) != wptr);
}

/* A signal word counts the signals of a channel: one that has changed was signalled. */
static __swaps void host_signals(void)
{
	__xread uint32_t word;
	unsigned int i;

	for (i = 0; i < CHAN_COUNT; i++) {
		if (!(chan_desc[i].flags & NFP_CHAN_F_SIGNAL))
			continue;
		pcie_sram_read(CHAN_PCIE_ISL, &word, SRAM_AT(SRAM_SIG + 4 * i), sizeof(word));
		if (word == chan_sig_seen[i])
			continue;
		chan_sig_seen[i] = word;
		chan_signal(i, CHAN_SIG_HOST);
	}
}

/* A signal doorbell, or (@second) the queue after it, which is in the same page. */
static __swaps void bell_event(unsigned int bell, unsigned int second)
{
	unsigned int queue = CHAN_QUEUE_BELL(bell) + second, i;
	uint32_t wptr, added = 0;

	do
		added |= take_added(queue, &wptr);
	while (qc_read(CHAN_PCIE_ISL, queue, QC_WPTR) != wptr);
	if (!added || second)
		return;
	for (i = 0; i < CHAN_PIPES; i++)
		if (chan_pipe[i].state == PIPE_OPEN && chan_pipe[i].signal_db == bell + 1)
			chan_signal(chan_pipe[i].chan, CHAN_SIG_HOST);
}

/*
 * The host may write to a pipe and then make a request: announce a message, and then close the
 * pipe or take the message back. The write must count before the request. Its event may still
 * be in the filter, so look at the queues themselves.
 */
static __swaps void settle_data(void)
{
	unsigned int i;

	for (i = 0; i < CHAN_PIPES; i++) {
		if (chan_pipe[i].state != PIPE_OPEN)
			continue;
		pipe_event(i, 0);
		if (chan_pipe[i].signal_db)
			bell_event(chan_pipe[i].signal_db - 1u, 0);
	}
}

static __swaps void ctl_event(unsigned int queue)
{
	uint32_t wptr, added;

	do {
		added = take_added(queue, &wptr);
		if (!added)
			continue;
		if (queue == CHAN_QUEUE_SIG) {
			host_signals();
		} else {
			settle_data();
			chan_mbox_pending = 1;
			signal_ctx(CHAN_CTX_CTL, SIG_WAKE);
		}
	} while (qc_read(CHAN_PCIE_ISL, queue, QC_WPTR) != wptr);
}

/*
 * If @sig says that the event filter of @group has pushed to @xfer, store the queues with events in
 * @mask, and have the filter push again at the next event. Else @mask is 0.
 */
#define COLLECT(sig, xfer, group, mask) do { \
	(mask) = 0; \
	if (signal_test(sig)) { \
		(mask) = *(xfer); \
		qc_event_autopush(group, xfer, sig); \
	} \
} while (0)

/* Bit @bit of the mask of group @group: of the two queues of a page, or of none. */
static __swaps void page_event(unsigned int group, unsigned int bit)
{
	unsigned int page = GROUP_PAGES * group + bit / 4, second = bit & 1;

	if (page < CHAN_PIPES)
		pipe_event(page, second);
	else if (page < CHAN_PIPES + CHAN_BELLS)
		bell_event(page - CHAN_PIPES, second);
}

/*
 * Pipes come before the mailbox. So an event of a pipe that is left over does not count for the
 * next owner of the pipe.
 */
void chan_event_main(void)
{
	__xread uint32_t push[GROUPS], ctl;
	uint32_t seen[GROUPS], other, i;
	SIGNAL sig_0, sig_1, sig_2, sig_3, sig_4, sig_5, sig_ctl;

	__assign_relative_register(&sig_0, SIG_EVENT);
	__assign_relative_register(&sig_1, SIG_EVENT + 1);
	__assign_relative_register(&sig_2, SIG_EVENT + 2);
	__assign_relative_register(&sig_3, SIG_EVENT + 3);
	__assign_relative_register(&sig_4, SIG_EVENT + 4);
	__assign_relative_register(&sig_5, SIG_EVENT + 5);
	__assign_relative_register(&sig_ctl, SIG_EVENT + 6);
	chan_attach();
	qc_event_autopush(GROUP(0), &push[0], &sig_0);
	qc_event_autopush(GROUP(1), &push[1], &sig_1);
	qc_event_autopush(GROUP(2), &push[2], &sig_2);
	qc_event_autopush(GROUP(3), &push[3], &sig_3);
	qc_event_autopush(GROUP(4), &push[4], &sig_4);
	qc_event_autopush(GROUP(5), &push[5], &sig_5);
	qc_event_autopush(GROUP_CTL, &ctl, &sig_ctl);
	for (;;) {
		wait_for_any(&sig_0, &sig_1, &sig_2, &sig_3, &sig_4, &sig_5, &sig_ctl);
		COLLECT(&sig_ctl, &ctl, GROUP_CTL, other);
		COLLECT(&sig_0, &push[0], GROUP(0), seen[0]);
		COLLECT(&sig_1, &push[1], GROUP(1), seen[1]);
		COLLECT(&sig_2, &push[2], GROUP(2), seen[2]);
		COLLECT(&sig_3, &push[3], GROUP(3), seen[3]);
		COLLECT(&sig_4, &push[4], GROUP(4), seen[4]);
		COLLECT(&sig_5, &push[5], GROUP(5), seen[5]);
		for (i = 0; i < GROUPS; i++)
			for (; seen[i]; seen[i] &= seen[i] - 1)
				page_event(i, ffs(seen[i]));
		for (; other; other &= other - 1) {
			i = 32 * GROUP_CTL + ffs(other);
			if (i == CHAN_QUEUE_MBOX || i == CHAN_QUEUE_SIG)
				ctl_event(i);
		}
	}
}
