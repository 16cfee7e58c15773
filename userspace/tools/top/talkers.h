/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* talkers.h - the flows of each interval, from the card's flow meter. */
#ifndef NFPCHAN_TALKERS_H
#define NFPCHAN_TALKERS_H

#include "flow_ctl.h"
#include "flow_print.h"

#define TALKERS_MAX	65536	/* records that are kept of an interval */

/**
 * struct talkers - the reader of the flow meter
 * @in: the channel "flows", or NULL: not open
 * @ctl: the request
 * @asked: the totals of a request are outstanding
 * @based: @last was set, so the next totals end an interval
 * @token: of the request
 * @last: the last totals
 * @flow: records since the last totals, room for TALKERS_MAX
 * @flows: number of them
 * @more: records for which there was no room
 */
struct talkers {
	struct nfpchan *in;
	struct flow_ctl ctl;
	bool asked;
	bool based;
	uint32_t token;
	struct totals last;
	struct flow *flow;
	size_t flows;
	uint64_t more;
};

/* Open the meter's channels. Returns 0, or -1 with the reason in @why. */
int talkers_open(struct talkers *t, struct nfpchan_card *card, char *why, size_t len);
/* Close them, unless a request is under way: then call it again when its totals have come. */
void talkers_close(struct talkers *t);

/* Ask the meter for all flows in its table. Returns as talkers_open(). */
int talkers_ask(struct talkers *t, char *why, size_t len);

/*
 * Receive what has come. Returns 1: an interval has ended, its records are in @flow up to
 * talkers_next(), and what the meter counted is in @meter. 0: not yet. -1: failed. @again: out:
 * there may be more.
 */
int talkers_recv(struct talkers *t, struct totals *meter, bool *again, char *why, size_t len);

/* Forget the records of the last interval. */
void talkers_next(struct talkers *t);

#endif /* NFPCHAN_TALKERS_H */
