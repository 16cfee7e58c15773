// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fw_host.c - see fw_host.h. */
#define FW_HOST_PLAIN
#include "fw_host.h"

uint32_t fw_crc32(uint32_t crc, const void *data, size_t len)
{
	const uint8_t *p = data;

	while (len--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
	}
	return crc;
}

void fw_post_words(struct fw_host *h, const uint32_t *req, size_t size)
{
	uint32_t at = NFP_CHAN_FW_SRAM_BASE + h->cb.mbox_off;

	pcie_write_buf(h->host, at + 4, req + 1, size - 4);
	pcie_write(h->host, at, *req);
	qc_add_wptr(h->host, h->cb.mbox_queue, 1);
}

int fw_answer(struct fw_host *h)
{
	host_run(h->host);
	if (h->rsp->seq != h->seq)
		return -1;
	h->value = h->rsp->value;
	return (int)h->rsp->status;
}

int fw_request(struct fw_host *h, struct nfp_chan_fw_req *req)
{
	req->seq = ++h->seq;
	fw_post(h, req);
	return fw_answer(h);
}

int fw_request_link(struct fw_host *h, struct nfp_chan_fw_link *req)
{
	req->seq = ++h->seq;
	fw_post_words(h, (const uint32_t *)req, sizeof(*req));
	return fw_answer(h);
}

int fw_hello(struct fw_host *h)
{
	struct nfp_chan_fw_req req = {
		.cmd = NFP_CHAN_FW_CMD_HELLO, .vector = FW_VEC_RSP, .ring_addr = h->rsp_bus,
	};

	return fw_request(h, &req);
}

int fw_goodbye(struct fw_host *h)
{
	struct nfp_chan_fw_req req = { .cmd = NFP_CHAN_FW_CMD_GOODBYE };

	return fw_request(h, &req);
}

void fw_host_start(struct fw_host *h)
{
	memset(h, 0, sizeof(*h));
	h->host = host_create(&hal_firmware, NULL);
	if (getenv("NFPCHAN_FIRMWARE")) {
		host_set(h->host, "firmware", getenv("NFPCHAN_FIRMWARE"));
		host_boot(h->host);
	}
	host_run(h->host);
	fw_sram_read(h, 0, &h->cb, sizeof(h->cb));
	h->rsp = host_dma_alloc(h->host, 4096, &h->rsp_bus);
	for (unsigned int v = FW_VEC_RSP; v < FW_VEC_PIPE + NFP_CHAN_FW_PIPE_MAX; v++)
		host_arm(h->host, v, true);
}

void fw_open_req(struct fw_pipe *p, struct fw_host *h, unsigned int index, unsigned int chan,
		 unsigned int ring_shift, struct nfp_chan_fw_req *req)
{
	memset(p, 0, sizeof(*p));
	p->h = h;
	p->index = index;
	p->chan = chan;
	p->size = 1u << ring_shift;
	p->unit = ring_shift > 19 ? 1u << (ring_shift - 16) : 8;
	p->ring = host_dma_alloc(h->host, p->size, &p->ring_bus);
	p->note = host_dma_alloc(h->host, 4096, &p->note_bus);
	memset(req, 0, sizeof(*req));
	req->cmd = NFP_CHAN_FW_CMD_OPEN;
	req->pipe = index;
	req->chan = chan;
	req->vector = FW_VEC_PIPE + index;
	req->ring_shift = ring_shift;
	req->unit_shift = ring_shift > 19 ? ring_shift - 16 : 3;
	req->ring_addr = p->ring_bus;
	req->note_addr = p->note_bus;
}

int fw_open(struct fw_pipe *p, struct fw_host *h, unsigned int index, unsigned int chan,
	    unsigned int ring_shift)
{
	struct nfp_chan_fw_req req;

	fw_open_req(p, h, index, chan, ring_shift, &req);
	return fw_request(h, &req);
}

int fw_close(struct fw_pipe *p)
{
	struct nfp_chan_fw_req req = { .cmd = NFP_CHAN_FW_CMD_CLOSE, .pipe = p->index };

	return fw_request(p->h, &req);
}

int fw_cancel(struct fw_pipe *p, uint32_t seq)
{
	struct nfp_chan_fw_req req = {
		.cmd = NFP_CHAN_FW_CMD_CANCEL, .pipe = p->index, .msg_seq = seq,
	};

	return fw_request(p->h, &req);
}

void fw_free(struct fw_pipe *p)
{
	host_dma_free(p->h->host, p->ring_bus);
	host_dma_free(p->h->host, p->note_bus);
}

void fw_copy_out(const struct fw_pipe *p, uint64_t pos, void *buf, size_t len)
{
	for (size_t i = 0; i < len; i++)
		((uint8_t *)buf)[i] = p->ring[(pos + i) & (p->size - 1)];
}

void fw_copy_in(struct fw_pipe *p, uint64_t pos, const void *buf, size_t len)
{
	for (size_t i = 0; i < len; i++)
		p->ring[(pos + i) & (p->size - 1)] = ((const uint8_t *)buf)[i];
}

int fw_recv(struct fw_pipe *p, void *buf, size_t size)
{
	struct nfp_chan_hdr hdr;

	if (p->note->pos == p->pos)
		return -1;
	fw_copy_out(p, p->pos, &hdr, sizeof(hdr));
	assert_int_equal(hdr.seq, (uint16_t)(p->seq + 1));
	assert_int_equal(hdr.rsvd, 0);
	assert_true(hdr.len <= size);
	fw_copy_out(p, p->pos + sizeof(hdr), buf, hdr.len);
	p->pos += fw_msg_bytes(p, hdr.len);
	p->seq++;
	assert_true(p->pos <= p->note->pos);
	return (int)hdr.len;
}

void fw_ring(struct fw_pipe *p)
{
	qc_add_wptr(p->h->host, fw_data_queue(p), (uint32_t)((p->pos - p->rung) / p->unit));
	p->rung = p->pos;
}

void fw_put(struct fw_pipe *p, const void *buf, uint32_t len)
{
	struct nfp_chan_hdr hdr = { .len = len, .seq = (uint16_t)++p->seq };

	fw_copy_in(p, p->pos, &hdr, sizeof(hdr));
	fw_copy_in(p, p->pos + sizeof(hdr), buf, len);
	p->pos += fw_msg_bytes(p, len);
}

void fw_send(struct fw_pipe *p, const void *buf, uint32_t len)
{
	fw_put(p, buf, len);
	fw_ring(p);
}

void fw_arm(struct fw_pipe *p, uint32_t seq)
{
	uint32_t reg = ((p->arm ^ NFP_CHAN_ARM_TOGGLE) & NFP_CHAN_ARM_TOGGLE) |
		       (seq & NFP_CHAN_ARM_SEQ_MASK);

	qc_add_wptr(p->h->host, fw_data_queue(p) + 1, (reg - p->arm) & NFP_CHAN_FW_QC_PTR_MASK);
	p->arm = reg;
}

void fw_look(struct fw_pipe *p)
{
	fw_arm(p, p->note->seq);
	host_run(p->h->host);
}

static bool never(void *arg)
{
	(void)arg;
	return false;
}

struct nfp_chan_fw_stat fw_stat(struct fw_host *h, unsigned int chan)
{
	host_run_until(h->host, never, NULL, 2);
	host_run(h->host);
	return fw_stat_shown(h, chan);
}

struct nfp_chan_fw_stat fw_stat_shown(struct fw_host *h, unsigned int chan)
{
	struct nfp_chan_fw_stat s;

	fw_sram_read(h, h->cb.stat_off + chan * sizeof(s), &s, sizeof(s));
	return s;
}

void fw_signal(struct fw_host *h, unsigned int chan)
{
	uint32_t at = NFP_CHAN_FW_SRAM_BASE + h->cb.sig_off + 4 * chan;

	pcie_write(h->host, at, pcie_read(h->host, at) + 1);
	qc_add_wptr(h->host, h->cb.sig_queue, 1);
}

void fw_send_run(struct fw_pipe *p, const void *buf, uint32_t len)
{
	fw_send(p, buf, len);
	host_run(p->h->host);
}

void fw_ring_run(struct fw_pipe *p)
{
	fw_ring(p);
	host_run(p->h->host);
}

void fw_signal_run(struct fw_host *h, unsigned int chan)
{
	fw_signal(h, chan);
	host_run(h->host);
}

int fw_setup(void **state)
{
	struct fw_host *h = calloc(1, sizeof(*h));

	assert_non_null(h);
	fw_host_start(h);
	assert_int_equal(fw_hello(h), NFP_CHAN_FW_OK);
	*state = h;
	return 0;
}

int fw_teardown(void **state)
{
	fw_host_stop(*state);
	free(*state);
	return 0;
}
