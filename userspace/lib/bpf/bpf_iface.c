// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpf_iface.c - the interface of a card "bpf:DEV", which the card's handle and its channels share. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "bpf.h"

void bpf_card_put(struct bpf_card *card)
{
	if (__atomic_sub_fetch(&card->users, 1, __ATOMIC_ACQ_REL))
		return;
	close(card->netlink);
	pthread_mutex_destroy(&card->asking);
	pthread_mutex_destroy(&card->lock);
	free(card);
}

int64_t bpf_card_attached(struct bpf_card *card)
{
	int64_t ret;

	pthread_mutex_lock(&card->asking);
	ret = bpf_attached(card->netlink, card->ifindex);
	pthread_mutex_unlock(&card->asking);
	return ret;
}

int bpf_card_check(struct bpf_card *card, uint32_t prog, struct ring_err *end)
{
	int64_t id = bpf_card_attached(card);

	if (id == -ENODEV) {
		*end = (struct ring_err){ -ENODEV, "the interface is gone", { 0 } };
	} else if (prog && !id) {
		*end = (struct ring_err){ -EPIPE, "program %llu is not attached any more", { prog } };
	} else if (prog && id > 0 && id != prog) {
		*end = (struct ring_err){ -EPIPE, "program %llu has been replaced by program %llu",
					  { prog, (unsigned long long)id } };
	} else {
		return 0;	/* also if the query failed: the next check repeats it */
	}
	return end->code;
}

int bpf_fail(struct nfpchan_card *card, const char *name, const struct ring_err *err)
{
	char text[200];

	snprintf(text, sizeof(text), err->fmt, err->v[0], err->v[1], err->v[2]);
	return card_fail(card, err->code, "%s: %s", name, text);
}
