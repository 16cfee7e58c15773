// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* card_handle.c - calls on a card: information, queries, signals, texts of failures. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "card_handle.h"

int card_fail(struct nfpchan_card *card, int code, const char *fmt, ...)
{
	va_list ap;

	pthread_mutex_lock(&card->lock);
	va_start(ap, fmt);
	vsnprintf(card->text, sizeof(card->text), fmt, ap);
	va_end(ap);
	pthread_mutex_unlock(&card->lock);
	return code;
}

int card_name(struct nfpchan_card *card, char to[NFP_CHAN_NAME_LEN], const char *name)
{
	size_t len = strlen(name);

	if (!len || len >= NFP_CHAN_NAME_LEN)
		return card_fail(card, -EINVAL, "channel name of %zu characters, allowed are 1 to %d",
				 len, NFP_CHAN_NAME_LEN - 1);
	memset(to, 0, NFP_CHAN_NAME_LEN);
	memcpy(to, name, len);
	return 0;
}

int nfpchan_card_fd(const struct nfpchan_card *card)
{
	return card->fd;
}

int nfpchan_card_info(struct nfpchan_card *card, struct nfp_chan_info *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return card->ops->info(card, info);
}

int nfpchan_query(struct nfpchan_card *card, const char *name, struct nfp_chan_query *q)
{
	int err;

	memset(q, 0, sizeof(*q));
	q->size = sizeof(*q);
	err = card_name(card, q->name, name);
	return err ? err : card->ops->query(card, q, name);
}

int nfpchan_query_id(struct nfpchan_card *card, uint32_t id, struct nfp_chan_query *q)
{
	char what[32];

	memset(q, 0, sizeof(*q));
	q->size = sizeof(*q);
	q->flags = NFP_CHAN_QUERY_BY_ID;
	q->id = id;
	snprintf(what, sizeof(what), "channel id %u", id);
	return card->ops->query(card, q, what);
}

int nfpchan_repeats(struct nfpchan_card *card, const char *name, uint64_t *count)
{
	struct nfp_chan_query q;

	*count = 0;
	if (card->ops->repeats)
		return card->ops->repeats(card, name, count);
	return nfpchan_query(card, name, &q);
}

int nfpchan_signal(struct nfpchan_card *card, const char *name)
{
	return card->ops->signal(card, name);
}

char *nfpchan_card_error(struct nfpchan_card *card, char *buf, size_t len)
{
	if (!len)
		return buf;
	pthread_mutex_lock(&card->lock);
	snprintf(buf, len, "%s", card->text);
	pthread_mutex_unlock(&card->lock);
	return buf;
}
