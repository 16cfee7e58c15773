/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* peer_cards.h - helpers for tests of links between two cards. */
#ifndef PEER_CARDS_H
#define PEER_CARDS_H

#include "link_fds.h"

/* Open the node of card @n. */
static inline int card_nth(unsigned int n)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/nfp_chan%u", n);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die(path);
	return fd;
}

static inline struct nfp_chan_query query(int dev, const char *name)
{
	struct nfp_chan_query q = { .size = sizeof(q) };

	snprintf(q.name, sizeof(q.name), "%s", name);
	if (ioctl(dev, NFP_CHAN_IOC_QUERY, &q))
		die(name);
	return q;
}

static inline const char *via_name(unsigned int flags)
{
	return flags & NFP_CHAN_LINK_STAGE ? "staging" : "push";
}

#endif /* PEER_CARDS_H */
