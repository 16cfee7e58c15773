// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_channel.c - channels over BPF firmware (libnfpchan's "bpf:DEV"), without channel firmware:
 * each message is delivered once, losses are counted, one opener at a time, how channels end.
 *
 * usage: bpf_channel OBJECT DEV PEER
 *
 * The offloaded program is xdp/channel/orders.c. If it was compiled for firmware without a delete,
 * bpf_slots.c has the checks of messages to it. The last check unbinds the driver.
 */
#define _GNU_SOURCE
#include "bpf_rig.h"

#define ROUNDS		6	/* how often the channel is filled */
#define FLOOD		20000	/* frames sent while nobody receives */
#define BURST		1500	/* messages that the program sends for one frame */

/* ---- each message once ---- */

static void once(void)
{
	struct nfpchan *out = chan_start("orders", 0), *in = chan_start("told", 0);
	unsigned int i, round, good = 0, full = 0;
	uint32_t nr = 0, next = 0;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < DEPTH; i++)
			good += !give(out, nr++, NFPCHAN_NONBLOCK);
		full += give(out, nr, NFPCHAN_NONBLOCK) == -EAGAIN;
		for (i = 0; i < DEPTH; i++)
			good += took(in, next++);
		good += took(in, -1);
	}
	is(good, ROUNDS * (2 * DEPTH + 1), "orders sent, and each taken by one frame, in order");
	is(full, ROUNDS, "one more than it holds: EAGAIN");
	is(nfpchan_drain(out, NFPCHAN_NONBLOCK), 0, "all were taken");
	nfpchan_close(out);
	nfpchan_close(in);
}

struct waiter {
	struct nfpchan *ch;
	uint32_t nr;
	int ret;
};

static void *wait_send(void *arg)
{
	struct waiter *w = arg;

	w->ret = give(w->ch, w->nr, WAIT_NS);
	return NULL;
}

static void room(void)
{
	struct nfpchan *out = chan_start("orders", 0), *in = chan_start("told", 0);
	struct order o = order_of(DEPTH);
	struct nfpchan_case c = { .ch = out, .buf = &o, .len = sizeof(o), .guard = 1 };
	struct waiter w = { .ch = out, .nr = DEPTH + 1 };
	unsigned int i, good = 0;
	pthread_t thread;

	for (i = 0; i < DEPTH; i++)
		good += !give(out, i, NFPCHAN_NONBLOCK);
	is(give(out, i, 1000000), -ETIMEDOUT, "no room for a millisecond");
	is(nfpchan_drain(out, 1000000), -ETIMEDOUT, "nor is it drained");
	is(nfpchan_wait(out, 1000000), -ETIMEDOUT, "nor is there room to wait for");
	good += took(in, 0);
	is(nfpchan_select(&c, 1, WAIT_NS), 0, "a frame makes room for a select");
	pthread_create(&thread, NULL, wait_send, &w);
	good += took(in, 1);
	pthread_join(thread, NULL);
	is(w.ret, 0, "and for a send that waits");
	for (i = 2; i < DEPTH + 2; i++)
		good += took(in, i);
	is(good, 2 * DEPTH + 2, "all are taken in order");
	nfpchan_close(out);
	nfpchan_close(in);
}

/* Messages that a sender left in the map are taken before those of the next sender. */
static void left_over(void)
{
	struct nfpchan *out = chan_start("orders", 0), *in = chan_start("told", 0);
	unsigned int good;
	uint32_t nr = 0;

	good = !give(out, 0, 0) + !give(out, 1, 0) + !give(out, 2, 0) + took(in, nr++);
	nfpchan_close(out);
	out = chan_start("orders", 0);
	while (!give(out, nr + 2, 0))
		nr++;
	is(nr, 1 + DEPTH - 2, "two are left over: room for the rest");
	for (nr = 1; nr < DEPTH + 1; nr++)
		good += took(in, nr);
	is(good, 4 + DEPTH, "they come first");
	nfpchan_close(out);
	nfpchan_close(in);
}

/* ---- ways to receive ---- */

static int count_one(void *arg, struct nfpchan *ch, const void *msg, ssize_t len)
{
	atomic_uint *n = arg;

	(void)ch;
	if (len == sizeof(struct told) && ((const struct told *)msg)->frame == frames)
		(*n)++;
	return 0;
}

static void ways(void)
{
	struct nfpchan *in = chan_start("told", NO_SPIN);
	struct nfpchan_case c = { .ch = in, .guard = 1 };
	struct nfpchan_dispatch *d;
	atomic_uint handled = 0;
	const void *msg;
	struct told t[3];

	is(nfpchan_recv(in, t, sizeof(t), 0), -EAGAIN, "receive on an empty channel, timeout 0");
	is(nfpchan_recv(in, t, sizeof(t), 1000000), -ETIMEDOUT, "the same, with a timeout");
	is(events_of(nfpchan_fd(in), POLLIN, 0), 0, "poll() says so");
	frame();
	is(nfpchan_wait(in, WAIT_NS), 0, "a wait ends when a message comes");
	is(events_of(nfpchan_fd(in), POLLIN, 0), POLLIN,
	   "poll() reports the message that is not yet received");
	is(events_of(nfpchan_fd(in), POLLIN, 0), POLLIN, "again");
	is(nfpchan_borrow(in, &msg, 0), sizeof(*t), "borrowed");
	ok(told_is(msg, sizeof(*t), -1), "it is that message");
	is(nfpchan_release(in, 1), 0, "given back");
	is(nfpchan_recv(in, t, sizeof(t), 0), -EAGAIN, "nothing more");
	is(events_of(nfpchan_fd(in), POLLIN, 0), 0, "poll() says so");
	frame();
	is(events_of(nfpchan_fd(in), POLLIN, (int)WAIT_MS), POLLIN, "a poll() that waits");
	is(nfpchan_select(&c, 1, WAIT_NS), 0, "a select that waits");
	is(nfpchan_recv(in, t, sizeof(*t) - 1, 0), -EMSGSIZE, "a buffer too small");
	is(nfpchan_recv_many(in, t, 3, WAIT_NS), 1, "many at a time");
	if (nfpchan_dispatch_open(&d, 1) || nfpchan_dispatch_add(d, in, count_one, &handled))
		give_up("dispatch", "cannot be opened");
	frame();
	ok(UNTIL(handled == 1), "a handler gets a message");
	frame();
	ok(UNTIL(handled == 2), "and the next");
	nfpchan_dispatch_close(d);
	nfpchan_close(in);
}

/*
 * One frame with so many messages that the driver needs several turns. It takes 513, and then
 * waits for the next interrupt, although the card has sent its last one before.
 */
static void burst(void)
{
	struct nfpchan *in = chan_start("told", 0);
	unsigned int got = 0;
	struct told t;

	frame_more(BURST - 1, 0);
	while (got < BURST && nfpchan_recv(in, &t, sizeof(t), WAIT_NS) == sizeof(t))
		got++;
	is(got, BURST, "all messages of a burst arrive, with no frame after it");
	nfpchan_close(in);
}

/* ---- what is lost is counted ---- */

static void loss(void)
{
	struct nfpchan *in = chan_start_with("told", OPTS(.ring_size = 4096));
	struct nfp_chan_query before = counters("told"), q;
	uint64_t got = 0, odd = 0, was;
	struct told t;
	unsigned int i;

	was = counters("told").msgs;
	for (i = 0; i < FLOOD; i++)
		frame();
	/* Wait until each frame's message has arrived, or was counted as dropped. */
	if (!UNTIL((q = counters("told"), q.msgs + q.dropped - before.msgs - before.dropped) ==
		   FLOOD))
		give_up("told", "frames are missing");
	while (nfpchan_recv(in, &t, sizeof(t), 0) == sizeof(t)) {
		odd += t.frame <= frames - FLOOD || t.frame > frames;
		got++;
	}
	is((long)odd, 0, "messages that arrive are whole");
	ok(got && got < FLOOD, "%lu of %d are received, as nobody received meanwhile", got, FLOOD);
	is((long)(q.msgs - was), (long)got, "the counter of messages says so");
	is((long)(q.dropped - before.dropped), (long)(FLOOD - got),
	   "all others are counted as dropped");
	q = counters("told");
	is((long)(q.msgs + q.dropped - before.msgs - before.dropped), FLOOD,
	   "the counters do not change any more");
	nfpchan_close(in);
	q = counters("told");
	is((long)(q.msgs - was), (long)got, "also for a handle that has no channel open");
}

/* ---- a map of a program that is not attached yet ---- */

static void bound(void)
{
	struct bpf_object *obj = program();
	int map = bpf_object__find_map_fd_by_name(obj, "told");
	int other = bpf_object__find_map_fd_by_name(obj, "orders");
	struct nfpchan *ch = chan_start("xdp0", 0);
	struct { struct nfp_chan_xdp_event e; struct told t; } m;
	const ssize_t len = sizeof(m.e) + sizeof(m.t);
	struct nfp_chan_query q;

	is(nfpchan_xdp_bind(ch, offload_prog(obj), other), -ENOENT, "no map of events");
	is(nfpchan_xdp_bind(ch, 99, map), -EBADF, "no program");
	is(nfpchan_xdp_bind(ch, offload_prog(obj), map), 0, "a map is bound");
	is(nfpchan_xdp_bind(ch, offload_prog(obj), map), -EBUSY, "a second bind is refused");
	if (bpf_xdp_attach(dev, offload_prog(obj), XDP_FLAGS_HW_MODE, NULL))
		die("attach");
	frame();
	is(nfpchan_recv(ch, &m, sizeof(m), WAIT_NS), len, "an event");
	ok(m.e.map_id == offload_map_id(obj, "told") && m.e.seq == 1 &&
	   m.e.data_len == sizeof(m.t) && !m.e.pkt_len &&
	   m.e.ts_ns && told_is(&m.t, sizeof(m.t), -1), "it has a header, and the program's data");
	frame();
	is(nfpchan_wait(ch, WAIT_NS), 0, "another event");
	is(nfpchan_xdp_unbind(ch, map), 0, "unbound");
	is(nfpchan_xdp_unbind(ch, map), -ENOENT, "once");
	frame();
	ok(UNTIL((q = counters("xdp0"), q.msgs + q.dropped == 3)), "a third is given");
	is((long)q.dropped, 1, "events without a reader are lost");
	is(nfpchan_recv(ch, &m, sizeof(m), 0), len, "what came before is received");
	is(nfpchan_recv(ch, &m, sizeof(m), 0), -EAGAIN, "nothing more");
	nfpchan_close(ch);
	detach(obj);
}

/* ---- one opener ---- */

static void second(void)
{
	struct nfpchan *in = chan_start("told", 0), *ch;
	char pid[32];

	snprintf(pid, sizeof(pid), "by process %d", getpid());
	is(nfpchan_open(&ch, card, "told", NULL), -EBUSY, "a second opener");
	card_says(pid);
	is(counters("told").pipes, 1, "it is open once");
	nfpchan_close(in);
	is(counters("told").pipes, 0, "it is not open");
	in = chan_start("told", 0);
	ok(took(in, -1), "open again");
	nfpchan_close(in);
	is(nfpchan_open(&ch, card, "tell", NULL), -ENOENT, "no such channel");
	card_says("has no channel of this name");
}

/* ---- what is not supported ---- */

static void unable(void)
{
	struct nfpchan *in = chan_start("told", 0), *out = chan_start("orders", 0), *ch;
	struct nfpchan_async req = { .buf = &req };
	struct nfpchan_port *port;
	const void *data;
	uint8_t buf[64];

	is(nfpchan_signal(card, "orders"), -EOPNOTSUPP, "signal");
	card_says("cannot get a signal");
	is(nfpchan_raise(out), -EOPNOTSUPP, "raise");
	is(nfpchan_port_open(&port, card, NULL), -EOPNOTSUPP, "port");
	card_says("has no ports");
	is(nfpchan_open(&ch, card, "xdp0", OPTS(.irq_usecs = 10)), -EOPNOTSUPP, "held back");
	card_says("cannot delay them");
	is(nfpchan_open(&ch, card, "xdp0", OPTS(.wait = NFPCHAN_WAIT_MONITOR)), -EOPNOTSUPP,
	      "monitor");
	is(nfpchan_open_return(&ch, card, "orders", in, NULL), -EOPNOTSUPP, "return");
	card_says("no streams");
	is(nfpchan_eventfd(in, wire), -EOPNOTSUPP, "eventfd");
	says(in, "no interrupt that can be given");
	is(nfpchan_notify(in, 0, SIGRTMIN), -EOPNOTSUPP, "notify");
	is(nfpchan_peek(in, &data, 0), -EOPNOTSUPP, "peek");
	is(nfpchan_read(in, buf, sizeof(buf), 0), -EOPNOTSUPP, "read");
	is(nfpchan_write(out, buf, sizeof(buf), 0), -EOPNOTSUPP, "write");
	is(nfpchan_recv_async(in, &req), -EOPNOTSUPP, "recv_async");
	is(nfpchan_xdp_bind(in, 0, 1), -EOPNOTSUPP, "bind to a map");
	is(nfpchan_send(in, buf, 24, 0), -EBADF, "the wrong way");
	is(nfpchan_send(out, buf, 24, 0), -EMSGSIZE, "another size");
	is(nfpchan_recv(out, buf, sizeof(buf), 0), -EBADF, "the other wrong way");
	nfpchan_close(in);
	nfpchan_close(out);
}

/* ---- how it ends ---- */

/* Another process reads the map's events with libbpf, so its perf events replace ours. */
static void stolen(struct bpf_object *obj)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .sample_period = 1,
		.config = PERF_COUNT_SW_BPF_OUTPUT, .sample_type = PERF_SAMPLE_RAW,
	};
	struct nfpchan *in = chan_start("told", 0);
	int map = bpf_object__find_map_fd_by_name(obj, "told"), zero = 0, fd;
	struct told t;

	ok(took(in, -1), "the map's slots have our perf events");
	fd = (int)syscall(__NR_perf_event_open, &attr, -1, 0, -1, 0);
	if (fd < 0 || bpf_map_update_elem(map, &zero, &fd, BPF_ANY))
		die("perf slot");
	is(nfpchan_recv(in, &t, sizeof(t), WAIT_NS), -ESTALE,
	   "a sleeping receive fails when another process replaces our event");
	says(in, "slot of CPU 0");
	is(nfpchan_wait(in, 0), -ESTALE, "it stays so");
	nfpchan_close(in);
	in = chan_start("told", 0);
	ok(took(in, -1), "opened again it is ours again");
	bpf_map_delete_elem(map, &zero);
	is(nfpchan_recv(in, &t, sizeof(t), WAIT_NS), -ESTALE,
	   "a receive fails when a slot is emptied");
	nfpchan_close(in);
	close(fd);
}

static void replaced(struct bpf_object *old)
{
	struct nfpchan *in = chan_start("told", 0), *out = chan_start("orders", 0);
	struct bpf_object *new;
	struct told t;
	char text[80];

	frame();
	is(nfpchan_wait(in, WAIT_NS), 0, "an event is there");
	new = program();
	if (bpf_xdp_attach(dev, offload_prog(new), XDP_FLAGS_HW_MODE, NULL))
		die("replace");
	is(nfpchan_recv(in, &t, sizeof(t), 0), sizeof(t), "it is received after the replacement");
	is(nfpchan_recv(in, &t, sizeof(t), WAIT_NS), -EPIPE, "then receive reports the end");
	snprintf(text, sizeof(text), "program %u has been replaced by program %u",
		 offload_prog_id(old), offload_prog_id(new));
	says(in, text);
	is(events_of(nfpchan_fd(in), POLLIN, 0), POLLIN, "poll() reports the end");
	is(give(out, 0, 0), -EPIPE, "a send fails, as no program takes orders");
	says(out, text);
	nfpchan_close(in);
	nfpchan_close(out);
	bpf_object__close(old);
	in = chan_start("told", 0);
	ok(took(in, -1), "the channel of the new program opens");
	nfpchan_close(in);
	detach(new);
	is(nfpchan_open(&in, card, "told", NULL), -ENOENT, "no program, no channel");
	card_says("has no offloaded program");
}

static void unplugged(const char *name)
{
	char link[300], pci[300];
	struct nfpchan *in, *out, *bare;
	struct told t;
	ssize_t n;

	attached();
	in = chan_start("told", 0);
	out = chan_start("orders", 0);
	bare = chan_start("xdp0", 0);
	snprintf(link, sizeof(link), "/sys/class/net/%s/device", name);
	n = readlink(link, pci, sizeof(pci) - 1);
	if (n < 0)
		die(link);
	pci[n] = 0;
	file_put("/sys/bus/pci/drivers/nfp/unbind", basename(pci));
	is(nfpchan_recv(in, &t, sizeof(t), WAIT_NS), -ENODEV, "the driver goes: recv");
	says(in, "the interface is gone");
	is(give(out, 0, 0), -ENODEV, "send");
	is(nfpchan_recv(bare, &t, sizeof(t), WAIT_NS), -ENODEV, "without a map");
	nfpchan_close(in);
	nfpchan_close(out);
	nfpchan_close(bare);
	is(nfpchan_open(&in, card, "told", NULL), -ENODEV, "open");
}

int main(int argc, char **argv)
{
	struct bpf_object *obj;
	char why[256], name[32];
	unsigned int fds;

	if (argc != 4)
		return 2;
	snprintf(name, sizeof(name), "bpf:%s", argv[2]);
	is(nfpchan_card_open(&card, "bpf:nobody", why, sizeof(why)), -ENODEV, "no such interface");
	ok(strstr(why, "no such interface"), "  \"%s\"", why);
	rig_open(argv, name);
	bound();
	obj = attached();
	fds = in_use().fds;
	if (!nfpchan_repeats(card, "orders", &(uint64_t){ 0 })) {
		is(nfpchan_repeats(card, "nobody", &(uint64_t){ 0 }), -ENOENT, "repeats: no such channel");
		once();
		room();
		left_over();
	}
	ways();
	burst();
	loss();
	second();
	unable();
	stolen(obj);
	is(in_use().fds, fds, "no descriptor is left");
	replaced(obj);
	unplugged(argv[2]);
	return tap_done();
}
