// SPDX-License-Identifier: BSD-2-Clause
/*
 * pktbuf.c - packet buffers. All are allocated when the board is made, so no packet costs an
 * allocation.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "mac.h"
#include "pktbuf.h"

/* Small buffers for most frames, and large ones for captures that were taken after GRO. */
static const struct {
	uint32_t count;
	uint32_t room;
} classes[BD_PKT_CLASSES] = {
	{ 1024, 2048 },
	{ 64, BD_FRAME_MAX },
};

static void class_free_all(struct bd_pkt_class *c)
{
	uint32_t i;

	c->free = NULL;
	c->used = 0;
	for (i = c->count; i--; ) {
		c->bufs[i].busy = false;
		c->bufs[i].next = c->free;
		c->free = &c->bufs[i];
	}
}

int bd_pkt_init(struct board *b)
{
	unsigned int i;
	uint32_t j;

	for (i = 0; i < BD_PKT_CLASSES; i++) {
		struct bd_pkt_class *c = &b->pkt[i];
		uint64_t room = classes[i].room;

		c->mem = mmap(NULL, classes[i].count * (room + BD_PKT_HEADROOM),
			      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			      -1, 0);
		if (c->mem == MAP_FAILED) {
			c->mem = NULL;
			return -ENOMEM;
		}
		c->count = classes[i].count;
		c->room = room;
		c->bufs = calloc(c->count, sizeof(*c->bufs));
		if (!c->bufs)
			return -ENOMEM;
		for (j = 0; j < c->count; j++)
			c->bufs[j].room = room;
		class_free_all(c);
	}
	return 0;
}

void bd_pkt_exit(struct board *b)
{
	unsigned int i;

	for (i = 0; i < BD_PKT_CLASSES; i++) {
		struct bd_pkt_class *c = &b->pkt[i];

		free(c->bufs);
		if (c->mem)
			munmap(c->mem, c->count * (uint64_t)(c->room + BD_PKT_HEADROOM));
	}
}

/* Take all buffers back. The firmware that held some of them does not run any more. */
void bd_pkt_reset(struct board *b)
{
	unsigned int i;

	for (i = 0; i < BD_PKT_CLASSES; i++)
		class_free_all(&b->pkt[i]);
}

struct board_pkt *bd_pkt_get(struct board *b, uint32_t caplen)
{
	unsigned int i;

	for (i = 0; i < BD_PKT_CLASSES; i++) {
		struct bd_pkt_class *c = &b->pkt[i];
		struct bd_pktbuf *buf = c->free;

		if (caplen > c->room)
			continue;
		/* Never use a large buffer for a small frame: there are few large ones. */
		if (!buf)
			return NULL;
		c->free = buf->next;
		c->used++;
		buf->busy = true;
		/* The buffer's last user may have been an XDP program, which may move @data. */
		buf->pkt.data = c->mem + (buf - c->bufs) * (uint64_t)(c->room + BD_PKT_HEADROOM) +
				BD_PKT_HEADROOM;
		return &buf->pkt;
	}
	return NULL;
}

static unsigned int class_of(const struct board_pkt *p)
{
	return ((const struct bd_pktbuf *)p)->room == classes[0].room ? 0 : 1;
}

uint32_t bd_pkt_room(const struct board *b, const struct board_pkt *p)
{
	const struct bd_pkt_class *c = &b->pkt[class_of(p)];
	uint64_t n = (const struct bd_pktbuf *)p - c->bufs + 1;

	return c->mem + n * (c->room + BD_PKT_HEADROOM) - p->data;
}

bool bd_pkt_spare(const struct board *b, const struct board_pkt *p)
{
	const struct bd_pkt_class *c = &b->pkt[class_of(p)];

	return c->used < c->count - c->count / 8;
}

void board_pkt_free(struct board *b, struct board_pkt *p)
{
	struct bd_pktbuf *buf = (struct bd_pktbuf *)p;
	struct bd_pkt_class *c;

	/* Ignore a second free: a bug in the firmware must not corrupt the board's free list. */
	if (!buf || !buf->busy)
		return;
	c = &b->pkt[class_of(p)];
	buf->busy = false;
	buf->next = c->free;
	c->free = buf;
	c->used--;
	/* A wire may wait for this buffer, so have the board look at the wires again. */
	bd_port_kick(b);
}
