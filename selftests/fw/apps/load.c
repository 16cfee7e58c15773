// SPDX-License-Identifier: BSD-2-Clause
/* load.c - an ME process that sends as fast as a channel takes messages (load.chan). */
#include <nfp/mem_bulk.h>

#include "chan.h"
#include "test_apps.h"

__export __emem __align8 uint8_t load_buf[LOAD_SIZE_MAX];
/* Byte n is n, modulo 256. */
__export __emem __align8 uint8_t load_pattern[LOAD_SIZE_MAX + 256];
__export __emem __align8 struct load_req load_req;

static const __lmem uint8_t targets[] = { CHAN_ID_POUR, CHAN_ID_LOAD, CHAN_ID_LOAD_RV };

static __swaps void fill_pattern(void)
{
	__xwrite __le32 word;
	uint32_t i, first;

	for (i = 0; i < sizeof(load_pattern); i += 4) {
		first = i & 0xff;
		word = cpu_to_le32(first | (first + 1) << 8 | (first + 2) << 16 | (first + 3) << 24);
		mem_write32(&word, emem40(load_pattern + i), sizeof(word));
	}
}

/*
 * Send a small message from registers, a larger one from memory: struct load_msg, and then each byte is the sum
 * of its place and @seq.
 */
static __swaps void send_one(unsigned int chan, uint64_t seq, uint32_t token, uint32_t size)
{
	__xwrite struct load_msg out;
	uint8_t part[CHAN_REG_MAX];
	struct load_msg msg;
	uint32_t i;

	msg.seq = cpu_to_le64(seq);
	msg.token = cpu_to_le32(token);
	msg.rsvd = 0;
	if (size <= CHAN_REG_MAX) {
		for (i = 0; i < size; i++)
			part[i] = i < sizeof(msg) ? ((const uint8_t *)&msg)[i] : (uint8_t)(seq + i);
		chan_send_regs(chan, part, size);
		return;
	}
	out = msg;
	mem_write8(&out, emem40(load_buf), sizeof(out));
	mem_copy(emem40(load_buf + sizeof(out)),
		 emem40(load_pattern + ((seq + sizeof(out)) & 0xff)), size - sizeof(out));
	chan_send(chan, emem40(load_buf), size);
}

void load_main(void)
{
	__xread struct load_req in;
	struct load_req req;
	uint32_t count, size, target;
	uint64_t seq;

	chan_attach();
	fill_pattern();
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
