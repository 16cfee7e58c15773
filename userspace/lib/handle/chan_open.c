// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* chan_open.c - open a channel: the options, and then the operation of the card. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "card_handle.h"
#include "chan_handle.h"
#include "opts.h"

static int irq_check(struct nfpchan_card *card, const struct nfpchan_opts *o)
{
	if (o->irq_count > NFP_CHAN_IRQ_COUNT_MAX)
		return card_fail(card, -EINVAL, "an interrupt for %u messages, at most %u are allowed",
				 o->irq_count, NFP_CHAN_IRQ_COUNT_MAX);
	if (o->irq_usecs > NFP_CHAN_IRQ_USECS_MAX)
		return card_fail(card, -EINVAL, "an interrupt held back for %u us, at most %u are allowed",
				 o->irq_usecs, NFP_CHAN_IRQ_USECS_MAX);
	if (o->irq_count > 1 && !o->irq_usecs)
		return card_fail(card, -EINVAL, "an interrupt for %u messages, but held back for 0 us",
				 o->irq_count);
	return 0;
}

static int wait_check(struct nfpchan_card *card, const struct nfpchan_opts *o)
{
	struct policy p;
	int err = policy_set(&p, o->wait, o->spin_us);

	switch (err) {
	case 0:
		return 0;
	case -EOPNOTSUPP:
		return card_fail(card, err, "this CPU cannot monitor a cache line (WAITPKG, MWAITX)");
	}
	return card_fail(card, err, "wait policy %u with %d us: policies are 0 to %u, all but 0 take no negative time",
			 o->wait, o->spin_us, NFPCHAN_WAIT_BEST);
}

int chan_opts(struct nfpchan_card *card, const struct nfpchan_opts *from,
	      struct nfpchan_opts *to)
{
	int err;

	if (!from) {
		memset(to, 0, sizeof(*to));
		return 0;
	}
	err = opts_copy(to, sizeof(*to), from, from->size);
	if (err)
		return card_fail(card, err, OPTS_TEXT, from->size, sizeof(*to));
	if (to->flags & ~(NFPCHAN_ALONE | NFPCHAN_LINK))
		return card_fail(card, -EINVAL, "flags are %#x, known are %#x",
				 to->flags, NFPCHAN_ALONE | NFPCHAN_LINK);
	if (to->rsvd)
		return card_fail(card, -EINVAL, "reserved option is %u, must be 0", to->rsvd);
	return irq_check(card, to) ?: wait_check(card, to);
}

int chan_open(struct nfpchan **out, struct nfpchan_card *card, const char *name,
	      const struct nfpchan_opts *opts, const struct nfpchan *from)
{
	struct nfpchan_opts o;
	struct nfpchan *ch;
	int err;

	*out = NULL;
	err = chan_opts(card, opts, &o);
	if (err)
		return err;
	ch = calloc(1, sizeof(*ch));
	if (!ch)
		return card_fail(card, -ENOMEM, "%s: out of memory", name);
	err = card_name(card, ch->name, name);
	if (!err)
		err = card->ops->open(card, ch, &o, from);
	if (err)
		free(ch);
	else
		*out = ch;
	return err;
}

int nfpchan_open(struct nfpchan **out, struct nfpchan_card *card, const char *name,
		 const struct nfpchan_opts *opts)
{
	return chan_open(out, card, name, opts, NULL);
}
