// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* flow_ctl.c - requests to the flow meter, each sent by a thread. */
#include <endian.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include "flow_ctl.h"

static void *send_thread(void *arg)
{
	struct flow_ctl *c = arg;

	c->err = nfpchan_send(c->ch, &c->req, sizeof(c->req), NFPCHAN_FOREVER);
	eventfd_write(c->done, 1);
	return NULL;
}

int flow_ctl_join(struct flow_ctl *c)
{
	eventfd_t count;

	if (!c->busy)
		return 0;
	pthread_join(c->thread, NULL);
	c->busy = false;
	eventfd_read(c->done, &count);
	if (!c->err)
		return 0;
	nfpchan_error(c->ch, c->why, sizeof(c->why));
	return -1;
}

static int start(struct flow_ctl *c)
{
	int err = pthread_create(&c->thread, NULL, send_thread, c);

	if (err) {
		snprintf(c->why, sizeof(c->why), "thread: %s", strerror(err));
		return -1;
	}
	c->busy = true;
	return 0;
}

int flow_ctl_start(struct flow_ctl *c, uint32_t op, uint64_t quiet_us, uint32_t token)
{
	int err = flow_ctl_join(c);

	if (err)
		return err;
	c->req = (struct nfp_flow_req){
		.op = htole32(op),
		.quiet_us = htole32((uint32_t)quiet_us),
		.token = htole32(token),
	};
	return start(c);
}

int flow_ctl_times(struct flow_ctl *c, uint32_t idle_ms, uint32_t active_ms, uint32_t token)
{
	int err = flow_ctl_join(c);

	if (err)
		return err;
	c->times = (struct nfp_flow_times){
		.op = htole32(NFP_FLOW_OP_TIMES),
		.idle_ms = htole32(idle_ms),
		.token = htole32(token),
		.active_ms = htole32(active_ms),
	};
	return start(c);
}
