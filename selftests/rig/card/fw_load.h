/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* fw_load.h - request messages from the process "load", and receive them. */
#ifndef FW_LOAD_H
#define FW_LOAD_H

#include "test_apps.h"
#include "fw_host.h"

#define LOAD_TOKEN	0xabcd

static inline void load(struct fw_pipe *ctl, uint32_t count, uint32_t size, uint32_t target)
{
	struct load_req req = { count, size, target, LOAD_TOKEN };

	fw_send_run(ctl, &req, sizeof(req));
}

/* Receive the next message of a load request, and check its contents. Return its number. */
static inline uint64_t load_next(struct fw_pipe *p, uint32_t size)
{
	uint8_t buf[LOAD_SIZE_MAX];
	struct load_msg m;

	assert_int_equal(fw_recv(p, buf, sizeof(buf)), size);
	memcpy(&m, buf, sizeof(m));
	assert_int_equal(m.token, LOAD_TOKEN);
	for (uint32_t i = sizeof(m); i < size; i++)
		assert_int_equal(buf[i], (uint8_t)(m.seq + i));
	return m.seq;
}

#endif /* FW_LOAD_H */
