// SPDX-License-Identifier: BSD-2-Clause
/* load.c - an ME process that sends as fast as a channel takes messages (load.chan). */
#include <nfp/mem_bulk.h>

#include "chan.h"
#include "chan_mem.h"
#include "test_apps.h"

__export __emem __align8 uint8_t load_buf[LOAD_SIZE_MAX];
__export __emem __align8 struct load_req load_req;

static const __lmem uint8_t targets[] = { CHAN_ID_POUR, CHAN_ID_LOAD, CHAN_ID_LOAD_RV };

/* Make bytes [@from, @from + @n) of a message, at @to. */
static void fill(uint8_t *to, const struct load_msg *msg, uint64_t seq, uint32_t from, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		to[i] = from + i < sizeof(*msg) ? ((const uint8_t *)msg)[from + i] :
						   (uint8_t)(seq + from + i);
}

/* Send a small message from registers, a larger one from memory. */
static __swaps void send_one(unsigned int chan, uint64_t seq, uint32_t token, uint32_t size)
{
	uint8_t part[CHAN_REG_MAX];
	struct load_msg msg;
	uint32_t at, n;

	msg.seq = cpu_to_le64(seq);
	msg.token = cpu_to_le32(token);
	msg.rsvd = 0;
	if (size <= CHAN_REG_MAX) {
		fill(part, &msg, seq, 0, size);
		chan_send_regs(chan, part, size);
		return;
	}
	for (at = 0; at < size; at += n) {
		n = size - at < CHAN_MEM_PART ? size - at : CHAN_MEM_PART;
		fill(part, &msg, seq, at, n);
		chan_mem_write(part, emem40(load_buf + at), n);
	}
	chan_send(chan, emem40(load_buf), size);
}

void load_main(void)
{
	__xread struct load_req in;
	struct load_req req;
	uint32_t count, size, target;
	uint64_t seq;

	chan_attach();
	for (;;) {
		chan_recv(CHAN_ID_LOAD_CTL, emem40(&load_req), sizeof(load_req));
		mem_read8(&in, emem40(&load_req), sizeof(in));
		req = in;
		count = le32_to_cpu(req.count);
		size = le32_to_cpu(req.size);
		target = le32_to_cpu(req.target);
		if (size < LOAD_SIZE_MIN || size > LOAD_SIZE_MAX || target >= sizeof(targets))
			continue;
		for (seq = 1; seq <= count; seq++)
			send_one(targets[target], seq, le32_to_cpu(req.token), size);
	}
}
