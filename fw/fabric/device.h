/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * device.h - the end of a link: memory, a DMA engine, and one of two interfaces.
 *
 * A queue device has the protocol of today's accelerators (and of a NIC that sends): a ring
 * of descriptors in somebody's memory, a doorbell, a completion over the descriptor. A
 * stream-native device takes bytes that are pushed to its input, and pushes what it makes.
 */
#ifndef FAB_DEVICE_H
#define FAB_DEVICE_H

#include "desc.h"
#include "dma.h"
#include "pipe.h"

#define FAB_SERVERS	16
/* Bytes that an engine's output may have beyond the length of its input */
#define FAB_RESULT_MAX	64
/* The largest message: an image with nonce and tag */
#define FAB_MESSAGE_MAX	(FAB_SIZE_MAX + 28)

typedef void (*fab_served)(void *ctx, uint64_t arg, uint32_t step);

/**
 * struct fab_engine - somebody who takes time: an accelerator's engine, CPUs, threads
 * @kind: of its steps
 * @servers: how many work side by side
 * @ns: of a piece of work, besides its bytes
 * @mbyte: million bytes a second; 0: bytes take no time
 */
struct fab_engine {
	struct fabric *f;
	uint8_t kind, node;
	unsigned int servers;
	uint32_t ns, mbyte;
	fab_time free_at[FAB_SERVERS];
};

/* Call @fn when it has done work on @bytes. An engine that takes no time leaves no step. */
void fab_engine_do(struct fab_engine *e, uint32_t bytes, uint32_t cause, fab_served fn,
		   void *ctx, uint64_t arg);

/* The work of an engine on a message: @in to @out. Returns the length of @out, or -errno. */
typedef int (*fab_work)(void *ctx, uint64_t seq, const uint8_t *in, uint32_t len,
			uint8_t *out);
/* Message @seq is there, and is @len bytes. */
typedef void (*fab_got)(void *ctx, uint64_t seq, const uint8_t *data, uint32_t len,
			uint32_t step);

struct fab_device;

/**
 * struct fab_qdev - a queue device
 * @ring: address of the descriptors
 * @busy: descriptors that it works on, which are in @request
 * @work: NULL: the data is for @got, and nothing is made of it
 * @command, @input, @output: their names in the trace
 */
struct fab_qdev {
	struct fab_device *d;
	uint64_t ring;
	uint32_t entries, head, tail, busy;
	struct fab_request *request[FAB_INFLIGHT];
	struct fab_engine engine;
	fab_work work;
	fab_got got;
	void *ctx;
	const char *command, *input, *output;
};

void fab_qdev_free(struct fab_qdev *q);
void fab_qdev_doorbell(struct fab_qdev *q, uint32_t tail, uint32_t step);

/**
 * struct fab_sdev - a stream-native device
 * @base: address of its input, a ring of @size bytes
 * @message: bytes of each, which was said when the stream was made
 * @received: bytes so far; @begun: of them in messages that the engine has; @freed: of them
 *	the engine is done with
 * @most: bytes that were in the ring at a time
 * @to: address of the stream that it pushes to, whose ring has @to_size bytes; 0: none
 */
struct fab_sdev {
	struct fab_device *d;
	uint64_t base;
	uint8_t *ring;
	uint32_t size, message;
	uint64_t received, begun, freed, seq;
	uint32_t most;
	struct fab_engine engine;
	fab_work work;
	fab_got got;
	void *ctx;
	uint64_t to, pushed;
	uint32_t to_size;
	const char *output;
	enum fab_op_kind kind;
};

bool fab_sdev_may(const struct fab_sdev *s, const struct fab_tlp *t);
void fab_sdev_take(struct fab_sdev *s, const struct fab_tlp *t);
/* Push behind what was pushed before to the stream at @to: a ring of @size bytes. */
void fab_push(struct fab_dma *dma, uint64_t to, uint32_t size, uint64_t *pushed,
	      const void *data, uint32_t len, uint32_t op, uint32_t cause);

/**
 * struct fab_device
 * @base: address of @mem
 * @written: somebody wrote to the memory
 * @pipe: of a programmable root complex: stores of the CPU go through it
 */
struct fab_device {
	struct fab_node *n;
	struct fab_dma dma;
	uint64_t base, size;
	uint8_t *mem;
	void (*written)(void *ctx, uint64_t addr, uint32_t len, uint32_t step);
	void *ctx;
	struct fab_qdev *q;
	struct fab_sdev *s;
	struct fab_pipe *pipe;
};

void fab_device_init(struct fab_device *d, struct fab_node *n, uint64_t base, uint64_t size);
void fab_device_free(struct fab_device *d);
/* Its memory at @addr, of which there are @len bytes; NULL: it has none there. */
void *fab_device_mem(const struct fab_device *d, uint64_t addr, uint32_t len);

/* root.c: the CPU stores @len bytes to @addr; or a card does, from its end of the fabric. */
void fab_store(struct fab_device *from, uint64_t addr, const void *data, uint32_t len,
	       const char *what, uint32_t cause);
/* Make the root complex programmable. */
void fab_root_program(struct fab_device *root, struct fab_pipe *p);

#endif /* FAB_DEVICE_H */
