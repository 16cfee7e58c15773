/* SPDX-License-Identifier: BSD-2-Clause */
/* chain.h - the chain NIC -> decryption -> classification -> NIC, in all modes. */
#ifndef FAB_CHAIN_H
#define FAB_CHAIN_H

#include "endpoint.h"
#include "work.h"

enum fab_mode {
	/* queue devices; data in host memory; the CPU between the devices */
	FAB_CONVENTIONAL,
	FAB_NATIVE,		/* stream-native devices; the switch routes streams */
	FAB_GLUE,		/* three queue devices; the switch replaces the CPU */
	/* queue devices; the NFP replaces the CPU, with rings in its memory */
	FAB_CARD_DRIVEN,
	/* native, but one edge goes through the CPU: a control experiment */
	FAB_HOP,
	/* like glue, but with a stream-native NIC, which a programmable NIC can be */
	FAB_GLUE_NIC,
	FAB_MODES
};

/* Rings. The output of a ring's descriptors goes to the buffers with the ring's number. */
enum { FAB_RX, FAB_TO_DECRYPT, FAB_TO_CLASSIFY, FAB_TX, FAB_RINGS };

/**
 * struct fab_driver - the driver of queue devices, with its rings in the memory of @at
 * @at: the root complex, or the card
 * @agent: CPUs or threads of the card that run the driver
 * @first: first ring of the chain that the driver submits to
 * @last: last such ring
 */
struct fab_driver {
	struct fab_chain *c;
	struct fab_device *at;
	struct fab_engine agent;
	unsigned int first, last;
	uint32_t tail[FAB_RINGS];
};

/**
 * struct fab_chain - a fabric with devices, and counters of its messages
 * @offered: messages at the wire
 * @accepted: messages that entered the chain; they are numbered
 * @delivered: messages that left the chain
 * @equal: delivered messages with the correct result
 * @waiting: messages for which the chain has no room yet
 * @first_at: when the first message was delivered
 * @last_at: when the last message was delivered
 * @end: last step of message 0
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
/* Make a fabric that has only the links. */
struct fabric *fab_new(const struct fab_opt *o);
void fab_free(struct fabric *f);

/* build.c: make the fabric of a mode */
struct fabric *fab_build(const struct fab_opt *o, enum fab_mode mode);
/* Add devices without an interface, and a plain or a programmable switch, to @f. */
void fab_build_nodes(struct fabric *f, enum fab_mode mode, bool plain);

/* driver.c */
void fab_driver_init(struct fab_driver *d, struct fab_chain *c, struct fab_device *at,
		     enum fab_kind kind, unsigned int first, unsigned int last);
uint64_t fab_driver_ring(const struct fab_driver *d, unsigned int ring);
uint64_t fab_driver_buffer(const struct fab_driver *d, unsigned int ring, uint64_t seq);
/* Bytes of memory for rings and buffers */
uint64_t fab_driver_size(const struct fab_chain *c);
/* Submit message @seq of @len bytes to @ring, after the time that the agent takes. */
void fab_driver_submit(struct fab_driver *d, unsigned int ring, uint64_t seq, uint32_t len,
		       uint32_t cause);

/* chain.c */
void fab_chain_got(void *chain, uint64_t seq, const uint8_t *data, uint32_t len,
		   uint32_t step);
/*
 * Let @n messages arrive at the wire, @period apart, and run until there is no event. Return 0,
 * or -EDEADLK if some accepted messages were neither delivered nor counted as bad.
 */
int fab_chain_run(struct fab_chain *c, uint32_t n, fab_time period);
/* Messages delivered in a second, from the first to the last */
double fab_chain_rate(const struct fab_chain *c);

#endif /* FAB_CHAIN_H */
