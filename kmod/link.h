/* SPDX-License-Identifier: GPL-2.0-only */
/* link.h - a link: for link.c, and for links between two cards, peer.c. */
#ifndef NFPC_LINK_H
#define NFPC_LINK_H

#include "pipe.h"

struct nfpc_peer;

/**
 * struct nfpc_link - two ends that are linked
 * @card: the card of @rx; a reference of card->dev
 * @peer: ring and doorbells of a link between two cards, else NULL. Constant
 * @rx: the pipe to the host. NULL: the link is down. card->link_lock protects @rx, @tx and
 *	@stat; for a link between two cards peer_lock (peer.c) does
 * @tx: the pipe to the NFP, NULL if the messages are dropped
 * @via: NFP_CHAN_LINK_ONCARD and others, constant once the link is up
 * @stat: the counters, as last read from the card
 * @from: name of the channel of @rx, constant
 * @to: name of the channel of @tx, constant
 * @wq: poll() of the link's file waits here
 */
struct nfpc_link {
	struct nfpc_card *card;
	struct nfpc_peer *peer;
	struct nfpc_pipe *rx;
	struct nfpc_pipe *tx;
	u32 via;
	struct nfpc_stat stat;
	char from[NFP_CHAN_NAME_LEN];
	char to[NFP_CHAN_NAME_LEN];
	wait_queue_head_t wq;
};

/* link.c */
void nfpc_link_request(struct nfp_chan_fw_link *req, const struct nfp_chan_link *l);
int nfpc_link_exec(struct nfpc_pipe *p, union nfpc_req *req, bool *unsure);
bool nfpc_link_counters(struct nfpc_pipe *p, struct nfpc_stat *stat);
void nfpc_link_set(struct nfpc_link *link, struct nfpc_pipe *rx, struct nfpc_pipe *tx);
void nfpc_link_forget(struct nfpc_link *link);
void nfpc_link_break(struct nfpc_pipe *p);

/* peer.c */
int nfpc_peer_alloc(struct nfpc_link *link, struct nfpc_pipe *tx);
void nfpc_peer_free(struct nfpc_link *link);
int nfpc_peer_up(struct nfpc_link *link, struct nfpc_pipe *rx, struct nfpc_pipe *tx,
		 const struct nfp_chan_link *l);
void nfpc_peer_lock(struct nfpc_link *link);
void nfpc_peer_unlock(struct nfpc_link *link);
u64 nfpc_peer_count(struct nfpc_link *link);
void nfpc_peer_down(struct nfpc_link *link);

#endif /* NFPC_LINK_H */
