/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * flow_ctl.h - requests to the flow meter.
 *
 * The meter takes no request while it waits for room on "flows". Therefore a thread sends the
 * request, and the caller goes on receiving from "flows".
 */
#ifndef NFPCHAN_FLOW_CTL_H
#define NFPCHAN_FLOW_CTL_H

#include <pthread.h>
#include <stdbool.h>
#include <nfpchan.h>
#include <nfpchan/nfp_chan_flow.h>

/**
 * struct flow_ctl - the current request
 * @ch: the channel "flow-ctl"
 * @done: eventfd that the thread signals when it ends
 * @busy: the thread was started and not joined
 * @thread: the thread
 * @req: its message, or
 * @times: its message that sets time-outs
 * @err: result of the send
 * @why: text of the last failure
 */
struct flow_ctl {
	struct nfpchan *ch;
	int done;
	bool busy;
	pthread_t thread;
	union {
		struct nfp_flow_req req;
		struct nfp_flow_times times;
	};
	int err;
	char why[256];
};

/* Send a request, after the last one has ended. Returns 0, or -1 with the reason in @why. */
int flow_ctl_start(struct flow_ctl *c, uint32_t op, uint64_t quiet_us, uint32_t token);

/* Set the meter's time-outs in ms, as struct nfp_flow_times has them. Returns likewise. */
int flow_ctl_times(struct flow_ctl *c, uint32_t idle_ms, uint32_t active_ms, uint32_t token);

/*
 * Wait for the end of the thread, if there is one. The caller knows that the meter has taken or
 * answered its message. Returns as flow_ctl_start().
 */
int flow_ctl_join(struct flow_ctl *c);

#endif /* NFPCHAN_FLOW_CTL_H */
