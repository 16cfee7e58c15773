// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * xdp_hook.c - events of offloaded programs in channels: that they are those of
 * the stock way, how bindings end, what is refused.
 *
 * usage: xdp_hook DEV PEER OTHER
 *
 * OTHER is of a second card.
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

	if (nfpchan_xdp_bind(ch, rig.prog, rig.map_id[map]))
		give_up(name, nfpchan_error(ch, why, sizeof(why)));
	return ch;
}

/* One frame each way: the map's events are on the perf ring, or on @ch. */
static bool goes_stock(unsigned int map)
{
	struct ask a = plain(map);

	ask(&a);
	return perf_is(&rig, &a);
}

static bool goes_to(struct nfpchan *ch, unsigned int map, uint32_t seq)
{
	struct ask a = plain(map);

	ask(&a);
	return chan_is(ch, &rig, &a, seq) && perf_empty(&rig, map);
}

/* ---- contents ---- */

static const uint16_t lens[][3] = {	/* program's, packet's, frame */
	{ 0, 0, 60 }, { 1, 0, 60 }, { 0, 1, 60 }, { 7, 13, 60 }, { 8, 60, 60 }, { 16, 14, 61 },
	{ 32, 0, 64 }, { 64, 0, 1514 }, { 127, 127, 200 }, { 0, 61, 61 }, { 0, 1514, 1514 },
	{ 3, 1513, 1514 }, { 127, 1514, 1514 },
};

#define LENS (sizeof(lens) / sizeof(lens[0]))
/* The last one has no room in a buffer of the driver's control vNIC. */
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
	is(good, STOCK_LENS, "stock way: events of all lengths");
	ch = bound("xdp0", 0);
	for (i = 0, good = 0; i < LENS; i++) {
		a = of_len(i, i);
		ask(&a);
		good += chan_is(ch, &rig, &a, i + 1);
	}
	is(good, LENS, "channel: the same, their heads, and one that is longer");
	ok(perf_empty(&rig, 0), "and the perf ring has none of them");
	/* more of the packet than there is: the helper fails on both ways */
	a = (struct ask){ .own = 4, .pkt = 61, .frame = 60 };
	ask(&a);
	ok(goes_to(ch, 0, LENS + 1), "more than the packet's length: no event");
	nfpchan_close(ch);
}

/* Many at once: in order, each once, the kernel's counters agree. */
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
	is(after.msgs - before.msgs, 500, "counted by the card");
	is(after.dropped - before.dropped, 0, "none dropped");
	nfpchan_close(ch);
}

/* A receiver that sleeps: what it misses is counted, and seen by the numbers. */
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
	    nfpchan_xdp_bind(ch, rig.prog, rig.map_id[0]))
		give_up("xdp2", "not bound");
	for (n = 0; n < 300; n++) {
		a = plain(0);
		a.own = OWN_MAX;
		ask(&a);
	}
	/* The last one has been through when the other map's has come. */
	ok(goes_stock(1), "300 events that nobody takes");
	ok(UNTIL((after = counters("xdp2"), after.msgs + after.dropped - before.msgs -
		  before.dropped == 300)), "all are accounted for");
	ok(after.dropped > before.dropped, "some were dropped");
	for (; got < after.msgs - before.msgs; got++) {
		if (nfpchan_recv(ch, buf, sizeof(buf), WAIT_NS) < 0)
			break;
		memcpy(&e, buf, HEAD);
		missing += le32toh(e.seq) - last - 1;
		last = le32toh(e.seq);
	}
	is(got, after.msgs - before.msgs, "the others are there");
	ok(goes_to(ch, 0, 301), "the next one has number 301");
	is(missing + 300 - last, after.dropped - before.dropped, "gaps are what was dropped");
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
	ok(goes_to(ch, 0, 1), "events come");
	is(nfpchan_xdp_unbind(ch, rig.map_id[0]), 0, "unbind");
	is(bindings(), 0, "it is gone");
	ok(goes_stock(0), "events go the stock way");
	is(counters("xdp0").msgs - before.msgs, 1, "and none to the channel");
	is(nfpchan_xdp_bind(ch, rig.prog, rig.map_id[0]), 0, "bind again");
	ok(goes_to(ch, 0, 1), "events come");
	nfpchan_close(ch);
	is(bindings(), 0, "close undoes it");
	ok(goes_stock(0), "events go the stock way");

	ch = bound("xdp0", 0);
	other = bound("xdp1", 1);
	is(bindings(), 2, "two maps on two channels");
	ok(goes_to(ch, 0, 1) && goes_to(other, 1, 1) && goes_to(ch, 0, 2), "each gets its own");
	nfpchan_close(other);
	ok(goes_stock(1) && goes_to(ch, 0, 3), "one is closed, the other goes on");
	is(nfpchan_xdp_bind(ch, rig.prog, rig.map_id[1]), 0, "both maps on one channel");
	ok(goes_to(ch, 0, 4) && goes_to(ch, 1, 1) && goes_to(ch, 0, 5), "events of both");
	nfpchan_close(ch);
	ok(goes_stock(0) && goes_stock(1), "closed: both go the stock way");

	pid = spawn(killed_run, there);
	ok(UNTIL(atomic_load(there)), "a process binds");
	is(bindings(), 1, "its binding is listed");
	kill(pid, SIGKILL);
	reap(pid);
	is(bindings(), 0, "it was killed, and the binding is gone");
	ok(goes_stock(0), "events go the stock way");
}

/* A binding keeps the program when nobody else does. */
static void held(void)
{
	struct nfpchan *ch = chan_start("xdp0", 0);
	struct rig r;

	rig_load(&r, dev);
	is(nfpchan_xdp_bind(ch, r.prog, r.map_id[0]), 0, "a program that is not attached is bound");
	rig_close(&r);
	ok(prog_exists(r.prog_id), "closed, it is still there");
	is(nfpchan_xdp_unbind(ch, r.map_id[0]), 0, "unbind");
	ok(UNTIL(!prog_exists(r.prog_id)), "and it is gone");
	rig_load(&r, dev);
	is(nfpchan_xdp_bind(ch, r.prog, r.map_id[0]), 0, "another one");
	rig_close(&r);
	nfpchan_close(ch);
	ok(UNTIL(!prog_exists(r.prog_id)), "close lets go of it, too");
}

/* Programs on both ports, and two that share a map. */
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
	is(nfpchan_xdp_bind(b, second.prog, second.map_id[0]), 0, "a program on the other port");
	ok(goes_to(a, 0, 1) && counters("xdp3").msgs == others, "events of this one");
	rig_detach(peer);
	rig_close(&second);
	nfpchan_close(b);

	/* The map counts, whichever program emits on it. */
	if (!obj ||
	    bpf_map__reuse_fd(bpf_object__find_map_by_name(obj, "events"), rig.map[0]) ||
	    bpf_object__load(obj))
		die("load");
	rig_fill(&second, obj);
	is(second.map_id[0], rig.map_id[0], "a second program with the same map");
	b = chan_start("xdp1", 0);
	is(nfpchan_xdp_bind(b, second.prog, rig.map_id[0]), -EBUSY, "it cannot be bound twice");
	rig_attach(&second, dev);
	x = plain(0);
	ask(&x);
	ok(chan_is(a, &rig, &x, 2), "its events come where the map is bound");
	rig_attach(&rig, dev);
	nfpchan_close(a);
	is(nfpchan_xdp_bind(b, second.prog, rig.map_id[0]), 0, "closed, it can");
	ok(goes_to(b, 0, 1), "and events of the first come there");
	nfpchan_close(b);
	bpf_object__close(obj);
}

/* ---- refusals ---- */

static int bind_errno(struct nfpchan *ch, int prog, uint32_t map)
{
	unsigned int before = bindings();
	int err = nfpchan_xdp_bind(ch, prog, map);

	return bindings() == before ? err : 1;
}

/* A pipe that is off, as this side rang for more than there is. */
static void broken(void)
{
	struct nfpchan *ch = chan_start("xdp2", 0);
	const struct nfp_chan_layout *g = nfpchan_layout(ch);
	volatile uint32_t *db = mmap(NULL, g->page_size, PROT_READ | PROT_WRITE, MAP_SHARED,
				     nfpchan_fd(ch), (off_t)g->db_off);

	if (db == MAP_FAILED)
		die("doorbells");
	db[g->db_data / 4] = 1;
	ok(UNTIL(nfpchan_wait(ch, NFPCHAN_NONBLOCK) == -EIO), "a pipe that the card turned off");
	is(bind_errno(ch, rig.prog, rig.map_id[0]), -EIO, "takes no binding");
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
	struct bpf_map_info info = { 0 };
	uint32_t len = sizeof(info);
	uint32_t id = rig.map_id[0];
	struct rig host;
	char text[256];

	if (filter < 0 || hash < 0 || bpf_map_get_info_by_fd(hash, &info, &len))
		die("refused");
	is(bind_errno(ch, -1, id), -EBADF, "no descriptor");
	is(bind_errno(ch, 250, id), -EBADF, "not an open one");
	is(bind_errno(ch, null, id), -EBADF, "that of a file");
	is(bind_errno(ch, rig.map[0], id), -EBADF, "that of a map");
	is(bind_errno(ch, filter, id), -EBADF, "a program that is not XDP");
	is(bind_errno(ch, rig.prog, 0), -EINVAL, "map 0");
	is(bind_errno(tick, rig.prog, id), -EOPNOTSUPP, "a channel that is not for events");
	is(bind_errno(ch, rig.prog, info.id), -ENOENT, "a map the program does not use");
	is(bind_errno(ch, rig.prog, 0xffffffff), -ENOENT, "no such map");
	rig_load(&host, 0);
	is(bind_errno(ch, host.prog, host.map_id[0]), -ENXIO, "a program that is not offloaded");
	nfpchan_error(ch, text, sizeof(text));
	ok(strstr(text, "not offloaded"), "and the library says so");
	is(bind_errno(ch, rig.prog, host.map_id[0]), -ENOENT, "another program's map");
	rig_close(&host);
	is(nfpchan_xdp_bind(ch, rig.prog, id), 0, "this is fine");
	is(bind_errno(ch, rig.prog, id), -EBUSY, "twice on a channel");
	two = chan_start("xdp1", 0);
	is(bind_errno(two, rig.prog, id), -EBUSY, "or on two");
	is(nfpchan_xdp_unbind(two, id), -ENOENT, "unbind of another's");
	is(nfpchan_xdp_unbind(ch, rig.map_id[1]), -ENOENT, "of one never bound");
	is(nfpchan_xdp_unbind(ch, 0), -EINVAL, "of map 0");
	nfpchan_close(two);
	nfpchan_close(tick);
	nfpchan_close(ch);
	close(null);
	close(hash);
	close(filter);
}

/* A card has its own programs, and no other's. */
static void other_card(const char *other)
{
	struct nfpchan *here = chan_start("xdp0", 0), *there;
	struct nfpchan_card *second;
	char why[256];
	struct rig r;

	rig_load(&r, if_nametoindex(other));
	is(bind_errno(here, r.prog, r.map_id[0]), -EXDEV, "a program offloaded to another card");
	nfpchan_error(here, why, sizeof(why));
	ok(strstr(why, "another card"), "and the library says so");
	if (nfpchan_card_open(&second, "1", why, sizeof(why)))
		give_up("second card", why);
	if (nfpchan_open(&there, second, "xdp0", NULL))
		give_up("second card", nfpchan_card_error(second, why, sizeof(why)));
	is(nfpchan_xdp_bind(there, rig.prog, rig.map_id[0]), -EXDEV, "nor has that card this one's");
	is(nfpchan_xdp_bind(there, r.prog, r.map_id[0]), 0, "but it has its own");
	nfpchan_close(there);
	nfpchan_card_close(second);
	nfpchan_close(here);
	rig_close(&r);
}

/* Status: 0, or which of the steps was not as it must be. */
static void run_user(void *arg)
{
	struct nfpchan *ch = arg;

	if (setgroups(0, NULL) || setresuid(NOBODY, NOBODY, NOBODY))
		_exit(1);
	if (bpf_prog_get_fd_by_id(rig.prog_id) != -EPERM)
		_exit(2);
	if (nfpchan_xdp_bind(ch, rig.prog, rig.map_id[0]))
		_exit(3);
	if (nfpchan_xdp_bind(ch, rig.prog, rig.map_id[0]) != -EBUSY)
		_exit(4);
	if (nfpchan_xdp_unbind(ch, rig.map_id[0]) ||
	    nfpchan_xdp_unbind(ch, rig.map_id[0]) != -ENOENT)
		_exit(5);
	if (nfpchan_xdp_bind(ch, rig.prog, rig.map_id[0]))
		_exit(6);
}

/* Programs are root's to load and to find; who was given both files needs no more. */
static void by_user(void)
{
	struct nfpchan *ch = chan_start("xdp0", 0);

	is(reap(spawn(run_user, ch)), 0, "a user with a program and a channel binds and unbinds");
	is(bindings(), 1, "the channel is open: his last binding is listed");
	ok(goes_to(ch, 0, 1), "events come");
	nfpchan_close(ch);
	ok(goes_stock(0), "closed: they go the stock way");
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
		err = nfpchan_xdp_bind(ch, r[n / 2].prog, r[n / 2].map_id[n % 2]);
		n += !err;
	}
	is(n, 16, "so many bindings, and not one more");
	is(err, -ENOSPC, "says the errno");
	is(bindings(), 16, "all are listed");
	is(nfpchan_xdp_unbind(ch, r[3].map_id[1]), 0, "one less");
	is(nfpchan_xdp_bind(ch, r[8].prog, r[8].map_id[0]), 0, "and there is room");
	nfpchan_close(ch);
	is(bindings(), 0, "closed, all are gone");
	for (i = 0; i < 9; i++)
		rig_close(&r[i]);
}

/* ---- the driver goes ---- */

static void unbound(void)
{
	struct nfp_chan_info info = { .size = sizeof(info) };
	struct nfpchan *ch = bound("xdp0", 0), *idle = chan_start("xdp1", 0);
	uint32_t id = rig.prog_id;

	if (nfpchan_card_info(card, &info))
		give_up("card", "info");
	file_put("/sys/bus/pci/drivers/nfp/unbind", info.pci);
	is(nfpchan_wait(ch, NFPCHAN_NONBLOCK), -ENODEV, "driver unbound: the channel says so");
	is(nfpchan_xdp_unbind(ch, rig.map_id[0]), -ENODEV, "unbind, too");
	is(nfpchan_xdp_bind(idle, rig.prog, rig.map_id[0]), -ENODEV, "and bind");
	file_put("/sys/bus/pci/drivers/nfp/bind", info.pci);
	nfpchan_card_close(card);
	card_start();
	is(bindings(), 0, "driver back: nothing is bound");
	nfpchan_close(ch);
	ch = chan_start("xdp0", 0);
	is(bind_errno(ch, rig.prog, rig.map_id[0]), -EXDEV, "the old offload is of no card now");
	nfpchan_close(ch);
	nfpchan_close(idle);
	rig_close(&rig);
	ok(UNTIL(!prog_exists(id)), "nobody holds the program");
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
