// SPDX-License-Identifier: GPL-2.0-only
/*
 * pipe.c - open and close of a pipe, together with its file, and its end when the card detaches
 * while the file is open.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/eventfd.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include "pipe.h"
#include "trace.h"

static irqreturn_t pipe_irq(int irq, void *arg)
{
	struct nfpc_pipe *p = arg;

	/* Only this handler writes the count. Readers hold no lock. */
	WRITE_ONCE(p->irqs, p->irqs + 1);
	atomic64_inc(&p->chan->irqs);
	clear_bit(NFPC_PIPE_ARMED, &p->flags);
	nfpc_pipe_event(p);
	trace_nfp_chan_interrupt(p->chan->name, p->nr, p->irqs);
	return IRQ_HANDLED;
}

/* Bytes of a stream that may be outstanding. */
static u32 stream_limit(const struct nfpc_pipe *p)
{
	u32 n = nfpc_pipe_ring_size(p) / p->chan->elem_size;

	if (!nfpc_pipe_counts_notes(p))
		n = min(n, NFPC_SEQ_SPAN);
	return n * p->chan->elem_size;
}

/* The ring's limit for outstanding bytes. Streams have a further one, stream_limit(). */
static u32 pipe_room(const struct nfpc_pipe *p)
{
	u32 size = nfpc_pipe_ring_size(p);

	return nfpc_pipe_is_stream(p) ? size :
	       min(size, NFPC_SEQ_SPAN << p->unit_shift);
}

/* Choose ring, unit and limit. Messages take whole units. */
static int pipe_geometry(struct nfpc_pipe *p, u32 ring_size)
{
	u32 one, room;
	u64 need;

	p->ring_shift = ring_size ? ilog2(ring_size) : NFPC_RING_SHIFT_MIN;
	for (;; p->ring_shift++) {
		p->unit_shift = nfpc_unit_shift(p, p->ring_shift);
		one = nfpc_pipe_span(p, p->chan->max_size);
		need = (u64)one * max(p->chan->depth, 1U);
		room = pipe_room(p);
		if (ring_size || p->ring_shift == NFPC_RING_SHIFT_MAX ||
		    (need <= nfpc_pipe_ring_size(p) && one <= room))
			break;
	}
	if (one > room)
		return -EMSGSIZE;
	if (nfpc_pipe_is_stream(p)) {
		if (p->chan->dir == NFP_CHAN_TO_NFP &&
		    !IS_ALIGNED(p->chan->elem_size, 1U << p->unit_shift))
			return -EMSGSIZE;
		p->limit = stream_limit(p);
		return 0;
	}
	p->limit = min_t(u64, need, room);
	return 0;
}

/* @p, which is being opened, shares the ring of the pipe whose file is @ring. */
static int pipe_share(struct nfpc_pipe *p, struct file *ring)
{
	const struct nfpc_pipe *rx = nfpc_pipe_of(ring);

	if (p->chan->dir != NFP_CHAN_TO_NFP || !nfpc_pipe_is_stream(p) ||
	    rx->chan->elem_size != p->chan->elem_size)
		return -EPROTOTYPE;
	p->ring_file = get_file(ring);
	return pipe_geometry(p, nfpc_pipe_ring_size(rx));
}

/*
 * The pages that a detach needs are allocated here, because the detach must not fail. No lock is
 * held, because allocations may sleep for long.
 */
static int pipe_memory(struct nfpc_pipe *p)
{
	gfp_t gfp = GFP_KERNEL_ACCOUNT | p->card->gfp;
	unsigned int i;

	/* Page by page: a small ring needs no contiguous pages, so memory may be in fragments. */
	for (i = 0; i < ARRAY_SIZE(p->own); i++) {
		p->own[i] = nfpc_buf_alloc(PAGE_SIZE, GFP_KERNEL_ACCOUNT);
		if (IS_ERR(p->own[i]))
			return -ENOMEM;
	}
	p->ctl = p->own[0]->cpu;
	p->gone = p->own[1]->cpu;
	p->sink = p->own[2]->cpu;
	p->note = nfpc_buf_alloc(sizeof(struct nfp_chan_note), gfp);
	if (!p->ring_file)
		p->ring = nfpc_buf_alloc(nfpc_pipe_ring_size(p), gfp);
	return IS_ERR(p->note) || IS_ERR(p->ring) ? -ENOMEM : 0;
}

static struct nfpc_pipe *pipe_alloc(struct nfpc_card *card, struct nfpc_chan *chan,
				    const struct nfp_chan_open *req, struct file *port,
				    struct file *ring)
{
	struct nfpc_pipe *p;
	int err;

	p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	if (!p)
		return ERR_PTR(-ENOMEM);
	get_device(&card->dev);
	p->card = card;
	p->chan = chan;
	p->irq_count = req->irq_count;
	p->irq_usecs = req->irq_usecs;
	p->cookie = req->cookie;
	p->port = port ? nfpc_pipe_of(port)->nr + 1 : 0;
	p->link_only = req->flags & NFP_CHAN_OPEN_LINK;
	p->mapped = req->flags & NFP_CHAN_OPEN_MAPPED;
	p->db_map = nfpc_may_map();
	kref_init(&p->ref);
	INIT_LIST_HEAD(&p->node);
	INIT_LIST_HEAD(&p->binds);
	mutex_init(&p->lock);
	mutex_init(&p->read_lock);
	mutex_init(&p->cancel_lock);
	INIT_LIST_HEAD(&p->sent);
	init_waitqueue_head(&p->wq);

	err = ring ? pipe_share(p, ring) : pipe_geometry(p, req->ring_size);
	if (!err)
		err = pipe_memory(p);
	if (!err)
		return p;
	nfpc_pipe_put(p);
	return ERR_PTR(err);
}

/* @p ends, and releases the pipe whose ring it shares. */
static void pipe_unshare(struct nfpc_pipe *p)
{
	if (p->ring_file)
		fput(p->ring_file);
	p->ring_file = NULL;
}

static void pipe_release(struct kref *ref)
{
	struct nfpc_pipe *p = container_of(ref, struct nfpc_pipe, ref);
	struct eventfd_ctx *ctx = rcu_dereference_protected(p->eventfd, true);
	unsigned int i;

	if (ctx)
		eventfd_ctx_put(ctx);
	pipe_unshare(p);
	nfpc_buf_put(p->ring);
	nfpc_buf_put(p->note);
	for (i = 0; i < ARRAY_SIZE(p->own); i++)
		nfpc_buf_put(p->own[i]);
	put_device(&p->card->dev);
	mutex_destroy(&p->cancel_lock);
	mutex_destroy(&p->read_lock);
	mutex_destroy(&p->lock);
	kfree(p);
}

void nfpc_pipe_put(struct nfpc_pipe *p)
{
	kref_put(&p->ref, pipe_release);
}

static int pipe_nr_alloc(struct nfpc_pipe *p)
{
	struct nfpc_card *card = p->card;

	guard(mutex)(&card->pipes_lock);
	p->nr = find_first_zero_bit(card->pipe_map, card->fw.pipe_count);
	if (p->nr >= card->fw.pipe_count)
		return -ENOSPC;
	if (!nfpc_user_has_room(card))
		return -EDQUOT;
	set_bit(p->nr, card->pipe_map);
	card->pipe_owner[p->nr] = nfpc_pipe_user();
	return 0;
}

/* Take a clear bit of the first @count in @map. Return: its number + 1, or 0. */
static u8 map_take(unsigned long *map, unsigned int count)
{
	unsigned int n = find_first_zero_bit(map, count);

	if (n >= count)
		return 0;
	set_bit(n, map);
	return n + 1;
}

/* Pages of the card that are optional: if none is free, the pipe works without. */
static void pipe_pages_alloc(struct nfpc_pipe *p, bool inline_page)
{
	struct nfpc_card *card = p->card;

	guard(mutex)(&card->pipes_lock);
	if (inline_page && p->db_map && p->chan->dir == NFP_CHAN_TO_NFP && !nfpc_pipe_is_stream(p))
		p->inline_page = map_take(card->inline_map, card->fw.inline_count);
	if (p->db_map && p->chan->flags & NFP_CHAN_F_SIGNAL)
		p->signal_db = map_take(card->signal_db_map, card->fw.signal_db_count);
}

/**
 * nfpc_pipe_end() - end a pipe: take back everything of the card, and the card's reference
 * @p: the pipe, which is not live, with win_sem held
 * @quiet: the card has confirmed that it does not use the pipe any more
 *
 * No page of the card stays mapped in a process.
 */
void nfpc_pipe_end(struct nfpc_pipe *p, bool quiet)
{
	struct nfpc_card *card = p->card;

	lockdep_assert_held(&card->win_sem);
	nfpc_link_cut(p, quiet);
	nfpc_device_end(p, quiet);
	nfpc_xdp_end(p);
	if (p->mapping)
		unmap_mapping_range(p->mapping, 0, 0, 1);
	nfpc_vector_free(card, &p->vec, p);
	nfpc_dma_end(card, p->note_dma, quiet);
	nfpc_dma_end(card, p->ring_dma, quiet);
	mutex_lock(&card->pipes_lock);
	list_del_init(&p->node);
	clear_bit(p->nr, card->pipe_map);
	if (p->inline_page)
		clear_bit(p->inline_page - 1, card->inline_map);
	if (p->signal_db)
		clear_bit(p->signal_db - 1, card->signal_db_map);
	mutex_unlock(&card->pipes_lock);
	nfpc_pipe_event(p);
	nfpc_pipe_put(p);
}

static int pipe_map(struct nfpc_pipe *p)
{
	p->note_dma = nfpc_dma_map(p->card, p->note);
	if (IS_ERR(p->note_dma))
		return PTR_ERR(p->note_dma);
	if (!p->ring_file)
		p->ring_dma = nfpc_dma_map(p->card, p->ring);
	return PTR_ERR_OR_ZERO(p->ring_dma);
}

/* @unsure is set if the card may open the pipe although this function fails. */
static int pipe_cmd_open(struct nfpc_pipe *p, bool *unsure)
{
	union nfpc_req req = {
		.req.chan = cpu_to_le16(p->chan->id),
		.req.vector = cpu_to_le16(p->vec.map.index),
		.req.ring_shift = p->ring_shift,
		.req.unit_shift = p->unit_shift,
		.req.inline_page = p->inline_page,
		.req.signal_db = p->signal_db,
		.req.ring_addr = cpu_to_le64(nfpc_ring_of(p)->ring_dma->addr),
		.req.note_addr = cpu_to_le64(p->note_dma->addr),
		.req.irq_count = cpu_to_le16(p->irq_count),
		.req.irq_usecs = cpu_to_le32(p->irq_usecs),
		.req.port = cpu_to_le16(p->port),
		.req.cookie = cpu_to_le64(p->cookie),
		.req.ring_of = cpu_to_le16(p->ring_file ? nfpc_ring_of(p)->nr + 1 : 0),
		.req.flags = cpu_to_le16(p->link_only ? NFP_CHAN_FW_OPEN_LINK : 0),
	};
	int err = nfpc_mbox_exec(p->card, NFP_CHAN_FW_CMD_OPEN, p->nr, &req, unsure);

	switch (err) {
	case -ENOENT:
		return -EPIPE;	/* the ME process has ended: the table has the channel */
	case -EINVAL:
	case -EOPNOTSUPP:
		/* The module has checked the request, so this is not the caller's fault. */
		dev_warn_ratelimited(&p->card->pdev->dev,
				     "firmware refused to open %s: %pe\n",
				     p->chan->name, ERR_PTR(err));
		return -EIO;
	}
	return err;
}

static int pipe_start(struct nfpc_pipe *p, bool inline_page)
{
	struct nfpc_card *card = p->card;
	bool unsure = false;
	char what[48];
	int err;

	lockdep_assert_held(&card->win_sem);
	if (!nfpc_card_live(card))
		return -ENODEV;
	nfpc_orphans_close(card);
	err = pipe_nr_alloc(p);
	if (err)
		return err;
	kref_get(&p->ref);
	pipe_pages_alloc(p, inline_page);
	p->db = nfpc_queue(card, nfpc_pipe_queue(p));
	snprintf(what, sizeof(what), "%s-%u", p->chan->name, p->nr);
	err = pipe_map(p) ?: nfpc_vector_alloc(card, &p->vec, pipe_irq, p, what) ?:
	      pipe_cmd_open(p, &unsure);
	if (err && !unsure) {
		nfpc_pipe_end(p, true);
		return err;
	}
	/* Without an answer the card may open the pipe, so the release of the file closes it. */
	scoped_guard(mutex, &p->lock)
		p->live = !err;
	guard(mutex)(&card->pipes_lock);
	list_add_tail(&p->node, &card->pipes);
	p->chan->pipes++;
	return err;
}

/* Return: the pipe's file, or an error of NFP_CHAN_IOC_OPEN (nfp_chan.h). */
struct file *nfpc_pipe_open(struct nfpc_card *card, struct nfpc_chan *chan,
			    const struct nfp_chan_open *req, struct file *port,
			    struct file *ring)
{
	struct nfpc_pipe *p;
	struct file *file;
	int err;

	p = pipe_alloc(card, chan, req, port, ring);
	if (IS_ERR(p))
		return ERR_CAST(p);
	file = nfpc_pipe_file(p, req->flags & NFP_CHAN_OPEN_NONBLOCK);
	if (IS_ERR(file)) {
		nfpc_pipe_put(p);
		return file;
	}
	/* From here on the file has the reference. */
	scoped_guard(rwsem_read, &card->win_sem)
		err = pipe_start(p, req->flags & NFP_CHAN_OPEN_INLINE);
	if (err) {
		fput(file);
		return ERR_PTR(err);
	}
	return file;
}

/* 0: the card has closed the pipe, which has ended. */
static int pipe_cmd_close(struct nfpc_pipe *p)
{
	bool unsure;
	int err;

	err = nfpc_mbox_simple(p->card, NFP_CHAN_FW_CMD_CLOSE, p->nr, &unsure);
	/* -ENOENT: for the card the pipe was not open. */
	if (err && err != -ENOENT)
		return err;
	nfpc_pipe_end(p, true);
	return 0;
}

/* The card has not confirmed the close. Nothing but the pipe and its memory is kept. */
static void pipe_orphan(struct nfpc_pipe *p)
{
	struct nfpc_card *card = p->card;

	nfpc_link_cut(p, false);
	nfpc_vector_free(card, &p->vec, p);
	pipe_unshare(p);
	p->mapping = NULL;
	guard(mutex)(&card->pipes_lock);
	list_add_tail(&p->node, &card->orphans);
}

/* The file is released, so there are no mappings and no calls. */
void nfpc_pipe_close(struct nfpc_pipe *p)
{
	struct nfpc_card *card = p->card;

	nfpc_peer_cut(p);
	down_read(&card->win_sem);
	/* A pipe that is not in the list was never started, or has ended. */
	if (!list_empty(&p->node)) {
		scoped_guard(mutex, &card->pipes_lock) {
			p->chan->pipes--;
			list_del_init(&p->node);
		}
		scoped_guard(mutex, &p->lock)
			p->live = false;
		if (pipe_cmd_close(p))
			pipe_orphan(p);
	}
	up_read(&card->win_sem);
	nfpc_pipe_put(p);
}

/**
 * nfpc_orphans_close() - ask the card again to close the orphans
 * @card: the card, live
 *
 * Stops when the card does not answer, but not when it refuses to close one orphan. Until the card
 * confirms the close, it may deliver messages to an orphan, and an exclusive channel is taken.
 */
void nfpc_orphans_close(struct nfpc_card *card)
{
	struct nfpc_pipe *p, *next;
	LIST_HEAD(todo);
	int err;

	lockdep_assert_held(&card->win_sem);
	if (list_empty_careful(&card->orphans))
		return;
	guard(mutex)(&card->orphan_lock);
	scoped_guard(mutex, &card->pipes_lock)
		list_splice_init(&card->orphans, &todo);
	list_for_each_entry_safe(p, next, &todo, node) {
		err = pipe_cmd_close(p);
		if (err && err != -EINVAL && err != -EBUSY)
			break;
	}
	guard(mutex)(&card->pipes_lock);
	list_splice(&todo, &card->orphans);
}

/*
 * The card detaches, and was asked to close all pipes. The record of @p gets the state GONE. The
 * mapping of the record is zapped, and the next fault maps p->gone, because a card that has not
 * confirmed may still write to the old record.
 *
 * This is done for all pipes before any ring is unmapped: a process that has copied a message
 * reads the state after the copy, and then finds that the copy may be invalid.
 */
void nfpc_pipe_gone(struct nfpc_pipe *p)
{
	struct nfp_chan_note *note = p->note->cpu;
	struct nfpc_note n;

	lockdep_assert_held_write(&p->card->win_sem);
	mutex_lock(&p->lock);
	p->live = false;
	nfpc_note_get(p, &n);
	p->gone->seq = cpu_to_le32(n.seq);
	p->gone->pos = cpu_to_le64(n.pos);
	p->gone->state = cpu_to_le32(NFP_CHAN_STATE_GONE);
	/* The old page is still mapped in processes that are just reading messages. */
	WRITE_ONCE(note->state, p->gone->state);
	p->db = NULL;
	mutex_unlock(&p->lock);
	if (p->mapping)
		unmap_mapping_range(p->mapping, NFPC_OFF_NOTE, PAGE_SIZE, 1);
}

/* Nothing but the close works on the pipe any more. */
void nfpc_pipe_off(struct nfpc_pipe *p)
{
	scoped_guard(mutex, &p->lock)
		p->error = -EIO;
	nfpc_pipe_event(p);
}
