/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* port_rig.h - a port of the library and its channels, over the firmware in this process */
#ifndef PORT_RIG_H
#define PORT_RIG_H

#include <errno.h>
#include "stress_card.h"
#include "test_apps.h"
#include "port.h"

#define PORT	31	/* pipe number of the port */
#define EVENTS	8

/**
 * struct chan - a channel whose doorbells reach the card at once
 * @ch: the library's handle
 * @end: the host's memory of its pipe
 */
struct chan {
	struct nfpchan ch;
	struct end end;
};

/**
 * struct rig - a port on a card
 * @port: the library's handle
 * @end: the host's memory of its pipe
 * @h: the card, with the firmware
 */
struct rig {
	struct nfpchan_port port;
	struct end end;
	struct fw_host *h;
};

static FW_UNUSED void rig_start(struct rig *r, struct fw_host *h)
{
	memset(r, 0, sizeof(*r));
	r->h = h;
	end_open_port(&r->end, h, PORT);
	handle_init(&r->port.ch, &r->end, NFP_CHAN_ID_PORT);
	port_init(&r->port, -1);
}

/* Open a channel on the port. The port's own pipe on the channel's card is @leg. */
static FW_UNUSED void chan_on_leg(struct chan *c, struct rig *r, unsigned int leg,
				  const struct end *end, unsigned int pipe, unsigned int id,
				  unsigned int shift)
{
	uint64_t cookie;

	assert_int_equal(port_reserve(&r->port, leg, &cookie), 0);
	end_open_on(&c->end, r->h, pipe, id, shift, end, cookie);
	handle_init(&c->ch, &c->end, id);
	port_attach(&r->port, cookie, &c->ch);
}

static FW_UNUSED void chan_on(struct chan *c, struct rig *r, unsigned int pipe, unsigned int id,
			      unsigned int shift)
{
	chan_on_leg(c, r, 0, &r->end, pipe, id, shift);
}

static FW_UNUSED void chan_off(struct chan *c)
{
	if (c->ch.port)
		port_detach(&c->ch);
	end_close(&c->end);
}

static FW_UNUSED int wait_now(struct rig *r, struct nfpchan_event *ev, unsigned int n)
{
	host_run(r->h->host);
	return nfpchan_port_wait(&r->port, ev, n, NFPCHAN_NONBLOCK);
}

/* The channel that the port reports, or NULL. Checks that it is not more than one. */
static FW_UNUSED struct nfpchan *told_of(struct rig *r)
{
	struct nfpchan_event ev[EVENTS];
	int n = wait_now(r, ev, EVENTS);

	if (n == -EAGAIN)
		return NULL;
	assert_int_equal(n, 1);
	assert_null(ev[0].req);
	return ev[0].ch;
}

static FW_UNUSED unsigned int drain(struct chan *c)
{
	char buf[2048];
	unsigned int n = 0;
	ssize_t len;

	while ((len = nfpchan_recv(&c->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK)) >= 0)
		n++;
	assert_int_equal(len, -EAGAIN);
	return n;
}

/* Start an asynchronous receive, which must not fail. */
static FW_UNUSED void recv_start(struct chan *c, struct nfpchan_async *req, void *buf, size_t len)
{
	*req = (struct nfpchan_async){ .buf = buf, .len = len };
	assert_int_equal(nfpchan_recv_async(&c->ch, req), 0);
}

static FW_UNUSED void send_start(struct chan *c, struct nfpchan_async *req, const void *buf,
				 size_t len)
{
	*req = (struct nfpchan_async){ .buf = (void *)buf, .len = len };
	assert_int_equal(nfpchan_send_async(&c->ch, req), 0);
}

static FW_UNUSED void tick(struct rig *r)
{
	fw_signal(r->h, CHAN_ID_TICK);
	host_run(r->h->host);
}

static FW_UNUSED void load(struct chan *ctl, uint32_t count)
{
	struct load_req req = { .count = count, .size = 16, .target = LOAD_LOAD };

	assert_int_equal(nfpchan_send(&ctl->ch, &req, sizeof(req), NFPCHAN_NONBLOCK), 0);
	host_run(ctl->end.h->host);
}

static FW_UNUSED void chan_plain(struct chan *c, struct fw_host *h, unsigned int pipe,
				 unsigned int id, unsigned int shift)
{
	end_open(&c->end, h, pipe, id, shift);
	handle_init(&c->ch, &c->end, id);
}

#endif /* PORT_RIG_H */
