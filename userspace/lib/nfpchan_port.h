/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nfpchan_port.h - libnfpchan: many channels in one place, and receives and sends
 * that are waited for there. Part of nfpchan.h, which includes it.
 */
#ifndef NFPCHAN_PORT_H
#define NFPCHAN_PORT_H

#include <nfpchan.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * nfpchan_port_open() - open a port, which tells of many channels
 * @port: out: the port
 * @card: the card; it may be closed before the port
 * @opts: how to wait for it, NFPCHAN_ALONE, @irq_count and @irq_usecs; or NULL
 *
 * Channels opened with it in their options report to it: the card writes down,
 * in one ring with one interrupt, which of them have news. With NFPCHAN_ALONE one
 * thread at a time is in calls on the port, and opens or closes its channels.
 *
 * Return: 0; or as nfpchan_open(), -EOPNOTSUPP (the firmware has no ports).
 */
int nfpchan_port_open(struct nfpchan_port **port, struct nfpchan_card *card,
		      const struct nfpchan_opts *opts);

/**
 * nfpchan_port_add() - have it tell of the channels of another card as well
 * @port: a port; no other thread opens channels on it meanwhile
 * @card: the card; it may be closed before the port
 * @opts: @irq_count and @irq_usecs there, all else being as the port was opened; or NULL
 *
 * The card writes into a ring of its own; calls look at one card in turn while there is
 * something to do, and at all of them before they wait. The file descriptor to poll is
 * another one from now on. With several cards NFPCHAN_WAIT_MONITOR spins.
 *
 * A card that has failed may be added again when it is back.
 *
 * Return: 0; or as nfpchan_port_open(), -EEXIST (it has that card), -ENOSPC (16 cards).
 */
int nfpchan_port_add(struct nfpchan_port *port, struct nfpchan_card *card,
		     const struct nfpchan_opts *opts);

/**
 * nfpchan_port_close() - close it; NULL is fine
 *
 * Its channels live on without it. Requests that are not complete are forgotten.
 */
void nfpchan_port_close(struct nfpchan_port *port);

/**
 * struct nfpchan_async - a receive or a send that completes at the port
 * @buf: where the message goes, or lies; stays the library's until then
 * @len: room there, or bytes
 * @user: the caller's
 * @ret: what nfpchan_recv() or nfpchan_send() would have returned (of a stream,
 *	nfpchan_read() and nfpchan_write()), or -ECANCELED
 * @ch: the channel; the rest is the library's
 *
 * The caller's memory; it must not be touched before its event has come.
 */
struct nfpchan_async {
	void		*buf;
	size_t		len;
	void		*user;
	ssize_t		ret;
	struct nfpchan	*ch;
	struct nfpchan_async	*next;
	uint64_t	at;
	uint32_t	seq;
};

/**
 * struct nfpchan_event - what nfpchan_port_wait() tells
 * @ch: the channel. NULL: @req was left when it was closed
 * @req: the request that is complete. NULL: the channel itself
 */
struct nfpchan_event {
	struct nfpchan		*ch;
	struct nfpchan_async	*req;
};

/**
 * nfpchan_port_wait() - wait for any of a port's channels
 * @events: where what has happened goes
 * @n: how many have room there
 * @timeout: ns, until there is one
 *
 * A channel to the host is told of for as long as it has a message, or has failed;
 * one to the NFP once each time the ME process has taken messages, or has ended.
 * Channels have their turns. What it costs depends on how many have something,
 * not on how many there are. Once a channel has had requests, it is told of by
 * these alone.
 *
 * While the caller works on what it was told of, the card writes down what comes
 * next: the room of what was read is given back before this returns.
 *
 * Several threads may wait. What one was told of another may be told of as well,
 * as long as it is there.
 *
 * Return: how many events, one at least; -EAGAIN, -ETIMEDOUT, -EINTR, -EINVAL (@n
 * is 0), -EIO, -ENODEV: a card has failed; its channels say themselves. With several cards
 * that is told once, and the others go on.
 */
int nfpchan_port_wait(struct nfpchan_port *port, struct nfpchan_event *events, unsigned int n,
		      int64_t timeout);

/**
 * nfpchan_port_fd() - file descriptor to poll for POLLIN
 *
 * The port's own. Another one after nfpchan_port_add(), which see.
 * Call nfpchan_port_wait() until -EAGAIN before polling.
 */
int nfpchan_port_fd(const struct nfpchan_port *port);

/* As nfpchan_error(), of the port. */
char *nfpchan_port_error(struct nfpchan_port *port, char *buf, size_t len);

/**
 * nfpchan_recv_async() - receive a message without waiting for it
 * @ch: a channel to the host that reports to a port
 * @req: buffer and length; all of it the library's until nfpchan_port_wait() gives
 *	it back
 *
 * Any number may be outstanding; a channel's are done in order. Never sleeps. Do not
 * receive otherwise on the channel meanwhile.
 *
 * Return: 0, -EOPNOTSUPP (it reports to no port), -EBADF (it leads to the NFP). All
 * else is told in @req->ret: -ECANCELED: the channel was closed before.
 */
int nfpchan_recv_async(struct nfpchan *ch, struct nfpchan_async *req);

/**
 * nfpchan_send_async() - send a message without waiting for room or receiver
 *
 * Complete when nfpchan_send() would have returned: when the message is in the ring,
 * in a rendezvous when the ME process has taken it. One of a rendezvous that is on
 * offer when the channel is closed is taken back (-ECANCELED), unless it was taken;
 * -ETIMEDOUT, -EIO: the card has not said which. Of a stream, when all of it is in the
 * ring: @req->ret is its bytes. Fewer are those that went before the channel ended or
 * was closed; none did where that is negative.
 *
 * Return: as nfpchan_recv_async(), -EBADF (it leads to the host).
 */
int nfpchan_send_async(struct nfpchan *ch, struct nfpchan_async *req);

#ifdef __cplusplus
}
#endif

#endif /* NFPCHAN_PORT_H */
