// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * soak.c - two dozen processes use every kind of channel for a time, and some of them are killed
 * and replaced. At the end, on each channel, the messages sent must be those received and those
 * counted as dropped. Contents are checked where the messages come back, or by the card (pit.h).
 * The time begins once frames can reach the XDP program, because loading it beside all the other
 * work takes a minute with KASAN. With kills, the last step is a wrong message to each ME process
 * that compares: the process must end, which shows that it does compare. Only a restart of the
 * firmware starts such a process again.
 *
 * usage: soak SECONDS [kill [SEED]]
 */
#define _GNU_SOURCE
#include "lib/soak.h"

#define KILL_MS	200	/* time between kills */

atomic_uint *ready;
static uint32_t random_state;

static uint32_t soak_random(uint32_t n)
{
	random_state = mix(random_state + 0x9e3779b9);
	return random_state % n;
}

/* ---- processes ---- */

static void workers_start(bool frames)
{
	unsigned int i;

	for (i = 0; i < SOAK_KINDS; i++)
		if (soak_kinds[i].frames == frames)
			worker_start(i);
}

/* Say whether no worker has reported a fault and none has ended. */
static bool all_well(void)
{
	int status;
	pid_t pid = waitpid(-1, &status, WNOHANG);

	if (pid > 0)
		printf("# process %d has ended: status %x\n", pid, status);
	return traffic_well() && pid <= 0;
}

static void kill_one(void)
{
	unsigned int i;

	do {
		i = soak_random(SOAK_KINDS);
	} while (!soak_kinds[i].mortal);
	worker_kill(i);
}

static bool reap_all(bool late)
{
	bool good = true;
	unsigned int i;

	for (i = 0; i < SOAK_KINDS; i++)
		if (soak_kinds[i].late == late && reap(traffic->worker[i].pid))
			good = false;
	return good;
}

/* ---- accounts ---- */

/**
 * struct account - counts that must be equal
 * @in: channel to the NFP, or NULL
 * @out: channel to the host on which the messages of @in come back, or NULL
 * @depth: messages of @out that count as dropped although a killed receiver had taken them: the
 *	card was not told in time
 * @taken: messages that a killed receiver may have taken and not counted; 0: 1
 * @batch: messages that a killed sender may have sent and not counted
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

static bool same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Sum up what the workers of a channel have counted. A worker may have two channels. */
static struct tally tally(const char *chan)
{
	struct tally t = { 0 };
	unsigned int i;

	for (i = 0; i < SOAK_KINDS; i++) {
		const struct kind *k = &soak_kinds[i];
		struct worker *w = &traffic->worker[i];
		bool in = same(k->back ? : k->in ? : k->name, chan), out = same(k->out, chan);

		if (in)
			t.sent += w->sent;
		if (out) {
			t.asked += w->asked;
			t.received += w->received;
			t.lost += w->lost;
		}
		if (out || (in && !k->out))
			t.sum += w->sum;
		if (in || out)
			t.kills += w->kills;
	}
	return t;
}

/* Return the messages that the card was asked for on a channel: requests go to three in turn. */
static unsigned long long asked(const char *chan)
{
	static const char *const target[LOAD_TARGETS] = {
		[LOAD_POUR] = "pour", [LOAD_LOAD] = "load", [LOAD_RV] = "load-rv",
	};
	unsigned long long n = tally("load-ctl").sent;
	unsigned int i;

	for (i = 0; i < LOAD_TARGETS; i++)
		if (!strcmp(target[i], chan))
			return (n / 3 + (i && n % 3 >= i)) * load_count[i];
	return tally(chan).asked;
}

static struct nfp_chan_query since(unsigned int i, int end)
{
	struct nfp_chan_query q;

	/* Frames are no channel's messages, and the meter reports its losses itself. */
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

/* Say whether the ME processes have put all that they got into the rings to the host. */
static bool settled(unsigned int i)
{
	const struct account *a = &accounts[i];
	struct nfp_chan_query out;

	if (!a->out || !strcmp(a->out, METER))
		return true;
	out = since(i, 1);
	/* A message dropped for lack of room is not counted as carried; other dropped ones are. */
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
	/* The counts would not show one lost message and another that came twice: the hash does. */
	if (a->in && a->out && !tx.kills && !rx.kills && !in.dropped && !out.dropped)
		good &= between("hash", sum, 0, 0, 0);
	ok(good, "%s: messages sent are those received and those dropped", name);
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

static void all_compared_well(void)
{
	unsigned int i;

	for (i = 0; i < ACCOUNTS; i++)
		if (accounts[i].in && (is_compared(accounts[i].in) || !strcmp(accounts[i].in, "sink")))
			compared_well(accounts[i].in);
}

static ssize_t compared_send(struct nfpchan *ch, const void *buf, size_t len)
{
	if (nfpchan_layout(ch)->kind == NFP_CHAN_STREAM)
		return nfpchan_write(ch, buf, len, WAIT_NS);
	return nfpchan_send(ch, buf, len, WAIT_NS);
}

/*
 * Send a wrong byte, or (@order) leave a message out. The ME process must end, and the channel
 * return EPIPE, also for the zeros that are sent then.
 */
static void compared_ends(const char *chan, uint32_t len, bool order)
{
	struct nfpchan *ch = chan_start(chan, 0);
	uint32_t nr = unused_number();
	uint8_t buf[MSG_MAX];
	ssize_t n = 0;

	if (is_compared(chan)) {
		compared_fill(buf, len, nr, 1);
		n = compared_send(ch, buf, len);
		compared_fill(buf, len, nr, order ? 3 : 2);
	} else {
		compared_bytes(buf, len, 0, len, nr);
	}
	if (!order)
		buf[len - 1] ^= 1;
	if (n >= 0)
		n = compared_send(ch, buf, len);
	ok(n >= 0, "%s: takes a message that is wrong", chan);
	memset(buf, 0, len);
	UNTIL((n = compared_send(ch, buf, len)) < 0);
	is(n, -EPIPE, "the process has ended because of it");
	nfpchan_close(ch);
}

/* ---- the soak ---- */

/* Say whether each channel has carried at least @least messages, bytes or frames. */
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
	uint64_t end = now_ns() + seconds * 1000000000;
	bool well = true;

	while (well && now_ns() < end) {
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
	signal(SIGALRM, traffic_alarm);
	ready = shared_memory(sizeof(*ready));
	traffic_init(soak_kinds, SOAK_KINDS, true,
		     argc > 3 ? strtoul(argv[3], NULL, 0) : unused_number());
	random_state = mix(traffic->seed);
	printf("# seed %u: it determines kills, sizes and counts, not timing\n", traffic->seed);
	used = in_use();
	accounts_begin();
	workers_start(true);
	/* all_well() reports a process's end once only, so keep its result. */
	UNTIL(!(well = all_well()) || *ready == READY);
	well = well && *ready == READY;
	if (ok(well, "links, flow meter and program are ready for frames")) {
		workers_start(false);
		well = run_for(seconds, killing);
		ok(!well || all_moved(seconds), "every channel had one message a second or more");
	}
	if (!traffic_well())
		traffic_show();
	if (!ok(well, "%d processes, %d s%s", SOAK_KINDS, seconds, killing ? ", with kills" : ""))
		return tap_done();

	alarm(slowly(180));
	traffic_set(TRAFFIC_STOPS);
	ok(reap_all(false), "all workers that send have ended");
	for (i = 0; i < SOAK_KINDS; i++)
		if (!UNTIL(!traffic->worker[i].busy))
			printf("# %s: still sends\n", soak_kinds[i].name);
	for (i = 0; i < ACCOUNTS; i++)
		if (!UNTIL(settled(i)))
			printf("# %s: not all of it has come\n", accounts[i].out);
	traffic_set(TRAFFIC_LEAVES);
	ok(reap_all(true), "all workers that receive have ended");
	for (i = 0; i < ACCOUNTS; i++)
		account_check(i);
	all_compared_well();
	if (killing) {
		compared_ends("pit", MSG_MAX, false);
		compared_ends("pit64", 64, true);
		compared_ends("sink64", 64, true);
		compared_ends("sink", MSG_MAX, false);
	}
	printf("# total: sent %llu, received %llu, dropped %llu; %llu uncertain because of kills\n",
	       total.sent, total.received, total.dropped, total.doubt);
	nothing_left(&used, "after the soak");
	return tap_done();
}
