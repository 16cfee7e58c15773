/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sim.h - discrete events, and the trace of steps and their causes.
 *
 * Events of the same time happen in the order of the fab_after() calls, so runs are repeatable.
 * Everything that takes time is a step. A step begins when the step that caused it ends, so
 * waiting for a link, for credits, for room or for a tag is part of the step that waits. So the
 * causes of a step, back to the first one, cover the whole time.
 */
#ifndef FAB_SIM_H
#define FAB_SIM_H

#include <stddef.h>
#include <stdint.h>

/* Picoseconds */
typedef uint64_t fab_time;

#define FAB_NS	((fab_time)1000)

typedef void (*fab_fn)(void *ctx, uint64_t arg);

enum fab_kind {
	FAB_WIRE,	/* a message arrives at the wire */
	FAB_CROSS,	/* a TLP crosses a link */
	FAB_PASS,	/* a node processes a TLP */
	FAB_CPU,
	FAB_CARD,	/* a thread of the card works instead of the CPU */
	FAB_ENGINE,
	FAB_KINDS
};

enum fab_op_kind { FAB_DMA_WR, FAB_DMA_RD, FAB_MMIO_WR };

/**
 * struct fab_step - something that took time
 * @end: when it ended
 * @cause: number of the step that caused it; 0: none
 * @op: number of its PCIe operation; 0: none
 * @bytes: bytes of data
 * @kind: enum fab_kind
 * @node: node of the step; for a crossing, the receiving node
 */
struct fab_step {
	fab_time end;
	uint32_t cause, op, bytes;
	uint8_t kind, node;
};

/**
 * struct fab_op - a read with its completions, or the writes of a transfer
 * @what: name of the data
 * @kind: enum fab_op_kind
 * @from: node that sent the data. For a read it is set when the read is answered
 * @to: node that received the data
 */
struct fab_op {
	const char *what;
	uint8_t kind, from, to;
};

struct fab_event;

struct fab_sim {
	fab_time now;
	struct fab_event *heap;
	size_t events, heap_size;
	uint64_t order;
	struct fab_step *step;
	uint32_t steps, step_size;
	struct fab_op *op;
	uint32_t ops, op_size;
};

void fab_sim_init(struct fab_sim *s);
void fab_sim_free(struct fab_sim *s);

/* Call @fn(@ctx, @arg) in @in picoseconds. */
void fab_after(struct fab_sim *s, fab_time in, fab_fn fn, void *ctx, uint64_t arg);
/* Run until there is no event. */
void fab_sim_run(struct fab_sim *s);

/* Record a step of @kind that ends now. Return its number. */
uint32_t fab_step(struct fab_sim *s, enum fab_kind kind, uint8_t node, uint32_t cause,
		  uint32_t op, uint32_t bytes);
fab_time fab_step_begin(const struct fab_sim *s, uint32_t step);
uint32_t fab_op(struct fab_sim *s, enum fab_op_kind kind, const char *what, uint8_t from,
		uint8_t to);
/* Hash of the trace. */
uint64_t fab_trace_hash(const struct fab_sim *s);

/* Allocate zeroed memory. If there is none, end the program. */
void *fab_alloc(size_t n, size_t size);

#endif /* FAB_SIM_H */
