/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ring_end.h - open a pipe of the emulated card with the library's ring code, without a kernel. */
#ifndef RING_END_H
#define RING_END_H

#include "fw_host.h"
#include "ring_map.h"
#include "ring.h"

/**
 * struct end - an open end of a channel, set up as the kernel does
 * @r: the library's state of the pipe
 * @h: the host that has opened the pipe
 * @index: number of the pipe
 * @inl: number of the pipe's inline page, counted from 1; 0: none
 * @ring: data ring, mapped twice in a row
 * @note: page of the record
 * @ctl: control page
 * @ring_bus: bus address of the ring
 * @note_bus: bus address of the record
 */
struct end {
	struct ring r;
	struct fw_host *h;
	unsigned int index;
	unsigned int inl;
	uint8_t *ring;
	void *note;
	struct nfp_chan_ctl ctl;
	uint64_t ring_bus;
	uint64_t note_bus;
};

static inline const struct chan_desc *end_desc(unsigned int chan)
{
	return &chan_desc[chan == NFP_CHAN_ID_PORT ? CHAN_PORT : chan];
}

void end_doorbell(void *ctx, enum ring_reg reg, uint32_t val);
void end_inline(void *ctx, uint32_t off, uint32_t val);

/*
 * Open a pipe. The caller sets channel, pipe and options in @req, and this function the other
 * fields. If @of is not NULL, the pipe uses the ring of @of. Return the status of the card's
 * response.
 */
unsigned int end_try(struct end *e, struct fw_host *h, struct nfp_chan_fw_req req,
		     const struct end *of);

static inline void end_start(struct end *e, struct fw_host *h, struct nfp_chan_fw_req req)
{
	assert_int_equal(end_try(e, h, req, NULL), NFP_CHAN_FW_OK);
}

unsigned int end_open_of(struct end *e, struct fw_host *h, unsigned int index, unsigned int chan,
			 unsigned int ring_shift, const struct end *of);

/* Open a pipe with inline page @inl. Messages of up to @inl_max bytes with their headers use it. */
void end_open_inline(struct end *e, struct fw_host *h, unsigned int index, unsigned int chan,
		     unsigned int ring_shift, unsigned int inl, uint32_t inl_max);
void end_open_port(struct end *e, struct fw_host *h, unsigned int index);

/* Open a pipe whose news go to @port, marked with @cookie. */
void end_open_on(struct end *e, struct fw_host *h, unsigned int index, unsigned int chan,
		 unsigned int ring_shift, const struct end *port, uint64_t cookie);

static inline void end_open(struct end *e, struct fw_host *h, unsigned int index,
			    unsigned int chan, unsigned int ring_shift)
{
	end_open_inline(e, h, index, chan, ring_shift, 0, 0);
}

/* Free ring and record of a pipe that the card has closed. */
void end_free(struct end *e);

/* Close the pipe. Return the number of lost messages in the card's answer to CLOSE. */
uint32_t end_close(struct end *e);

static inline unsigned long irqs(const struct end *e)
{
	return e->h->host->irqs[FW_VEC_PIPE + e->index];
}

#endif /* RING_END_H */
