/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * endpoint.h - an endpoint of a link: memory, a DMA engine, and one of two interfaces.
 *
 * A queue device has the protocol of today's accelerators (and of a NIC that sends): a ring of
 * descriptors in memory, a doorbell, and a completion that overwrites the descriptor. A
 * stream-native device takes bytes that are pushed to its input, and pushes its output.
 */
#ifndef FAB_DEVICE_H
#define FAB_DEVICE_H

#include "desc.h"
#include "dma.h"
#include "pipe.h"

#define FAB_SERVERS	16
/* Largest difference between the lengths of an engine's output and input */
#define FAB_RESULT_MAX	64
/* The largest message: an image with nonce and tag */
#define FAB_MESSAGE_MAX	(FAB_SIZE_MAX + 28)

typedef void (*fab_served)(void *ctx, uint64_t arg, uint32_t step);

/**
 * struct fab_engine - a unit whose work takes time: an accelerator's engine, CPUs, threads
 * @kind: kind of the steps in the trace
 * @servers: number of parallel servers
 * @ns: time for each piece of work, in addition to the time for its bytes
 * @mbyte: million bytes a second; 0: bytes take no time
 */
struct fab_engine {
	struct fabric *f;
	uint8_t kind, node;
	unsigned int servers;
	uint32_t ns, mbyte;
	fab_time free_at[FAB_SERVERS];
};

/*
 * Call @fn when the engine has processed @bytes. If this takes no time, there is no step in the
 * trace.
 */
void fab_engine_do(struct fab_engine *e, uint32_t bytes, uint32_t cause, fab_served fn,
		   void *ctx, uint64_t arg);

/* The work of an engine on a message, from @in to @out. Returns the length of @out, or -errno. */
typedef int (*fab_work)(void *ctx, uint64_t seq, const uint8_t *in, uint32_t len,
			uint8_t *out);
/* Message @seq of @len bytes has arrived. */
typedef void (*fab_got)(void *ctx, uint64_t seq, const uint8_t *data, uint32_t len,
			uint32_t step);

struct fab_device;

/**
 * struct fab_qdev - a queue device
 * @ring: address of the descriptors
 * @busy: number of descriptors in @request, on which the device works
 * @work: NULL: the data go to @got, and there is no output
 * @command: name of a descriptor read in the trace
 * @input: name of a data read in the trace
 * @output: name of a data write in the trace
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
 * @message: bytes of a message, fixed when the stream was created
 * @received: bytes received so far
 * @begun: received bytes in messages that the engine has begun
 * @freed: received bytes in messages that the engine has finished
 * @most: most bytes in the ring at any time
 * @to: address of the stream that the device pushes to; 0: none
 * @to_size: bytes of that stream's ring
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
/*
 * Push data to the stream at @to, a ring of @size bytes, after the data that was pushed before.
 */
void fab_push(struct fab_dma *dma, uint64_t to, uint32_t size, uint64_t *pushed,
	      const void *data, uint32_t len, uint32_t op, uint32_t cause);

/**
 * struct fab_device - a device or the root complex
 * @base: address of @mem
 * @written: called after a write to the memory
 * @pipe: programs of a programmable root complex; the CPU's stores go through them
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
/* The device's memory of @len bytes at @addr; NULL if it has no such memory. */
void *fab_device_mem(const struct fab_device *d, uint64_t addr, uint32_t len);

/*
 * root.c: store @len bytes to @addr. The CPU stores through the root complex, a card through its
 * link.
 */
void fab_store(struct fab_device *from, uint64_t addr, const void *data, uint32_t len,
	       const char *what, uint32_t cause);
/* Make the root complex programmable. */
void fab_root_program(struct fab_device *root, struct fab_pipe *p);

#endif /* FAB_DEVICE_H */
