// SPDX-License-Identifier: BSD-2-Clause
/*
 * pit.c - ME processes that receive as fast as they can, and only check the contents of messages
 * that announce a check (pit.chan).
 */
#include <nfp/mem_bulk.h>

#include "chan.h"
#include "chan_mem.h"
#include "pit_check.h"

#define PART	64	/* bytes in local memory at a time */

__export __emem __align8 uint8_t pit_buf[2048];
__export __emem __align8 uint8_t pit64_buf[64];

/* Is @seq the next of @sender? The first message of an unknown sender may have any number. */
static int in_order(struct pit_order *o, uint32_t sender, uint32_t seq)
{
	uint32_t due = seq;
	unsigned int i;

	for (i = 0; i < o->known && o->of[i].sender != sender; i++)
		;
	if (i < o->known)
		due = o->of[i].seq + 1;
	else if (o->known < PIT_SENDERS)
		o->known++;
	else
		i--;
	for (; i; i--)
		o->of[i] = o->of[i - 1];
	o->of[0].sender = sender;
	o->of[0].seq = seq;
	return seq == due;
}

int pit_whole(struct pit_order *o, const __mem40 void *msg, unsigned int len)
{
	const __mem40 uint8_t *from = msg;
	uint32_t sum = PIT_SUM;
	uint8_t part[PART];
	struct pit_msg say;
	unsigned int at, n;

	if (len < sizeof(say))
		return 1;
	chan_mem_read(&say, from, sizeof(say));
	if (le64_to_cpu(say.magic) != PIT_MAGIC)
		return 1;
	for (at = offsetof(struct pit_msg, sender); at < len; at += n) {
		n = len - at < PART ? len - at : PART;
		chan_mem_read(part, from + at, n);
		sum = pit_sum(sum, part, n);
	}
	return le32_to_cpu(say.len) == len && le32_to_cpu(say.sum) == sum &&
	       in_order(o, le32_to_cpu(say.sender), le32_to_cpu(say.seq));
}

static int begin(struct pit_reader *r, const struct pit_stream *say)
{
	uint32_t sum = pit_sum(PIT_SUM, (const uint8_t *)say, offsetof(struct pit_stream, sum));
	uint32_t seed = le32_to_cpu(say->seed);

	/* A beginning with the seed of the stream before is not accepted. */
	if (le32_to_cpu(say->sum) != sum || !seed || seed == r->seed)
		return 0;
	r->seed = seed;
	r->len = le64_to_cpu(say->len);
	r->pos = 0;
	return 1;
}

int pit_stream(struct pit_reader *r, const __mem40 void *data, unsigned int len)
{
	const __mem40 uint8_t *from = data;
	unsigned int at = 0, i, n;
	struct pit_stream say;
	uint8_t part[PART];

	if (len >= sizeof(say)) {
		chan_mem_read(&say, from, sizeof(say));
		if (le64_to_cpu(say.magic) == PIT_STREAM) {
			if (!begin(r, &say))
				return 0;
			at = sizeof(say);
		}
	}
	for (; at < len && r->pos < r->len; at += n) {
		n = len - at < PART ? len - at : PART;
		if (n > r->len - r->pos)
			n = (unsigned int)(r->len - r->pos);
		chan_mem_read(part, from + at, n);
		for (i = 0; i < n; i++)
			if (part[i] != pit_byte(r->seed, r->pos++))
				return 0;
	}
	return 1;
}

static __swaps void swallow(unsigned int chan, __mem40 uint8_t *buf, unsigned int size)
{
	struct pit_order order;
	unsigned int len;

	order.known = 0;
	chan_attach();
	do {
		len = chan_recv(chan, buf, size);
	} while (pit_whole(&order, buf, len));
	chan_end(chan);
}

void pit_main(void)
{
	swallow(CHAN_ID_PIT, emem40(pit_buf), sizeof(pit_buf));
}

void pit64_main(void)
{
	swallow(CHAN_ID_PIT64, emem40(pit64_buf), sizeof(pit64_buf));
}
