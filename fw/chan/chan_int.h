/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chan_int.h - state of the channel managers. uapi/PROTOCOL.rst has a glossary.
 *
 * The managers are the eight contexts of one microengine:
 *
 *   0  control   mailbox: HELLO, GOODBYE, OPEN, CLOSE,    chan_ctl.c
 *                CANCEL
 *                BIND, UNBIND                            chan_xdp.c
 *                LINK, UNLINK                            chan_link.c,
 *                of links between cards                  chan_peer.c
 *                DEVICE                                  chan_device.c
 *   1-4 to host  work ring -> pipes                       chan_tohost.c,
 *                                                        chan_gather.c
 *                -> ME processes, of pipes in links      chan_link.c
 *   5  to NFP    pipes -> ME processes                    chan_tonfp.c
 *   6  events    queue controllers: room, data, arming    chan_event.c
 *   7  notes     notification records, MSI-X, counters    chan_note.c,
 *                ports                                   chan_port.c
 *
 * The eight contexts share the state below in local memory. A context keeps the microengine
 * until it calls a function that is declared with __swaps (nfp.h), so a change between two such
 * calls is atomic for the other contexts. No context may leave state half changed over such a
 * call. Local memory has only 4 KiB, so large or rarely used objects are in EMEM.
 *
 * Contexts do not wait for each other in a circle. Only the control context waits for other
 * contexts (until a pipe has no DMA under way), and for the processes that drive devices. All of
 * these wait for hardware only. If a pipe has no room for a message, the context stores the message
 * in chan_parked, and serves other channels.
 */
#ifndef CHAN_INT_H
#define CHAN_INT_H

#include <nfp_chan_fw.h>
#include <nfp.h>
#include "chan.h"
#include "chan_dma.h"
#include "chan_mem.h"
#include "chan_shared.h"

#define CHAN_CTX_CTL	0
#define CHAN_CTX_HOST	1
#define CHAN_HOST_CTXS	4
#define CHAN_CTX_NFP	5
#define CHAN_CTX_EVENT	6
#define CHAN_CTX_NOTE	7

/* Signals of the managers' contexts. */
#define SIG_WAKE	1	/* set by other contexts */
#define SIG_WORK	2	/* work has come */
#define SIG_DMA		3
#define SIG_REFLECT	4
#define SIG_EVENT	5	/* to 11, in the events context: events of a group of queues */
#define SIG_NOTE	8	/* to 11, in the notes context: DMA of notification records */
#define SIG_ALARM	12	/* it is time for an interrupt that was held back */

/* MU rings of work */
#define CHAN_RING_HOST	64	/* for the contexts to host */
#define CHAN_RING_NFP	65	/* for the context to NFP */
#define CHAN_RING_WORDS	2048

#define CHAN_PIPES	NFP_CHAN_FW_PIPE_MAX
#define CHAN_BELLS	15	/* signal doorbells */

/*
 * Queue controllers. A page has two: 4n + 2 and 4n + 3 in page n, which NFD does not use.
 * Pipes and then signal doorbells have the pages 8 to 31 and 40 to 62: all pages of six groups of
 * 32 queues. Mailbox and signals have a page of another group.
 */
#define CHAN_PAGES_1	24	/* from page 8 on */
#define CHAN_PAGES_2	(CHAN_PIPES + CHAN_BELLS - CHAN_PAGES_1)	/* from page 40 on */
#define CHAN_PAGES	(((1ull << CHAN_PAGES_1) - 1) << 8 | ((1ull << CHAN_PAGES_2) - 1) << 40)
#define CHAN_QUEUE(i)	(4 * ((i) + ((i) < CHAN_PAGES_1 ? 8 : 40 - CHAN_PAGES_1)) + 2)
#define CHAN_QUEUE_PIPE(pipe)	CHAN_QUEUE(pipe)
#define CHAN_QUEUE_BELL(bell)	CHAN_QUEUE(CHAN_PIPES + (bell))
#define CHAN_QUEUE_MBOX	134
#define CHAN_QUEUE_SIG	135

/* CPP-to-PCIe BARs for MSI-X messages. A BAR belongs to one context. */
#define CHAN_C2P_NOTE	3
#define CHAN_C2P_CTL	4

#define CHAN_INLINE_PAGES	6	/* inline pages, which fill the rest of PCIe SRAM */

#define CHAN_PROCS	64	/* as scripts/chantab */
#define CHAN_NONE	0xff
#define CHAN_ADDR_BITS	40	/* of DMA addresses */
#define CHAN_STAGE	512	/* bytes; a larger body has a DMA for itself */
#define CHAN_GATHERS	4	/* buffers of small messages to the host */
#define CHAN_GATHER_SIZE	8192
#define CHAN_STAGE_NFP	4096	/* of small messages to the NFP, several at a time */
#define CHAN_CHUNK	32768	/* bytes of a stream a context moves in one turn */
#define CHAN_PUSH	(1u << 19)	/* bytes for rings that another card writes into */
#define CHAN_FLIGHTS	(CHAN_HOST_CTXS + CHAN_GATHERS)
#define CHAN_NOTE_BATCH	4	/* records or doorbells under way at a time */
#define CHAN_RING_SHIFT_MIN	12
#define CHAN_RING_SHIFT_MAX	22
#define CHAN_UNIT_SHIFT_MIN	3	/* for messages, which are aligned to the unit */
#define CHAN_UNITS_SHIFT_MAX	16	/* units of a ring: less than the counter's 18 bits */
#define CHAN_SEQ_SPAN	65535	/* messages a pipe may hold: arming compares 16 bits */

/* Read transfer registers of a process that the managers write: the last ones in eight-context mode */
#define CHAN_XREG_SEND	14	/* status */
#define CHAN_XREG_RECV	15	/* length */
/* Write transfer registers of a process that hold a small message. */
#define CHAN_XREG_BODY	0

/* struct chan_work.kind */
#define WORK_SEND	1	/* a process sends */
#define WORK_RECV	2	/* a process receives */
#define WORK_KICK	3	/* look at the channel again */
#define WORK_END	4	/* the process ends the channel */
#define WORK_DROP	5	/* a process has dropped messages */

/**
 * struct chan_work - an entry of a work ring: words, whose values do not depend on the byte order
 * @kind: WORK_*
 * @proc: the process, as an index in me_contexts
 * @chan: channel
 * @len: SEND: bytes of the message. RECV: bytes of the buffer. DROP: messages
 * @addr_lo: CPP address of message or buffer, low 32 bits
 * @addr_hi: bits 39:32
 * @regs: SEND: the message is in the process' write transfer registers
 * @sig: the signal of the process to set when the work is done
 * @ticket: SEND: the message's place in the channel's order
 */
struct chan_work {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint16_t chan;
	uint8_t proc;
	uint8_t kind;
	uint32_t len;
	uint32_t addr_lo;
	uint8_t rsvd;
	uint8_t sig;
	uint8_t regs;
	uint8_t addr_hi;
#else
	uint8_t kind;
	uint8_t proc;
	uint16_t chan;
	uint32_t len;
	uint32_t addr_lo;
	uint8_t addr_hi;
	uint8_t regs;
	uint8_t sig;
	uint8_t rsvd;
#endif
	uint32_t ticket;
	uint32_t rsvd2[3];
};

/* struct chan_pipe.state */
#define PIPE_FREE	0
#define PIPE_OPEN	1
#define PIPE_FAULT	2	/* the host broke the protocol. Only CLOSE is possible */
#define PIPE_CLOSING	3	/* control waits for the end of the pipe's DMA */

/* struct chan_pipe.link: the messages of the pipe are dropped */
#define LINK_DROP	0xfe

/* struct chan_pipe.link: the pipe shares its ring with a pipe of another card */
#define LINK_PEER	0xfd

/* struct chan_slot.route: no context has looked for the link yet */
#define ROUTE_NEW	0xfe

/* struct chan_pipe.armed */
#define ARM_NO		0
#define ARM_SET		1	/* the host waits: the next record raises the vector */
#define ARM_HELD	2	/* as ARM_SET, but not before struct chan_mod.until */

/**
 * struct chan_pipe - a pipe
 * @ring: DMA address of the data ring
 * @note: DMA address of the notification record
 * @prod: position after the last byte that was produced. To host: messages under way count. To
 *	NFP: the position that the host has rung the doorbell for
 * @cons: position after the last byte that was consumed
 * @sent_pos: position in the last record that was sent: the host may consume up to it
 * @seq: to host: number of the last message that was produced. To NFP: of the last that was
 *	consumed. Stream of bytes to host: number of the last record
 * @shown_seq: number in the last record that has reached the host
 * @limit: bytes that may be outstanding
 * @vector: MSI-X entry or NFP_CHAN_FW_NO_VECTOR
 * @arm_seq: the number that the host has armed with
 * @state: PIPE_*
 * @chan: the channel
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @ring_shift: log2 of the ring's bytes
 * @unit_shift: log2 of the unit's bytes
 * @busy: messages whose DMA is under way
 * @noting: a record or an interrupt is under way
 * @armed: ARM_*
 * @waiter: rendezvous: the process whose message the host has not taken yet
 * @note_state: NFP_CHAN_STATE_* for the next record
 * @shown_state: state in the last record that has reached the host
 * @hold: control waits for the pipe, and no context takes messages from it
 * @skip: chan_skip has messages that were taken back
 * @fresh: messages have landed or were taken since the last record
 * @asked: since the last record the host has armed the pipe; to host: or has rung the doorbell
 * @inline_page: to NFP: the inline page, counted from 1, or 0
 * @signal_db: the signal doorbell, counted from 1, or 0
 * @port: the pipe of the port that this pipe reports to, counted from 1, or 0
 * @pair: the pipe of the other direction that has the same ring, or CHAN_NONE
 * @link: the pipe of the other direction that this pipe is linked with, LINK_DROP, LINK_PEER,
 *	or CHAN_NONE
 * @linking: to host: messages under way through the link, and one more while the counters of
 *	the link are written
 * @mute: to host: the pipe gets messages through its link only
 * @hdr: LINK_PEER, to host: bytes in front of each message
 * @push: LINK_PEER: the ring is in chan_push of the receiving card, and to NFP @ring is an MU
 *	address. 0: the ring is in host memory; to host, ring and doorbell are then two
 *	destinations, between which PCIe keeps no order
 */
struct chan_pipe {
	uint64_t ring;
	uint64_t note;
	uint64_t prod;
	uint64_t cons;
	uint64_t sent_pos;
	uint32_t seq;
	uint32_t shown_seq;
	uint32_t limit;
	uint16_t vector;
	uint16_t arm_seq;
	uint8_t state;
	uint8_t chan;
	uint8_t dir;
	uint8_t ring_shift;
	uint8_t unit_shift;
	uint8_t busy;
	uint8_t noting;
	uint8_t armed;
	uint8_t waiter;
	uint8_t note_state;
	uint8_t shown_state;
	uint8_t hold;
	uint8_t skip;
	uint8_t fresh;
	uint8_t asked;
	uint8_t inline_page;
	uint8_t signal_db;
	uint8_t port;
	uint8_t pair;
	uint8_t link;
	uint8_t linking;
	uint8_t mute;
	uint8_t hdr;
	uint8_t push;
};

/**
 * struct chan_state - a channel
 * @pipes: bit mask of the pipes that are PIPE_OPEN
 * @ticket: ticket of the message that is sent next
 * @head: first of the processes whose messages wait, in the order of their tickets
 * @rhead: first of the processes that wait for a message
 * @rtail: last of the processes that wait for a message
 * @kicked: a WORK_KICK is in the ring
 * @last: the pipe that was served last
 * @ended: the process has ended the channel
 * @matches: number of links that take only messages that match
 */
struct chan_state {
	uint32_t pipes;
	uint32_t ticket;
	uint8_t head;
	uint8_t rhead;
	uint8_t rtail;
	uint8_t kicked;
	uint8_t last;
	uint8_t ended;
	uint8_t matches;
};

/**
 * struct chan_slot - a process' place in its channel's lists
 * @len: bytes of the message that no context has taken yet
 * @stalled: the message was counted as stalled
 * @dropped: stream: the rest was dropped
 * @ticket: ticket of the process' message, its lower bits: a process has one message at a time, so
 *	the tickets of a list are less than CHAN_PROCS apart
 * @rlen: bytes that the process receives at a time
 * @next: the next process in the list of senders, or CHAN_NONE
 * @rnext: the next process in the list of receivers, or CHAN_NONE
 * @parts: stream: parts under way. Contexts may end them in any order, and after the last one
 *	the memory is the process' again
 * @route: the pipe whose link takes the message, ROUTE_NEW, or CHAN_NONE if no link does
 */
struct chan_slot {
	uint32_t len : 30;
	uint32_t stalled : 1;
	uint32_t dropped : 1;
	uint16_t ticket;
	uint16_t rlen;
	uint8_t next;
	uint8_t rnext;
	uint8_t parts;
	uint8_t route;
};

/*
 * Messages under way to the host: one of each to-host context, and after these the messages of each
 * buffer of chan_gather.c. Notification records show positions before them.
 */
struct chan_flight {
	uint64_t pos;
	uint32_t seq;
	uint8_t pipe;
};

/**
 * struct chan_gather - a buffer of small messages to the host
 * @fill: bytes of the messages
 * @writers: contexts that copy a message into the buffer
 * @state: GATHER_* (chan_gather.c), while chan_flight has a pipe for the buffer
 */
struct chan_gather {
	uint16_t fill;
	uint8_t writers;
	uint8_t state;
};

/* Messages [@start, @end) of a pipe to NFP were taken back. */
struct chan_skip {
	uint64_t start;
	uint64_t end;
	uint32_t seq;		/* number of the last of them */
};

/**
 * struct chan_mod - a pipe's interrupt moderation
 * @until: timestamp until which the vector is held back
 * @ticks: how long a vector is held back, in counts of the timestamp; 0: moderation is off
 * @count: messages after which the vector is raised before that; 0: any number of messages waits
 */
struct chan_mod {
	uint64_t until;
	uint32_t ticks;
	uint32_t count;
};

/* Counters of a channel or of a link. PCIe SRAM has them as struct nfp_chan_fw_stat. */
struct chan_counters {
	uint64_t msgs;
	uint64_t bytes;
	uint64_t dropped;
	uint64_t stalled;
};

extern __shared __lmem struct chan_pipe chan_pipe[CHAN_PIPES];
extern __shared __lmem struct chan_state chan_state[CHAN_COUNT + 1];
extern __shared __lmem struct chan_slot chan_slot[CHAN_PROC_COUNT];
extern __shared __lmem struct chan_flight chan_flight[CHAN_FLIGHTS];
extern __shared __lmem uint32_t chan_note_pending;	/* pipes */
extern __shared __lmem uint32_t chan_fire_pending;	/* pipes */
extern __shared __lmem uint32_t chan_late;		/* pipes whose record may wait */
extern __shared __lmem uint32_t chan_stat_dirty[2];	/* channels */
extern __shared __lmem uint8_t chan_stat_now;		/* their counters are not shown late */
extern __shared __lmem uint32_t chan_mbox_pending;	/* requests */
extern __shared __lmem uint32_t chan_port_news;		/* pipes */
extern __shared __lmem uint32_t chan_port_pending;	/* ports */
extern __shared __lmem uint32_t chan_link_dirty;	/* pipes */
extern __shared __lmem uint32_t chan_matched;		/* pipes */
extern __shared __lmem uint32_t chan_xdp_ends;		/* channel + 1 of a binding that ends */

extern __export __emem struct chan_work chan_parked[CHAN_PROC_COUNT];
extern __export __emem struct chan_work chan_recv_req[CHAN_PROC_COUNT];
extern __export __emem struct chan_skip chan_skip[CHAN_PIPES];
extern __export __emem struct chan_mod chan_mod[CHAN_PIPES];
extern __export __emem struct chan_counters chan_stat[CHAN_COUNT];
extern __export __emem struct chan_counters chan_link_stat[CHAN_PIPES];

extern __vnic_window __emem uint8_t chan_push[CHAN_PUSH];

/* One staging buffer for each context that moves messages to the host. */
extern __export __ctm uint8_t chan_stage[CHAN_HOST_CTXS][CHAN_STAGE];

__intrinsic int chan_is_stream(unsigned int chan)
{
	return chan_desc[chan].kind == NFP_CHAN_STREAM;
}

/* In a stream of bytes to the host the records are numbered, not the elements. */
__intrinsic int chan_counts_notes(const struct chan_pipe *p)
{
	const struct chan_desc *d = &chan_desc[p->chan];

	return d->kind == NFP_CHAN_STREAM && d->elem_size == 1 &&
	       d->dir == NFP_CHAN_TO_HOST;
}

/* Can DMA reach [@addr, @addr + @len), and is @addr aligned to @align? */
__intrinsic int chan_addr_ok(uint64_t addr, uint64_t len, uint32_t align)
{
	uint64_t end = 1ull << CHAN_ADDR_BITS;

	return !(addr & (align - 1)) && addr < end && len <= end - addr;
}

/* Does the pipe share its ring with a pipe of another card? */
__intrinsic int chan_is_peer(const struct chan_pipe *p)
{
	return p->link == LINK_PEER;
}

/* Is the pipe linked within the card, or are its messages dropped by a link? */
__intrinsic int chan_is_linked(const struct chan_pipe *p)
{
	return p->link != CHAN_NONE && p->link != LINK_PEER;
}

/* Does the host ask for the next record of the pipe, or has it seen all that the last one shows? */
__intrinsic int chan_wanted(const struct chan_pipe *p)
{
	return p->asked || p->armed || p->note_state != p->shown_state ||
	       (p->sent_pos - p->cons) >> p->unit_shift == 0;
}

/* Bytes that a message of @len takes in the pipe's ring, with header and padding. */
__intrinsic uint32_t chan_msg_bytes(const struct chan_pipe *p, uint32_t len)
{
	uint32_t unit = 1u << p->unit_shift;

	if (chan_is_stream(p->chan))
		return len;
	return (p->hdr + len + (uint32_t)sizeof(struct nfp_chan_hdr) + unit - 1) & ~(unit - 1);
}

/* chan_init.c */
__swaps void chan_init(void);
__swaps void chan_sram_clear(uint32_t from, uint32_t to);

/* chan_state.c */
void chan_note_kick(unsigned int pipe);
void chan_news(unsigned int pipe);
void chan_landed(unsigned int pipe);
void chan_taken(unsigned int pipe);
__swaps void chan_ask(unsigned int pipe);
void chan_fire_kick(unsigned int pipe);
__swaps void chan_fault(unsigned int pipe);
__swaps void chan_kick(unsigned int chan);
void chan_settle(void);
void chan_signal(unsigned int chan, unsigned int sig);
void chan_complete(unsigned int proc, unsigned int reg, unsigned int sig, uint32_t value);
void chan_count(unsigned int chan, uint32_t msgs, uint32_t bytes, int now);
void chan_count_dropped(unsigned int chan, uint32_t n);
void chan_count_stalled(unsigned int chan);
__swaps void chan_work_copy(const struct chan_work *work, uint32_t from, __mem40 void *buf,
			    uint32_t len);
__swaps void chan_dma(struct chan_pipe *p, int to_host, uint64_t pos, __mem40 void *mem,
		      uint32_t len, SIGNAL *sig);
__swaps void chan_fetch(struct chan_pipe *p, uint64_t pos, __mem40 void *mem, uint32_t len,
			SIGNAL *sig);
int chan_hdr_check(const struct chan_pipe *p, const struct nfp_chan_hdr *hdr,
		   uint32_t seq, uint64_t avail);

/* chan_gather.c */
extern __export __ctm uint8_t chan_gather_buf[CHAN_GATHERS][CHAN_GATHER_SIZE];
int chan_gathers(unsigned int pipe);
unsigned int chan_gather_join(unsigned int pipe, uint64_t pos, uint32_t seq, uint32_t bytes,
			      uint32_t *at);
void chan_gather_close(unsigned int pipe);
__swaps void chan_gather_joined(unsigned int g);
__swaps void chan_gather_flush(unsigned int chan);

/* chan_port.c */
int chan_port_ok(const struct nfp_chan_fw_req *req, unsigned int chan);
__swaps void chan_port_open(unsigned int pipe, unsigned int port, __le64 cookie);
void chan_port_close(unsigned int pipe);
void chan_port_tell(unsigned int pipe);
void chan_port_room(unsigned int port);
__swaps void chan_port_announce(void);

/* chan_pair.c */
int chan_pair_check(const struct nfp_chan_fw_req *req, unsigned int chan);
void chan_pair_open(unsigned int pipe, unsigned int ring_of);
__swaps unsigned int chan_pair_close(unsigned int pipe);
__swaps int chan_pair_returns(unsigned int pipe, uint64_t bytes);
__swaps void chan_pair_taken(unsigned int pipe);

/* chan_device.c */
__swaps int chan_device_request(void);
__swaps void chan_device_close(unsigned int pipe);

/* chan_link.c */
__swaps void chan_request_read(void *req, uint32_t size);
__swaps int chan_link(void);
__swaps int chan_unlink(unsigned int pipe, uint32_t mark, uint32_t *lost);
__swaps void chan_link_wait_shown(unsigned int pipe);
__swaps void chan_link_clear(unsigned int pipe);
void chan_link_count(unsigned int pipe, uint32_t msgs, uint32_t bytes);
int chan_link_ready(unsigned int pipe);
unsigned int chan_link_claim(unsigned int pipe);
__swaps void chan_link_deliver(unsigned int pipe, unsigned int proc, const struct chan_work *work,
			       uint32_t from, uint32_t len);
__swaps void chan_link_look(unsigned int chan);
void chan_link_count_missed(unsigned int pipe, uint32_t dropped);
unsigned int chan_link_blame(unsigned int chan, unsigned int route);

/* chan_peer.c */
__swaps int chan_peer_link(const struct nfp_chan_fw_link *req, unsigned int pipe);
__swaps void chan_peer_unlink(unsigned int pipe, uint32_t mark, uint32_t *lost);
__swaps int chan_peer_ring(unsigned int pipe, uint64_t pos, unsigned int slot, SIGNAL *sig);

/* chan_ctl.c */
__swaps void chan_wait_idle(unsigned int pipe);

/* chan_route.c */
int chan_route_check(const struct nfp_chan_fw_link *req, unsigned int from, unsigned int to);
int chan_route_rule_ok(const struct nfp_chan_fw_link *req, unsigned int from);
__swaps void chan_route_add(const struct nfp_chan_fw_link *req, unsigned int pipe);
void chan_route_drop(unsigned int pipe);
__swaps void chan_route_find(unsigned int chan, unsigned int proc);
__swaps uint32_t chan_route_header(unsigned int pipe, __mem40 uint8_t *buf);

/* chan_tonfp.c */
__swaps void chan_skip_check(unsigned int pipe);
__swaps void chan_inline_clear(unsigned int inline_page);
void chan_stage_drop(unsigned int pipe);

/* chan_lost.c */
__swaps uint32_t chan_lost(unsigned int pipe);
__swaps int chan_cancel(unsigned int pipe, uint32_t msg_seq);

#endif /* CHAN_INT_H */
