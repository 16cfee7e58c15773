/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Paxos in five devices. A leader numbers requests, three acceptors vote, and a learner counts
 * the votes and sends each decision to all hosts that are its neighbours.
 *
 * A device cannot copy a window. So a proposer sends a request in three windows. The leader gives
 * all three the same instance number, and passes each of them to a different acceptor. Two votes
 * decide, so one acceptor may be down. A proposer sends its request again until it receives the
 * decision. The leader gives a repeated request the same instance number.
 *
 * When the leader is dead, a host takes over. It sends PREPARE to the acceptors, with a larger
 * ballot than the leader's. Two acceptors answer with the values that they have accepted, and the
 * host sends ACCEPT with the value that has the largest vballot.
 *
 * A device remembers the last INSTANCES instances.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <ncl.h>

#define INSTANCES	64
#define WORDS		4	/* 32-bit words in a value */
#define NODES		32

enum { REQUEST, PREPARE, PROMISE, ACCEPT, VOTE, DECIDED };

_net_ _at_("leader") _ctrl_ uint32_t term;	/* ballot of the leader; 0: no leader */
_net_ _at_("leader") uint32_t instances;	/* number of the last instance; the first is 1 */
_net_ _at_("leader") uint64_t last[NODES];	/* last request of each proposer */
_net_ _at_("leader") uint32_t given[NODES];	/* and the instance of that request */

/* One kernel in three versions: one each for the leader, the acceptors and the learner */
_net_ _out_ _at_("leader") _as_("paxos") _win_(1, 1, 1, 1, 1, WORDS)
void lead(uint64_t request, uint32_t *type, uint32_t *instance, uint32_t *ballot,
	  uint32_t *vballot, uint32_t *voter, uint32_t *val)
{
	uint32_t p = window.from % NODES;

	if (!term || *type != REQUEST || (given[p] && request < last[p])) {
		_drop();
		return;
	}
	if (!given[p] || last[p] != request) {
		instances += 1;
		given[p] = instances;
		last[p] = request;
	}
	*type = ACCEPT;
	*instance = given[p];
	*ballot = term;
	if (window.seq == 0)
		_pass("a1");
	else if (window.seq == 1)
		_pass("a2");
	else
		_pass("a3");
}

#define ACCEPTOR	_at_("a1", "a2", "a3")

_net_ ACCEPTOR uint32_t kept[INSTANCES];	/* ring of instance numbers */
_net_ ACCEPTOR uint32_t promised[INSTANCES];	/* smaller ballots are refused */
_net_ ACCEPTOR uint32_t accepted[INSTANCES];	/* ballot of the value; 0: no value yet */
_net_ ACCEPTOR uint32_t value[INSTANCES][WORDS];

_net_ _out_ ACCEPTOR _as_("paxos") _win_(1, 1, 1, 1, 1, WORDS)
void vote(uint64_t request, uint32_t *type, uint32_t *instance, uint32_t *ballot,
	  uint32_t *vballot, uint32_t *voter, uint32_t *val)
{
	uint32_t i = *instance % INSTANCES;
	bool fresh = kept[i] != *instance;

	if ((int32_t)(*instance - kept[i]) < 0 || (!fresh && *ballot < promised[i]) ||
	    (*type != PREPARE && *type != ACCEPT)) {
		_drop();
		return;
	}
	if (*type == PREPARE) {
		*type = PROMISE;
		*vballot = fresh ? 0 : accepted[i];
		accepted[i] = *vballot;
		memcpy(val, value[i], WORDS * 4);
	} else {
		*type = VOTE;
		accepted[i] = *ballot;
		memcpy(value[i], val, WORDS * 4);
	}
	kept[i] = *instance;
	promised[i] = *ballot;
	*voter = location.id;
	_pass("learner");
}

_net_ _at_("learner") uint32_t counted[INSTANCES];	/* ring of instance numbers */
_net_ _at_("learner") uint32_t ballots[INSTANCES];	/* largest ballot; only its votes count */
_net_ _at_("learner") uint32_t votes[INSTANCES];	/* one bit for each acceptor */

_net_ _out_ _at_("learner") _as_("paxos") _win_(1, 1, 1, 1, 1, WORDS)
void learn(uint64_t request, uint32_t *type, uint32_t *instance, uint32_t *ballot,
	   uint32_t *vballot, uint32_t *voter, uint32_t *val)
{
	uint32_t i = *instance % INSTANCES, all = 1u << *voter % 32;

	if (*type == PROMISE) {
		_bcast();
		return;
	}
	if (*type != VOTE || (int32_t)(*instance - counted[i]) < 0 ||
	    (counted[i] == *instance && *ballot < ballots[i])) {
		_drop();
		return;
	}
	if (counted[i] == *instance && ballots[i] == *ballot)
		all |= votes[i];
	counted[i] = *instance;
	ballots[i] = *ballot;
	votes[i] = all;
	if (all & (all - 1)) {	/* at least two bits are set */
		*type = DECIDED;
		_bcast();
	} else {
		_drop();
	}
}

/* ---- the hosts' code ---- */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ACCEPTORS	3
#define RETRY_NS	20000000	/* send a request again after this time */
#define RETRIES		500

/* Contents of a window */
struct message {
	uint64_t request;
	uint32_t type, instance, ballot, vballot, voter, val[WORDS];
};

static const char *const acceptors[ACCEPTORS] = { "a1", "a2", "a3" };

static int fail(struct ncrt *nc, const char *what)
{
	char text[256];

	fprintf(stderr, "paxos: %s: %s\n", what, nc ? ncrt_error(nc, text, sizeof(text)) : ncl_error());
	return -1;
}

static struct ncrt *session(const char *host)
{
	struct ncrt_opts opts = { .size = sizeof(opts), .program = &ncl_program, .host = host };
	struct ncrt *nc;
	char err[256];

	if (!ncrt_open(&nc, &opts, err, sizeof(err)))
		return nc;
	fprintf(stderr, "paxos: %s: %s\n", host ? host : "open", err);
	return NULL;
}

/*
 * Send a window for each acceptor: to the leader, or, if this host has taken over, to the
 * acceptors.
 */
static int send_all(struct ncrt *nc, const struct message *m, bool leads)
{
	for (uint32_t i = 0; i < ACCEPTORS; i++) {
		struct message x = *m;
		struct ncrt_wnd wnd = {
			.size = sizeof(wnd), .mode = NCRT_NONE, .first_seq = i,
			.to = (uint32_t)ncrt_node(nc, leads ? acceptors[i] : "leader"),
		};
		struct ncrt_arg args[] = {
			ncl_value(x.request), ncl_array(&x.type, 1), ncl_array(&x.instance, 1),
			ncl_array(&x.ballot, 1), ncl_array(&x.vballot, 1), ncl_array(&x.voter, 1),
			ncl_array(x.val, WORDS),
		};

		if (ncrt_out(nc, "paxos", args, 7, &wnd, NULL) < 0)
			return fail(nc, "send");
	}
	return 0;
}

/* Receive a message that the learner sends to all hosts. Returns 1 if none comes in time. */
static int hear(struct ncrt *nc, struct message *m, uint16_t *from, int64_t timeout)
{
	struct ncrt_window w;
	int ret = ncrt_recv(nc, "paxos", &w, timeout);

	if (ret == -ETIMEDOUT)
		return 1;
	if (ret)
		return fail(nc, "receive");
	m->request = *(uint64_t *)ncrt_arg_at(nc, &w, 0);
	m->type = *(uint32_t *)ncrt_arg_at(nc, &w, 1);
	m->instance = *(uint32_t *)ncrt_arg_at(nc, &w, 2);
	m->ballot = *(uint32_t *)ncrt_arg_at(nc, &w, 3);
	m->vballot = *(uint32_t *)ncrt_arg_at(nc, &w, 4);
	m->voter = *(uint32_t *)ncrt_arg_at(nc, &w, 5);
	memcpy(m->val, ncrt_arg_at(nc, &w, 6), sizeof(m->val));
	*from = w.from;
	return 0;
}

/* Send @m, repeatedly, until @is_it accepts a message that was received. */
static int ask(struct ncrt *nc, struct ncrt *ear, const struct message *m, bool leads,
	       bool (*is_it)(const struct message *heard, void *ctx), void *ctx)
{
	for (int i = 0; i < RETRIES; i++) {
		struct message heard;
		uint16_t from;
		int ret = send_all(nc, m, leads);

		while (!ret) {
			ret = hear(ear, &heard, &from, RETRY_NS);
			if (!ret && is_it(&heard, ctx))
				return 0;
		}
		if (ret < 0)
			return -1;
	}
	fprintf(stderr, "paxos: no decision after %d tries\n", RETRIES);
	return -1;
}

static bool is_decided(const struct message *heard, void *ctx)
{
	const struct message *m = ctx;

	return heard->type == DECIDED && (!m->instance || heard->instance == m->instance) &&
	       !memcmp(heard->val, m->val, sizeof(m->val));
}

/* Propose @count values. A value is the proposer's node and a number. */
static int propose(const char *ear_label, uint32_t count)
{
	struct ncrt *nc = session(NULL), *ear = nc ? session(ear_label) : NULL;
	struct message m = { .type = REQUEST };
	struct timespec now;

	if (!ear)
		return 1;
	/* Numbers of requests must rise, also between two runs of the program. */
	clock_gettime(CLOCK_REALTIME, &now);
	m.request = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	m.val[0] = (uint32_t)ncrt_node(nc, NULL);
	for (m.val[1] = 1; m.val[1] <= count; m.val[1]++, m.request++)
		if (ask(nc, ear, &m, false, is_decided, &m))
			return 1;
	printf("%s: %u values were decided\n", ncrt_label(nc, m.val[0]), count);
	return 0;
}

/* Receive decisions until @count instances are decided, and print them. */
static int log_decisions(uint32_t count)
{
	struct ncrt *nc = session(NULL);
	uint32_t (*log)[WORDS] = calloc(count + 1, sizeof(*log));
	uint32_t known = 0;
	uint16_t from;
	struct message m;

	if (!nc || !log)
		return 1;
	printf("ready\n");
	fflush(stdout);
	while (known < count) {
		int ret = hear(nc, &m, &from, 60 * INT64_C(1000000000));

		if (ret)
			return fprintf(stderr, "paxos: %u of %u decisions\n", known, count), 1;
		if (m.type != DECIDED || m.instance > count || !m.instance)
			continue;
		if (log[m.instance][0] && memcmp(log[m.instance], m.val, sizeof(m.val)))
			return fprintf(stderr, "paxos: two values of %u\n", m.instance), 1;
		known += !log[m.instance][0];
		memcpy(log[m.instance], m.val, sizeof(m.val));
	}
	for (uint32_t i = 1; i <= count; i++)
		printf("%u: %s %u\n", i, ncrt_label(nc, log[i][0]), log[i][1]);
	return 0;
}

struct promises {
	uint32_t instance, ballot, voters;
	struct message best;
};

static bool is_majority(const struct message *heard, void *ctx)
{
	struct promises *p = ctx;

	if (heard->type != PROMISE || heard->instance != p->instance || heard->ballot != p->ballot)
		return false;
	p->voters |= 1u << heard->voter % 32;
	if (heard->vballot > p->best.vballot)
		p->best = *heard;
	return p->voters & (p->voters - 1);
}

/*
 * Decide an instance in place of the leader. If a value may have been decided already, keep that
 * value.
 */
static int take_over(const char *ear_label, uint32_t instance, uint32_t ballot)
{
	struct ncrt *nc = session(NULL), *ear = nc ? session(ear_label) : NULL;
	struct message m = { .type = PREPARE, .instance = instance, .ballot = ballot };
	struct promises p = { .instance = instance, .ballot = ballot };

	if (!ear || ask(nc, ear, &m, true, is_majority, &p))
		return 1;
	m.type = ACCEPT;
	memcpy(m.val, p.best.val, sizeof(m.val));
	if (!p.best.vballot)	/* neither acceptor has a value */
		memset(m.val, 0, sizeof(m.val));
	if (ask(nc, ear, &m, true, is_decided, &m))
		return 1;
	printf("%u: %s %u\n", instance, p.best.vballot ? ncrt_label(nc, m.val[0]) : "nothing",
	       m.val[1]);
	return 0;
}

int main(int argc, char **argv)
{
	uint32_t n = argc > 2 ? (uint32_t)strtoul(argv[argc - 1], NULL, 0) : 0;

	if (argc == 4 && !strcmp(argv[1], "propose"))
		return propose(argv[2], n);
	if (argc == 3 && !strcmp(argv[1], "learn"))
		return log_decisions(n);
	if (argc == 3 && !strcmp(argv[1], "lead"))
		return ncl_ctrl_wr(&term, n) < 0 ? -fail(NULL, "term") : 0;
	if (argc == 5 && !strcmp(argv[1], "take-over"))
		return take_over(argv[2], (uint32_t)strtoul(argv[3], NULL, 0), n);
	fprintf(stderr, "usage: paxos lead BALLOT			(where the leader is; 0: it stops)\n"
		"       paxos propose LEARNER COUNT\n"
		"       paxos learn COUNT\n"
		"       paxos take-over LEARNER INSTANCE BALLOT\n"
		"NCL_HOST is the host that proposes, or learns; LEARNER is one on the same machine that\n"
		"hears what was decided. BALLOT is larger than the leader's.\n");
	return 2;
}
