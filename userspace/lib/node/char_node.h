/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* char_node.h - cards and channels by the char devices of nfp_chan.ko, /dev/nfp_chanN. */
#ifndef NFPCHAN_CHAR_NODE_H
#define NFPCHAN_CHAR_NODE_H

#include <errno.h>
#include <sys/ioctl.h>
#include "card_handle.h"
#include "chan_handle.h"

/* The operations of a card and of a pipe */
extern const struct card_ops card_node_ops;
extern const struct chan_ops chan_pipe_ops;

/* ioctl() that returns 0 or -errno and leaves errno alone */
static inline int node_ioctl(int fd, unsigned long nr, void *arg)
{
	int saved = errno, err = 0;

	if (ioctl(fd, nr, arg) < 0)
		err = -errno;
	errno = saved;
	return err;
}

/* Open the card that @name means: as nfpchan_card_open(). @card is all zeros except its lock. */
int node_card_open(struct nfpchan_card *card, const char *name, char *err, size_t errlen);

/* card_ops.open and card_ops.port */
int node_chan_open(struct nfpchan_card *card, struct nfpchan *ch, const struct nfpchan_opts *o,
		   const struct nfpchan *from);
int node_port_open(struct nfpchan_card *card, struct nfpchan *ch, const struct nfpchan_opts *o);

/* chan_ops.xdp_bind and chan_ops.xdp_unbind */
int xdp_bind_pipe(struct nfpchan *ch, int prog_fd, int map_fd);
int xdp_unbind_pipe(struct nfpchan *ch, int map_fd);

/* Take the other end out of @ch's link, which has ended with the close of @ch. */
void node_link_gone(struct nfpchan *ch);

#endif /* NFPCHAN_CHAR_NODE_H */
