/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chain.h - NIC -> decryption -> classification -> NIC, in the ways that there are.
 */
#ifndef FAB_CHAIN_H
#define FAB_CHAIN_H

#include "device.h"
#include "work.h"

enum fab_mode {
	FAB_CONVENTIONAL,	/* queue devices, data in host memory, the CPU in between */
	FAB_NATIVE,		/* stream-native devices, the switch routes streams */
	FAB_GLUE,		/* queue devices, all three; the switch does what the CPU did */
	FAB_CARD_DRIVEN,	/* queue devices, the NFP does it from its memory */
	FAB_HOP,		/* native, but one edge leads through the CPU: a control */
	FAB_GLUE_NIC,		/* as glue, but the NIC is stream-native: ours could be */
	FAB_MODES
};

/* Rings, and the buffers that their descriptors' output goes to */
enum { FAB_RX, FAB_TO_DECRYPT, FAB_TO_CLASSIFY, FAB_TX, FAB_RINGS };

/**
 * struct fab_driver - the driver of queue devices, with its rings in somebody's memory
 * @at: the root complex, or the card
 * @agent: what runs it: CPUs, or threads of the card
 * @first, @last: rings of the chain that it submits to
 */
struct fab_driver {
	struct fab_chain *c;
	struct fab_device *at;
	struct fab_engine agent;
	unsigned int first, last;
	uint32_t tail[FAB_RINGS];
};

/**
 * struct fab_chain - a fabric with devices, and what became of its messages
 * @offered, @accepted, @delivered: messages; those accepted are numbered
 * @equal: delivered with what they should say
 * @waiting: they have come, but the chain has no room
 * @first_at, @last_at: when the first and last one was delivered
 * @end: of message 0: its last step
 */
struct fab_chain {
	struct fabric *f;
	enum fab_mode mode;
	struct fab_work_state work;
	struct fab_device dev[FAB_PORTS];
	struct fab_qdev q[FAB_PORTS];
	struct fab_sdev s[FAB_PORTS];
	struct fab_pipe pipe, root_pipe;
	struct fab_driver drv;
	uint32_t message, slot_size, window;
	uint64_t rx_pushed;
	void (*rx)(struct fab_chain *c, uint64_t seq, const uint8_t *data, uint32_t step);
	uint64_t offered, accepted, delivered, equal, waiting;
	fab_time first_at, last_at;
	uint32_t end;
};

const char *fab_mode_name(enum fab_mode mode);
/* A fabric with nothing in it yet but the links. */
struct fabric *fab_new(const struct fab_opt *o);
void fab_free(struct fabric *f);

/* build.c: the fabric of a mode */
struct fabric *fab_build(const struct fab_opt *o, enum fab_mode mode);
/* Put devices without an interface, and a plain or programmable switch, into @f. */
void fab_build_nodes(struct fabric *f, enum fab_mode mode, bool plain);

/* driver.c */
void fab_driver_init(struct fab_driver *d, struct fab_chain *c, struct fab_device *at,
		     enum fab_kind kind, unsigned int first, unsigned int last);
uint64_t fab_driver_ring(const struct fab_driver *d, unsigned int ring);
uint64_t fab_driver_buffer(const struct fab_driver *d, unsigned int ring, uint64_t seq);
/* Bytes of memory that rings and buffers take */
uint64_t fab_driver_size(const struct fab_chain *c);
/* What a submission costs, then the submission of message @seq of @len bytes to @ring. */
void fab_driver_submit(struct fab_driver *d, unsigned int ring, uint64_t seq, uint32_t len,
		       uint32_t cause);

/* chain.c */
void fab_chain_got(void *chain, uint64_t seq, const uint8_t *data, uint32_t len,
		   uint32_t step);
/* @n messages come to the wire, @period apart, and the fabric runs until nothing happens.
 * 0; -EDEADLK: some were accepted but never came out, nor are they known to be bad. */
int fab_chain_run(struct fab_chain *c, uint32_t n, fab_time period);
/* Delivered messages a second between the first and the last */
double fab_chain_rate(const struct fab_chain *c);

#endif /* FAB_CHAIN_H */
