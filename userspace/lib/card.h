/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* card.h - the card handle, as the library's own files see it. */
#ifndef NFPCHAN_CARD_H
#define NFPCHAN_CARD_H

#include <pthread.h>
#include <sys/types.h>
#include "nfpchan.h"

struct nfpchan;
struct card_ops;
struct bpf_card;

/**
 * struct nfpchan_card - an open card
 * @ops: how it is reached
 * @bpf: of one that is reached by bpf(2), or NULL
 * @fd: /dev/nfp_chanN, or of @bpf its netlink socket
 * @path: its name
 * @dev: its device number
 * @lock: guards @text
 * @text: the last failure
 */
struct nfpchan_card {
	const struct card_ops *ops;
	struct bpf_card *bpf;
	int fd;
	char path[64];
	dev_t dev;
	pthread_mutex_t lock;
	char text[256];
};

/**
 * struct card_ops - a way to a card: nfp_chan.ko, or bpf(2) and the stock driver
 * @info: for nfpchan_card_info()
 * @query: for nfpchan_query(), of which @what is the channel
 * @signal: for nfpchan_signal()
 * @port: a pipe of the card for a port: its file, in @req
 * @open: open the channel @ch, of which there is the name alone
 * @close: before the handle is freed
 *
 * All return 0 or -errno, of which the card has the text then.
 */
struct card_ops {
	int (*info)(struct nfpchan_card *card, struct nfp_chan_info *info);
	int (*query)(struct nfpchan_card *card, struct nfp_chan_query *q, const char *what);
	int (*signal)(struct nfpchan_card *card, const char *name);
	int (*port)(struct nfpchan_card *card, struct nfp_chan_port *req);
	int (*open)(struct nfpchan_card *card, struct nfpchan *ch, const struct nfpchan_opts *o,
		    const struct nfpchan *from);
	void (*close)(struct nfpchan_card *card);
};

/* The one through nfp_chan.ko */
extern const struct card_ops card_node_ops;

/* "bpf:DEV" of nfpchan_card_open(): the text of a failure goes to @err. */
int bpf_card_open(struct nfpchan_card *card, const char *dev, char *err, size_t len);

/* Keep the text of a failure; returns @code. */
int card_fail(struct nfpchan_card *card, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Copy the name of a channel into a request, if it fits. */
int card_name(struct nfpchan_card *card, char to[NFP_CHAN_NAME_LEN], const char *name);

/* ioctl() that returns -errno. */
int card_ioctl(int fd, unsigned long nr, void *arg);

#endif /* NFPCHAN_CARD_H */
