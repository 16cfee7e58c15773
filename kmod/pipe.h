/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pipe.h - an open end of a channel: data ring, notification record, doorbell
 * page, vector, and the file descriptor they hang on.
 */
#ifndef NFPC_PIPE_H
#define NFPC_PIPE_H

#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/poll.h>
#include "card.h"

struct nfpc_device;
struct nfpc_link;
struct seq_file;

/* mmap offsets. The ring comes to at most 2 * 4 MiB. */
#define NFPC_OFF_RING	0x0000000UL
#define NFPC_OFF_NOTE	0x1000000UL
#define NFPC_OFF_CTL	0x2000000UL
#define NFPC_OFF_DB	0x3000000UL
#define NFPC_OFF_INLINE	0x4000000UL
#define NFPC_OFF_SIGNAL_DB	0x5000000UL

#define NFPC_RING_SHIFT_MIN	12
#define NFPC_RING_SHIFT_MAX	22

/* struct nfpc_pipe.flags */
#define NFPC_PIPE_EVENT	0	/* came while no eventfd was bound */
#define NFPC_PIPE_ARMED	1	/* armed at @armed_seq and not yet fired */
#define NFPC_PIPE_PASSED	2	/* a read() did not wait for @read_lock */

/**
 * struct nfpc_pipe - an open end of a channel
 *
 * Constant from the open on:
 * @card: holds a reference of card->dev
 * @chan: the channel; valid while @live
 * @nr: number of the pipe on the card
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @kind: NFP_CHAN_MESSAGE or NFP_CHAN_STREAM
 * @elem_size: bytes of each message or element, or 0
 * @max_size: bytes of the largest
 * @depth: 0 for a rendezvous
 * @ring_shift: log2 of the ring's bytes
 * @unit_shift: log2 of the unit of the data doorbell, and of the alignment
 * @limit: bytes that may be outstanding
 * @inline_page: inline page, counted from 1, or 0
 * @signal_db: signal doorbell, counted from 1, or 0
 * @irq_count: messages an interrupt waits for
 * @irq_usecs: microseconds it waits for them, 0 for none
 * @name: of the channel, for the log and for traces after the detach
 * @port: number of the port's pipe that it reports to, counted from 1, or 0
 * @cookie: as what
 * @link_only: it takes messages through a link alone
 * @mapped: the process maps the pipe and owns its position, which is in @ctl; mmap()
 *	works, read() and write() do not
 * @payer: who is charged for its memory, NULL: nobody
 * @mapping: of the file's own inode: all user mappings, for the detach
 * @ring: the data ring; NULL if it shares that of @ring_file
 * @note: page of the notification record
 *
 * Of the thread that opens, closes or detaches (card->win_sem keeps these apart):
 * @ring_file: the file of the pipe whose ring it shares, a reference; else NULL
 * @node: in card->pipes or card->orphans, card->pipes_lock: the pipe is in the card's hands
 * @orphan: the file is gone, and the card has not confirmed the close
 * @vec: its interrupt
 * @ring_dma: @ring as the card has it
 * @note_dma: @note as the card has it
 *
 * @device: what its messages are jobs of, or NULL; card->device_lock
 * @binds: struct nfpc_bind of event maps bound to it, card->bind_lock
 *
 * @lock: owns what follows it. Held shortly; the detach takes it
 * @live: the card serves the pipe
 * @db: the two queue controllers
 * @ctl: control page; user space may write it at any time
 * @gone: what is mapped instead of @note once detached
 * @sink: and instead of doorbells
 * @error: the card broke the protocol: -EIO for ever
 * @link: the link that it is in, or NULL: card->link_lock and this one to change it,
 *	either to read it
 * @pos: read() and write(): position consumed or produced
 * @rung: the part of it that the card was told
 * @seq: the same in messages
 * @armed_seq: what the pipe was armed with last
 * @cancelling: the card is asked to take messages back; none is sent meanwhile
 * @sent: struct nfpc_sent of each write() in a rendezvous
 * @msgs: messages through read() or write()
 * @arms: doorbells rung to arm
 * @look_irqs: interrupts by the last look of the health work
 * @look_note: the record's count and state then
 * @woken_note: those for which that work woke the sleepers last
 *
 * @read_lock: one read() at a time, from the look to the consumption, user
 *	copy included; comes before @lock, never taken by the detach
 * @cancel_lock: one cancel at a time, until who sent the messages is told;
 *	between card->win_sem and @lock
 *
 * No lock:
 * @wq: poll(), read() and write() wait here
 * @flags: NFPC_PIPE_*, atomic
 * @irqs: interrupts, written by the handler alone
 * @eventfd: RCU; replaced under @lock
 * @fasync: who gets SIGIO, or what F_SETSIG chose
 */
struct nfpc_pipe {
	struct nfpc_card *card;
	struct nfpc_chan *chan;
	unsigned int nr;
	u32 dir;
	u32 kind;
	u32 elem_size;
	u32 max_size;
	u32 depth;
	u32 ring_shift;
	u32 unit_shift;
	u32 limit;
	u8 inline_page;
	u8 signal_db;
	u16 irq_count;
	u32 irq_usecs;
	char name[NFP_CHAN_NAME_LEN];
	u16 port;
	u64 cookie;
	bool link_only;
	bool mapped;
	struct user_struct *payer;
	struct address_space *mapping;
	struct nfpc_buf *ring;
	struct nfpc_buf *note;

	struct file *ring_file;
	struct list_head node;
	bool orphan;
	struct nfpc_vector vec;
	struct nfpc_dma *ring_dma;
	struct nfpc_dma *note_dma;
	struct nfpc_device *device;
	struct list_head binds;

	struct mutex lock;		/* what follows */
	bool live;
	void __iomem *db;
	struct nfp_chan_ctl *ctl;
	struct nfp_chan_note *gone;
	void *sink;
	int error;
	struct nfpc_link *link;
	u64 pos;
	u64 rung;
	u32 seq;
	u32 armed_seq;
	bool cancelling;
	struct list_head sent;
	u64 msgs;
	u64 arms;
	unsigned long look_irqs;
	u64 look_note;
	u64 woken_note;

	struct mutex read_lock;		/* one read() at a time */
	struct mutex cancel_lock;	/* one cancel at a time */

	wait_queue_head_t wq;
	unsigned long flags;
	unsigned long irqs;
	struct eventfd_ctx __rcu *eventfd;
	struct fasync_struct *fasync;
};

/**
 * struct nfpc_sent - a message of a rendezvous, for who waits until it is taken
 * @node: in pipe->sent, pipe->lock
 * @end: position behind it
 * @seq: its number
 * @len: its bytes; of a stream, those for which there was room
 * @cancelled: it was taken back, pipe->lock. The position says less: it moves
 *	behind a message that was taken back as behind one that was received
 */
struct nfpc_sent {
	struct list_head node;
	u64 end;
	u32 seq;
	u32 len;
	bool cancelled;
};

/**
 * struct nfpc_note - a look at the notification record, in host order
 * @pos: position, see nfp_chan_fw.h
 * @seq: messages or records
 * @state: NFP_CHAN_STATE_*
 */
struct nfpc_note {
	u64 pos;
	u32 seq;
	u32 state;
};

static inline u32 nfpc_pipe_ring_size(const struct nfpc_pipe *p)
{
	return 1U << p->ring_shift;
}

static inline bool nfpc_pipe_is_port(const struct nfpc_pipe *p)
{
	return p->chan == &p->card->port;
}

static inline bool nfpc_pipe_is_stream(const struct nfpc_pipe *p)
{
	return p->kind == NFP_CHAN_STREAM;
}

/* The record of a stream of bytes to host is numbered: see nfp_chan_fw.h. */
static inline bool nfpc_pipe_counts_notes(const struct nfpc_pipe *p)
{
	return nfpc_pipe_is_stream(p) && p->elem_size == 1 &&
	       p->dir == NFP_CHAN_TO_HOST;
}

/* Messages that an arm tells apart: see nfp_chan_fw.h. */
#define NFPC_SEQ_SPAN	65535U

/*
 * log2 of the unit in a ring of that size: 8 bytes, 1 in a stream, but in a port an element, or
 * more where the 18-bit queue pointers would not tell a full ring from an empty one otherwise
 * (nfp_chan_fw.h: ring_shift - unit_shift at most 16).
 */
static inline u32 nfpc_unit_shift(const struct nfpc_pipe *p, u32 ring_shift)
{
	u32 small = nfpc_pipe_is_stream(p) && !nfpc_pipe_is_port(p) ? 16 : 19;

	return max(ring_shift, small) - 16;
}

/* Bytes in front of each message. */
static inline u32 nfpc_pipe_hdr(const struct nfpc_pipe *p)
{
	return nfpc_pipe_is_stream(p) ? 0 : sizeof(struct nfp_chan_hdr);
}

/* Bytes that a message takes in the ring. */
static inline u32 nfpc_pipe_span(const struct nfpc_pipe *p, u32 len)
{
	if (nfpc_pipe_is_stream(p))
		return len;
	return ALIGN(len + nfpc_pipe_hdr(p), 1U << p->unit_shift);
}

/*
 * Is there room for @span bytes more, with @used that are outstanding? A rendezvous
 * has one message under way, whatever its size.
 */
static inline bool nfpc_pipe_fits(const struct nfpc_pipe *p, u64 used, u32 span)
{
	return p->depth ? used + span <= p->limit : !used;
}

/**
 * struct nfpc_open - how to open a pipe
 * @flags: NFP_CHAN_OPEN_*
 * @ring_size: bytes of the data ring, or 0
 * @irq_count: messages that an interrupt waits for
 * @irq_usecs: microseconds that the interrupt waits for them
 * @cookie: the value that the port's elements have for the pipe
 * @port: file of the port, or NULL
 * @ring: file of the channel to the host whose ring the pipe shares, or NULL
 *
 * The caller holds both files until the pipe is open.
 */
struct nfpc_open {
	u32 flags;
	u32 ring_size;
	u32 irq_count;
	u32 irq_usecs;
	u64 cookie;
	struct file *port;
	struct file *ring;
};

/* pipe.c */
struct file *nfpc_pipe_open(struct nfpc_card *card, struct nfpc_chan *chan,
			    const struct nfpc_open *o);
bool nfpc_pipe_close(struct nfpc_pipe *p);
void nfpc_pipe_gone(struct nfpc_pipe *p);
void nfpc_pipe_revoke(struct nfpc_pipe *p, bool quiet);
void nfpc_pipe_free(struct nfpc_pipe *p);

/* cancel.c */
int nfpc_pipe_cancel(struct nfpc_pipe *p, u32 seq);

/* pair.c */
bool nfpc_pair_may(const struct nfpc_pipe *rx);
int nfpc_pair_open(struct nfpc_pipe *p, struct file *ring);
void nfpc_pair_free(struct nfpc_pipe *p);
struct nfpc_pipe *nfpc_ring_of(struct nfpc_pipe *p);

/* link.c */
int nfpc_link_open(struct nfpc_pipe *rx, const struct nfp_chan_link *l, __s32 __user *ufd);
void nfpc_link_cut(struct nfpc_pipe *p, bool quiet);
int nfpc_link_other(const struct nfpc_pipe *p);

/* peer.c */
void nfpc_peer_cut(struct nfpc_pipe *p);

/* device.c */
int nfpc_device_set(struct nfpc_pipe *p, const struct nfp_chan_device *l);
void nfpc_device_end(struct nfpc_pipe *p, bool quiet);

/* pipe_file.c */
struct file *nfpc_pipe_file(struct nfpc_pipe *p, bool nonblock);
struct nfpc_pipe *nfpc_pipe_of(struct file *file);

/* pipe_io.c */
ssize_t nfpc_pipe_read(struct kiocb *iocb, struct iov_iter *to);
ssize_t nfpc_pipe_write(struct kiocb *iocb, struct iov_iter *from);

/* poll.c */
void nfpc_note_get(struct nfpc_pipe *p, struct nfpc_note *n);
void nfpc_pipe_arm(struct nfpc_pipe *p, u32 seq);
__poll_t nfpc_pipe_poll(struct file *file, struct poll_table_struct *pt);
int nfpc_pipe_fasync(int fd, struct file *file, int on);

/* xdp.c */
int nfpc_xdp_bind(struct nfpc_pipe *p, int prog_fd, u32 map_id);
int nfpc_xdp_unbind(struct nfpc_pipe *p, u32 map_id);
void nfpc_xdp_release(struct nfpc_pipe *p);
void nfpc_xdp_revoke(struct nfpc_pipe *p);
void nfpc_xdp_show(struct seq_file *m, struct nfpc_pipe *p);
void nfpc_xdp_exit(void);

/* irq.c */
void nfpc_pipe_event(struct nfpc_pipe *p);
void nfpc_pipe_look(struct nfpc_pipe *p);
void nfpc_pipe_event_replay(struct nfpc_pipe *p);
void nfpc_pipe_sigio(struct nfpc_pipe *p);

/* mmap.c */
int nfpc_pipe_mmap(struct file *file, struct vm_area_struct *vma);

#endif /* NFPC_PIPE_H */
