// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peer_proto.c - what messages cost on the PCIe link with the published prototype of a pair of
 * channel managers, rebuilt on the same board.
 *
 * A message is a packet in the card's PCIe SRAM: a header of 16 bytes (channel, length,
 * destination and interrupt), then the body. To the host, the card writes the packet to SRAM and
 * raises an interrupt. The CPU reads the packet in words of 8 bytes, and signals the card, which
 * sends the next packet only then. To the NFP, the CPU writes the packet to SRAM and signals the
 * card, which raises an interrupt when it has read the packet. A signal is a system call of the
 * prototype's driver. Here a signal is one posted write, though it takes 3 us with the vendor's
 * interface.
 *
 * The prototype's firmware is in this file: the board runs any firmware that has these operations.
 */
#define FW_HOST_PLAIN
#include "bench_link.h"
#include "host.h"

#define FROM_CARD	0x8000u		/* place of packets to the host, in SRAM */
#define TO_CARD		0xc000u		/* place of packets to the card */
#define HEADER		16u
#define LARGEST		1024u
#define QUEUE_TAKEN	128		/* the host has read FROM_CARD */
#define QUEUE_SENT	129		/* the host has written TO_CARD */
#define VECTOR_SENT	1		/* the card has written FROM_CARD */
#define VECTOR_TAKEN	2		/* the card has read TO_CARD */
#define MESSAGES	2000

/**
 * struct proto - the card's half
 * @b: the board
 * @size: bytes of each body
 * @echo: the card sends each packet back. Otherwise it sends one whenever it may
 * @msg: the packet
 */
struct proto {
	struct board *b;
	uint32_t size;
	bool echo;
	uint8_t msg[HEADER + LARGEST];
};

static void proto_start(void *ctx, struct board *b)
{
	struct proto *p = ctx;

	p->b = b;
	board_qc_init(b, QUEUE_TAKEN, true);
	board_qc_init(b, QUEUE_SENT, true);
}

static void proto_send(struct proto *p)
{
	board_sram_write(p->b, FROM_CARD, p->msg, HEADER + p->size);
	board_msix(p->b, VECTOR_SENT);
}

static void proto_event(void *ctx, unsigned int queue)
{
	struct proto *p = ctx;

	if (queue == QUEUE_SENT) {
		board_sram_read(p->b, TO_CARD, p->msg, HEADER + p->size);
		board_msix(p->b, VECTOR_TAKEN);
	}
	if ((queue == QUEUE_SENT) == p->echo)
		proto_send(p);
}

static const struct board_fw proto_fw = { .start = proto_start, .qc_event = proto_event };

static struct host *proto_host(struct proto *p)
{
	struct host *h = host_create(&proto_fw, p);

	/* The prototype's host stores 64 bits at a time, which a strict board takes for a fault. */
	host_set(h, "stores", "lenient");
	host_arm(h, VECTOR_SENT, true);
	host_arm(h, VECTOR_TAKEN, true);
	host_run(h);
	return h;
}

/* Receive, and send, a packet as the host does. Each packet has its interrupt. */
static void host_recv(struct host *h, uint32_t size, uint8_t *msg)
{
	unsigned long irqs = h->irqs[VECTOR_SENT];

	for (uint32_t at = 0; at < HEADER + size; at += 8) {
		uint64_t word = bar_read(h, 4, PCIE(FROM_CARD + at), 8);

		memcpy(msg + at, &word, 8);
	}
	qc_add_wptr(h, QUEUE_TAKEN, 1);
	host_run(h);
	assert_true(h->irqs[VECTOR_SENT] - irqs <= 1);
}

static void host_send(struct host *h, uint32_t size, const uint8_t *msg)
{
	unsigned long irqs = h->irqs[VECTOR_TAKEN];

	for (uint32_t at = 0; at < HEADER + size; at += 8) {
		uint64_t word;

		memcpy(&word, msg + at, 8);
		bar_write(h, 4, PCIE(TO_CARD + at), word, 8);
	}
	qc_add_wptr(h, QUEUE_SENT, 1);
	host_run(h);
	assert_int_equal(h->irqs[VECTOR_TAKEN], irqs + 1);
}

static void to_host(const char *name, uint32_t size)
{
	struct link_use use = { name, MESSAGES, MESSAGES * size, MESSAGES * LINK_3DW * size / 8 };
	struct proto p = { .size = size };
	struct host *h = proto_host(&p);
	uint8_t msg[HEADER + LARGEST];

	host_recv(h, size, msg);	/* the first signal starts the card */
	board_tlp_clear(h->b);
	for (int i = 0; i < MESSAGES; i++)
		host_recv(h, size, msg);
	link_print(h->b, &use);
	host_destroy(h);
}

static void to_nfp(const char *name, uint32_t size)
{
	struct link_use use = { name, MESSAGES, MESSAGES * size, MESSAGES * LINK_4DW * size / 8 };
	struct proto p = { .size = size };
	struct host *h = proto_host(&p);
	uint8_t msg[HEADER + LARGEST] = { 1 };

	board_tlp_clear(h->b);
	for (int i = 0; i < MESSAGES; i++)
		host_send(h, size, msg);
	link_print(h->b, &use);
	host_destroy(h);
}

/* Send a packet, receive it back, and print what that took. */
static void round_trip(void)
{
	struct proto p = { .size = 64, .echo = true };
	struct host *h = proto_host(&p);
	uint8_t out[HEADER + LARGEST] = { 42 }, in[HEADER + LARGEST] = { 0 };
	struct board_tlp_count sum;

	board_tlp_clear(h->b);
	host_send(h, 64, out);
	host_recv(h, 64, in);
	assert_int_equal(in[0], 42);
	link_sum(h->b, &sum);
	link_print_trip("proto64", &sum);
	host_destroy(h);
}

int main(void)
{
	to_host("proto64_to_host", 64);
	to_host("proto1k_to_host", 1024);
	to_nfp("proto64_to_nfp", 64);
	to_nfp("proto1k_to_nfp", 1024);
	round_trip();
	return 0;
}
