// SPDX-License-Identifier: GPL-2.0-only
/*
 * pipe.c - the life of a pipe: opened with its file, closed with it, revoked in
 * between when the PF goes away.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/eventfd.h>
#include <linux/file.h>
#include <linux/interrupt.h>
#include <linux/libnvdimm.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include "pipe.h"
#include "trace.h"

static irqreturn_t pipe_irq(int irq, void *arg)
{
	struct nfpc_pipe *p = arg;

	/* The one writer; who reads it holds no lock of ours. */
	WRITE_ONCE(p->irqs, p->irqs + 1);
	atomic64_inc(&p->chan->irqs);
	clear_bit(NFPC_PIPE_ARMED, &p->flags);
	nfpc_pipe_event(p);
	trace_nfp_chan_interrupt(p->name, p->nr, p->irqs);
	return IRQ_HANDLED;
}

/* Bytes of a stream that may be outstanding. */
static u32 stream_limit(const struct nfpc_pipe *p)
{
	u32 n = nfpc_pipe_ring_size(p) / p->elem_size;

	if (!nfpc_pipe_counts_notes(p))
		n = min(n, NFPC_SEQ_SPAN);
	return n * p->elem_size;
}

/* Bytes that may be outstanding; of a stream stream_limit() has the rest. */
static u32 pipe_room(const struct nfpc_pipe *p)
{
	u32 size = nfpc_pipe_ring_size(p);

	return nfpc_pipe_is_stream(p) ? size :
	       min(size, NFPC_SEQ_SPAN << p->unit_shift);
}

/* Ring, unit and limit. Messages are whole units. */
static int pipe_geometry(struct nfpc_pipe *p, u32 ring_size)
{
	u32 one, room;
	u64 need;

	p->ring_shift = ring_size ? ilog2(ring_size) : NFPC_RING_SHIFT_MIN;
	for (;; p->ring_shift++) {
		p->unit_shift = nfpc_unit_shift(p, p->ring_shift);
		one = nfpc_pipe_span(p, p->max_size);
		need = (u64)one * max(p->depth, 1U);
		room = pipe_room(p);
		if (ring_size || p->ring_shift == NFPC_RING_SHIFT_MAX ||
		    (need <= nfpc_pipe_ring_size(p) && one <= room))
			break;
	}
	if (one > room)
		return -EMSGSIZE;
	if (nfpc_pipe_is_stream(p)) {
		if (p->dir == NFP_CHAN_TO_NFP &&
		    !IS_ALIGNED(p->elem_size, 1U << p->unit_shift))
			return -EMSGSIZE;
		p->limit = stream_limit(p);
		return 0;
	}
	p->limit = min_t(u64, need, room);
	return 0;
}

/* Pages of a pipe besides ring and record: see nfpc_pipe. */
#define OWN_PAGES	3

static struct nfpc_pipe *pipe_alloc(struct nfpc_card *card,
				    struct nfpc_chan *chan,
				    const struct nfp_chan_open *req)
{
	struct nfpc_pipe *p;
	int err;

	p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	if (!p)
		return ERR_PTR(-ENOMEM);
	p->payer = nfpc_payer_get();
	err = nfpc_charge(p->payer, OWN_PAGES * PAGE_SIZE);
	if (err) {
		free_uid(p->payer);
		kfree(p);
		return ERR_PTR(err);
	}
	get_device(&card->dev);
	p->card = card;
	p->chan = chan;
	p->dir = chan->dir;
	p->kind = chan->kind;
	p->elem_size = chan->elem_size;
	p->max_size = chan->max_size;
	p->depth = chan->depth;
	p->irq_count = req->irq_count;
	p->irq_usecs = req->irq_usecs;
	strscpy(p->name, chan->name, sizeof(p->name));
	INIT_LIST_HEAD(&p->node);
	INIT_LIST_HEAD(&p->binds);
	mutex_init(&p->lock);
	mutex_init(&p->read_lock);
	mutex_init(&p->cancel_lock);
	INIT_LIST_HEAD(&p->sent);
	init_waitqueue_head(&p->wq);

	err = 0;
	if (req->flags & NFP_CHAN_OPEN_RING_OF)
		err = nfpc_pair_open(p, req);
	if (!err)
		err = pipe_geometry(p, p->ring_file ? nfpc_pipe_ring_size(p) : req->ring_size);
	if (err)
		goto err_free;
	/* What is for after a detach, or for a close, too: they must not fail. */
	err = -ENOMEM;
	p->ctl = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	p->gone = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	p->sink = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	p->limbo = kzalloc(sizeof(*p->limbo), GFP_KERNEL_ACCOUNT);
	if (!p->ctl || !p->gone || !p->sink || !p->limbo)
		goto err_free;
	/* It is mapped uncached in places: what was there before is not to be seen. */
	arch_wb_cache_pmem(p->sink, PAGE_SIZE);
	return p;

err_free:
	nfpc_pair_undo(p);
	nfpc_pipe_free(p);
	return ERR_PTR(err);
}

/* The last step: the device side is closed, the interrupt freed. */
void nfpc_pipe_free(struct nfpc_pipe *p)
{
	struct eventfd_ctx *ctx = rcu_dereference_protected(p->eventfd, true);

	if (ctx)
		eventfd_ctx_put(ctx);
	nfpc_xdp_release(p);
	kfree(p->limbo);
	nfpc_pair_free(p);
	free_page((unsigned long)p->sink);
	free_page((unsigned long)p->gone);
	free_page((unsigned long)p->ctl);
	nfpc_uncharge(p->payer, OWN_PAGES * PAGE_SIZE);
	free_uid(p->payer);
	put_device(&p->card->dev);
	mutex_destroy(&p->cancel_lock);
	mutex_destroy(&p->read_lock);
	mutex_destroy(&p->lock);
	kfree(p);
}

static int pipe_nr_alloc(struct nfpc_pipe *p)
{
	struct nfpc_card *card = p->card;
	int err = 0;

	mutex_lock(&card->pipes_lock);
	p->nr = find_first_zero_bit(card->pipe_map, card->fw.pipe_count);
	if (p->nr >= card->fw.pipe_count) {
		err = -ENOSPC;
	} else if (!nfpc_user_has_room(card)) {
		err = -EDQUOT;
	} else {
		set_bit(p->nr, card->pipe_map);
		card->pipe_owner[p->nr] = nfpc_pipe_user();
	}
	mutex_unlock(&card->pipes_lock);
	return err;
}

/* One of @count that is left, counted from 1; or 0. */
static u8 map_take(unsigned long *map, unsigned int count)
{
	unsigned int n = find_first_zero_bit(map, count);

	if (n >= count)
		return 0;
	set_bit(n, map);
	return n + 1;
}

/* Pages of the card that the pipe works without, when none is left. */
static void pipe_pages_alloc(struct nfpc_pipe *p, bool inline_page)
{
	struct nfpc_card *card = p->card;

	mutex_lock(&card->pipes_lock);
	if (inline_page && p->dir == NFP_CHAN_TO_NFP && !nfpc_pipe_is_stream(p))
		p->inline_page = map_take(card->inline_map, card->fw.inline_count);
	if (p->chan->flags & NFP_CHAN_F_SIGNAL)
		p->signal_db = map_take(card->signal_db_map, card->fw.signal_db_count);
	mutex_unlock(&card->pipes_lock);
}

void nfpc_pipe_nr_free(struct nfpc_card *card, unsigned int nr, u8 inline_page, u8 signal_db)
{
	lockdep_assert_held(&card->pipes_lock);
	clear_bit(nr, card->pipe_map);
	if (inline_page)
		clear_bit(inline_page - 1, card->inline_map);
	if (signal_db)
		clear_bit(signal_db - 1, card->signal_db_map);
}

/*
 * What the card used. Without its word that it does not any more, memory and
 * number stay out of use; the vector does not: a late interrupt is spurious
 * at worst.
 */
static void pipe_memory_drop(struct nfpc_pipe *p, bool quiet)
{
	struct nfpc_limbo *limbo = p->limbo;

	if (quiet) {
		nfpc_dma_free(p->card, &p->note);
		nfpc_dma_free(p->card, &p->ring);
		mutex_lock(&p->card->pipes_lock);
		nfpc_pipe_nr_free(p->card, p->nr, p->inline_page, p->signal_db);
		mutex_unlock(&p->card->pipes_lock);
		return;
	}
	limbo->nr = p->nr;
	limbo->inline_page = p->inline_page;
	limbo->signal_db = p->signal_db;
	limbo->note = p->note;
	limbo->ring = p->ring;
	/* The ring of another goes there behind it, when that one is closed. */
	if (p->ring_file)
		WRITE_ONCE(nfpc_ring_of(p)->held, true);
	p->limbo = NULL;
	nfpc_limbo_add(p->card, limbo);
}

/* @unsure: set if the card may have the pipe open, now or later. */
static int pipe_cmd_open(struct nfpc_pipe *p, bool *unsure)
{
	union nfpc_req req = {
		.req.cmd = cpu_to_le16(NFP_CHAN_FW_CMD_OPEN),
		.req.pipe = cpu_to_le16(p->nr),
		.req.chan = cpu_to_le16(p->chan->id),
		.req.vector = cpu_to_le16(p->vec.map.index),
		.req.ring_shift = p->ring_shift,
		.req.unit_shift = p->unit_shift,
		.req.inline_page = p->inline_page,
		.req.signal_db = p->signal_db,
		.req.ring_addr = cpu_to_le64(nfpc_ring_of(p)->ring.addr),
		.req.note_addr = cpu_to_le64(p->note.addr),
		.req.irq_count = cpu_to_le16(p->irq_count),
		.req.irq_usecs = cpu_to_le32(p->irq_usecs),
		.req.port = cpu_to_le16(p->port),
		.req.cookie = cpu_to_le64(p->cookie),
		.req.ring_of = cpu_to_le16(p->ring_file ? nfpc_ring_of(p)->nr + 1 : 0),
		.req.flags = cpu_to_le16(p->link_only ? NFP_CHAN_FW_OPEN_LINK : 0),
	};
	struct nfpc_answer answer;
	int err;

	err = nfpc_mbox_exec(p->card, &req, &answer);
	*unsure = answer.unsure;
	switch (err) {
	case -ENOENT:
		return -EPIPE;	/* the channel is in the table: its process has ended */
	case -EINVAL:
	case -EOPNOTSUPP:
		/* Nothing that the caller could do otherwise. */
		dev_warn_ratelimited(&p->card->pdev->dev,
				     "firmware refused to open %s: %pe\n",
				     p->name, ERR_PTR(err));
		return -EIO;
	}
	return err;
}

/* True when the card has let go of the pipe. */
bool nfpc_pipe_nr_close(struct nfpc_card *card, unsigned int nr)
{
	struct nfpc_answer answer;
	int err;

	err = nfpc_mbox_simple(card, NFP_CHAN_FW_CMD_CLOSE, nr, &answer);
	/* ENOENT: it was not open to the card, so it does not use it. */
	return !err || err == -ENOENT;
}

static int pipe_start(struct nfpc_pipe *p, bool inline_page)
{
	struct nfpc_card *card = p->card;
	bool unsure = false;
	char what[48];
	int err;

	lockdep_assert_held(&card->win_sem);
	if (!card->live)
		return -ENODEV;
	nfpc_limbo_retry(card);
	err = pipe_nr_alloc(p);
	if (err)
		return err;
	pipe_pages_alloc(p, inline_page);
	if (!p->ring_file)
		err = nfpc_dma_alloc(card, &p->ring, nfpc_pipe_ring_size(p), p->payer);
	if (err)
		goto err_mem;
	err = nfpc_dma_alloc(card, &p->note, sizeof(struct nfp_chan_note), p->payer);
	if (err)
		goto err_mem;
	snprintf(what, sizeof(what), "%s-%u", p->name, p->nr);
	err = nfpc_vector_alloc(card, &p->vec, pipe_irq, p, what);
	if (err)
		goto err_mem;
	p->db = nfpc_queue(card, card->fw.queue_base + 2 * p->nr);
	err = pipe_cmd_open(p, &unsure);
	if (err)
		goto err_vec;

	mutex_lock(&p->lock);
	p->live = true;
	mutex_unlock(&p->lock);
	mutex_lock(&card->pipes_lock);
	list_add_tail(&p->node, &card->pipes);
	p->chan->pipes++;
	mutex_unlock(&card->pipes_lock);
	return 0;

err_vec:
	nfpc_vector_free(card, &p->vec, p);
err_mem:
	pipe_memory_drop(p, !unsure);
	return err;
}

/*
 * A file of its own, or an error; EBUSY, ENOSPC, EMSGSIZE as in nfp_chan.h. The
 * caller keeps the file of @port, which may be NULL, from being released.
 */
struct file *nfpc_pipe_open(struct nfpc_card *card, struct nfpc_chan *chan,
			    const struct nfp_chan_open *req,
			    const struct nfpc_pipe *port)
{
	struct nfpc_pipe *p;
	struct file *file;
	int err;

	p = pipe_alloc(card, chan, req);
	if (IS_ERR(p))
		return ERR_CAST(p);
	p->port = port ? port->nr + 1 : 0;
	p->cookie = req->cookie;
	p->link_only = req->flags & NFP_CHAN_OPEN_LINK;
	file = nfpc_pipe_file(p, req->flags & NFP_CHAN_OPEN_NONBLOCK);
	if (IS_ERR(file)) {
		nfpc_pair_undo(p);
		nfpc_pipe_free(p);
		return file;
	}
	/* From here on the file owns the pipe. */
	down_read(&card->win_sem);
	err = pipe_start(p, req->flags & NFP_CHAN_OPEN_INLINE);
	up_read(&card->win_sem);
	if (err) {
		nfpc_pair_undo(p);
		fput(file);
		return ERR_PTR(err);
	}
	return file;
}

/* At the release of the file: no mapping and no call is left. */
void nfpc_pipe_close(struct nfpc_pipe *p)
{
	struct nfpc_card *card = p->card;
	bool quiet;

	nfpc_peer_cut(p);
	down_read(&card->win_sem);
	/* Not in the list: never started, or revoked. */
	if (!list_empty(&p->node)) {
		mutex_lock(&card->pipes_lock);
		list_del_init(&p->node);
		p->chan->pipes--;
		mutex_unlock(&card->pipes_lock);
		mutex_lock(&p->lock);
		p->live = false;
		mutex_unlock(&p->lock);
		/* What is in limbo is closed first: the retry keeps the order. */
		quiet = !READ_ONCE(p->held) && nfpc_pipe_nr_close(card, p->nr);
		nfpc_link_cut(p, quiet);
		p->limbo->device = nfpc_device_cut(p, quiet);
		nfpc_vector_free(card, &p->vec, p);
		pipe_memory_drop(p, quiet);
		if (READ_ONCE(p->held))
			nfpc_limbo_retry(card);
	}
	up_read(&card->win_sem);
}

/*
 * At detach, the card told already: user space keeps its mappings, but the record's
 * page faults in again as one of our own that says GONE. Before the ring of any pipe
 * goes, which may be this one's as well: who has read messages looks at the record
 * then, and a card that has not confirmed may say in the old one what it likes.
 */
void nfpc_pipe_gone(struct nfpc_pipe *p)
{
	struct nfp_chan_note *note = p->note.cpu;
	struct nfpc_note n;

	lockdep_assert_held_write(&p->card->win_sem);
	mutex_lock(&p->lock);
	p->live = false;
	/* A card that has not confirmed may write there still. */
	nfpc_note_get(p, &n);
	p->gone->seq = cpu_to_le32(n.seq);
	p->gone->pos = cpu_to_le64(n.pos);
	p->gone->state = cpu_to_le32(NFP_CHAN_STATE_GONE);
	/*
	 * Also in the page that is mapped now: who reads it, then messages,
	 * then it again, can tell whether the messages were still there.
	 */
	WRITE_ONCE(note->state, p->gone->state);
	p->db = NULL;
	mutex_unlock(&p->lock);
	unmap_mapping_range(p->mapping, NFPC_OFF_NOTE, PAGE_SIZE, 1);
}

/* The rest of it: pages of our own are what is mapped from here on. */
void nfpc_pipe_revoke(struct nfpc_pipe *p, bool quiet)
{
	lockdep_assert_held_write(&p->card->win_sem);
	nfpc_xdp_revoke(p);
	unmap_mapping_range(p->mapping, 0, 0, 1);
	nfpc_vector_free(p->card, &p->vec, p);
	if (quiet) {
		nfpc_dma_free(p->card, &p->note);
		nfpc_dma_free(p->card, &p->ring);
	} else {
		nfpc_dma_abandon(p->card, &p->note);
		nfpc_dma_abandon(p->card, &p->ring);
	}
	nfpc_pipe_event(p);
}
