// SPDX-License-Identifier: BSD-2-Clause
/* load.c - an ME process that sends as fast as a channel takes (echo.chan). */
#include <nfp/mem_bulk.h>

#include "chan.h"
#include "echo.h"

__export __emem __align8 uint8_t load_buf[LOAD_SIZE_MAX];
__export __emem __align8 struct load_req load_req;

static const uint8_t targets[] = { CHAN_ID_POUR, CHAN_ID_LOAD, CHAN_ID_LOAD_RV };

/* Small messages go from registers, larger ones from memory. */
static void send_one(unsigned int chan, uint64_t seq, uint32_t token, uint32_t size)
{
	struct load_msg msg;
	uint8_t small[CHAN_REG_MAX];
	uint8_t *buf = size <= CHAN_REG_MAX ? small : load_buf;
	uint32_t i;

	msg.seq = cpu_to_le64(seq);
	msg.token = cpu_to_le32(token);
	msg.rsvd = 0;
	mem_copy(buf, &msg, sizeof(msg));
	for (i = sizeof(msg); i < size; i++)
		buf[i] = (uint8_t)(seq + i);
	if (size <= CHAN_REG_MAX)
		chan_send_regs(chan, small, size);
	else
		chan_send(chan, load_buf, size);
}

void load_main(void)
{
	struct load_req req;
	uint32_t count, size, target;
	uint64_t seq;

	chan_attach();
	for (;;) {
		chan_recv(CHAN_ID_LOAD_CTL, &load_req, sizeof(load_req));
		mem_read8(&req, &load_req, sizeof(req));
		count = le32_to_cpu(req.count);
		size = le32_to_cpu(req.size);
		target = le32_to_cpu(req.target);
		if (size < LOAD_SIZE_MIN || size > LOAD_SIZE_MAX || target >= sizeof(targets))
			continue;
		for (seq = 1; seq <= count; seq++)
			send_one(targets[target], seq, le32_to_cpu(req.token), size);
	}
}
