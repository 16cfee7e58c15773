// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* open.c - open cards of either kind, and close cards and channels. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bpf.h"
#include "char_node.h"
#include "port.h"

#define BPF_PREFIX	"bpf:"

int nfpchan_card_open(struct nfpchan_card **out, const char *name, char *err, size_t errlen)
{
	struct nfpchan_card *card;
	int ret;

	*out = NULL;
	card = calloc(1, sizeof(*card));
	if (!card) {
		if (err && errlen)
			snprintf(err, errlen, "card %s: out of memory", name && *name ? name : "(first)");
		return -ENOMEM;
	}
	pthread_mutex_init(&card->lock, NULL);

	if (name && !strncmp(name, BPF_PREFIX, strlen(BPF_PREFIX)))
		ret = bpf_card_open(card, name + strlen(BPF_PREFIX), err, errlen);
	else
		ret = node_card_open(card, name, err, errlen);
	if (!ret) {
		*out = card;
		return 0;
	}
	pthread_mutex_destroy(&card->lock);
	free(card);
	return ret;
}

void nfpchan_card_close(struct nfpchan_card *card)
{
	if (!card)
		return;
	card->ops->close(card);
	pthread_mutex_destroy(&card->lock);
	free(card);
}

void nfpchan_close(struct nfpchan *ch)
{
	if (!ch)
		return;
	if (ch->port)
		port_detach(ch);
	/* Give room back first: the card counts messages whose room it has not got as dropped. */
	ring_flush(&ch->ring);
	chan_unnotify(ch);
	chan_stop(ch);
	chan_unpair(ch);
	free(ch);
}
