/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * fw_host.h - a host for firmware tests. It does what nfp_chan.ko and the library do, as
 * nfp_chan_fw.h says, with the emulated card in this process.
 */
#ifndef FW_HOST_H
#define FW_HOST_H

#include <nfp_chan_fw.h>

#include "chan_table.h"
#include "hal.h"
#include "host.h"

#define FW_UNUSED	__attribute__((unused))
#define FW_VEC_RSP	4
#define FW_VEC_PIPE	8	/* vector of pipe 0; that of pipe n is n higher */

struct fw_host {
	struct host *host;
	struct nfp_chan_fw_cb cb;
	volatile struct nfp_chan_fw_rsp *rsp;
	uint64_t rsp_bus;
	uint32_t seq;
	uint32_t value;		/* field value of the last response */
};

struct fw_pipe {
	struct fw_host *h;
	unsigned int index;
	unsigned int chan;
	uint32_t size;
	uint32_t unit;
	uint8_t *ring;
	uint64_t ring_bus;
	volatile struct nfp_chan_note *note;
	uint64_t note_bus;
	uint64_t pos;
	uint64_t rung;
	uint32_t seq;
	uint32_t arm;
};

uint32_t fw_crc32(uint32_t crc, const void *data, size_t len);

static inline void fw_sram_read(struct fw_host *h, uint32_t off, void *buf, size_t len)
{
	pcie_read_buf(h->host, NFP_CHAN_FW_SRAM_BASE + off, buf, len);
}

/* Write a request to the mailbox unchanged, and ring; do not wait for the response. */
void fw_post_words(struct fw_host *h, const uint32_t *req, size_t size);

static inline void fw_post(struct fw_host *h, struct nfp_chan_fw_req *req)
{
	fw_post_words(h, (const uint32_t *)req, sizeof(*req));
}

/* Run the board, return the status of the last request's response or -1. */
int fw_answer(struct fw_host *h);
int fw_request(struct fw_host *h, struct nfp_chan_fw_req *req);
int fw_request_link(struct fw_host *h, struct nfp_chan_fw_link *req);
int fw_hello(struct fw_host *h);
int fw_goodbye(struct fw_host *h);
void fw_host_start(struct fw_host *h);

static inline void fw_host_stop(struct fw_host *h)
{
	host_destroy(h->host);
}

/* Fill in an OPEN, with a ring and a record that are allocated here. */
void fw_open_req(struct fw_pipe *p, struct fw_host *h, unsigned int index, unsigned int chan,
		 unsigned int ring_shift, struct nfp_chan_fw_req *req);
int fw_open(struct fw_pipe *p, struct fw_host *h, unsigned int index, unsigned int chan,
	    unsigned int ring_shift);
int fw_close(struct fw_pipe *p);
int fw_cancel(struct fw_pipe *p, uint32_t seq);

/* Unmap the pipe's ring and record from the card, and free them. */
void fw_free(struct fw_pipe *p);

static inline unsigned int fw_data_queue(const struct fw_pipe *p)
{
	return nfp_chan_fw_queue(p->h->cb.queue_pages, p->index);
}

/* @bell: the signal doorbell, counted from 1 */
static inline unsigned int fw_bell_queue(const struct fw_host *h, unsigned int bell)
{
	return nfp_chan_fw_queue(h->cb.queue_pages, h->cb.pipe_count + bell - 1);
}

static inline uint32_t fw_msg_bytes(const struct fw_pipe *p, uint32_t len)
{
	return (sizeof(struct nfp_chan_hdr) + len + p->unit - 1) & ~(p->unit - 1);
}

void fw_copy_out(const struct fw_pipe *p, uint64_t pos, void *buf, size_t len);
void fw_copy_in(struct fw_pipe *p, uint64_t pos, const void *buf, size_t len);

/*
 * Copy the next message to @buf. The card learns by fw_ring() that its room is free.
 * Return the message's length, or -1 if there is no message.
 */
int fw_recv(struct fw_pipe *p, void *buf, size_t size);

/* Ring the data queue for what was consumed or produced since the last ring. */
void fw_ring(struct fw_pipe *p);

/* Write a message to the ring; fw_ring() announces it. */
void fw_put(struct fw_pipe *p, const void *buf, uint32_t len);
void fw_send(struct fw_pipe *p, const void *buf, uint32_t len);

/* Ask for an interrupt once the record's seq differs from @seq. */
void fw_arm(struct fw_pipe *p, uint32_t seq);

/* Arm, so that the card writes a record with all messages. Without an arm it writes no record. */
void fw_look(struct fw_pipe *p);

static inline unsigned long fw_irqs(const struct fw_pipe *p)
{
	return p->h->host->irqs[FW_VEC_PIPE + p->index];
}

/*
 * Read the counters of @chan: fw_stat() after the millisecond within which the card shows them,
 * fw_stat_shown() at once.
 */
struct nfp_chan_fw_stat fw_stat(struct fw_host *h, unsigned int chan);
struct nfp_chan_fw_stat fw_stat_shown(struct fw_host *h, unsigned int chan);

/* Signal the channel's process as the kernel does. */
void fw_signal(struct fw_host *h, unsigned int chan);

/* Call fw_send(), then run the card until it has nothing left to do. */
void fw_send_run(struct fw_pipe *p, const void *buf, uint32_t len);
void fw_ring_run(struct fw_pipe *p);
void fw_signal_run(struct fw_host *h, unsigned int chan);

/* cmocka fixture: firmware that has started and answered HELLO. */
int fw_setup(void **state);
int fw_teardown(void **state);

#define T(f)	cmocka_unit_test_setup_teardown(f, fw_setup, fw_teardown)

#endif /* FW_HOST_H */
