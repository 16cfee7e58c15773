// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * talkers.c - the flows of each interval, from the card's flow meter.
 *
 * The meter reports a flow when the flow ends. So a request at each interval's end has the meter
 * report all flows of its table, which then begin again. The totals come after these records.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>
#include "talkers.h"

#define BURST	256	/* records between two looks at the keys */

int talkers_open(struct talkers *t, struct nfpchan_card *card, char *why, size_t len)
{
	*t = (struct talkers){ .ctl.done = eventfd(0, EFD_CLOEXEC) };
	t->flow = malloc(TALKERS_MAX * sizeof(*t->flow));
	if (t->ctl.done < 0 || !t->flow ||
	    getrandom(&t->token, sizeof(t->token), 0) != sizeof(t->token))
		snprintf(why, len, "flows: %s", strerror(errno));
	else if (nfpchan_open(&t->ctl.ch, card, NFP_CHAN_FLOW_CTL, NULL) ||
		 nfpchan_open(&t->in, card, NFP_CHAN_FLOWS, NULL))
		nfpchan_card_error(card, why, len);
	else
		return 0;
	talkers_close(t);
	return -1;
}

void talkers_close(struct talkers *t)
{
	if (t->asked)
		return;
	nfpchan_close(t->in);
	nfpchan_close(t->ctl.ch);
	if (t->ctl.done > 0)
		close(t->ctl.done);
	free(t->flow);
	*t = (struct talkers){ .in = NULL };
}

int talkers_ask(struct talkers *t, char *why, size_t len)
{
	if (t->asked)
		return 0;
	if (flow_ctl_start(&t->ctl, NFP_FLOW_OP_FLUSH, 0, ++t->token)) {
		snprintf(why, len, "%s", t->ctl.why);
		return -1;
	}
	t->asked = true;
	return 0;
}

/* What the meter counted since @last */
static struct totals counted(const struct totals *now, const struct totals *last)
{
	struct totals t = *now;

	t.packets -= last->packets;
	t.bytes -= last->bytes;
	t.records -= last->records;
	t.not_ip -= last->not_ip;
	t.truncated -= last->truncated;
	t.malformed -= last->malformed;
	t.dropped -= last->dropped;
	t.seen -= last->seen;
	return t;
}

/* Take a message. Returns 1: the totals; 0: a record; -1: it makes no sense. */
static int take(struct talkers *t, const void *msg, size_t len, struct totals *totals)
{
	struct flow flow = { 0 };

	if (totals_decode(totals, msg, len))
		return totals->token == t->token;
	if (!flow_decode(&flow, msg, len))
		return -1;
	if (t->flows < TALKERS_MAX)
		t->flow[t->flows++] = flow;
	else
		t->more++;
	return 0;
}

/* The totals have come. Returns as talkers_recv(). */
static int ended(struct talkers *t, const struct totals *totals, struct totals *meter, char *why,
		 size_t len)
{
	int based = t->based;

	/* The meter has taken the request, so the thread ends. */
	t->asked = false;
	if (flow_ctl_join(&t->ctl)) {
		snprintf(why, len, "%s", t->ctl.why);
		return -1;
	}
	*meter = counted(totals, &t->last);
	t->last = *totals;
	t->based = true;
	if (!based)
		talkers_next(t);
	return based;
}

void talkers_next(struct talkers *t)
{
	t->flows = 0;
	t->more = 0;
}

int talkers_recv(struct talkers *t, struct totals *meter, bool *again, char *why, size_t len)
{
	struct totals totals;
	const void *msg;
	ssize_t got;
	int n, ret = 0;

	*again = true;
	for (n = 0; !ret && n < BURST; n++) {
		got = nfpchan_borrow(t->in, &msg, NFPCHAN_NONBLOCK);
		*again = got != -EAGAIN;
		if (!*again)
			return 0;
		ret = got < 0 ? -1 : take(t, msg, (size_t)got, &totals);
		if (ret < 0 && got >= 0) {
			snprintf(why, len, "a flow record makes no sense (%zd bytes)", got);
		} else if (ret < 0 || nfpchan_release(t->in, 1)) {
			nfpchan_error(t->in, why, len);
			ret = -1;
		}
		if (ret > 0)
			ret = ended(t, &totals, meter, why, len);
	}
	return ret;
}
