// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * async_close.c - helper of fault.py. It sends two messages of a rendezvous through a port.
 * The ME process takes the first and keeps it. When a line comes on standard input, the
 * helper closes the channel, and prints the result of the second send.
 */
#include <stdio.h>
#include <stdlib.h>
#include <nfpchan_port.h>

static void must(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "async_close: %s: %d\n", what, err);
	exit(1);
}

static struct nfpchan_async *next(struct nfpchan_port *port)
{
	struct nfpchan_event ev;

	must(nfpchan_port_wait(port, &ev, 1, NFPCHAN_FOREVER) != 1, "wait");
	return ev.req;
}

int main(void)
{
	struct nfpchan_opts opts = { .size = sizeof(opts) };
	struct nfpchan_async kept = { .buf = "kept", .len = 4 };
	struct nfpchan_async offer = { .buf = "offer", .len = 5 };
	struct nfpchan_card *card;
	struct nfpchan *ch;
	char line[16];

	must(nfpchan_card_open(&card, "0", NULL, 0), "card");
	must(nfpchan_port_open(&opts.port, card, NULL), "port");
	must(nfpchan_open(&ch, card, "rv-in", &opts), "rv-in");
	must(nfpchan_send_async(ch, &kept), "send");
	must(next(opts.port) != &kept || kept.ret, "the first is received");
	must(nfpchan_send_async(ch, &offer), "send");
	puts("on offer");
	fflush(stdout);
	must(!fgets(line, sizeof(line), stdin), "standard input");
	nfpchan_close(ch);
	must(next(opts.port) != &offer, "the second is complete");
	printf("%zd\n", offer.ret);
	nfpchan_port_close(opts.port);
	nfpchan_card_close(card);
	return 0;
}
