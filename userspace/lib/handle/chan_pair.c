// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* chan_pair.c - streams that return another stream's elements, in its ring. */
#include <errno.h>
#include "card_handle.h"
#include "chan_handle.h"
#include "ring_int.h"

static int pair_fail(struct nfpchan *ch, int err, const char *what)
{
	chan_lock(ch);
	ring_fail(&ch->ring, err, what, 0, 0, 0);
	chan_unlock(ch);
	return err;
}

/*
 * Stop calls that take elements from @from, before the other channel is opened. An element
 * taken while that open is under way would be missing from what is returned.
 */
static int pair_begin(struct nfpchan_card *card, const char *name, struct nfpchan *from)
{
	int err = 0;

	chan_lock(from);
	if (from->link)
		err = card_fail(card, -EISCONN, "%s: %s is linked", name, from->name);
	else if (from->ring.lent)
		err = card_fail(card, -ESTALE, "%s: %s is returned through %s already", name,
				from->name, from->pair ? from->pair->name : "another");
	else if (from->ring.pos)
		err = card_fail(card, -ESTALE, "%s: %llu bytes of %s were read already", name,
				(unsigned long long)from->ring.pos, from->name);
	else if (from->layout.dir == NFP_CHAN_TO_HOST)	/* else the open will refuse it */
		ring_lend(&from->ring);
	chan_unlock(from);
	return err;
}

int nfpchan_open_return(struct nfpchan **out, struct nfpchan_card *card, const char *name,
			struct nfpchan *from, const struct nfpchan_opts *opts)
{
	struct nfpchan *ch;
	int err;

	*out = NULL;
	err = pair_begin(card, name, from);
	if (err)
		return err;
	err = chan_open(&ch, card, name, opts, from);
	chan_lock(from);
	if (err) {
		ring_unpair(&from->ring);
		chan_unlock(from);
		return err;
	}
	ring_lend(&ch->ring);
	from->pair = ch;
	chan_unlock(from);
	ch->pair = from;
	*out = ch;
	return 0;
}

void chan_unpair(struct nfpchan *ch)
{
	struct nfpchan *other = ch->pair;

	if (!other)
		return;
	chan_lock(other);
	other->pair = NULL;
	if (other->layout.dir == NFP_CHAN_TO_HOST)
		ring_unpair(&other->ring);
	chan_unlock(other);
}

static struct nfpchan *pair_of(struct nfpchan *ch)
{
	if (ch->layout.dir == NFP_CHAN_TO_NFP && ch->pair)
		return ch->pair;
	pair_fail(ch, -EBADF, "the channel was not opened by nfpchan_open_return(), or its stream to the host is closed");
	return NULL;
}

ssize_t nfpchan_returnable(struct nfpchan *ch, void **data, int64_t timeout)
{
	struct nfpchan *from = pair_of(ch);
	struct pause p = { .timeout = timeout };
	int64_t ret;

	if (!from)
		return -EBADF;
	for (;;) {
		chan_lock(from);
		ret = ring_pair_avail(&from->ring, &ch->ring, (uint8_t **)data);
		chan_unlock(from);
		if (ret != -EAGAIN) {
			chan_paused(from, &p);
			return (ssize_t)ret;
		}
		ret = chan_pause(from, &p, false);
		if (ret)
			return (ssize_t)ret;
	}
}

ssize_t nfpchan_return(struct nfpchan *ch, size_t len, int64_t timeout)
{
	struct nfpchan *from = pair_of(ch);
	struct pause p = { .timeout = timeout };
	size_t done = 0;
	int64_t ret;

	if (!from)
		return -EBADF;
	do {
		chan_lock(from);
		chan_lock(ch);
		ret = ring_pair_return(&from->ring, &ch->ring, len - done);
		chan_unlock(ch);
		chan_unlock(from);
		if (ret > 0)
			done += (size_t)ret;
		else if (ret == -EAGAIN)
			ret = chan_pause(ch, &p, false);
	} while (ret >= 0 && done < len);
	chan_paused(ch, &p);
	return done ? (ssize_t)done : (ssize_t)ret;
}
