// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ring_end.c - see ring_end.h. */
#define FW_HOST_PLAIN
#include "ring_end.h"

void end_doorbell(void *ctx, enum ring_reg reg, uint32_t val)
{
	struct end *e = ctx;

	qc_add_wptr(e->h->host, nfp_chan_fw_queue(e->h->cb.queue_pages, e->index) +
		    (reg == RING_REG_ARM), val);
}

void end_inline(void *ctx, uint32_t off, uint32_t val)
{
	struct end *e = ctx;

	pcie_write(e->h->host, NFP_CHAN_FW_SRAM_BASE + e->h->cb.inline_off +
		   (e->inl - 1) * NFP_CHAN_FW_INLINE_PAGE + off, val);
}

unsigned int end_try(struct end *e, struct fw_host *h, struct nfp_chan_fw_req req,
		     const struct end *of)
{
	bool port = req.chan == NFP_CHAN_ID_PORT;
	const struct chan_desc *d = end_desc(req.chan);
	unsigned int ring_shift = req.ring_shift;
	bool stream = d->kind == NFP_CHAN_STREAM;
	unsigned int small = stream && !port ? 16 : 19;
	struct ring_db db = { .store = end_doorbell, .inl_store = end_inline, .ctx = e };
	uint32_t unit;
	struct nfp_chan_layout g = {
		.dir = d->dir, .kind = d->kind, .elem_size = d->elem_size,
		.max_size = d->max_size, .depth = d->depth, .ring_size = 1u << ring_shift,
	};
	unsigned int status;

	memset(e, 0, sizeof(*e));
	e->h = h;
	e->index = req.pipe;
	e->inl = req.inline_page;
	req.cmd = NFP_CHAN_FW_CMD_OPEN;
	req.vector = (uint16_t)(FW_VEC_PIPE + req.pipe);
	req.unit_shift = ring_shift > small ? ring_shift - 16 : stream && !port ? 0 : 3;
	g.unit_shift = req.unit_shift;
	unit = 1u << req.unit_shift;
	g.limit = (8 + g.max_size + unit - 1) / unit * unit * (g.depth ? g.depth : 1);
	if (stream)
		g.limit = g.ring_size / g.elem_size * g.elem_size;
	if (stream && g.limit / g.elem_size > 65535 &&
	    (g.elem_size > 1 || g.dir == NFP_CHAN_TO_NFP))
		g.limit = 65535 * g.elem_size;
	if (g.limit > g.ring_size)
		g.limit = g.ring_size;
	if (of) {
		e->ring = of->ring;
	} else {
		e->ring = map_twice(g.ring_size);
		host_dma_map(h->host, e->ring, g.ring_size, &e->ring_bus);
	}
	req.ring_addr = of ? of->ring_bus : e->ring_bus;
	e->note = host_dma_alloc(h->host, 4096, &e->note_bus);
	req.note_addr = e->note_bus;
	status = fw_request(h, &req);
	if (status == NFP_CHAN_FW_OK)
		assert_int_equal(ring_init(&e->r, &g, e->ring, e->note, &e->ctl, &db), 0);
	return status;
}

unsigned int end_open_of(struct end *e, struct fw_host *h, unsigned int index, unsigned int chan,
			 unsigned int ring_shift, const struct end *of)
{
	struct nfp_chan_fw_req req = {
		.pipe = index, .chan = chan, .ring_shift = ring_shift,
		.ring_of = (uint16_t)(of->index + 1),
	};

	return end_try(e, h, req, of);
}

void end_open_inline(struct end *e, struct fw_host *h, unsigned int index, unsigned int chan,
		     unsigned int ring_shift, unsigned int inl, uint32_t inl_max)
{
	struct nfp_chan_fw_req req = {
		.pipe = index, .chan = chan, .ring_shift = ring_shift, .inline_page = (uint8_t)inl,
	};

	end_start(e, h, req);
	e->r.inl_max = inl_max;
}

void end_open_port(struct end *e, struct fw_host *h, unsigned int index)
{
	struct nfp_chan_fw_req req = {
		.pipe = index, .chan = NFP_CHAN_ID_PORT, .ring_shift = 12,
	};

	end_start(e, h, req);
}

void end_open_on(struct end *e, struct fw_host *h, unsigned int index, unsigned int chan,
		 unsigned int ring_shift, const struct end *port, uint64_t cookie)
{
	struct nfp_chan_fw_req req = {
		.pipe = index, .chan = chan, .ring_shift = ring_shift,
		.port = (uint16_t)(port->index + 1), .cookie = cookie,
	};

	end_start(e, h, req);
}

void end_free(struct end *e)
{
	host_dma_free(e->h->host, e->note_bus);
	if (e->ring_bus) {
		host_dma_free(e->h->host, e->ring_bus);
		munmap(e->ring, 2 * (size_t)e->r.size);
	}
}

uint32_t end_close(struct end *e)
{
	struct nfp_chan_fw_req req = { .cmd = NFP_CHAN_FW_CMD_CLOSE, .pipe = e->index };

	assert_int_equal(fw_request(e->h, &req), NFP_CHAN_FW_OK);
	end_free(e);
	return e->h->value;
}
