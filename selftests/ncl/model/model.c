// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * model.c - the work of a device on a frame: the program's kernels run as plain C.
 *
 * It was written from NCL.rst alone, and has no code in common with nclc.
 */
#include <arpa/inet.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "model.h"

#define HEADERS	(sizeof(struct ethhdr) + sizeof(struct iphdr) + sizeof(struct udphdr))

struct packet {
	struct ethhdr *eth;
	struct iphdr *ip;
	struct udphdr *udp;
	struct ncp_hdr *ncp;
	uint8_t *data;
	uint32_t room;		/* bytes of the data that the frame has */
};

static struct packet packet_of(uint8_t *frame, uint32_t len)
{
	struct packet p = {
		.eth = (void *)frame,
		.ip = (void *)(frame + sizeof(*p.eth)),
		.udp = (void *)(frame + sizeof(*p.eth) + sizeof(*p.ip)),
		.ncp = (void *)(frame + HEADERS),
		.data = frame + HEADERS + sizeof(*p.ncp),
		.room = len - HEADERS - sizeof(*p.ncp),
	};

	return p;
}

/* Is the node this place, or a group with this place as a member? */
static bool is_own(const struct model_device *dev, uint32_t ip)
{
	unsigned int i;

	for (i = 0; i < dev->prog->nr_groups; i++)
		if (dev->prog->groups[i].member && ip == model_group_ip(dev->prog->groups[i].id))
			return true;
	return ip == dev->own.ip;
}

/*
 * Is the frame the broadcast of a neighbour, and has it come on the shortest way from the device
 * that was the first to broadcast it?
 */
static bool is_spread(const struct model_device *dev, const struct packet *p)
{
	const struct ncl_address *way = p->ncp->origin <= dev->prog->nodes ?
					&dev->nodes[p->ncp->origin] : NULL;

	return way && way->group && p->ip->daddr == way->group && p->ip->saddr == way->ip &&
	       (p->ncp->flags & (NCP_REPLY | NCP_ACK)) == NCP_REPLY;
}

/* Is the frame a window for this device, valid or not? */
static bool is_ours(const struct model_device *dev, uint8_t *frame, uint32_t len)
{
	struct packet p = packet_of(frame, len);

	return len >= HEADERS + sizeof(*p.ncp) && p.eth->h_proto == htons(ETH_P_IP) &&
	       p.ip->version == 4 && p.ip->ihl == 5 && !(p.ip->frag_off & htons(0x3fff)) &&
	       p.ip->protocol == IPPROTO_UDP &&
	       p.udp->dest == dev->own.port && p.ncp->magic == NCP_MAGIC &&
	       (is_own(dev, p.ip->daddr) || is_spread(dev, &p));
}

static const struct model_kernel *kernel_of(const struct model_program *prog, uint16_t id)
{
	unsigned int i;

	for (i = 0; i < prog->nr_kernels; i++)
		if (prog->kernels[i].id == id)
			return &prog->kernels[i];
	return NULL;
}

static bool has_size(const struct model_kernel *k, const struct packet *p)
{
	return p->ncp->size == k->size && (!k->len || p->ncp->len == k->len) && p->room >= k->size;
}

/* ---- what is sent ---- */

static void checksums(struct packet *p)
{
	const uint8_t *bytes = (const uint8_t *)p->ip;
	uint32_t sum = 0;
	unsigned int i;

	p->ip->check = 0;
	for (i = 0; i < sizeof(*p->ip); i += 2)
		sum += bytes[i] << 8 | bytes[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	p->ip->check = htons(~sum);
	p->udp->check = 0;
}

static int send_to(struct model_device *dev, struct packet *p, uint32_t ip, uint16_t port,
		   const uint8_t *mac)
{
	memcpy(p->eth->h_source, p->eth->h_dest, ETH_ALEN);
	memcpy(p->eth->h_dest, mac, ETH_ALEN);
	p->ip->saddr = dev->own.ip;
	p->ip->daddr = ip;
	p->udp->source = dev->own.port;
	p->udp->dest = port;
	checksums(p);
	return XDP_TX;
}

static int pass(struct model_device *dev, struct packet *p, bool ran)
{
	unsigned int to = p->ncp->to;
	const struct ncl_address *next = to <= dev->prog->nodes ? &dev->nodes[to] : NULL;

	if (!to || (next && next->flags & NCL_LOCAL)) {
		if (ran)
			p->udp->check = 0;
		dev->counts[NCL_PASSED]++;
		return XDP_PASS;
	}
	if (!next || !next->ip) {
		dev->counts[NCL_NOWHERE]++;
		return XDP_DROP;
	}
	dev->counts[NCL_PASSED]++;
	return send_to(dev, p, next->ip, next->port, next->mac);
}

static int reflect(struct model_device *dev, struct packet *p)
{
	uint8_t mac[ETH_ALEN];
	uint32_t ip = p->ip->saddr;
	uint16_t port = p->udp->source;

	memcpy(mac, p->eth->h_source, ETH_ALEN);
	memcpy(p->eth->h_source, p->eth->h_dest, ETH_ALEN);
	memcpy(p->eth->h_dest, mac, ETH_ALEN);
	p->ip->saddr = p->ip->daddr;
	p->ip->daddr = ip;
	p->udp->source = p->udp->dest;
	p->udp->dest = port;
	p->ncp->to = p->ncp->from;
	p->ncp->flags |= NCP_REPLY;
	checksums(p);
	dev->counts[NCL_REFLECTED]++;
	return XDP_TX;
}

/* The first device that broadcasts a window is its origin. */
static int broadcast(struct model_device *dev, struct packet *p, bool spread)
{
	if (!spread)
		p->ncp->origin = dev->prog->id;
	p->ncp->flags |= NCP_REPLY;
	dev->counts[NCL_BROADCAST]++;
	return send_to(dev, p, dev->own.group, dev->own.port, dev->own.group_mac);
}

static int multicast(struct model_device *dev, struct packet *p, unsigned int id)
{
	const struct model_group *g = dev->prog->groups, *end = g + dev->prog->nr_groups;
	uint32_t ip = model_group_ip(id);
	const uint8_t *b = (const uint8_t *)&ip;

	while (g < end && g->id != id)
		g++;
	if (g == end) {
		dev->counts[NCL_NOWHERE]++;
		return XDP_DROP;
	}
	if (!g->devices)
		p->ncp->flags |= NCP_REPLY;
	dev->counts[NCL_BROADCAST]++;
	return send_to(dev, p, ip, dev->own.port,
		       (uint8_t[]){ 1, 0, 0x5e, b[1] & 0x7f, b[2], b[3] });
}

static int act(struct model_device *dev, struct packet *p, bool spread)
{
	const struct model_action *a = dev->prog->action;

	switch (a->what) {
	case MODEL_DROP:
		dev->counts[NCL_DROPPED]++;
		return XDP_DROP;
	case MODEL_REFLECT:
		return reflect(dev, p);
	case MODEL_BCAST:
		return broadcast(dev, p, spread);
	case MODEL_MULTICAST:
		return multicast(dev, p, a->to);
	default:
		if (a->to)
			p->ncp->to = a->to;
		return pass(dev, p, true);
	}
}

/* ---- a kernel ---- */

static jmp_buf outside;

/* -fsanitize=bounds calls this function if a kernel uses an index outside of an array. */
void __ubsan_handle_out_of_bounds(void *data, void *index);
void __ubsan_handle_out_of_bounds(void *data, void *index)
{
	(void)data;
	(void)index;
	longjmp(outside, 1);
}

static size_t bytes_of(const struct model_var *v)
{
	return v->put ? 0 : (size_t)v->size * v->rows * v->columns;
}

/* Copy all variables to @to, or back from it. @to may be NULL. Returns their size in bytes. */
static size_t memory_copy(const struct model_program *prog, uint8_t *to, bool back)
{
	size_t at = 0;
	unsigned int i;

	for (i = 0; i < prog->nr_vars; i++) {
		const struct model_var *v = &prog->vars[i];

		if (to && back)
			memcpy(v->at, to + at, bytes_of(v));
		else if (to)
			memcpy(to + at, v->at, bytes_of(v));
		at += bytes_of(v);
	}
	return at;
}

/*
 * Run the kernel. Returns false if it has left the bounds of an array; all variables are
 * unchanged then.
 */
static bool call(const struct model_program *prog, const struct model_kernel *k, uint8_t *data)
{
	uint8_t *was = malloc(memory_copy(prog, NULL, false) + 1);
	volatile bool good = false;

	if (!was)
		abort();
	memory_copy(prog, was, false);
	if (!setjmp(outside)) {
		k->call(data);
		good = true;
	} else {
		memory_copy(prog, was, true);
	}
	free(was);
	return good;
}

static bool run(struct model_device *dev, const struct model_kernel *k, struct packet *p)
{
	const struct model_program *prog = dev->prog;
	struct model_window *w = prog->window;
	uint64_t data[MODEL_DATA_MAX / 8];
	unsigned int i;

	*w = (struct model_window){
		.seq = p->ncp->seq, .invocation = p->ncp->invocation, .from = p->ncp->from,
		.to = p->ncp->to, .len = p->ncp->len,
	};
	memcpy(data, p->data, k->size);
	for (i = 0; i < prog->nr_fields; i++)
		memcpy((uint8_t *)w + prog->fields[i].at, p->data + prog->fields[i].offset,
		       prog->fields[i].size);
	*prog->location = prog->id;
	*prog->action = (struct model_action){ .what = MODEL_PASS };
	if (!call(prog, k, (uint8_t *)data))
		return false;
	memcpy(p->data, data, k->size);
	dev->counts[NCL_WINDOWS]++;
	return true;
}

static int malformed(struct model_device *dev)
{
	dev->counts[NCL_MALFORMED]++;
	return XDP_DROP;
}

int model_frame(struct model_device *dev, uint8_t *frame, uint32_t len)
{
	struct packet p = packet_of(frame, len);
	const struct model_kernel *k;
	bool spread;

	if (!is_ours(dev, frame, len))
		return XDP_PASS;
	spread = !is_own(dev, p.ip->daddr);
	if (p.ncp->version != NCP_VERSION || p.ncp->program != dev->prog->hash ||
	    ntohs(p.udp->len) != sizeof(*p.udp) + sizeof(*p.ncp) + p.ncp->size)
		return malformed(dev);
	if (spread)
		p.ncp->to = dev->prog->id;
	if (p.ip->daddr != dev->own.ip) {
		memcpy(p.eth->h_dest, dev->own.mac, ETH_ALEN);
		p.ip->daddr = dev->own.ip;
		checksums(&p);
	}
	if (p.ncp->flags & (NCP_REPLY | NCP_ACK) && !spread)
		return pass(dev, &p, false);
	k = kernel_of(dev->prog, p.ncp->kernel);
	if (k && !k->here)
		return pass(dev, &p, false);
	if (!k || !has_size(k, &p))
		return malformed(dev);
	return run(dev, k, &p) ? act(dev, &p, spread) : MODEL_UNDEFINED;
}
