/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * bpf_rig.h - for tests of channels over bpf(2): the program of xdp/channel/orders.c, which receives
 * orders for frames, and its messages.
 */
#ifndef BPF_RIG_H
#define BPF_RIG_H

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <nfpchan/nfp_chan_xdp.h>
#include <linux/perf_event.h>
#include <net/if.h>
#include <pthread.h>
#include "chan_test.h"
#include "xdp/channel/orders.h"
#include "xdp/programs/offload.h"

#define DEPTH		ORDERS	/* of the channel "orders" */

static const char *object;
static int dev, wire;
static uint32_t frames;

/* ---- program and frames ---- */

static inline struct bpf_object *program(void)
{
	struct bpf_object *obj = offload_open(object, dev);

	if (!obj)
		die(object);
	offload_maps(obj, dev);
	if (bpf_object__load(obj))
		die("load");
	return obj;
}

static inline struct bpf_object *attached(void)
{
	struct bpf_object *obj = program();

	if (bpf_xdp_attach(dev, offload_prog(obj), XDP_FLAGS_HW_MODE, NULL))
		die("attach");
	return obj;
}

static inline void detach(struct bpf_object *obj)
{
	if (bpf_xdp_detach(dev, XDP_FLAGS_HW_MODE, NULL))
		die("detach");
	bpf_object__close(obj);
}

static inline void wire_open(const char *peer)
{
	struct sockaddr_ll sa = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = (int)if_nametoindex(peer),
	};

	wire = socket(AF_PACKET, SOCK_RAW, 0);
	if (wire < 0 || bind(wire, (struct sockaddr *)&sa, sizeof(sa)))
		die(peer);
}

/* Send a frame for which the program takes 1 + @most orders, and reports the first 1 + @more times. */
static inline void frame_more(uint16_t more, uint16_t most)
{
	uint8_t buf[60] = { 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0x88, 0xb5 };

	frames++;
	memcpy(buf + 16, &frames, 4);
	memcpy(buf + 20, &more, 2);
	memcpy(buf + 22, &most, 2);
	while (send(wire, buf, sizeof(buf), 0) != sizeof(buf))
		if (errno != ENOBUFS)
			die("send");
}

static inline void frame(void)
{
	frame_more(0, 0);
}

/* ---- messages ---- */

static inline struct order order_of(uint32_t nr)
{
	return (struct order){ nr, { mix(nr), ~nr, nr * 7 } };
}

static inline int give(struct nfpchan *ch, uint32_t nr, int64_t timeout)
{
	struct order o = order_of(nr);

	return nfpchan_send(ch, &o, sizeof(o), timeout);
}

/* Does the message for the last frame say that it took order @nr, or none (-1)? */
static inline bool told_is(const struct told *t, ssize_t len, int64_t nr)
{
	struct order o = { 0 };

	if (nr >= 0)
		o = order_of((uint32_t)nr);
	return len == sizeof(*t) && t->frame == frames && t->taken == (nr >= 0) &&
	       !memcmp(&t->order, &o, sizeof(o));
}

static inline bool took(struct nfpchan *ch, int64_t nr)
{
	struct told t;
	ssize_t len;

	frame();
	len = nfpchan_recv(ch, &t, sizeof(t), WAIT_NS);
	return told_is(&t, len, nr);
}

static inline bool says(struct nfpchan *ch, const char *part)
{
	char text[256];

	nfpchan_error(ch, text, sizeof(text));
	return ok(strstr(text, part), "  \"%s\"", text);
}

static inline bool card_says(const char *part)
{
	char text[256];

	nfpchan_card_error(card, text, sizeof(text));
	return ok(strstr(text, part), "  \"%s\"", text);
}

/* Take arguments OBJECT DEV PEER, and open the card. */
static inline void rig_open(char **argv, const char *name)
{
	char why[256];

	object = argv[1];
	dev = (int)if_nametoindex(argv[2]);
	wire_open(argv[3]);
	signal(SIGALRM, on_alarm);
	alarm(2 * PROGRAM_S);
	if (nfpchan_card_open(&card, name, why, sizeof(why)))
		give_up(name, why);
}

#endif /* BPF_RIG_H */
