// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ring_peer.c - see ring_peer.h. */
#include "ring_peer.h"

static uint32_t peer_span(const struct peer *p, uint32_t len)
{
	return (8 + len + p->unit - 1) / p->unit * p->unit;
}

void peer_fire(struct peer *p)
{
	if (!p->armed)
		return;
	if ((p->arm_reg & NFP_CHAN_ARM_SEQ_MASK) == (p->seq & NFP_CHAN_ARM_SEQ_MASK) &&
	    le32toh(p->note->state) == NFP_CHAN_STATE_OPEN)
		return;
	p->armed = false;
	p->fired++;
}

void peer_doorbell(void *ctx, enum ring_reg reg, uint32_t val)
{
	struct peer *p = ctx;

	if (reg == RING_REG_DATA) {
		p->told += (uint64_t)val * p->unit;
		p->data_rings++;
		return;
	}
	p->arm_reg = (p->arm_reg + val) & NFP_CHAN_ARM_MASK;
	p->armed = true;
	peer_fire(p);
}

void peer_note(struct peer *p, uint32_t state)
{
	uint64_t *w = (uint64_t *)p->note;

	__atomic_store_n(&w[0], htole64(p->pos), __ATOMIC_RELEASE);
	__atomic_store_n(&w[1], htole64((uint64_t)state << 32 | p->seq), __ATOMIC_RELEASE);
}

bool peer_write(struct peer *p, const void *buf, uint32_t len)
{
	struct nfp_chan_hdr hdr = { htole32(len), htole16((uint16_t)(p->seq + 1)), 0 };
	uint64_t out = p->pos - p->told;
	uint8_t *to = p->data + p->pos % p->layout.ring_size;

	if (p->layout.depth ? out + peer_span(p, len) > p->layout.limit : out)
		return false;
	memcpy(to, &hdr, sizeof(hdr));
	if (len)
		memcpy(to + sizeof(hdr), buf, len);
	p->pos += peer_span(p, len);
	p->seq++;
	return true;
}

bool peer_send(struct peer *p, const void *buf, uint32_t len)
{
	if (!peer_write(p, buf, len))
		return false;
	peer_note(p, NFP_CHAN_STATE_OPEN);
	peer_fire(p);
	return true;
}

long peer_recv(struct peer *p, void *buf)
{
	const struct nfp_chan_hdr *hdr;
	uint32_t len;

	if (p->told == p->pos)
		return -1;
	hdr = (const void *)(p->data + p->pos % p->layout.ring_size);
	len = le32toh(hdr->len);
	if (len > p->layout.max_size || peer_span(p, len) > p->told - p->pos ||
	    le16toh(hdr->seq) != (uint16_t)(p->seq + 1))
		return -2;
	memcpy(buf, hdr + 1, len);
	p->pos += peer_span(p, len);
	p->seq++;
	peer_note(p, NFP_CHAN_STATE_OPEN);
	peer_fire(p);
	return (long)len;
}

struct peer *peer_new(const struct pipe_spec *s, struct ring *r)
{
	struct peer *p = calloc(1, sizeof(*p));
	struct ring_db db = { .store = peer_doorbell, .ctx = p };

	if (!p)
		abort();
	p->layout = (struct nfp_chan_layout){
		.size = sizeof(p->layout),
		.dir = s->dir,
		.kind = NFP_CHAN_MESSAGE,
		.ring_size = s->ring_size ? s->ring_size : 4096,
		.unit_shift = s->unit_shift ? s->unit_shift : 3,
		.elem_size = s->elem_size,
		.max_size = s->max_size ? s->max_size : s->elem_size ? s->elem_size : 256,
		.depth = s->rendezvous ? 0 : s->depth ? s->depth : 8,
	};
	p->unit = 1u << p->layout.unit_shift;
	p->layout.limit = peer_span(p, p->layout.max_size) * (p->layout.depth ? p->layout.depth : 1);
	if (p->layout.limit > p->layout.ring_size)
		p->layout.limit = p->layout.ring_size;
	p->data = map_twice(p->layout.ring_size);
	p->note = aligned_alloc(64, 64);
	p->ctl = aligned_alloc(64, 64);
	memset(p->note, 0, 64);
	memset(p->ctl, 0, 64);
	p->pos = s->pos;
	p->told = s->pos;
	p->seq = s->seq;
	p->ctl->pos = s->pos;
	p->ctl->rung = s->pos;
	p->ctl->seq = s->seq;
	peer_note(p, NFP_CHAN_STATE_OPEN);
	if (ring_init(r, &p->layout, p->data, p->note, p->ctl, &db))
		abort();
	return p;
}

void peer_free(struct peer *p)
{
	munmap(p->data, 2 * (size_t)p->layout.ring_size);
	free(p->note);
	free(p->ctl);
	free(p);
}

long take(struct ring *r, uint8_t *buf)
{
	static const char poison;
	const void *data = &poison;
	uint32_t len = 0xdead;
	int err;

	err = ring_peek(r, &data, &len);
	if (err)
		return data == &poison && len == 0xdead ? err : -1000;
	if (buf)
		memcpy(buf, data, len);
	ring_take(r, len);
	err = ring_release(r, 1);
	return err ? err : (long)len;
}

const char *text(const struct ring *r)
{
	static char buf[200];

	snprintf(buf, sizeof(buf), r->err.fmt, r->err.v[0], r->err.v[1], r->err.v[2]);
	return buf;
}

void fill(uint8_t *buf, uint32_t len, uint32_t nr)
{
	for (uint32_t i = 0; i < len; i++)
		buf[i] = (uint8_t)(nr * 31 + i * 7);
}
