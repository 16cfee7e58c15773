/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* card_handle.h - the card handle, for the library's own files. */
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
 * @ops: operations
 * @bpf: "bpf:" card: the interface; else NULL
 * @fd: fd of /dev/nfp_chanN; "bpf:" card: the netlink socket
 * @path: path of the node, or "bpf:DEV"
 * @dev: device number of the node
 * @lock: guards @text
 * @text: text of the last failure
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
 * struct card_ops - the operations of a card, by nfp_chan.ko or by bpf(2)
 * @info: nfpchan_card_info()
 * @query: nfpchan_query(); @what names the channel in texts
 * @repeats: nfpchan_repeats(); NULL: no channel of the card repeats
 * @signal: nfpchan_signal()
 * @port: open a pipe for a port in @ch, in which only the name is set
 * @open: open channel @ch, in which only the name is set
 * @close: undo the open. The caller frees the handle
 *
 * Each but @repeats returns 0, or -errno with the text kept in the card.
 */
struct card_ops {
	int (*info)(struct nfpchan_card *card, struct nfp_chan_info *info);
	int (*query)(struct nfpchan_card *card, struct nfp_chan_query *q, const char *what);
	int (*repeats)(struct nfpchan_card *card, const char *name, uint64_t *count);
	int (*signal)(struct nfpchan_card *card, const char *name);
	int (*port)(struct nfpchan_card *card, struct nfpchan *ch, const struct nfpchan_opts *o);
	int (*open)(struct nfpchan_card *card, struct nfpchan *ch, const struct nfpchan_opts *o,
		    const struct nfpchan *from);
	void (*close)(struct nfpchan_card *card);
};

/* Keep the text of a failure. Returns @code. */
int card_fail(struct nfpchan_card *card, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Copy the name of a channel into a request. -EINVAL: its length is not allowed. */
int card_name(struct nfpchan_card *card, char to[NFP_CHAN_NAME_LEN], const char *name);

#endif /* NFPCHAN_CARD_H */
