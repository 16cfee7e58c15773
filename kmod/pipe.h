/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pipe.h - an open end of a channel: data ring, notification record ("note" in names), doorbell
 * page, vector, and the file descriptor that owns them. uapi/PROTOCOL.rst has a glossary.
 */
#ifndef NFPC_PIPE_H
#define NFPC_PIPE_H

#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/poll.h>
#include "card.h"

struct nfpc_link;
struct seq_file;

/* mmap offsets. The ring, mapped twice, takes at most 2 * 4 MiB. */
#define NFPC_OFF_RING	0x0000000UL
#define NFPC_OFF_NOTE	0x1000000UL
#define NFPC_OFF_CTL	0x2000000UL
#define NFPC_OFF_DB	0x3000000UL
#define NFPC_OFF_INLINE	0x4000000UL
#define NFPC_OFF_SIGNAL_DB	0x5000000UL

#define NFPC_RING_SHIFT_MIN	12
#define NFPC_RING_SHIFT_MAX	22

/* struct nfpc_pipe.flags */
#define NFPC_PIPE_EVENT	0	/* an interrupt came while no eventfd was bound */
#define NFPC_PIPE_ARMED	1	/* the kernel has armed with @armed_seq; no interrupt yet */
#define NFPC_PIPE_PASSED	2	/* a nonblocking read() has found @read_lock taken */

/**
 * struct nfpc_pipe - an open end of a channel
 *
 * The life of a pipe. The card may use it while it is LIVE or an ORPHAN. nfpc_pipe_end() takes
 * everything of the card back; the last of two references, of the file and of the card, frees the
 * pipe.
 *
 *            the card opens it           close, and the card confirms
 *     (new) -----------------> LIVE --------------------------------+
 *       |                      | |  close, no answer                |
 *       | the card does not    | +-----------------> ORPHAN ---+    | nfpc_pipe_end()
 *       |                      | detach                 detach |    |
 *       +----------------------+-------------------------------+----+--> ENDED
 *                                                 the card confirms later
 *
 *   state    @live   in card's list   file
 *   LIVE     true    pipes            open
 *   ORPHAN   false   orphans          closed
 *   ENDED    false   none             open: calls answer ENODEV; or closed
 *
 * If the card does not answer OPEN, the pipe is in the list and not live, until the file is closed.
 * link.h has the states of a link, which ends before its pipes do.
 *
 * Constant from the open on:
 * @card: the card; a reference of card->dev
 * @chan: the channel
 * @nr: number of the pipe on the card
 * @ring_shift: log2 of the ring's bytes
 * @unit_shift: log2 of the unit of the data doorbell, and of the alignment
 * @limit: bytes that may be outstanding
 * @inline_page: inline page, counted from 1, or 0
 * @signal_db: signal doorbell, counted from 1, or 0
 * @irq_count: moderation: messages that an interrupt waits for
 * @irq_usecs: moderation: microseconds that an interrupt waits, or 0
 * @port: number of the port that the pipe reports to + 1, or 0
 * @cookie: value of the pipe's elements in the port's ring
 * @link_only: the pipe takes messages through a link only
 * @mapped: the process maps the pipe and owns its position, which is in @ctl; mmap()
 *	works, read() and write() do not
 * @db_map: pages of the card can be mapped
 * @mapping: all user mappings of the pipe; NULL for an orphan
 * @ring: the data ring; NULL if the pipe shares the ring of @ring_file
 * @note: page of the notification record
 * @own: the pages @ctl, @gone and @sink
 *
 * @ref: references of the file, and of the card while it may use the pipe
 *
 * Used by open, close and detach, which card->win_sem keeps apart:
 * @ring_file: the file of the pipe whose ring this pipe shares, a reference; or NULL
 * @node: in card->pipes or card->orphans, while the card may use the pipe; card->pipes_lock
 * @vec: the interrupt
 * @ring_dma: the mapping of @ring for the card
 * @note_dma: the mapping of @note for the card
 *
 * @device: the device that the ME process drives, or NULL; card->device_lock
 * @binds: struct nfpc_bind of event maps that are bound to the pipe; card->bind_lock
 *
 * @lock: protects the fields that follow. The detach takes it, so it is held for a short time
 * @live: the card serves the pipe
 * @db: the two queue controllers
 * @ctl: control page; user space may write it at any time
 * @gone: page that is mapped instead of @note after the detach
 * @sink: page that is mapped instead of pages of the card after the detach
 * @error: -EIO once the card has broken the protocol, else 0
 * @link: the link of the pipe, or NULL; changed under links_lock (link.c) and @lock, read under
 *	one of them
 * @pos: read() and write(): position consumed or produced
 * @armed_seq: the count that the pipe was armed with last
 * @cancelling: a CANCEL is under way, and no message is sent
 * @sent: struct nfpc_sent of each write() in a rendezvous
 * @msgs: messages or elements up to @pos
 * @arms: stores to the arm doorbell by the kernel
 *
 * @read_lock: held by read() from the look at the record to the consumption, and over the copy
 *	to user memory; taken before @lock, and never by the detach
 * @cancel_lock: held over a CANCEL; taken after card->win_sem and before @lock
 *
 * Without a lock:
 * @wq: poll(), read() and write() wait here
 * @flags: NFPC_PIPE_*, atomic
 * @irqs: number of interrupts; only the handler writes it
 * @eventfd: RCU; replaced under @lock
 * @fasync: receivers of SIGIO
 */
struct nfpc_pipe {
	struct nfpc_card *card;
	struct nfpc_chan *chan;
	unsigned int nr;
	u32 ring_shift;
	u32 unit_shift;
	u32 limit;
	u8 inline_page;
	u8 signal_db;
	u16 irq_count;
	u32 irq_usecs;
	u16 port;
	u64 cookie;
	bool link_only;
	bool mapped;
	bool db_map;
	struct address_space *mapping;
	struct nfpc_buf *ring;
	struct nfpc_buf *note;
	struct nfpc_buf *own[3];
	struct kref ref;

	struct file *ring_file;
	struct list_head node;
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
	u32 armed_seq;
	bool cancelling;
	struct list_head sent;
	u64 msgs;
	u64 arms;

	struct mutex read_lock;		/* one read() at a time */
	struct mutex cancel_lock;	/* one cancel at a time */

	wait_queue_head_t wq;
	unsigned long flags;
	unsigned long irqs;
	struct eventfd_ctx __rcu *eventfd;
	struct fasync_struct *fasync;
};

/**
 * struct nfpc_sent - a message of a rendezvous, whose sender waits until it is received
 * @node: in pipe->sent; pipe->lock
 * @end: position after the message
 * @seq: number of the message
 * @len: bytes of the message; of a stream, the bytes for which there was room
 * @cancelled: the message was taken back; pipe->lock. The record's position moves past a
 *	received message and past one that was taken back, so it does not tell them apart
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
 * @pos: position
 * @seq: count of messages, elements or records
 * @state: NFP_CHAN_STATE_*
 */
struct nfpc_note {
	u64 pos;
	u32 seq;
	u32 state;
};

/* The pipe's data queue. The next one is its arm queue. */
static inline unsigned int nfpc_pipe_queue(const struct nfpc_pipe *p)
{
	return nfp_chan_fw_queue(p->card->fw.queue_pages, p->nr);
}

/* The signal doorbell's queue, of a pipe that has one. */
static inline unsigned int nfpc_signal_queue(const struct nfpc_pipe *p)
{
	return nfp_chan_fw_queue(p->card->fw.queue_pages,
				 p->card->fw.pipe_count + p->signal_db - 1);
}

static inline u32 nfpc_pipe_ring_size(const struct nfpc_pipe *p)
{
	return 1U << p->ring_shift;
}

/* The pipe that owns the ring of @p: another pipe, or @p. */
static inline struct nfpc_pipe *nfpc_ring_of(struct nfpc_pipe *p)
{
	return p->ring_file ? p->ring_file->private_data : p;
}

static inline bool nfpc_pipe_live(struct nfpc_pipe *p)
{
	guard(mutex)(&p->lock);
	return p->live;
}

static inline bool nfpc_pipe_is_port(const struct nfpc_pipe *p)
{
	return p->chan == &p->card->port;
}

static inline bool nfpc_pipe_is_stream(const struct nfpc_pipe *p)
{
	return p->chan->kind == NFP_CHAN_STREAM;
}

/* The count in the record of a stream of bytes to the host is a number of records. */
static inline bool nfpc_pipe_counts_notes(const struct nfpc_pipe *p)
{
	return nfpc_pipe_is_stream(p) && p->chan->elem_size == 1 &&
	       p->chan->dir == NFP_CHAN_TO_HOST;
}

/* Messages that may be outstanding, as arming compares 16 bits of their count. */
#define NFPC_SEQ_SPAN	65535U

/*
 * log2 of the unit in a ring of this size. The unit has 8 bytes, or 1 byte in a stream that is not
 * a port. It is larger in large rings, because ring_shift - unit_shift is at most 16: a queue's
 * pointer of 18 bits has to tell a full ring from an empty one.
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

/* Bytes of the ring that a message takes. */
static inline u32 nfpc_pipe_span(const struct nfpc_pipe *p, u32 len)
{
	if (nfpc_pipe_is_stream(p))
		return len;
	return ALIGN(len + nfpc_pipe_hdr(p), 1U << p->unit_shift);
}

/*
 * Do @span bytes fit if @used bytes are outstanding? A rendezvous has one message at a time,
 * whatever its size.
 */
static inline bool nfpc_pipe_fits(const struct nfpc_pipe *p, u64 used, u32 span)
{
	return p->chan->depth ? used + span <= p->limit : !used;
}

/* pipe.c */
struct file *nfpc_pipe_open(struct nfpc_card *card, struct nfpc_chan *chan,
			    const struct nfp_chan_open *req, struct file *port,
			    struct file *ring);
void nfpc_pipe_close(struct nfpc_pipe *p);
void nfpc_pipe_gone(struct nfpc_pipe *p);
void nfpc_pipe_end(struct nfpc_pipe *p, bool quiet);
void nfpc_pipe_put(struct nfpc_pipe *p);
void nfpc_pipe_off(struct nfpc_pipe *p);

/* cancel.c */
int nfpc_pipe_cancel(struct nfpc_pipe *p, u32 seq);

/* link.c */
void nfpc_link_cut(struct nfpc_pipe *p, bool quiet);
void nfpc_peer_cut(struct nfpc_pipe *p);
int nfpc_link_other(const struct nfpc_pipe *p);

/* link_file.c */
int nfpc_link_ioctl(struct file *file, void *arg, void __user *uarg);
int nfpc_peer_ioctl(struct file *file, void *arg, void __user *uarg);

/* device.c */
int nfpc_device_ioctl(struct file *file, void *arg, void __user *uarg);
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
__poll_t nfpc_pipe_look(struct nfpc_pipe *p, __poll_t wanted);
__poll_t nfpc_pipe_poll(struct file *file, struct poll_table_struct *pt);
int nfpc_pipe_fasync(int fd, struct file *file, int on);

/* xdp.c */
int nfpc_xdp_bind(struct file *pipe, void *arg, void __user *uarg);
int nfpc_xdp_unbind(struct file *pipe, void *arg, void __user *uarg);
void nfpc_xdp_end(struct nfpc_pipe *p);
void nfpc_xdp_show(struct seq_file *m, struct nfpc_pipe *p);

/* irq.c */
void nfpc_pipe_event(struct nfpc_pipe *p);
void nfpc_pipe_sigio(struct nfpc_pipe *p);

/* mmap.c */
int nfpc_pipe_mmap(struct file *file, struct vm_area_struct *vma);

#endif /* NFPC_PIPE_H */
