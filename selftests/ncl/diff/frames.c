// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* frames.c - windows of a program, and frames that differ from a window in one place. */
#include <linux/ip.h>
#include <linux/udp.h>
#include "xdp_run.h"
#include "diff.h"

#define GOOD	16	/* valid windows of a kernel before the invalid ones, and also after them */

#define IP(a, b, c, d)	htonl((a) << 24 | (b) << 16 | (c) << 8 | (d))

struct window {
	struct ethhdr eth;
	struct iphdr ip;
	struct udphdr udp;
	struct ncp_hdr ncp;
	uint8_t data[];
} __attribute__((packed));

void make_addresses(struct model_device *dev, struct ncl_address *nodes)
{
	const struct model_program *prog = dev->prog;
	unsigned int i;

	memset(nodes, 0, NODES_MAX * sizeof(*nodes));
	for (i = 1; i <= prog->nodes && i < NODES_MAX; i++) {
		if (i == prog->id || i % 4 == 2)
			nodes[i].flags = NCL_LOCAL;
		else if (i % 4 == 0)
			continue;
		nodes[i].ip = IP(10, 1, 1, i);
		nodes[i].port = htons(NCP_PORT + i);
		memcpy(nodes[i].mac, (uint8_t[]){ 2, 0, 0, 0, 1, i }, ETH_ALEN);
		if (!nodes[i].flags && prog->devices >> i & 1)
			nodes[i].group = IP(239, 78, 76, i);
	}
	dev->nodes = nodes;
	dev->own = (struct ncl_address){
		.ip = IP(10, 1, 0, 1), .port = htons(NCP_PORT), .mac = { 2, 0, 0, 0, 0, 1 },
		.group_mac = { 1, 0, 0x5e, 0x4e, 0x4c, prog->id },
		.group = IP(239, 78, 76, prog->id),
	};
}

/* ---- numbers ---- */

static void put_number(uint8_t *to, uint16_t size, uint64_t v)
{
	memset(to, 0, size);
	memcpy(to, &v, size < sizeof(v) ? size : sizeof(v));
}

/* Return a number, a small one often: kernels use it as a key and in conditions. */
static uint64_t number(uint16_t size, uint64_t *x)
{
	uint64_t top = 1ull << (8 * (size < 8 ? size : 8) - 1);

	switch (chance(x) % 8) {
	case 0:
		return random_next(x);
	case 1:
		return top - (chance(x) & 1);
	case 2:
		return -(uint64_t)(chance(x) % 4);
	case 3:
		return chance(x) & 0xff;
	default:
		return chance(x) % 6;
	}
}

static void numbers(uint8_t *to, uint16_t size, uint16_t count, bool truth, uint64_t *x)
{
	uint64_t v = number(size, x);
	bool same = chance(x) % 8 == 0;
	unsigned int i, j;

	for (i = 0; i < (count ? count : 1); i++, to += size) {
		put_number(to, size, truth ? chance(x) & 1 : same ? v : number(size, x));
		for (j = 8; j < size; j++)
			to[j] = chance(x) % 4;
	}
}

/* ---- frames ---- */

static void ip_checksum(struct window *w)
{
	const uint8_t *b = (const uint8_t *)w + offsetof(struct window, ip);
	uint32_t sum = 0;
	unsigned int i;

	w->ip.check = 0;
	for (i = 0; i < sizeof(w->ip); i += 2)
		sum += b[i] << 8 | b[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	w->ip.check = htons(~(sum + (sum >> 16)));
}

static uint32_t seq_of(const struct model_program *prog, uint64_t *x)
{
	return prog->seqs ? chance(x) % prog->seqs : number(4, x);
}

/*
 * Return the device's address or, now and then, the address of a group, which may have the device
 * as a member.
 */
static uint32_t destination(const struct model_device *dev, uint64_t *x)
{
	unsigned int n = dev->prog->nr_groups;

	return n && chance(x) % 4 == 0 ? model_group_ip(dev->prog->groups[chance(x) % n].id) :
	       dev->own.ip;
}

static struct window *window_next(const struct model_device *dev, const struct model_kernel *k,
				  struct frames *l, uint64_t *x)
{
	const struct model_program *prog = dev->prog;
	struct frame *f = frames_next(l);
	struct window *w = (void *)f->data;
	uint32_t udp = sizeof(w->udp) + sizeof(w->ncp) + k->size;
	unsigned int i;

	f->len = sizeof(w->eth) + sizeof(w->ip) + udp;
	memset(w, 0, f->len > ETH_ZLEN ? f->len : ETH_ZLEN);
	*w = (struct window){
		.eth = { .h_source = { 2, 0, 0, 0, 2, chance(x) }, .h_proto = htons(ETH_P_IP) },
		.ip = {
			.version = 4, .ihl = 5, .tot_len = htons(sizeof(w->ip) + udp),
			.id = chance(x), .ttl = 64, .protocol = IPPROTO_UDP,
			.saddr = IP(10, 1, 2, chance(x) & 0xff), .daddr = destination(dev, x),
		},
		.udp = {
			.source = htons(chance(x) & 1 ? NCP_PORT : chance(x) & 0xffff),
			.dest = dev->own.port, .len = htons(udp), .check = chance(x),
		},
		.ncp = {
			.magic = NCP_MAGIC, .version = NCP_VERSION, .program = prog->hash,
			.kernel = k->id, .from = 1 + chance(x) % prog->nodes, .len = k->len,
			.size = k->size, .seq = seq_of(prog, x), .invocation = number(4, x),
		},
	};
	memcpy(w->eth.h_dest, dev->own.mac, ETH_ALEN);
	for (i = 0; i < prog->nr_fields; i++)
		numbers(w->data + prog->fields[i].offset, prog->fields[i].size, 0, false, x);
	for (i = 0; i < k->nr_args; i++)
		numbers(w->data + k->args[i].offset, k->args[i].size, k->args[i].count,
			k->args[i].truth, x);
	ip_checksum(w);
	return w;
}

/*
 * Pad short frames to the minimum length, as the MAC does, so that all programs get the same
 * bytes.
 */
static void pad(struct frames *l)
{
	struct frame *f = &l->f[l->n - 1];

	if (f->len < ETH_ZLEN)
		memset(f->data + f->len, 0, ETH_ZLEN - f->len);
	f->len = f->len < ETH_ZLEN ? ETH_ZLEN : f->len;
}

static void good(const struct model_device *dev, const struct model_kernel *k, struct frames *l,
		 uint64_t *x)
{
	static const uint8_t flags[] = { 0, 0, NCP_WANT_ACK, NCP_AGAIN | NCP_LAST, NCP_ANSWER };
	struct window *w;
	unsigned int i;

	for (i = 0; i < GOOD; i++) {
		w = window_next(dev, k, l, x);
		w->ncp.flags = flags[i % sizeof(flags)];
		if (i & 1)
			w->ncp.to = chance(x) % (dev->prog->nodes + 2);
		pad(l);
	}
}

/*
 * Add broadcasts of neighbouring devices, one for each way in which the device may have got it, and
 * such that differ from a broadcast in one place.
 */
static void broadcasts(const struct model_device *dev, const struct model_kernel *k,
		       struct frames *l, uint64_t *x)
{
	unsigned int i, what;
	struct window *w;

	for (i = 1; i <= dev->prog->nodes; i++)
		for (what = 0; dev->nodes[i].group && what < 12; what++) {
			w = window_next(dev, k, l, x);
			w->ncp.flags = NCP_REPLY | (what & 1 ? NCP_AGAIN : 0);
			w->ncp.to = chance(x) % (dev->prog->nodes + 2);
			w->ncp.origin = i;
			w->ip.saddr = dev->nodes[i].ip;
			w->ip.daddr = dev->nodes[i].group;
			memcpy(w->eth.h_dest, (uint8_t[]){ 1, 0, 0x5e, 0x4e, 0x4c, i }, ETH_ALEN);
			switch (what) {
			case 0: w->ip.saddr ^= htonl(1); break;
			case 1: w->ip.daddr ^= htonl(1); break;
			case 2: w->ncp.origin = dev->prog->id; break;
			case 3: w->ncp.origin = 0; break;
			case 4: w->ncp.origin = 0xffff; break;
			case 5: w->ncp.flags &= ~NCP_REPLY; break;
			case 6: w->ncp.flags |= NCP_ACK; break;
			case 7: w->ncp.version++; break;
			}
			ip_checksum(w);
			pad(l);
		}
}

/* Change a window: fault or rare case number @what. Returns false if there are no more cases. */
static bool spoil(struct window *w, uint32_t *len, unsigned int what, unsigned int nodes)
{
	switch (what) {
	case 0: w->ncp.version++; break;
	case 1: w->ncp.version = 0; break;
	case 2: w->ncp.program ^= 1; break;
	case 3: w->ncp.program ^= 0x8000; break;
	case 4: w->ncp.kernel = 0; break;
	case 5: w->ncp.kernel = 0x100 + w->ncp.kernel; break;
	case 6: w->ncp.kernel = 63; break;
	case 7: w->ncp.size++; break;
	case 8: w->ncp.size--; break;
	case 9: w->ncp.size = 0xffff; break;
	case 10: w->ncp.len++; break;
	case 11: w->ncp.len = 0; break;
	case 12: w->ncp.magic ^= 0x100; break;
	case 13: w->udp.len = htons(ntohs(w->udp.len) - 1); break;
	case 14: w->udp.len = 0; break;
	case 15: w->ip.tot_len = htons(ntohs(w->ip.tot_len) - 4); break;
	case 16: w->ip.tot_len = htons(ntohs(w->ip.tot_len) + 4); break;
	case 17: w->ip.frag_off = htons(0x2000); break;
	case 18: w->ip.frag_off = htons(0x0001); break;
	case 19: w->ip.frag_off = htons(0x4000); break;
	case 20: w->ip.ihl = 6; break;
	case 21: w->ip.version = 6; break;
	case 22: w->ip.protocol = IPPROTO_TCP; break;
	case 23: w->ip.daddr ^= htonl(2); break;
	case 24: w->udp.dest ^= htons(1); break;
	case 25: w->eth.h_proto = htons(ETH_P_IPV6); break;
	case 26: w->eth.h_dest[5]++; break;
	case 27: *len -= 1; break;
	case 28: *len -= *len / 4; break;
	case 29: *len = 70; break;
	case 30: *len = 60; break;
	case 31: *len += 1; break;
	case 32: *len += 30; break;
	case 33: w->ncp.flags = NCP_REPLY; break;
	case 34: w->ncp.flags = NCP_ACK; break;
	case 35: w->ncp.flags = NCP_REPLY | NCP_ACK | NCP_LAST; break;
	case 36: w->ncp.flags = NCP_ACK; w->ncp.to = 0xffff; break;
	case 37: w->ncp.to = 0xffff; break;
	case 38: w->ncp.to = nodes + 1; break;
	case 39: w->ncp.from = 0; break;
	case 40: w->ncp.from = 0xffff; break;
	case 41: w->ncp.flags = NCP_REPLY; w->ncp.version = 9; break;
	case 42: w->ncp.pad = w->ncp.origin = 0xffff; break;
	default:
		/* answers and acknowledgements for each node */
		what -= 43;
		w->ncp.flags = what & 1 ? NCP_REPLY : NCP_ACK;
		w->ncp.to = what / 2;
		return what / 2 <= nodes;
	}
	return true;
}

static void bad(const struct model_device *dev, const struct model_kernel *k, struct frames *l,
		uint64_t *x)
{
	unsigned int what;
	bool more = true;

	for (what = 0; more; what++) {
		struct window *w = window_next(dev, k, l, x);
		struct frame *f = &l->f[l->n - 1];

		memset(f->data + f->len, 0x5a, 32);
		more = spoil(w, &f->len, what, dev->prog->nodes);
		ip_checksum(w);
		pad(l);
	}
}

void make_frames(const struct model_device *dev, struct frames *l, uint64_t *x)
{
	static const uint16_t types[] = { ETH_P_IP, ETH_P_ARP, ETH_P_IPV6, 0x88b5 };
	const struct model_program *prog = dev->prog;
	unsigned int i, round;

	l->n = 0;
	for (round = 0; round < 2; round++)
		for (i = 0; i < prog->nr_kernels; i++)
			good(dev, &prog->kernels[i], l, x);
	for (i = 0; i < prog->nr_kernels; i++)
		bad(dev, &prog->kernels[i], l, x);
	for (i = 0; i < prog->nr_kernels; i++)
		broadcasts(dev, &prog->kernels[i], l, x);
	for (i = 0; i < 4; i++)
		frames_random(l, ETH_ZLEN + chance(x) % 60, types[i], x);
	for (i = 0; i < prog->nr_kernels; i++)
		good(dev, &prog->kernels[i], l, x);
}

void send_frames(int fd, const struct frames *l)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	unsigned int i;

	for (i = 0; i < l->n; i++)
		while (send(fd, l->f[i].data, l->f[i].len, 0) < 0)
			if (errno != EAGAIN || poll(&p, 1, slowly(WAIT_MS)) != 1)
				die("send");
}
