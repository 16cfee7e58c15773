/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * fw_device.h - a device that an ME process of the emulated card drives: it reads descriptors
 * in memory, counts doorbells, writes completions, and notifies the process.
 */
#ifndef FW_DEVICE_H
#define FW_DEVICE_H

#include "fw_link.h"

#define SLOTS	4
#define IN_SIZE	2048
#define OUT_SIZE 1024
#define SKIP	8
#define DEV_ADDR 0x7700000000ull	/* address of the device's memory on the device's side */
#define DONE_AT	48
#define DONE_LEN 16
#define GOOD	5

struct desc {
	uint64_t src;
	uint64_t dst;
	uint32_t len;
	uint32_t room;
	uint8_t command[24];
	struct done {
		uint32_t len;
		uint32_t result;
		uint32_t status;
		uint32_t seq;
	} done;
};

struct dev {
	struct fw_host *h;
	struct fw_pipe in, out;
	uint8_t *mem;
	uint64_t bus;
	uint64_t bell_bus;
	unsigned int bell;	/* number of the device's signal doorbell, counted from 1 */
	unsigned int asked;	/* jobs that the doorbell has announced */
	unsigned int done;
};

static inline struct nfp_chan_fw_device request(const struct dev *d)
{
	struct nfp_chan_fw_device r = {
		.cmd = NFP_CHAN_FW_CMD_DEVICE, .pipe = (uint16_t)d->in.index,
		.mem_addr = d->bus, .doorbell_addr = d->bell_bus, .mem_size = 64 * 1024,
		.in_size = IN_SIZE, .out_size = OUT_SIZE, .slots = SLOTS, .skip = SKIP,
		.src_at = 0, .dst_at = 8, .len_at = 16, .room_at = 20,
		.done_at = DONE_AT, .done_len = DONE_LEN,
		.outlen_at = 0, .status_at = 8, .seq_at = 12, .status_ok = GOOD,
		.dev_addr = DEV_ADDR,
	};

	for (unsigned int i = 24; i < 48; i++)
		r.desc[i] = (uint8_t)(i * 3);
	return r;
}

static inline int ask(struct dev *d, struct nfp_chan_fw_device *r)
{
	r->seq = ++d->h->seq;
	fw_post_words(d->h, (const uint32_t *)r, sizeof(*r));
	return fw_answer(d->h);
}

static inline int attach(struct dev *d)
{
	struct nfp_chan_fw_device r = request(d);

	memset(d->mem, 0, 64 * SLOTS);
	d->asked = 0;
	d->done = 0;
	d->h->host->logged = 0;
	return ask(d, &r);
}

static inline int detach(struct dev *d)
{
	struct nfp_chan_fw_device r = {
		.cmd = NFP_CHAN_FW_CMD_DEVICE, .pipe = (uint16_t)d->in.index,
	};

	return ask(d, &r);
}

static inline int open_in(struct dev *d, unsigned int index, unsigned int chan)
{
	struct nfp_chan_fw_req req;

	fw_open_req(&d->in, d->h, index, chan, 16, &req);
	req.signal_db = (uint8_t)d->bell;
	return fw_request(d->h, &req);
}

/* Open both channels of device @n. This does not attach the device. */
static inline void dev_open(struct dev *d, struct fw_host *h, unsigned int n)
{
	memset(d, 0, sizeof(*d));
	d->h = h;
	d->bell = n + 1;
	d->mem = host_dma_alloc(h->host, 64 * 1024, &d->bus);
	host_dma_alloc(h->host, 4096, &d->bell_bus);
	assert_int_equal(open_in(d, 2 * n, n ? CHAN_ID_DEV1_IN : CHAN_ID_DEV0_IN), OK);
	assert_int_equal(fw_open(&d->out, h, 2 * n + 1, n ? CHAN_ID_DEV1_OUT : CHAN_ID_DEV0_OUT,
				 19), OK);
}

/* Count the doorbells that the log has, and clear the log. */
static inline unsigned int hear(struct dev *d)
{
	struct host *h = d->h->host;
	unsigned int n = 0;

	assert_true(h->logged < HOST_LOG);
	for (unsigned int i = 0; i < h->logged; i++)
		n += h->log[i].what == HOST_WRITE && h->log[i].addr == d->bell_bus;
	h->logged = 0;
	d->asked += n;
	return n;
}

static inline struct desc *desc_of(struct dev *d, unsigned int job)
{
	return (struct desc *)d->mem + job % SLOTS;
}

static inline uint8_t *at(struct dev *d, uint64_t dev_addr)
{
	assert_true(dev_addr >= DEV_ADDR && dev_addr < DEV_ADDR + 64 * 1024);
	return d->mem + (dev_addr - DEV_ADDR);
}

static inline void notify(struct dev *d)
{
	qc_add_wptr(d->h->host, fw_bell_queue(d->h, d->bell), 1);
	host_run(d->h->host);
}

/*
 * Do the next job: each byte of the output is a byte of the input plus 1. Do not notify the
 * process.
 */
static inline void work(struct dev *d, uint32_t status)
{
	struct desc *c = desc_of(d, d->done);
	const uint8_t *src = at(d, c->src);
	uint8_t *dst = at(d, c->dst);

	assert_int_equal(c->room, OUT_SIZE);
	for (unsigned int i = 24; i < 48; i++)
		assert_int_equal(((uint8_t *)c)[i], (uint8_t)(i * 3));
	for (uint32_t i = 0; i < c->len && i < OUT_SIZE; i++)
		dst[i] = src[i] + 1;
	d->done++;
	c->done = (struct done){ c->len, 0xabc, status, d->done };
}

/* Fill a message of @len bytes whose contents depend on @nr. */
static inline void message(uint8_t *buf, uint32_t len, unsigned int nr)
{
	for (uint32_t i = 0; i < len; i++)
		buf[i] = (uint8_t)(nr * 7 + i);
}

static inline void put(struct dev *d, uint32_t len, unsigned int nr)
{
	uint8_t buf[IN_SIZE + SKIP];

	message(buf, len, nr);
	fw_send_run(&d->in, buf, len);
}

/*
 * Receive the message of job @nr, and check its contents and status. Return -1 if there is no
 * message.
 */
static inline int take(struct dev *d, uint32_t len, unsigned int nr, uint32_t status)
{
	uint8_t want[IN_SIZE + SKIP], buf[4096];
	uint32_t n = status == GOOD ? len - SKIP : len;
	struct done done;
	int got = fw_recv(&d->out, buf, sizeof(buf));

	if (got < 0)
		return -1;
	message(want, len, nr);
	memcpy(&done, buf, sizeof(done));
	assert_int_equal(done.status, status);
	assert_int_equal(done.result, 0xabc);
	assert_int_equal(got, DONE_LEN + n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(buf[DONE_LEN + i],
				 status == GOOD ? (uint8_t)(want[SKIP + i] + 1) : want[i]);
	fw_ring_run(&d->out);
	return 0;
}

#endif /* FW_DEVICE_H */
