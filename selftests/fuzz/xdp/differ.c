// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * differ.c - run a program in the card and on the host, and compare.
 *
 * After a program's packets come two marks. Each program passes the first mark and sends back the
 * second, whatever it does with other packets, so no wait is needed after both have come. The next
 * program replaces the last one without a detach.
 */
#include <linux/capability.h>
#include <sys/syscall.h>

#include "xdp_run.h"
#include "fuzz.h"

#define MARK_LEN	400	/* longer than the packet that a program may ask for */
#define LOG_ROOM	(1u << 16)

static struct card_run run;
static struct outcome want, got;
static struct frames packets;
static char vlog[LOG_ROOM];
static uint32_t runs;

void card_begin(const char *dev, const char *peer)
{
	run = (struct card_run){
		.dev = dev,
		.dev_fd = packet_socket(if_nametoindex(dev)),
		.peer_fd = packet_socket(if_nametoindex(peer)),
	};
}

const char *card_why(void)
{
	return why;
}

void card_fates(unsigned int *passed, unsigned int *sent, unsigned int *dropped)
{
	*passed = want.host.n;
	*sent = want.peer.n;
	*dropped = want.dropped + want.aborted;
}

/* ---- packets ---- */

static void make_packets(uint64_t seed)
{
	uint64_t x = seed * 0x9e3779b97f4a7c15 + 1;
	unsigned int i;
	uint32_t len;

	packets.n = 0;
	for (i = 0; i < PACKETS; i++) {
		len = 60 + chance(&x) % (i % 4 ? 8 : 1000);
		frames_random(&packets, len, i % 2 ? 0x0800 : 0x0806, &x);
	}
}

static void send_mark(uint16_t type)
{
	uint8_t mark[MARK_LEN] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, type >> 8, type };

	memcpy(mark + 14, &runs, sizeof(runs));
	if (send(run.peer_fd, mark, sizeof(mark), 0) != sizeof(mark))
		die("send");
}

/* If the last frame is the mark of this run, remove it from the list and return true. */
static bool marked(struct frames *l, uint16_t type)
{
	const struct frame *f = &l->f[l->n - 1];

	if (f->len != MARK_LEN || f->data[12] != type >> 8 || f->data[13] != (type & 0xff) ||
	    memcmp(f->data + 14, &runs, sizeof(runs)))
		return false;
	l->n--;
	return true;
}

static bool collect(void)
{
	struct pollfd fds[2] = {
		{ .fd = run.dev_fd, .events = POLLIN }, { .fd = run.peer_fd, .events = POLLIN },
	};
	uint64_t end = now_ms() + WAIT_MS;
	bool passed = false, sent = false;

	while (!(passed && sent) && now_ms() < end) {
		poll(fds, 2, 50);
		while (!passed && take(run.dev_fd, &got.host))
			passed = marked(&got.host, MARK_PASS);
		while (!sent && take(run.peer_fd, &got.peer))
			sent = marked(&got.peer, MARK_TX);
	}
	return passed && sent;
}

/* ---- maps ---- */

static int map_make(const struct map_def *d, int ifindex)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_ifindex = ifindex);
	int fd = bpf_map_create(d->type, d->name, d->key, d->value, d->entries, &o);
	uint8_t key[64] = { 0 }, value[64];
	unsigned int i, j;

	if (fd < 0)
		die("bpf_map_create");
	for (i = 0; i < d->fill; i++) {
		memcpy(key, &i, sizeof(i));
		for (j = 0; j < d->value; j++)
			value[j] = d->zero ? 0 : i * 29 + j * 31 + 5;
		if (bpf_map_update_elem(fd, key, value, BPF_ANY))
			die("bpf_map_update_elem");
	}
	return fd;
}

static void maps_make(const struct program *p, int *fds, int ifindex)
{
	unsigned int i;

	for (i = 0; i < MAPS; i++)
		fds[i] = p->maps >> i & 1 ? map_make(&map_def[i], ifindex) : -1;
}

static void maps_close(const int *fds)
{
	unsigned int i;

	for (i = 0; i < MAPS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* ---- programs ---- */

/* Note the verifier's last message that is not statistics. */
static void log_line(const char *where)
{
	const char *said = offload_said(vlog);

	differs("%s: %s", where, said ? said : "no message: the JIT");
}

/*
 * Drop CAP_PERFMON, or regain it. Without CAP_PERFMON the verifier refuses reads of stack that was
 * not written, and pointers used as numbers: the result of such programs is undefined.
 */
static void strict(bool on)
{
	static const uint32_t keep[2] = {
		1u << CAP_NET_ADMIN, 1u << (CAP_BPF - 32),
	};
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2];
	unsigned int i;

	if (syscall(SYS_capget, &h, d))
		die("capget");
	for (i = 0; i < 2; i++)
		d[i].effective = on ? keep[i] : d[i].permitted;
	if (syscall(SYS_capset, &h, d))
		die("capset");
}

/* Say whether a division is as the generator makes it: the instruction before sets the divisor. */
static bool divides_well(const struct bpf_insn *i)
{
	const struct bpf_insn *set = i - 1;

	if ((BPF_CLASS(i->code) != BPF_ALU && BPF_CLASS(i->code) != BPF_ALU64) ||
	    BPF_OP(i->code) != BPF_DIV || BPF_SRC(i->code) != BPF_X)
		return true;
	return set->code == (BPF_ALU | BPF_MOV | BPF_K) && set->imm && set->dst_reg == i->src_reg;
}

/* Say whether a loop's counter is set before its head, and counts down at its end. */
static bool loops_well(const struct bpf_insn *i)
{
	const struct bpf_insn *set = i + i->off, *step = i - 1;

	if (!is_jump(i) || i->off >= 0)
		return true;
	return i->code == (BPF_JMP | BPF_JNE | BPF_K) && !i->imm &&
	       step->code == (BPF_ALU64 | BPF_ADD | BPF_K) && step->imm == -1 &&
	       step->dst_reg == i->dst_reg && set->code == (BPF_ALU64 | BPF_MOV | BPF_K) &&
	       set->imm > 0 && set->imm < 8 && set->dst_reg == i->dst_reg;
}

/*
 * Say whether a program can be loaded safely. A reduced program may have what makes the driver
 * crash: a division by a register that is 0 (jit.c, wrp_div_imm()), or a copy at the very end
 * (nfp_bpf_opt_ldst_gather()). Or it may have a loop that the verifier follows for minutes.
 */
static bool safe(const struct program *p)
{
	const struct bpf_insn *end = &p->insn[p->n];
	unsigned int i;

	if (p->n < 3 || (BPF_CLASS(end[-3].code) == BPF_LDX && BPF_CLASS(end[-2].code) == BPF_STX))
		return false;
	for (i = p->head; i < p->n; i++) {
		if (!divides_well(&p->insn[i]) || !loops_well(&p->insn[i]))
			return false;
		i += is_wide(&p->insn[i]);
	}
	return true;
}

static int load(const struct program *p, const int *maps, int ifindex)
{
	LIBBPF_OPTS(bpf_prog_load_opts, o, .prog_ifindex = ifindex);
	struct bpf_insn insn[INSNS_MAX];
	unsigned int i;
	int fd;

	memcpy(insn, p->insn, p->n * sizeof(insn[0]));
	for (i = 0; i < p->n; i++)
		if (is_wide(&insn[i]) && insn[i].src_reg == BPF_PSEUDO_MAP_FD)
			insn[i].imm = maps[insn[i].imm];
	fd = bpf_prog_load(BPF_PROG_TYPE_XDP, "fuzz", "GPL", insn, p->n, &o);
	if (fd >= 0)
		return fd;
	/* Load again, to get the verifier's message. */
	vlog[0] = 0;
	o.log_level = 1;
	o.log_buf = vlog;
	o.log_size = sizeof(vlog);
	fd = bpf_prog_load(BPF_PROG_TYPE_XDP, "fuzz", "GPL", insn, p->n, &o);
	if (fd < 0)
		log_line(ifindex ? "card" : "host");
	return fd;
}

static bool run_card(int fd)
{
	static uint64_t dropped, aborted;
	static bool counted;
	bool all;

	if (!counted) {
		dropped = counter(run.dev, "bpf_app1_pkts");
		aborted = counter(run.dev, "bpf_app3_pkts");
		counted = true;
	}
	if (bpf_xdp_attach(if_nametoindex(run.dev), fd, XDP_FLAGS_HW_MODE, NULL))
		die("attach");
	runs++;
	frames_send(run.peer_fd, &packets);
	send_mark(MARK_TX);
	send_mark(MARK_PASS);
	all = collect();
	/* If a frame came out for each packet, none was dropped: reading counters is slow. */
	if (got.host.n + got.peer.n != packets.n) {
		got.dropped = counter(run.dev, "bpf_app1_pkts") - dropped;
		got.aborted = counter(run.dev, "bpf_app3_pkts") - aborted;
		dropped += got.dropped;
		aborted += got.aborted;
	}
	return all || differs("a mark has not come");
}

static bool same_maps(const struct program *p, const int *host, const int *card)
{
	unsigned int i;

	for (i = 0; i < MAPS; i++)
		if (p->maps >> i & 1 &&
		    !map_fds_same(map_def[i].name, host[i], card[i], map_def[i].value))
			return false;
	return true;
}

enum verdict card_try(const struct program *p)
{
	int host_maps[MAPS], card_maps[MAPS], ifindex = if_nametoindex(run.dev), host, card = -1;
	enum verdict v = REJECTED;

	if (!safe(p)) {
		differs("not tried");
		return v;
	}
	why[0] = 0;
	outcome_clear(&want);
	outcome_clear(&got);
	make_packets(p->seed);
	maps_make(p, host_maps, 0);
	maps_make(p, card_maps, ifindex);
	strict(true);
	host = load(p, host_maps, 0);
	strict(false);
	if (host >= 0)
		card = load(p, card_maps, ifindex);
	if (card >= 0) {
		run_host_fd(host, NULL, &packets, &want);
		v = run_card(card) && outcome_same(&want, &got) &&
		    same_maps(p, host_maps, card_maps) ? SAME : DIFFERENT;
		close(card);
	}
	if (host >= 0)
		close(host);
	maps_close(host_maps);
	maps_close(card_maps);
	return v;
}
