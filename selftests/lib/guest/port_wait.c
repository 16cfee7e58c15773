// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * port_wait.c - for fault.py: a port of the library with "tick" and "load" on it. By command
 * on standard input it waits for half a second and prints which channel has news and how
 * many messages; receives from "tick" without a wait on the port; or opens "load" again.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <nfpchan_port.h>

#define HALF_A_SECOND	500000000

static void must(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "port_wait: %s: %d\n", what, err);
	exit(1);
}

/* Receive all messages that are there. Return how many. */
static int drain(struct nfpchan *ch)
{
	char buf[16];
	int n = 0;

	while (nfpchan_recv(ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) > 0)
		n++;
	return n;
}

static struct nfpchan *start(struct nfpchan_card *card, const char *name, struct nfpchan_port *port)
{
	struct nfpchan_opts opts = { .size = sizeof(opts), .port = port };
	struct nfpchan *ch;

	must(nfpchan_open(&ch, card, name, &opts), name);
	return ch;
}

int main(void)
{
	struct nfpchan *tick, *load;
	struct nfpchan_event ev;
	struct nfpchan_port *port;
	struct nfpchan_card *card;
	char line[16];
	int n;

	must(nfpchan_card_open(&card, "0", NULL, 0), "card");
	must(nfpchan_port_open(&port, card, NULL), "port");
	tick = start(card, "tick", port);
	load = start(card, "load", port);
	setlinebuf(stdout);
	puts("open");
	while (fgets(line, sizeof(line), stdin)) {
		if (!strcmp(line, "again\n")) {
			nfpchan_close(load);
			load = start(card, "load", port);
			puts("open");
			continue;
		}
		if (!strcmp(line, "look\n")) {
			printf("tick %d\n", drain(tick));
			continue;
		}
		n = nfpchan_port_wait(port, &ev, 1, HALF_A_SECOND);
		if (n != 1) {
			printf("%d\n", n);
			continue;
		}
		printf("%s %d\n", ev.ch == tick ? "tick" : "load", drain(ev.ch));
	}
	nfpchan_close(load);
	nfpchan_close(tick);
	nfpchan_port_close(port);
	nfpchan_card_close(card);
	return 0;
}
