// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* app_card.c - see app_card.h. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "bench/app_card.h"
#include "packet.h"

#define ADDRESSES	64	/* of a round, until they come again */
#define SHIFT		18	/* log2 of the bytes of a ring of packets */
#define SHIFT_BYTES	20	/* the same of a stream of bytes */
#define POOL_BYTES	(((size_t)DESC_POOL * DESC_STRIDE + HUGE - 1) / HUGE * HUGE)
#define RX_BYTES	(DESC_RX * sizeof(uint64_t))
#define HUGE		(2ul << 20)

static void card_fail(const char *what)
{
	fprintf(stderr, "app_card: %s\n", what);
	exit(1);
}

/* ---- memory ---- */

static void *card_shared(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		card_fail("no memory");
	return p;
}

/* Map memory of @len bytes @times times, one after the other. */
static void *card_map(size_t len, unsigned int times)
{
	int fd = memfd_create("card", MFD_CLOEXEC);
	uint8_t *p;

	if (fd < 0 || ftruncate(fd, (off_t)len))
		card_fail("no memory");
	p = mmap(NULL, times * len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	for (unsigned int i = 0; i < times; i++)
		if (p == MAP_FAILED || mmap(p + i * len, len, PROT_READ | PROT_WRITE,
					    MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			card_fail("no memory");
	close(fd);
	return p;
}

/* The pool is in huge pages, as DPDK has it, if the kernel gives them. */
static void *card_pool(const struct card *c)
{
	uint8_t *p;

	if (c->where == CARD_APART)
		return card_map(POOL_BYTES, ADDRESSES);
	p = aligned_alloc(HUGE, POOL_BYTES);
	if (!p)
		card_fail("no memory");
	madvise(p, POOL_BYTES, MADV_HUGEPAGE);
	memset(p, 0, POOL_BYTES);
	return p;
}

/* ---- pipes ---- */

static void pipe_note(struct card_pipe *p)
{
	uint64_t *w = (uint64_t *)p->note;

	__atomic_store_n(&w[0], htole64(p->pos), __ATOMIC_RELEASE);
	__atomic_store_n(&w[1], htole64(p->seq), __ATOMIC_RELEASE);
}

/* @elem: bytes of a stream's element; 0: messages */
static void pipe_open(struct card_pipe *p, uint32_t dir, uint32_t elem, unsigned int shift,
		      uint8_t *base)
{
	static volatile uint32_t doorbells[2];
	struct ring_db db = { .reg = { &doorbells[0], &doorbells[1] } };
	unsigned int least = elem ? 0 : 3;
	struct nfp_chan_layout *g = &p->layout;

	*g = (struct nfp_chan_layout){
		.dir = dir, .kind = elem ? NFP_CHAN_STREAM : NFP_CHAN_MESSAGE, .elem_size = elem,
		.max_size = elem ? elem : 2048, .depth = elem ? (1u << shift) / elem : 4096,
		.ring_size = 1u << shift, .limit = 1u << shift,
		.unit_shift = shift - 16 > least ? shift - 16 : least,
	};
	if (elem > 1 && g->limit / elem > 65535)
		g->limit = 65535 * elem;
	p->base = base;
	p->note = card_shared(4096);
	p->ctl = card_shared(4096);
	/*
	 * Messages that came, and those that go, lie at different places of their rings: the
	 * simulator's prefetcher takes equal places for one place.
	 */
	p->pos = dir == NFP_CHAN_TO_NFP && !elem ? 3 << 16 : 0;
	p->ctl->pos = p->pos;
	p->ctl->rung = p->pos;
	pipe_note(p);
	p->ch.fd = -1;
	p->ch.layout = *g;
	if (ring_init(&p->ch.ring, g, base, p->note, p->ctl, &db))
		card_fail(p->ch.ring.err.fmt);
	ring_alone(&p->ch.ring, true);
}

static uint8_t *pipe_at(const struct card_pipe *p)
{
	return p->base + p->pos % p->layout.ring_size;
}

/* The host has returned, or given back, all up to this position. */
static uint64_t pipe_given(const struct card_pipe *p)
{
	return __atomic_load_n(&p->ctl->rung, __ATOMIC_ACQUIRE);
}

/* ---- what the host sends ---- */

static void card_sent(struct card *c, const uint8_t *data, uint32_t len)
{
	uint64_t word;

	c->sent++;
	for (uint32_t i = 0; c->check && i + 8 <= len; i += 8) {
		memcpy(&word, data + i, 8);
		c->digest = packet_mix(c->digest ^ word);
	}
}

static void take_none(struct card *c)
{
}

static void take_frames(struct card *c)
{
	uint64_t end = pipe_given(&c->in);
	const struct nfp_frames_hdr *f;

	for (; c->out.pos < end; c->out.pos += NFP_FRAMES_ROOM(le16toh(f->caplen))) {
		f = (const struct nfp_frames_hdr *)pipe_at(&c->out);
		if (f->port != FRAME_NO_PORT)
			card_sent(c, (const uint8_t *)(f + 1), le16toh(f->caplen));
	}
}

static void take_elems(struct card *c)
{
	for (; c->out.pos < pipe_given(&c->in); c->out.pos += 64)
		card_sent(c, pipe_at(&c->out), 64);
}

static void take_msgs(struct card *c)
{
	uint64_t end = __atomic_load_n(&c->out.ctl->pos, __ATOMIC_ACQUIRE);
	const struct nfp_chan_hdr *hdr;
	uint32_t len;

	for (; c->out.pos < end; c->out.pos += (sizeof(*hdr) + len + 7) & ~7u) {
		hdr = (const struct nfp_chan_hdr *)pipe_at(&c->out);
		len = le32toh(hdr->len);
		if (le16toh(hdr->seq) != (uint16_t)++c->out.seq)
			card_fail("the host sends a wrong header");
		card_sent(c, (const uint8_t *)(hdr + 1), len);
	}
}

static void take_ring(struct card *c)
{
	struct desc_ring *r = &c->ring;
	uint64_t desc;

	for (; r->tx_done != r->tx_next; r->tx_done++) {
		desc = r->tx[r->tx_done % DESC_TX].addr_len;
		card_sent(c, (const uint8_t *)(desc << 16 >> 16), (uint32_t)(desc >> DESC_LEN));
	}
}

/* ---- what the card writes ---- */

/* Drive what was written out of all caches. */
static void card_flush(const void *p, size_t len)
{
	const char *end = (const char *)p + len;

	for (const char *at = (const char *)((uintptr_t)p & ~63ul); at < end; at += 64)
		__builtin_ia32_clflush(at);
}

static void fill_frames(struct card *c)
{
	struct nfp_frames_hdr *f = (struct nfp_frames_hdr *)pipe_at(&c->in);
	uint32_t len = c->make((uint8_t *)(f + 1), c->made++);

	f->kind = NFP_FRAMES_FRAME;
	f->port = 0;
	f->caplen = htole16((uint16_t)len);
	f->len = htole32(len);
	f->ns = htole64(c->made);
	c->in.pos += NFP_FRAMES_ROOM(len);
}

static void fill_stream(struct card *c)
{
	c->in.pos += c->make(pipe_at(&c->in), c->made++);
}

static void fill_msgs(struct card *c)
{
	struct nfp_chan_hdr *hdr = (struct nfp_chan_hdr *)pipe_at(&c->in);
	uint32_t len = c->make((uint8_t *)(hdr + 1), c->made++);

	*hdr = (struct nfp_chan_hdr){ htole32(len), htole16((uint16_t)++c->in.seq), 0 };
	c->in.pos += (sizeof(*hdr) + len + 7) & ~7u;
}

static void fill_ring(struct card *c)
{
	uint32_t at = c->rx_pos++ % DESC_RX, len;
	uint64_t *desc = (uint64_t *)c->rx + at;
	size_t off;

	if (*desc & DESC_DONE)
		card_fail("no free descriptor");
	len = c->make((uint8_t *)*desc, c->made++);
	if (c->where == CARD_BESIDE) {
		card_flush((void *)*desc, len);
	} else if (c->where == CARD_APART) {
		off = (size_t)(*desc - DESC_HEADROOM - (uintptr_t)c->bufs);
		c->ring.rx_bufs[at]->addr = c->bufs + c->round % ADDRESSES * POOL_BYTES + off;
	}
	__atomic_store_n(desc, DESC_DONE | len, __ATOMIC_RELEASE);
}

static const struct {
	void (*take)(struct card *c);
	void (*fill)(struct card *c);
} work[] = {
	[CARD_FRAMES] = { take_frames, fill_frames },
	[CARD_ELEMS] = { take_elems, fill_stream },
	[CARD_BYTES] = { take_none, fill_stream },
	[CARD_MSGS] = { take_msgs, fill_msgs },
	[CARD_RING] = { take_ring, fill_ring },
};

static void card_work(struct card *c)
{
	uint64_t from = c->in.pos;

	if (c->out.note || c->kind == CARD_RING)
		work[c->kind].take(c);
	for (int i = 0; i < CARD_ROUND; i++)
		work[c->kind].fill(c);
	if (c->kind == CARD_RING) {
		if (c->where == CARD_BESIDE)
			card_flush(c->rx, RX_BYTES);
		return;
	}
	if (c->where == CARD_BESIDE)
		card_flush(c->in.base + from % c->in.layout.ring_size, c->in.pos - from);
	if (c->in.pos - pipe_given(&c->in) > c->in.layout.limit)
		card_fail("a round is more than the ring holds");
	if (c->out.note)
		pipe_note(&c->out);
	pipe_note(&c->in);
}

/* ---- thread and process ---- */

static _Atomic(struct card *) card_asked;

uint64_t card_step(void *arg)
{
	struct card *c = atomic_load_explicit(&card_asked, memory_order_acquire);

	if (!c) {
		__builtin_ia32_pause();
		return 0;
	}
	card_work(c);
	atomic_store_explicit(&card_asked, NULL, memory_order_release);
	return 0;
}

static void card_process(struct card *c)
{
	char byte;

	if (pipe(c->to_card) || pipe(c->to_host))
		card_fail("no pipes");
	c->pid = fork();
	if (c->pid < 0)
		card_fail("no process");
	if (c->pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(c->to_card[0], &byte, 1) == 1) {
		card_work(c);
		if (write(c->to_host[1], &byte, 1) != 1)
			break;
	}
	_exit(1);
}

/* Give the host the addresses of this round. */
static void card_readdress(struct card *c)
{
	unsigned int n = c->where == CARD_APART ? c->round % ADDRESSES : 0;

	if (c->kind == CARD_RING) {
		c->ring.rx = (uint64_t *)(c->rx + n * RX_BYTES);
		return;
	}
	c->in.ch.ring.data = c->in.base + 2ull * n * c->in.layout.ring_size;
	if (c->in.base == c->out.base)
		c->out.ch.ring.data = c->in.ch.ring.data;
}

void card_next(struct card *c)
{
	char byte = 0;

	c->round++;
	if (c->where == CARD_APART) {
		if (write(c->to_card[1], &byte, 1) != 1 || read(c->to_host[0], &byte, 1) != 1)
			card_fail("the card's process has ended");
	} else if (c->where == CARD_HERE) {
		card_work(c);
	} else {
		atomic_store_explicit(&card_asked, c, memory_order_release);
		while (atomic_load_explicit(&card_asked, memory_order_acquire))
			__builtin_ia32_pause();
	}
	card_readdress(c);
}

/* ---- making and freeing ---- */

static void ring_open(struct card *c)
{
	struct desc_ring *r = &c->ring;
	struct mbuf *m;

	c->rx = card_map(RX_BYTES, c->where == CARD_APART ? ADDRESSES : 1);
	r->rx = (uint64_t *)c->rx;
	r->tx = card_shared(DESC_TX * sizeof(*r->tx));
	c->bufs = card_pool(c);
	for (uint32_t i = 0; i < DESC_POOL; i++) {
		m = (struct mbuf *)(c->bufs + (size_t)i * DESC_STRIDE + 64);
		m->addr = (uint8_t *)(m + 1);
		m->bus = (uintptr_t)m->addr;
		r->pool[r->pool_tail++] = m;
	}
	r->rx_free = DESC_RX;
	while (r->rx_free)
		desc_refill(r);
}

/* A stream, and one back in the same ring */
static void stream_open(struct card *c, uint32_t elem, unsigned int shift, bool pair)
{
	uint8_t *base = card_map(1u << shift, c->where == CARD_APART ? 2 * ADDRESSES : 2);

	pipe_open(&c->in, NFP_CHAN_TO_HOST, elem, shift, base);
	if (!pair)
		return;
	pipe_open(&c->out, NFP_CHAN_TO_NFP, elem, shift, base);
	ring_lend(&c->in.ch.ring);
	ring_lend(&c->out.ch.ring);
	c->in.ch.pair = &c->out.ch;
	c->out.ch.pair = &c->in.ch;
}

struct card *card_new(enum card_kind kind, card_make make, bool answers, enum card_where where)
{
	struct card *c = card_shared(sizeof(*c));

	c->kind = kind;
	c->make = make;
	c->where = where;
	switch (kind) {
	case CARD_FRAMES:
		stream_open(c, NFP_FRAMES_ELEM, SHIFT, answers);
		break;
	case CARD_ELEMS:
		stream_open(c, 64, SHIFT, answers);
		break;
	case CARD_BYTES:
		stream_open(c, 1, SHIFT_BYTES, false);
		break;
	case CARD_MSGS:
		stream_open(c, 0, SHIFT, false);
		pipe_open(&c->out, NFP_CHAN_TO_NFP, 0, SHIFT, card_map(1u << SHIFT, 2));
		break;
	case CARD_RING:
		ring_open(c);
		break;
	}
	if (where == CARD_APART)
		card_process(c);
	return c;
}

void card_free(struct card *c)
{
	if (c->where != CARD_APART)
		free(c->bufs);
	if (c->pid)
		kill(c->pid, SIGKILL);
	c->pid = 0;
}
