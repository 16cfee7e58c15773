// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_note.c - notification records, interrupts, counters in PCIe SRAM.
 *
 * One context writes all records, so the records of a pipe cannot overtake each other. The
 * context writes the state that a pipe has when its turn comes. So the more messages come at a
 * time, the fewer records there are for each.
 *
 * The context raises a vector when the record has arrived that shows the reason. The interrupt is
 * a separate write, which does not wait for the DMA engine. If the pipe has interrupt
 * moderation, the vector may be held back, until the alarm at the latest.
 */
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <nfp/pcie.h>

#include "chan_int.h"
#include "chan_sram.h"

#define LATE	50000	/* counts of the timestamp: 1 ms at 800 MHz */

__export __ctm __align64 struct nfp_chan_note chan_note[CHAN_NOTE_BATCH];

/* A pipe is ARM_HELD. */
__shared __lmem uint8_t note_held;

/* Timestamp at which the records of @chan_late and counters are due; 0: not set. */
__shared __lmem uint64_t late_until;

/* A record under way. */
struct sent {
	uint32_t seq;
	uint8_t pipe;
	uint8_t state;
	uint8_t news;		/* the record differs from the one before */
};

/*
 * The position and number for the next record. To the host, this is before the first message
 * whose DMA has not ended.
 */
static void current(unsigned int pipe, uint64_t *pos, uint32_t *seq)
{
	const struct chan_pipe *p = &chan_pipe[pipe];
	unsigned int i;

	*seq = p->seq;
	*pos = p->dir == NFP_CHAN_TO_HOST ? p->prod : p->cons;
	for (i = 0; i < CHAN_FLIGHTS; i++) {
		if (chan_flight[i].pipe != pipe || chan_flight[i].pos >= *pos)
			continue;
		*pos = chan_flight[i].pos;
		if (!chan_counts_notes(p))
			*seq = chan_flight[i].seq - 1;
	}
}

/*
 * A pipe that shares its ring with another card rings that card's doorbell instead of writing a
 * record. It writes a record only when its state changes. Return: whether a DMA is under way.
 */
static __swaps int send_peer(unsigned int pipe, uint64_t pos, struct sent *s, unsigned int slot,
			     SIGNAL *sig)
{
	struct chan_pipe *p = &chan_pipe[pipe];

	s->pipe = (uint8_t)pipe;
	s->state = p->shown_state;
	s->news = 0;
	p->noting = 1;
	if (chan_peer_ring(pipe, pos, slot, sig)) {
		if (p->note_state != p->shown_state)
			chan_note_kick(pipe);
		return 1;
	}
	if (p->note_state != p->shown_state)
		return 0;
	p->noting = 0;
	if (p->hold)
		chan_settle();
	return 0;
}

/* Return: 0 if no record is needed, else 1, and the DMA is under way. */
static __swaps int send_note(unsigned int pipe, struct sent *s, unsigned int slot, SIGNAL *sig)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	__xwrite struct nfp_chan_note out;
	struct nfp_chan_note note;
	uint64_t pos;

	current(pipe, &pos, &s->seq);
	p->fresh = 0;
	chan_late &= ~(1u << pipe);
	if (chan_is_peer(p)) {
		if (send_peer(pipe, pos, s, slot, sig))
			return 1;
		if (p->note_state == p->shown_state)
			return 0;
		pos = p->sent_pos;
	}
	if (pos != p->sent_pos) {
		p->asked = 0;
		if (chan_counts_notes(p))
			s->seq = ++p->seq;
	}
	s->pipe = (uint8_t)pipe;
	s->state = p->note_state;
	/* The process has ended the channel. The host sees that after the last message. */
	if (s->state == NFP_CHAN_STATE_EPIPE && p->dir == NFP_CHAN_TO_HOST && pos != p->prod)
		s->state = p->shown_state;
	s->news = pos != p->sent_pos || s->state != p->shown_state;
	p->noting = 1;
	p->sent_pos = pos;
	note.pos = cpu_to_le64(pos);
	note.seq = cpu_to_le32(s->seq);
	note.state = cpu_to_le32(s->state);
	out = note;
	mem_write8(&out, ctm40(&chan_note[slot]), sizeof(out));
	chan_dma_host(1, PCIE_DMA_CFG_NOTE, p->note, ctm40(&chan_note[slot]), sizeof(note),
		      sig);
	return 1;
}

/* Has the host been shown all that can come until it does something? */
static int shown_all(const struct chan_pipe *p)
{
	uint64_t used = p->prod - p->cons;

	if (p->shown_seq != p->seq)
		return 0;
	if (p->dir == NFP_CHAN_TO_NFP)
		return used == 0;
	return used + chan_msg_bytes(p, chan_desc[p->chan].max_size) > p->limit;
}

/* There is a reason for an interrupt. Return: whether moderation holds the interrupt back. */
static __swaps int hold_back(unsigned int pipe, struct chan_mod *m)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	__xwrite struct chan_mod out;
	uint64_t now;

	if (!m->ticks || p->shown_state != NFP_CHAN_STATE_OPEN || shown_all(p))
		return 0;
	if (m->count && ((p->shown_seq - p->arm_seq) & NFP_CHAN_ARM_SEQ_MASK) >= m->count)
		return 0;
	now = me_tsc_read();
	if (p->armed == ARM_HELD)
		return now < m->until;
	p->armed = ARM_HELD;
	note_held = 1;
	m->until = now + m->ticks;
	out = *m;
	mem_write8(&out, emem40(&chan_mod[pipe]), sizeof(out));
	return 1;
}

/* Raise the vector if the pipe is armed and the host has not armed with the latest count. */
static __swaps void fire(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	__xread struct chan_mod in;
	struct chan_mod m;

	if (p->armed == ARM_NO)
		return;
	/* The other card, not the host, uses the other end of the ring. */
	if (chan_is_peer(p) && p->shown_state == NFP_CHAN_STATE_OPEN)
		return;
	mem_read8(&in, emem40(&chan_mod[pipe]), sizeof(in));
	m = in;
	if (p->armed == ARM_NO || p->state == PIPE_CLOSING || p->state == PIPE_FREE)
		return;
	if ((p->shown_seq & NFP_CHAN_ARM_SEQ_MASK) == p->arm_seq &&
	    p->shown_state == NFP_CHAN_STATE_OPEN)
		return;
	if (hold_back(pipe, &m))
		return;
	p->armed = ARM_NO;
	if (p->vector != NFP_CHAN_FW_NO_VECTOR)
		msix_pf_send(CHAN_PCIE_ISL, CHAN_C2P_NOTE, p->vector);
}

/* fire() outside of note_done(). CLOSE waits for its end, so no interrupt follows the answer. */
static __swaps void fire_alone(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];

	p->noting = 1;
	fire(pipe);
	p->noting = 0;
	if (p->state == PIPE_CLOSING || p->hold)
		chan_settle();
}

static __swaps void note_done(const struct sent *s)
{
	struct chan_pipe *p = &chan_pipe[s->pipe];

	p->shown_seq = s->seq;
	p->shown_state = s->state;
	fire(s->pipe);
	if (s->news && p->port)
		chan_port_tell(s->pipe);
	p->noting = 0;
	if (p->state == PIPE_CLOSING || p->hold)
		chan_settle();
}

/* Write the records of up to CHAN_NOTE_BATCH pipes. The other pipes come next time. */
static __swaps void notes(unsigned int *from)
{
	struct sent sent[CHAN_NOTE_BATCH];
	SIGNAL sig[CHAN_NOTE_BATCH];
	unsigned int i, pipe, n = 0;

	for (i = 0; i < CHAN_PIPES && n < CHAN_NOTE_BATCH && chan_note_pending; i++) {
		pipe = (*from + i) % CHAN_PIPES;
		if (!(chan_note_pending & 1u << pipe))
			continue;
		chan_note_pending &= ~(1u << pipe);
		if (chan_pipe[pipe].state == PIPE_FREE)
			continue;
		__assign_relative_register(&sig[n], SIG_NOTE + n);
		n += send_note(pipe, &sent[n], n, &sig[n]);
	}
	*from += i;
	for (i = 0; i < n; i++) {
		wait_for_all(&sig[i]);
		note_done(&sent[i]);
	}
}

/* Look at pipes that were armed after their last record. */
static __swaps void fires(void)
{
	uint32_t pipes = chan_fire_pending;

	chan_fire_pending = 0;
	for (; pipes; pipes &= pipes - 1)
		fire_alone(ffs(pipes));
}

/* Raise vectors that were held back long enough. Return: counts until the next, at most @least. */
static __swaps uint32_t fire_held(uint64_t now, uint32_t least)
{
	__xread struct chan_mod m;
	unsigned int i;

	note_held = 0;
	for (i = 0; i < CHAN_PIPES; i++) {
		if (chan_pipe[i].armed != ARM_HELD)
			continue;
		mem_read8(&m, emem40(&chan_mod[i]), sizeof(m));
		if (m.until <= now) {
			fire_alone(i);
			continue;
		}
		note_held = 1;
		if (m.until - now < least)
			least = (uint32_t)(m.until - now);
	}
	return least;
}

/* Send late records and counters that are due. Return: counts until they are due, at most @least. */
static uint32_t send_late(uint64_t now, uint32_t least)
{
	if (!late_until)
		late_until = now + LATE;
	if (late_until <= now) {
		chan_note_pending |= chan_late;
		chan_late = 0;
		chan_stat_now = 1;
		late_until = 0;
		return least;
	}
	return late_until - now < least ? (uint32_t)(late_until - now) : least;
}

static int stat_late(void)
{
	return (chan_stat_dirty[0] | chan_stat_dirty[1]) != 0;
}

/* Do what is due, and set the alarm. Return: 0 if there is a record to write now. */
static __swaps int wait_time(SIGNAL *alarm)
{
	uint64_t now = me_tsc_read();
	uint32_t least = ME_ALARM_MAX / 16;

	if (note_held)
		least = fire_held(now, least);
	if (chan_late || stat_late())
		least = send_late(now, least);
	else
		late_until = 0;
	if (note_held || chan_late || stat_late())
		set_alarm(least * 16, alarm);
	return !chan_note_pending && !chan_stat_now;
}

static __swaps void show(const __emem struct chan_counters *stat, uint32_t at, unsigned int index)
{
	__xread struct chan_counters in;
	__xwrite struct nfp_chan_fw_stat out;

	mem_read64(&in, emem40(stat), sizeof(in));
	out.msgs = cpu_to_le64(in.msgs);
	out.bytes = cpu_to_le64(in.bytes);
	out.dropped = cpu_to_le64(in.dropped);
	out.stalled = cpu_to_le64(in.stalled);
	pcie_sram_write(CHAN_PCIE_ISL, &out, SRAM_AT(at + index * sizeof(out)), sizeof(out));
}

/* Control waits for the counters of a link before the link begins, and after its end. */
static __swaps void show_link(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];

	p->linking++;
	show(&chan_link_stat[pipe], SRAM_LINK, pipe);
	p->linking--;
	if (p->link == CHAN_NONE || p->hold)
		chan_settle();
}

static __swaps void stats(void)
{
	uint32_t dirty;
	unsigned int w;

	chan_stat_now = 0;
	for (w = 0; w < 2; w++) {
		dirty = chan_stat_dirty[w];
		chan_stat_dirty[w] = 0;
		for (; dirty; dirty &= dirty - 1)
			show(&chan_stat[32 * w + ffs(dirty)], SRAM_STAT, 32 * w + ffs(dirty));
	}
	for (dirty = chan_link_dirty; dirty; dirty &= dirty - 1) {
		chan_link_dirty &= ~(1u << ffs(dirty));
		show_link(ffs(dirty));
	}
}

void chan_note_main(void)
{
	unsigned int from = 0;
	SIGNAL wake, alarm;

	__assign_relative_register(&wake, SIG_WAKE);
	__assign_relative_register(&alarm, SIG_ALARM);
	chan_attach();
	for (;;) {
		wait_for_any(&wake, &alarm);
		signal_test(&wake);
		signal_test(&alarm);
		/* Counters first, so that messages are counted when the host sees the record. */
		do {
			if (chan_stat_now || chan_note_pending || chan_link_dirty)
				stats();
			fires();
			notes(&from);
			chan_port_announce();
		} while (chan_note_pending || chan_fire_pending || chan_port_pending ||
			 chan_stat_now || chan_link_dirty || !wait_time(&alarm));
	}
}
