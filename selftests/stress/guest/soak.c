// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * soak.c - two dozen processes use every kind of channel for a time, some of them
 * are killed and come again. In the end what was sent is what was received and
 * what is counted as dropped, on each channel, and contents are compared: where they
 * come back, or by the card (pit.h). The time begins once frames can
 * reach the program: to load it beside all the others takes a minute with KASAN.
 * With kills each of the card's processes that compare ends at last, by what is wrong
 * on purpose: they did look. Nothing starts them again but the firmware's start.
 *
 * usage: soak SECONDS [kill [SEED]]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include "soak_kinds.h"

#define KILL_MS	200	/* from a kill to the next */

static const struct role roles[] = {
	{ "echo-in", NULL, run_send, HOW_PLACE, true },
	{ "echo-in", NULL, run_write, HOW_FD, true },
	{ "echo-out", "echo-in", run_port, HOW_COPY, true },
	{ "echo-out", NULL, run_receive, HOW_PLACE, true },
	{ "echo-out", NULL, run_receive, HOW_FD, true },
	{ "rv-in", NULL, run_meet, HOW_COPY, true },
	{ "rv-in", NULL, run_meet, HOW_COPY, true },
	{ "rv-out", NULL, run_receive, HOW_COPY, true },
	{ "rv-out", NULL, run_receive, HOW_FD, true },
	{ "pit", NULL, run_send, HOW_PLACE, true },
	{ "pit64", NULL, run_many, HOW_MANY, true },
	{ "sink", NULL, run_sink, HOW_COPY, true },
	{ "load-ctl", NULL, run_ask, HOW_COPY, false },
	{ "load", NULL, run_loaded, HOW_PLACE, true },
	{ "pour", NULL, run_loaded, HOW_COPY, true },
	{ "load-rv", NULL, run_loaded, HOW_FD, true },
	{ "loop-in", NULL, run_bytes, HOW_COPY, false },
	{ "loop-out", NULL, run_bytes_back, HOW_COPY, false },
	{ "source", NULL, run_source, SOURCE_BYTES, false },
	{ "loop64-out", "loop64-in", run_ping, HOW_COPY, false },
	{ "own", NULL, run_signal, HOW_COPY, false },
	{ "source64", "sink64", run_pair, HOW_PLACE, false },
	{ "wire", NULL, run_wire, HOW_FD, false },
	{ "flows", "flow-ctl", run_flows, HOW_COPY, false },
	{ "xdp0", NULL, run_hook, HOW_PLACE, false },
};

#define ROLES	(sizeof(roles) / sizeof(roles[0]))

static bool receives(const struct role *r)
{
	return r->run == run_receive || r->run == run_loaded || r->run == run_bytes_back ||
	       r->run == run_port || r->run == run_flows || r->run == run_hook;
}

/* ---- processes ---- */

static void role_run(void *arg)
{
	const struct role *r = arg;

	alarm(0);
	post = &soak->post[r - roles];
	soak_x = mix(soak->seed ^ mix((r - roles) << 16 | post->kills));
	r->run(r);
}

static void role_start(unsigned int i)
{
	soak->post[i].pid = spawn(role_run, (void *)&roles[i]);
}

static bool of_frames(const struct role *r)
{
	return r->run == run_wire || r->run == run_flows || r->run == run_hook;
}

static void roles_start(bool frames)
{
	unsigned int i;

	for (i = 0; i < ROLES; i++)
		if (of_frames(&roles[i]) == frames)
			role_start(i);
}

static bool all_well(void)
{
	int status;
	pid_t pid = waitpid(-1, &status, WNOHANG);
	unsigned int i;

	for (i = 0; i < ROLES; i++)
		if (soak->post[i].fault[0] || (pid > 0 && soak->post[i].pid == pid))
			return false;
	return true;
}

static void kill_one(void)
{
	struct post *p;
	unsigned int i;

	do {
		i = soak_random(ROLES);
	} while (!roles[i].mortal);
	p = &soak->post[i];
	kill(p->pid, SIGKILL);
	reap(p->pid);
	p->kills++;
	role_start(i);
}

static bool reap_all(bool receivers)
{
	bool good = true;
	unsigned int i;

	for (i = 0; i < ROLES; i++)
		if (receives(&roles[i]) == receivers && reap(soak->post[i].pid))
			good = false;
	return good;
}

/* ---- accounts ---- */

/* No channel, but frames; the meter counts these, and not its messages. */
#define WIRE	"wire"
#define METER	"flows"

/**
 * struct account - what must be equal
 * @in: channel to the NFP, or NULL
 * @out: channel to the host that has what came in there, or NULL
 * @depth: messages of @out that a killed receiver may have taken, and that count
 *	as dropped all the same: it had not told the card yet
 * @taken: those that it may have taken, and not counted; 0: 1
 * @batch: those that a killed sender may have sent, and not counted
 */
static const struct account {
	const char *in;
	const char *out;
	unsigned int depth;
	unsigned int taken;
	unsigned int batch;
} accounts[] = {
	{ .in = "echo-in", .out = "echo-out", .depth = 16 + PORT_REQS, .taken = PORT_REQS,
	  .batch = PORT_REQS },
	{ .in = "rv-in", .out = "rv-out", .depth = 1, .batch = 1 },
	{ .in = "loop-in", .out = "loop-out" },
	{ .in = "loop64-in", .out = "loop64-out" },
	{ .in = "pit", .batch = 1 },
	{ .in = "pit64", .batch = 32 },
	{ .in = "sink", .batch = SINK_PART },
	{ .in = "sink64" },
	{ .in = "load-ctl" },
	{ .out = "load", .depth = 64 },
	{ .out = "pour", .depth = 4 },
	{ .out = "load-rv", .depth = 1 },
	{ .out = "source" },
	{ .out = "source64" },
	{ .out = "own" },
	{ .in = WIRE, .out = METER },
	{ .in = WIRE, .out = "xdp0" },
};

#define ACCOUNTS	(sizeof(accounts) / sizeof(accounts[0]))

struct tally {
	unsigned long long asked, sent, received, lost, sum;
	unsigned int kills;
};

static struct nfp_chan_query before[ACCOUNTS][2];

/* Of one with two channels, each of them has its part. */
static struct tally tally(const char *chan)
{
	struct tally t = { 0 };
	unsigned int i;

	for (i = 0; i < ROLES && chan; i++) {
		struct post *p = &soak->post[i];
		bool out = !strcmp(roles[i].chan, chan), in = out;

		if (roles[i].in)
			in = !strcmp(roles[i].in, chan);
		if (in)
			t.sent += p->sent;
		if (out) {
			t.asked += p->asked;
			t.received += p->received;
			t.lost += p->lost;
			t.sum += p->sum;
		}
		if (in || out)
			t.kills += p->kills;
	}
	return t;
}

/* What the card was asked for on a channel: the requests take turns. */
static unsigned long long asked(const char *chan)
{
	static const struct {
		const char *chan;
		unsigned int count;
	} target[] = {
		[LOAD_POUR] = { "pour", 200 }, [LOAD_LOAD] = { "load", 100 },
		[LOAD_RV] = { "load-rv", 10 },
	};
	unsigned long long n = tally("load-ctl").sent;
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (!strcmp(target[i].chan, chan))
			return (n / 3 + (i && n % 3 >= i)) * target[i].count;
	return tally(chan).asked;
}

static struct nfp_chan_query since(unsigned int i, int end)
{
	struct nfp_chan_query q;

	/* Frames have no counter of a channel, and the meter says itself what it lost. */
	if (!end && !strcmp(accounts[i].in, WIRE))
		return (struct nfp_chan_query){ .msgs = tally(WIRE).sent };
	if (end && !strcmp(accounts[i].out, METER))
		return (struct nfp_chan_query){ .dropped = tally(METER).lost };
	q = counters(end ? accounts[i].out : accounts[i].in);

	q.msgs -= before[i][end].msgs;
	q.dropped -= before[i][end].dropped;
	return q;
}

static void accounts_begin(void)
{
	unsigned int i;

	for (i = 0; i < ACCOUNTS; i++) {
		if (accounts[i].in && strcmp(accounts[i].in, WIRE))
			before[i][0] = counters(accounts[i].in);
		if (accounts[i].out)
			before[i][1] = counters(accounts[i].out);
	}
}

/* Everything that the ME processes have is in the rings to the host, or beyond. */
static bool settled(unsigned int i)
{
	const struct account *a = &accounts[i];
	struct nfp_chan_query out;

	if (!a->out || !strcmp(a->out, METER))
		return true;
	out = since(i, 1);
	/* What is dropped for want of room is not carried, what a receiver leaves is both. */
	if (out.chan_flags & NFP_CHAN_F_DROP)
		out.msgs += out.dropped;
	if (a->in)
		return out.msgs >= since(i, 0).msgs;
	return out.msgs >= asked(a->out);
}

static struct {
	unsigned long long sent, received, dropped;
	unsigned long long doubt;
} total;

static bool between(const char *what, unsigned long long got, unsigned long long want,
		    unsigned long long less, unsigned long long more)
{
	bool good = got + less >= want && got <= want + more;

	if (!good)
		printf("# %s: %llu, must be %llu (-%llu +%llu)\n", what, got, want, less, more);
	return good;
}

static void account_check(unsigned int i)
{
	const struct account *a = &accounts[i];
	struct tally tx = tally(a->in), rx = tally(a->out);
	struct nfp_chan_query in = { 0 }, out = { 0 };
	char name[2 * NFP_CHAN_NAME_LEN + 8];
	unsigned long long came, sum = tx.sum + rx.sum;
	bool good = true;

	snprintf(name, sizeof(name), "%s%s%s", a->in ? a->in : "", a->in && a->out ? " -> " : "",
		 a->out ? a->out : "");
	if (a->in) {
		in = since(i, 0);
		good &= between("carried and dropped", in.msgs + in.dropped, tx.sent, 0,
				(unsigned long long)tx.kills * a->batch);
		came = in.msgs;
	} else {
		tx.sent = asked(a->out);
		came = tx.sent;
	}
	if (a->out) {
		out = since(i, 1);
		good &= between("received and dropped", rx.received + out.dropped, came,
				(unsigned long long)rx.kills * (a->taken ? : 1),
				(unsigned long long)rx.kills * a->depth);
	}
	/* One that was lost and one that came twice would make no difference there. */
	if (a->in && a->out && !tx.kills && !rx.kills && !in.dropped && !out.dropped)
		good &= between("hash", sum, 0, 0, 0);
	ok(good, "%s: sent is received and dropped", name);
	printf("# %s: sent %llu, dropped %llu; received %llu, dropped %llu; %u killed\n", name,
	       tx.sent, (unsigned long long)in.dropped,
	       a->out ? rx.received : (unsigned long long)in.msgs,
	       (unsigned long long)out.dropped, tx.kills + rx.kills);
	total.sent += tx.sent;
	total.received += a->out ? rx.received : in.msgs;
	total.dropped += in.dropped + out.dropped;
	total.doubt += (unsigned long long)tx.kills * a->batch +
		       (unsigned long long)rx.kills * (a->depth + (a->taken ? : 1));
}

static void pits_whole(void)
{
	unsigned int i;

	for (i = 0; i < ACCOUNTS; i++)
		if (accounts[i].in && (is_pit(accounts[i].in) || !strcmp(accounts[i].in, "sink")))
			pit_well(accounts[i].in);
}

static ssize_t pit_send(struct nfpchan *ch, const void *buf, size_t len)
{
	if (nfpchan_geom(ch)->kind == NFP_CHAN_STREAM)
		return nfpchan_write(ch, buf, len, WAIT_NS);
	return nfpchan_send(ch, buf, len, WAIT_NS);
}

/* A byte that is another, or one message that is missing; then what says nothing. */
static void pit_ends(const char *chan, uint32_t len, bool order)
{
	struct nfpchan *ch = chan_start(chan, 0);
	uint32_t nr = pit_new();
	uint8_t buf[MSG_MAX];
	ssize_t n = 0;

	if (is_pit(chan)) {
		pit_fill(buf, len, nr, 1);
		n = pit_send(ch, buf, len);
		pit_fill(buf, len, nr, order ? 3 : 2);
	} else {
		pit_bytes(buf, len, 0, len, nr);
	}
	if (!order)
		buf[len - 1] ^= 1;
	if (n >= 0)
		n = pit_send(ch, buf, len);
	ok(n >= 0, "%s: takes messages, and one that is wrong", chan);
	memset(buf, 0, len);
	UNTIL((n = pit_send(ch, buf, len)) < 0);
	is(n, -EPIPE, "and has ended by it");
	nfpchan_close(ch);
}

/* ---- all of it ---- */

static void soak_alarm(int sig)
{
	unsigned int i;

	for (i = 0; i < ROLES; i++)
		printf("# %s: sent %llu, received %llu; %s\n", roles[i].chan,
		       soak->post[i].sent, soak->post[i].received, soak->post[i].fault);
	fflush(stdout);
	on_alarm(sig);
}

/* Was each channel in use all the time: @least messages, bytes or frames? */
static bool all_moved(unsigned int least)
{
	bool good = true;

	for (unsigned int i = 0; i < ACCOUNTS; i++) {
		const struct account *a = &accounts[i];
		unsigned long long sent = a->in ? tally(a->in).sent : asked(a->out);

		if (sent >= least)
			continue;
		printf("# %s: only %llu\n", a->in ? a->in : a->out, sent);
		good = false;
	}
	return good;
}

static bool run_for(int64_t seconds, bool killing)
{
	int64_t end = now_ms() + seconds * 1000;
	bool well = true;

	while (well && now_ms() < end) {
		poll(NULL, 0, KILL_MS);
		well = all_well();
		if (well && killing)
			kill_one();
	}
	return well;
}

int main(int argc, char **argv)
{
	bool killing = argc > 2 && !strcmp(argv[2], "kill"), well;
	int seconds = argc > 1 ? atoi(argv[1]) : 0;
	struct in_use used;
	unsigned int i;

	if (seconds < 1 || argc > 4 || (argc > 2 && !killing)) {
		fprintf(stderr, "usage: soak SECONDS [kill [SEED]]\n");
		return 2;
	}
	card_start();
	alarm(0);
	signal(SIGALRM, soak_alarm);
	soak = shared_memory(sizeof(*soak));
	soak->seed = argc > 3 ? strtoul(argv[3], NULL, 0) : pit_new();
	soak_x = mix(soak->seed);
	printf("# seed %u: who is killed, sizes, counts; not when they meet\n", soak->seed);
	used = in_use();
	accounts_begin();
	roles_start(true);
	/* Who has ended is told of once. */
	UNTIL(!(well = all_well()) || soak->ready == READY);
	well = well && soak->ready == READY;
	if (ok(well, "links, flow meter and program are ready for frames")) {
		roles_start(false);
		well = run_for(seconds, killing);
		ok(!well || all_moved(seconds), "every channel had one message a second or more");
	}
	for (i = 0; i < ROLES; i++)
		if (soak->post[i].fault[0])
			printf("# %s: %s\n", roles[i].chan, soak->post[i].fault);
	if (!ok(well, "%zu processes, %d s%s", ROLES, seconds, killing ? ", with kills" : ""))
		return tap_done();

	alarm(180);
	soak->stopping = 1;
	ok(reap_all(false), "who sends came to its end");
	for (i = 0; i < ROLES; i++)
		if (!UNTIL(!soak->post[i].busy))
			printf("# %s: still sends\n", roles[i].chan);
	for (i = 0; i < ACCOUNTS; i++)
		if (!UNTIL(settled(i)))
			printf("# %s: not all of it has come\n", accounts[i].out);
	soak->leaving = 1;
	ok(reap_all(true), "who receives, too");
	for (i = 0; i < ACCOUNTS; i++)
		account_check(i);
	pits_whole();
	if (killing) {
		pit_ends("pit", MSG_MAX, false);
		pit_ends("pit64", 64, true);
		pit_ends("sink64", 64, true);
		pit_ends("sink", MSG_MAX, false);
	}
	printf("# total: sent %llu, received %llu, dropped %llu; kills leave %llu uncertain\n",
	       total.sent, total.received, total.dropped, total.doubt);
	nothing_left(&used, "after the soak");
	latency_show(&soak->latency);
	return tap_done();
}
