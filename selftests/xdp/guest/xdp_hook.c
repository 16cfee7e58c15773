// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * xdp_hook.c - events of offloaded programs in channels: their contents are
 * those of perf events; how bindings end; which bindings are refused.
 *
 * usage: xdp_hook DEV PEER OTHER
 *
 * DEV and PEER are ports of one card, OTHER is a port of a second card.
 */
#define _GNU_SOURCE
#include <grp.h>
#include "xdp_rig.h"

#define NOBODY	65534

static int dev, peer;
static struct rig rig;
static uint32_t next_nr;

static struct ask plain(unsigned int map)
{
	return (struct ask){ .map = map, .own = 16, .pkt = 14, .frame = 60, .nr = next_nr++ };
}

static struct nfpchan *bound(const char *name, unsigned int map)
{
	struct nfpchan *ch = chan_start(name, 0);
	char why[256];

	if (nfpchan_xdp_bind(ch, rig.prog, rig.map[map]))
		give_up(name, nfpchan_error(ch, why, sizeof(why)));
	return ch;
}

/* Send a frame, and check that its event of @map arrives on the perf ring. */
static bool goes_stock(unsigned int map)
{
	struct ask a = plain(map);

	ask(&a);
	return perf_is(&rig, &a);
}

/* Send a frame, and check that its event of @map arrives in channel @ch only. */
static bool goes_to(struct nfpchan *ch, unsigned int map, uint32_t seq)
{
	struct ask a = plain(map);

	ask(&a);
	return chan_is(ch, &rig, &a, seq) && perf_empty(&rig, map);
}

/* ---- contents ---- */

static const uint16_t lens[][3] = {	/* bytes from the program, of the packet, of the frame */
	{ 0, 0, 60 }, { 1, 0, 60 }, { 0, 1, 60 }, { 7, 13, 60 }, { 8, 60, 60 }, { 16, 14, 61 },
	{ 32, 0, 64 }, { 64, 0, 1514 }, { 127, 127, 200 }, { 0, 61, 61 }, { 0, 1514, 1514 },
	{ 3, 1513, 1514 }, { 127, 1514, 1514 },
};

#define LENS (sizeof(lens) / sizeof(lens[0]))
/* The last event is too large for a buffer of the driver's control vNIC. */
#define STOCK_LENS (LENS - 1)

static struct ask of_len(size_t i, uint32_t nr)
{
	return (struct ask){ .own = lens[i][0], .pkt = lens[i][1], .frame = lens[i][2], .nr = nr };
}

static void contents(void)
{
	unsigned int good = 0;
	struct nfpchan *ch;
	struct ask a;
	size_t i;

	for (i = 0; i < STOCK_LENS; i++) {
		a = of_len(i, i);
		ask(&a);
		good += perf_is(&rig, &a);
	}
	is(good, STOCK_LENS, "perf ring: events of all lengths");
	ch = bound("xdp0", 0);
	for (i = 0, good = 0; i < LENS; i++) {
		a = of_len(i, i);
		ask(&a);
		good += chan_is(ch, &rig, &a, i + 1);
	}
	is(good, LENS, "channel: the same events with headers, and one longer event");
	ok(perf_empty(&rig, 0), "the perf ring has no event");
	/* The event asks for more bytes than the packet has, so the helper must fail. */
	a = (struct ask){ .own = 4, .pkt = 61, .frame = 60 };
	ask(&a);
	ok(goes_to(ch, 0, LENS + 1), "an event with more bytes than the packet is not sent");
	nfpchan_close(ch);
}

/* Many events arrive in order, each once, and the kernel's counters agree. */
static void order(void)
{
	struct nfp_chan_query before = counters("xdp1"), after;
	struct nfpchan *ch = bound("xdp1", 1);
	unsigned int i, good = 0;
	struct ask a[500];

	for (i = 0; i < 500; i++) {
		a[i] = plain(1);
		a[i].own = i % 128;
		a[i].pkt = i % 61;
		ask(&a[i]);
		if (i % 50 != 49)
			continue;
		for (; good <= i; good++)
			if (!chan_is(ch, &rig, &a[good], good + 1))
				break;
	}
	is(good, 500, "500 events, in order");
	after = counters("xdp1");
	is(after.msgs - before.msgs, 500, "the card counted 500 messages");
	is(after.dropped - before.dropped, 0, "no message was dropped");
	nfpchan_close(ch);
}

/* The receiver sleeps: lost events are counted, and are seen by gaps in the event numbers. */
static void loss(void)
{
	struct nfpchan_opts o = { .size = sizeof(o), .ring_size = 16384 };
	struct nfp_chan_query before = counters("xdp2"), after;
	uint32_t last = 0, missing = 0, got = 0, n;
	struct nfp_chan_xdp_event e;
	uint8_t buf[EVENT_MAX];
	struct nfpchan *ch;
	struct ask a;

	if (nfpchan_open(&ch, card, "xdp2", &o) ||
	    nfpchan_xdp_bind(ch, rig.prog, rig.map[0]))
		give_up("xdp2", "not bound");
	for (n = 0; n < 300; n++) {
		a = plain(0);
		a.own = OWN_MAX;
		ask(&a);
	}
	/* Events are handled in order: when the event of the other map arrives, all 300 were handled. */
	ok(goes_stock(1), "300 events that are not received");
	ok(UNTIL((after = counters("xdp2"), after.msgs + after.dropped - before.msgs -
		  before.dropped == 300)), "all events were counted as sent or dropped");
	ok(after.dropped > before.dropped, "some events were dropped");
	for (; got < after.msgs - before.msgs; got++) {
		if (nfpchan_recv(ch, buf, sizeof(buf), WAIT_NS) < 0)
			break;
		memcpy(&e, buf, HEAD);
		missing += le32toh(e.seq) - last - 1;
		last = le32toh(e.seq);
	}
	is(got, after.msgs - before.msgs, "all events that were not dropped are received");
	ok(goes_to(ch, 0, 301), "the next event has number 301");
	is(missing + 300 - last, after.dropped - before.dropped,
	   "the gaps in the numbers add up to the count of dropped events");
	nfpchan_close(ch);
}

/* ---- ends ---- */

static void killed_run(void *arg)
{
	struct nfpchan *ch = bound("xdp0", 0);

	(void)ch;
	atomic_store((atomic_int *)arg, 1);
	for (;;)
		pause();
}

static void ends(void)
{
	atomic_int *there = shared_memory(sizeof(*there));
	struct nfp_chan_query before = counters("xdp0");
	struct nfpchan *ch = bound("xdp0", 0), *other;
	pid_t pid;

	is(bindings(), 1, "a binding is listed");
	ok(goes_to(ch, 0, 1), "events arrive in the channel");
	is(nfpchan_xdp_unbind(ch, rig.map[0]), 0, "unbind");
	is(bindings(), 0, "no binding is listed");
	ok(goes_stock(0), "after unbind, events go to the perf ring");
	is(counters("xdp0").msgs - before.msgs, 1, "no further event goes to the channel");
	is(nfpchan_xdp_bind(ch, rig.prog, rig.map[0]), 0, "bind again");
	ok(goes_to(ch, 0, 1), "events arrive in the channel again");
	nfpchan_close(ch);
	is(bindings(), 0, "close removes the binding");
	ok(goes_stock(0), "after close, events go to the perf ring");

	ch = bound("xdp0", 0);
	other = bound("xdp1", 1);
	is(bindings(), 2, "two maps are bound to two channels");
	ok(goes_to(ch, 0, 1) && goes_to(other, 1, 1) && goes_to(ch, 0, 2),
	   "each channel gets the events of its map");
	nfpchan_close(other);
	ok(goes_stock(1) && goes_to(ch, 0, 3),
	   "one channel is closed, the other still gets events");
	is(nfpchan_xdp_bind(ch, rig.prog, rig.map[1]), 0, "both maps are bound to one channel");
	ok(goes_to(ch, 0, 4) && goes_to(ch, 1, 1) && goes_to(ch, 0, 5),
	   "the channel gets events of both maps");
	nfpchan_close(ch);
	ok(goes_stock(0) && goes_stock(1), "closed: events of both maps go to the perf ring");

	pid = spawn(killed_run, there);
	ok(UNTIL(atomic_load(there)), "a process binds");
	is(bindings(), 1, "the process's binding is listed");
	kill(pid, SIGKILL);
	reap(pid);
	is(bindings(), 0, "the process was killed, and no binding is listed");
	ok(goes_stock(0), "after the kill, events go to the perf ring");
}

static bool map_exists(uint32_t id)
{
	int fd = bpf_map_get_fd_by_id(id);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* A binding holds the map, and not the program. */
static void held(void)
{
	struct nfpchan *ch = chan_start("xdp0", 0);
	struct rig r;
	int map;

	rig_load(&r, dev);
	is(nfpchan_xdp_bind(ch, r.prog, r.map[0]), 0, "a program that is not attached is bound");
	rig_close(&r);
	ok(UNTIL(!prog_exists(r.prog_id)), "its descriptor is closed: the program does not exist any more");
	map = bpf_map_get_fd_by_id(r.map_id[0]);
	ok(map >= 0, "the map still exists");
	is(bindings(), 1, "its binding is listed");
	is(nfpchan_xdp_unbind(ch, map), 0, "the map is unbound");
	close(map);
	ok(UNTIL(!map_exists(r.map_id[0])), "the map does not exist any more");
	rig_load(&r, dev);
	is(nfpchan_xdp_bind(ch, r.prog, r.map[0]), 0, "another program is bound");
	rig_close(&r);
	ok(map_exists(r.map_id[0]), "its map still exists");
	nfpchan_close(ch);
	ok(UNTIL(!map_exists(r.map_id[0])), "closing the channel frees the map as well");
}

/* Programs on both ports, and two programs that share a map */
static void programs(void)
{
	uint64_t others = counters("xdp3").msgs;
	struct nfpchan *a, *b;
	struct bpf_object *obj = offload_open(OFFLOAD_HOOK, dev);
	struct rig second;
	struct ask x;

	rig_load(&second, peer);
	rig_attach(&second, peer);
	a = bound("xdp0", 0);
	b = chan_start("xdp3", 0);
	is(nfpchan_xdp_bind(b, second.prog, second.map[0]), 0,
	   "a program on the other port is bound");
	ok(goes_to(a, 0, 1) && counters("xdp3").msgs == others,
	   "the channel gets events of this port's program only");
	rig_detach(peer);
	rig_close(&second);
	nfpchan_close(b);

	/* A binding belongs to the map, whichever program sends events to it. */
	if (!obj ||
	    bpf_map__reuse_fd(bpf_object__find_map_by_name(obj, "events"), rig.map[0]) ||
	    bpf_object__load(obj))
		die("load");
	rig_fill(&second, obj);
	is(second.map_id[0], rig.map_id[0], "a second program with the same map");
	b = chan_start("xdp1", 0);
	is(nfpchan_xdp_bind(b, second.prog, rig.map[0]), -EBUSY,
	   "a map cannot be bound to two channels");
	rig_attach(&second, dev);
	x = plain(0);
	ask(&x);
	ok(chan_is(a, &rig, &x, 2), "the second program's events arrive in the channel of the map");
	rig_attach(&rig, dev);
	nfpchan_close(a);
	is(nfpchan_xdp_bind(b, second.prog, rig.map[0]), 0,
	   "after the channel is closed, the map can be bound again");
	ok(goes_to(b, 0, 1), "the first program's events arrive in the new channel");
	nfpchan_close(b);
	bpf_object__close(obj);
}

/* ---- refusals ---- */

static int bind_errno(struct nfpchan *ch, int prog, int map)
{
	unsigned int before = bindings();
	int err = nfpchan_xdp_bind(ch, prog, map);

	return bindings() == before ? err : 1;
}

/* The host rings the doorbell for more than the ring has, so the card turns the pipe off. */
static void broken(void)
{
	struct nfpchan *ch = chan_start("xdp2", 0);
	const struct nfp_chan_layout *g = nfpchan_layout(ch);
	volatile uint32_t *db = mmap(NULL, g->page_size, PROT_READ | PROT_WRITE, MAP_SHARED,
				     nfpchan_fd(ch), (off_t)g->db_off);

	if (db == MAP_FAILED)
		die("doorbells");
	db[g->db_data / 4] = 1;
	ok(UNTIL(nfpchan_wait(ch, NFPCHAN_NONBLOCK) == -EIO), "the card turned the pipe off");
	is(bind_errno(ch, rig.prog, rig.map[0]), -EIO, "a pipe that is off cannot be bound");
	munmap((void *)db, g->page_size);
	nfpchan_close(ch);
}

static void refused(void)
{
	struct nfpchan *ch = chan_start("xdp0", 0), *tick = chan_start("tick", 0), *two;
	struct bpf_insn two_insns[] = {
		{ .code = 0xb7, .dst_reg = 0 }, { .code = 0x95 },
	};
	int filter = bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, NULL, "GPL", two_insns, 2, NULL);
	int hash = bpf_map_create(BPF_MAP_TYPE_HASH, "h", 4, 4, 1, NULL);
	int null = open("/dev/null", O_RDONLY);
	int map = rig.map[0];
	struct rig host;
	char text[256];

	if (filter < 0 || hash < 0)
		die("refused");
	is(bind_errno(ch, -1, map), -EBADF, "descriptor -1");
	is(bind_errno(ch, 250, map), -EBADF, "a descriptor that is not open");
	is(bind_errno(ch, null, map), -EBADF, "the descriptor of a file");
	is(bind_errno(ch, rig.map[0], map), -EBADF, "the descriptor of a map");
	is(bind_errno(ch, filter, map), -EBADF, "a program that is not XDP");
	is(bind_errno(ch, rig.prog, -1), -EBADF, "a map's descriptor that is not open");
	is(bind_errno(ch, rig.prog, null), -ENOENT, "the descriptor of a file, for the map");
	is(bind_errno(ch, rig.prog, rig.prog), -ENOENT, "the descriptor of a program, for the map");
	is(bind_errno(tick, rig.prog, map), -EOPNOTSUPP, "a channel that is not for events");
	is(bind_errno(ch, rig.prog, hash), -ENOENT, "a map the program does not use");
	rig_load(&host, 0);
	is(bind_errno(ch, host.prog, host.map[0]), -ENXIO, "a program that is not offloaded");
	nfpchan_error(ch, text, sizeof(text));
	ok(strstr(text, "not offloaded"), "the library's message has \"not offloaded\"");
	is(bind_errno(ch, rig.prog, host.map[0]), -ENOENT, "a map of another program");
	rig_close(&host);
	is(nfpchan_xdp_bind(ch, rig.prog, map), 0, "a bind with correct arguments");
	is(bind_errno(ch, rig.prog, map), -EBUSY, "a second binding to the same channel");
	two = chan_start("xdp1", 0);
	is(bind_errno(two, rig.prog, map), -EBUSY, "a second binding to another channel");
	is(nfpchan_xdp_unbind(two, map), -ENOENT, "unbind by a channel that the map is not bound to");
	is(nfpchan_xdp_unbind(ch, rig.map[1]), -ENOENT, "unbind of a map that was never bound");
	is(nfpchan_xdp_unbind(ch, -1), -EBADF, "unbind of a descriptor that is not open");
	nfpchan_close(two);
	nfpchan_close(tick);
	nfpchan_close(ch);
	close(null);
	close(hash);
	close(filter);
}

/* A channel binds only programs that are offloaded to its card. */
static void other_card(const char *other)
{
	struct nfpchan *here = chan_start("xdp0", 0), *there;
	struct nfpchan_card *second;
	char why[256];
	struct rig r;

	rig_load(&r, if_nametoindex(other));
	is(bind_errno(here, r.prog, r.map[0]), -EXDEV, "a program offloaded to another card");
	nfpchan_error(here, why, sizeof(why));
	ok(strstr(why, "another card"), "the library's message has \"another card\"");
	if (nfpchan_card_open(&second, "1", why, sizeof(why)))
		give_up("second card", why);
	if (nfpchan_open(&there, second, "xdp0", NULL))
		give_up("second card", nfpchan_card_error(second, why, sizeof(why)));
	is(nfpchan_xdp_bind(there, rig.prog, rig.map[0]), -EXDEV,
	   "a program offloaded to the first card, on the second");
	is(nfpchan_xdp_bind(there, r.prog, r.map[0]), 0,
	   "a program of the second card, on the second");
	nfpchan_close(there);
	nfpchan_card_close(second);
	nfpchan_close(here);
	rig_close(&r);
}

/* Runs as a user without privileges. Exits with 0, or with the number of the step that failed. */
static void run_user(void *arg)
{
	struct nfpchan *ch = arg;

	if (setgroups(0, NULL) || setresuid(NOBODY, NOBODY, NOBODY))
		_exit(1);
	if (bpf_prog_get_fd_by_id(rig.prog_id) != -EPERM)
		_exit(2);
	if (nfpchan_xdp_bind(ch, rig.prog, rig.map[0]))
		_exit(3);
	if (nfpchan_xdp_bind(ch, rig.prog, rig.map[0]) != -EBUSY)
		_exit(4);
	if (nfpchan_xdp_unbind(ch, rig.map[0]) ||
	    nfpchan_xdp_unbind(ch, rig.map[0]) != -ENOENT)
		_exit(5);
	if (nfpchan_xdp_bind(ch, rig.prog, rig.map[0]))
		_exit(6);
}

/* Only root can load and find programs. A user who has both descriptors may bind them. */
static void by_user(void)
{
	struct nfpchan *ch = chan_start("xdp0", 0);

	is(reap(spawn(run_user, ch)), 0, "a user with a program and a channel binds and unbinds");
	is(bindings(), 1, "the channel is open, so the user's last binding is listed");
	ok(goes_to(ch, 0, 1), "events arrive in the user's channel");
	nfpchan_close(ch);
	ok(goes_stock(0), "closed: events go to the perf ring");
}

static void all_used(void)
{
	struct nfpchan *ch = chan_start("xdp0", 0);
	struct rig r[9];
	unsigned int i, n = 0;
	int err = 0;

	for (i = 0; i < 9; i++)
		rig_load(&r[i], dev);
	while (n < 18 && !err) {
		err = nfpchan_xdp_bind(ch, r[n / 2].prog, r[n / 2].map[n % 2]);
		n += !err;
	}
	is(n, 16, "16 bindings are possible");
	is(err, -ENOSPC, "the 17th binding: ENOSPC");
	is(bindings(), 16, "all bindings are listed");
	is(nfpchan_xdp_unbind(ch, r[3].map[1]), 0, "one map is unbound");
	is(nfpchan_xdp_bind(ch, r[8].prog, r[8].map[0]), 0, "another map can be bound then");
	nfpchan_close(ch);
	is(bindings(), 0, "closing the channel removes all bindings");
	for (i = 0; i < 9; i++)
		rig_close(&r[i]);
}

/* ---- the driver is unbound ---- */

static void unbound(void)
{
	struct nfp_chan_info info = { .size = sizeof(info) };
	struct nfpchan *ch = bound("xdp0", 0), *idle = chan_start("xdp1", 0);
	uint32_t id = rig.prog_id;

	if (nfpchan_card_info(card, &info))
		give_up("card", "info");
	file_put("/sys/bus/pci/drivers/nfp/unbind", info.pci);
	is(nfpchan_wait(ch, NFPCHAN_NONBLOCK), -ENODEV,
	   "driver unbound: the channel returns ENODEV");
	is(nfpchan_xdp_unbind(ch, rig.map[0]), -ENODEV, "nfpchan_xdp_unbind() returns ENODEV");
	is(nfpchan_xdp_bind(idle, rig.prog, rig.map[0]), -ENODEV,
	   "nfpchan_xdp_bind() returns ENODEV");
	file_put("/sys/bus/pci/drivers/nfp/bind", info.pci);
	nfpchan_card_close(card);
	card_start();
	is(bindings(), 0, "driver bound again: no binding is listed");
	nfpchan_close(ch);
	ch = chan_start("xdp0", 0);
	is(bind_errno(ch, rig.prog, rig.map[0]), -EXDEV,
	   "a program that was offloaded before the unbind is refused");
	nfpchan_close(ch);
	nfpchan_close(idle);
	rig_close(&rig);
	ok(UNTIL(!prog_exists(id)), "the program is freed");
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	dev = if_nametoindex(argv[1]);
	peer = if_nametoindex(argv[2]);
	card_start();
	alarm(slowly(200));
	wire_open(argv[2]);
	rig_load(&rig, dev);
	rig_listen(&rig);
	rig_attach(&rig, dev);
	contents();
	order();
	loss();
	ends();
	held();
	programs();
	refused();
	other_card(argv[3]);
	broken();
	by_user();
	all_used();
	unbound();
	return tap_done();
}
