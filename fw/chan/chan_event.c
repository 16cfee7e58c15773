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

#define GROUP_PIPES	(CHAN_QUEUE_PIPE / 32)
#define GROUP_CTL	(CHAN_QUEUE_MBOX / 32)

__export __emem uint32_t chan_sig_seen[CHAN_COUNT];

/* The host has consumed @bytes. It cannot consume more than a record has shown. */
static void give_room(unsigned int pipe, uint64_t bytes)
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
static void take_data(unsigned int pipe, uint64_t bytes)
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
static void arm(unsigned int pipe, uint32_t reg)
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
static uint32_t take_added(unsigned int queue, uint32_t *wptr)
{
	uint32_t added;

	*wptr = qc_read(CHAN_PCIE_ISL, queue, QC_WPTR);
	added = (*wptr - qc_read(CHAN_PCIE_ISL, queue, QC_RPTR)) & NFP_CHAN_FW_QC_PTR_MASK;
	qc_add_rptr(CHAN_PCIE_ISL, queue, added);
	return added;
}

static void pipe_event(unsigned int index)
{
	unsigned int pipe = index / 2, queue = CHAN_QUEUE_PIPE + index;
	struct chan_pipe *p = &chan_pipe[pipe];
	uint32_t wptr, added;

	do {
		added = take_added(queue, &wptr);
		if (p->state != PIPE_OPEN && !(p->state == PIPE_FAULT && index & 1))
			continue;
		if (index & 1)
			arm(pipe, wptr);
		else if (added && p->dir == NFP_CHAN_TO_HOST)
			give_room(pipe, (uint64_t)added << p->unit_shift);
		else if (added)
			take_data(pipe, (uint64_t)added << p->unit_shift);
	} while (qc_read(CHAN_PCIE_ISL, queue, QC_WPTR) != wptr);
}

/* A signal word counts the signals of a channel: one that has changed was signalled. */
static void host_signals(void)
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

/* A signal doorbell, or the queue after it, which is in the same page. */
static void bell_event(unsigned int index)
{
	unsigned int queue = CHAN_QUEUE_BELL + index, i;
	uint32_t wptr, added = 0;

	do
		added |= take_added(queue, &wptr);
	while (qc_read(CHAN_PCIE_ISL, queue, QC_WPTR) != wptr);
	if (!added || index & 1)
		return;
	for (i = 0; i < CHAN_PIPES; i++)
		if (chan_pipe[i].state == PIPE_OPEN && chan_pipe[i].signal_db == index / 2 + 1)
			chan_signal(chan_pipe[i].chan, CHAN_SIG_HOST);
}

/*
 * The host may write to a pipe and then make a request: announce a message, and then close the
 * pipe or take the message back. The write must count before the request. Its event may still
 * be in the filter, so look at the queues themselves.
 */
static void settle_data(void)
{
	unsigned int i;

	for (i = 0; i < CHAN_PIPES; i++) {
		if (chan_pipe[i].state != PIPE_OPEN)
			continue;
		pipe_event(2 * i);
		if (chan_pipe[i].signal_db)
			bell_event(2 * (chan_pipe[i].signal_db - 1u));
	}
}

static void ctl_event(unsigned int queue)
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

/* Fetch the queues with events of @group, once they were signalled. */
#define COLLECT(sig, xfer, group, mask) do { \
	(mask) = 0; \
	if (signal_test(sig)) { \
		(mask) = *(xfer); \
		qc_event_autopush(group, xfer, sig); \
	} \
} while (0)

/*
 * Pipes come before the mailbox. So an event of a pipe that is left over does not count for the
 * next owner of the pipe.
 */
void chan_event_main(void)
{
	__xread uint32_t low, high, ctl;
	uint32_t pipes[2], other, i;
	SIGNAL sig_low, sig_high, sig_ctl;

	__assign_relative_register(&sig_low, SIG_EVENT);
	__assign_relative_register(&sig_high, SIG_EVENT + 1);
	__assign_relative_register(&sig_ctl, SIG_EVENT + 2);
	chan_attach();
	qc_event_autopush(GROUP_PIPES, &low, &sig_low);
	qc_event_autopush(GROUP_PIPES + 1, &high, &sig_high);
	qc_event_autopush(GROUP_CTL, &ctl, &sig_ctl);
	for (;;) {
		wait_for_any(&sig_low, &sig_high, &sig_ctl);
		COLLECT(&sig_ctl, &ctl, GROUP_CTL, other);
		COLLECT(&sig_low, &low, GROUP_PIPES, pipes[0]);
		COLLECT(&sig_high, &high, GROUP_PIPES + 1, pipes[1]);
		for (i = 0; i < 2; i++)
			for (; pipes[i]; pipes[i] &= pipes[i] - 1)
				pipe_event(32 * i + ffs(pipes[i]));
		for (; other; other &= other - 1) {
			i = 32 * GROUP_CTL + ffs(other);
			if (i == CHAN_QUEUE_MBOX || i == CHAN_QUEUE_SIG)
				ctl_event(i);
			else if (i >= CHAN_QUEUE_BELL && i < CHAN_QUEUE_BELL + 2 * CHAN_BELLS)
				bell_event(i - CHAN_QUEUE_BELL);
		}
	}
}
