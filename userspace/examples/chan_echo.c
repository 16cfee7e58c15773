// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_echo.c - example: send each argument to the card's echo process, print the reply, and
 * at the end print what that cost.
 *
 * cc chan_echo.c $(pkg-config --cflags --libs libnfpchan)
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <nfpchan.h>

#define SECOND	1000000000ll

static int fail(const char *text)
{
	fprintf(stderr, "chan_echo: %s\n", text);
	return 1;
}

int main(int argc, char **argv)
{
	struct nfpchan_stats st = { .size = sizeof(st) };
	struct nfpchan *to, *from;
	struct nfpchan_card *card;
	const void *reply;
	char text[256];
	ssize_t len;
	int i;

	if (nfpchan_card_open(&card, NULL, text, sizeof(text)))
		return fail(text);
	if (nfpchan_open(&from, card, "echo-out", NULL) ||
	    nfpchan_open(&to, card, "echo-in", NULL))
		return fail(nfpchan_card_error(card, text, sizeof(text)));

	for (i = 1; i < argc; i++) {
		if (nfpchan_send(to, argv[i], strlen(argv[i]), SECOND))
			return fail(nfpchan_error(to, text, sizeof(text)));
		/* Read the reply in place, in the ring, without a copy. */
		len = nfpchan_borrow(from, &reply, SECOND);
		if (len < 0)
			return fail(nfpchan_error(from, text, sizeof(text)));
		printf("%.*s\n", (int)len, (const char *)reply);
		nfpchan_release(from, 1);
	}

	nfpchan_stats(from, &st);
	fprintf(stderr, "%" PRIu64 " messages, %" PRIu64 " doorbells, %" PRIu64 " sleeps\n",
		st.msgs, st.doorbells, st.sleeps);
	nfpchan_close(to);
	nfpchan_close(from);
	nfpchan_card_close(card);
	return 0;
}
