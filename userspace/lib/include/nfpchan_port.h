/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nfpchan_port.h - libnfpchan: many channels at a time: select, wait ports, asynchronous requests,
 * handlers. Part of nfpchan.h, which includes this file and has the rules that hold for each
 * call.
 */
#ifndef NFPCHAN_PORT_H
#define NFPCHAN_PORT_H

#include <nfpchan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- select ---- */

/**
 * struct nfpchan_case - one receive or send of a select
 * @ch: the channel. A channel to the host receives, a channel to the NFP sends
 * @buf: buffer for the message, or the message. NULL: wait only, until a message is there or
 *	the largest message has room
 * @len: bytes of @buf
 * @guard: 0: the select ignores this case
 * @ret: out, of the case that was done: the result of nfpchan_recv(), nfpchan_send() or, without
 *	@buf, nfpchan_wait()
 */
struct nfpchan_case {
	struct nfpchan	*ch;
	void		*buf;
	size_t		len;
	int		guard;
	ssize_t		ret;
};

/**
 * nfpchan_select() - do one of several receives and sends
 * @cases: the receives and sends, on any channels. Several may be on one channel
 * @n: how many
 * @timeout: nanoseconds, until one can be done
 *
 * If several cases can be done the call picks one at random, so that none starves. A case whose
 * channel has failed or ended counts as one that can be done; its @ret is the error. A case on
 * a rendezvous to the NFP must have a @buf of NULL, because the library cannot withdraw an offer
 * without waiting for the card.
 *
 * If all cases are receives on channels of one port, the channels take turns instead, the cost
 * of the call does not grow with @n, and the call waits by the port's wait policy.
 *
 * Return: index of the case that was done, -EAGAIN, -ETIMEDOUT, -EINTR, -EINVAL (@guard is 0 in
 * all cases), -EOPNOTSUPP (a send on a rendezvous), -ENOMEM.
 */
int nfpchan_select(struct nfpchan_case *cases, unsigned int n, int64_t timeout);

/* ---- ports ---- */

/**
 * nfpchan_port_open() - open a port, one place to wait for many channels
 * @port: out: the handle, or NULL after a failure
 * @card: the card, which may be closed before the port
 * @opts: the wait policy, NFPCHAN_ALONE, @irq_count and @irq_usecs of the port; or NULL. Other
 *	options have no effect
 *
 * A channel reports to the port in nfpchan_opts.port of its open. The card writes down, in one
 * ring with one interrupt, which of these channels have news. With NFPCHAN_ALONE only one
 * thread at a time makes calls on the port and opens or closes its channels.
 *
 * Return: 0; or as nfpchan_open(), -EOPNOTSUPP (the firmware has no ports).
 */
int nfpchan_port_open(struct nfpchan_port **port, struct nfpchan_card *card,
		      const struct nfpchan_opts *opts);

/**
 * nfpchan_port_add() - let a port report channels of another card as well
 * @port: the port. No other thread may open a channel on it during the call
 * @card: the card, which may be closed before the port
 * @opts: @irq_count and @irq_usecs on that card, or NULL. The other options are the port's
 *
 * Each card writes to its own ring. nfpchan_port_wait() looks at one card in turn while there is
 * something to do, and at all cards before it waits. nfpchan_port_fd() changes with the first
 * call. With several cards, NFPCHAN_WAIT_MONITOR acts as NFPCHAN_WAIT_SPIN.
 *
 * A card that has failed may be added again when the card is back.
 *
 * Return: 0; or as nfpchan_port_open(), -EEXIST (the port has that card), -ENOSPC (the port has
 * 16 cards).
 */
int nfpchan_port_add(struct nfpchan_port *port, struct nfpchan_card *card,
		     const struct nfpchan_opts *opts);

/**
 * nfpchan_port_close() - close a port
 * @port: the port, or NULL
 *
 * Its channels stay open and report to no port. Requests that are not complete never complete;
 * their memory belongs to the caller again.
 */
void nfpchan_port_close(struct nfpchan_port *port);

/**
 * struct nfpchan_event - one result of nfpchan_port_wait()
 * @ch: the channel. NULL: @req ended because its channel was closed
 * @req: the request that is complete. NULL: the channel has news
 */
struct nfpchan_event {
	struct nfpchan		*ch;
	struct nfpchan_async	*req;
};

/**
 * nfpchan_port_wait() - wait for news of a port's channels
 * @port: the port
 * @events: out: the news
 * @n: how many events have room, at least 1
 * @timeout: nanoseconds, until at least one event is there
 *
 * Channel to the host: each call returns an event while a message is there, or when the channel
 * has failed or ended. Channel to the NFP: one event each time the ME process has taken
 * messages, or has ended. A channel that has had a request (nfpchan_recv_async(),
 * nfpchan_send_async()) has events of its requests only.
 *
 * Channels take turns. The cost of the call depends on the number of channels with news, not on
 * the number of channels. The call gives the room in the port's ring back before it returns, so
 * that the card writes down further news while the caller works.
 *
 * Several threads may wait. Two threads may get events of the same message.
 *
 * Return: the number of events, at least 1; -EAGAIN, -ETIMEDOUT, -EINTR, -EINVAL (@n is 0),
 * -EIO or -ENODEV (a card has failed; calls on its channels fail as well). If the port has
 * other cards, the call reports the failure once and goes on with these.
 */
int nfpchan_port_wait(struct nfpchan_port *port, struct nfpchan_event *events, unsigned int n,
		      int64_t timeout);

/**
 * nfpchan_port_fd() - file descriptor of a port, for poll() with POLLIN
 * @port: the port
 *
 * The descriptor belongs to the port. The first nfpchan_port_add() replaces it by another one.
 * Call nfpchan_port_wait() until -EAGAIN before poll().
 *
 * Return: the file descriptor.
 */
int nfpchan_port_fd(const struct nfpchan_port *port);

/**
 * nfpchan_port_error() - text of the last failure on a port
 * @port: the port
 * @buf: out: the text, NUL-terminated
 * @len: bytes of @buf
 *
 * Return: @buf.
 */
char *nfpchan_port_error(struct nfpchan_port *port, char *buf, size_t len);

/* ---- asynchronous requests ---- */

/**
 * struct nfpchan_async - a receive or a send that completes in nfpchan_port_wait()
 * @buf: buffer for the message, or the message
 * @len: bytes of @buf
 * @user: the caller's; the library does not look at it
 * @ret: out: what nfpchan_recv() or nfpchan_send() would have returned; of a stream,
 *	nfpchan_read() or nfpchan_write(). Or -ECANCELED
 * @ch: out: the channel
 * @next: the library's
 * @at: the library's
 * @seq: the library's
 *
 * The caller provides the memory of the request and of @buf. Both belong to the library until
 * nfpchan_port_wait() returns the request.
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
 * nfpchan_recv_async() - receive a message, without waiting for it
 * @ch: a channel to the host that reports to a port
 * @req: the request, with @buf, @len and @user set
 *
 * A channel may have any number of requests. They complete in order. While a channel has
 * requests, the caller must not receive on it in another way. nfpchan_close() completes
 * the requests that are left, with -ECANCELED.
 *
 * Return: 0 (@req->ret has the result later), -EOPNOTSUPP (the channel reports to no port),
 * -EBADF (the channel leads to the NFP).
 */
int nfpchan_recv_async(struct nfpchan *ch, struct nfpchan_async *req);

/**
 * nfpchan_send_async() - send a message, without waiting for room or for the receiver
 * @ch: a channel to the NFP that reports to a port
 * @req: the request, with @buf, @len and @user set
 *
 * The request completes when nfpchan_send() would have returned: the message is in the ring,
 * or, in a rendezvous, the ME process has taken it. On a stream the request completes when all
 * bytes are in the ring. If the channel ends or is closed before that, @req->ret has the bytes
 * that went, or, if there were none, the error.
 *
 * If a channel is closed while the card offers the message of a rendezvous, the library takes
 * the message back: @req->ret is -ECANCELED; 0 (the ME process took the message first); or
 * -ETIMEDOUT or -EIO (the card did not answer which).
 *
 * Return: 0 (@req->ret has the result later), -EOPNOTSUPP (the channel reports to no port),
 * -EBADF (the channel leads to the host).
 */
int nfpchan_send_async(struct nfpchan *ch, struct nfpchan_async *req);

/* ---- handlers (active messages) ---- */

struct nfpchan_dispatch;

/**
 * typedef nfpchan_handler - a function that handles a message
 * @arg: the value that was registered
 * @ch: the channel
 * @msg: the message in the ring, valid until the handler returns. Of a stream: all elements
 *	that are there. NULL if @len is negative
 * @len: bytes of the message; or -EPIPE, -ENODEV, -EIO: the channel has ended, and this is the
 *	last call for it
 *
 * A handler runs on a thread of the pool, with all signals blocked. The pool calls the handlers
 * of one channel one after another. Handlers of different channels may run at the same time,
 * also if they have the same @arg.
 *
 * A handler may send, and may add and remove other channels. It must not receive on its own
 * channel and must not close it: the pool still uses the channel until
 * nfpchan_dispatch_remove() has returned.
 *
 * Return: 0 to go on. Another value removes the channel from the pool: the pool has received
 * this message, and leaves later ones in the channel.
 */
typedef int (*nfpchan_handler)(void *arg, struct nfpchan *ch, const void *msg, ssize_t len);

/**
 * nfpchan_dispatch_open() - start a pool of threads that handle messages
 * @d: out: the pool, or NULL after a failure
 * @threads: how many, up to 64; 0: one per CPU
 *
 * Return: 0, -EINVAL (more than 64 threads), -EAGAIN (the system has no threads left), -ENOMEM,
 * -EMFILE, -ENFILE.
 */
int nfpchan_dispatch_open(struct nfpchan_dispatch **d, unsigned int threads);

/**
 * nfpchan_dispatch_add() - have a handler called for each message of a channel
 * @d: the pool
 * @ch: a channel to the host. Until it is removed only the pool receives from it. The channel
 *	may have been opened with NFPCHAN_ALONE
 * @fn: the handler
 * @arg: its first argument
 *
 * The pool handles the messages of a channel in order, one at a time, and several channels at
 * the same time. After 64 messages of one channel other channels have their turn. Before a
 * thread sleeps it watches as the channel's wait policy says. A channel with NFPCHAN_WAIT_SPIN
 * keeps a thread for itself.
 *
 * Return: 0, -EBADF (the channel leads to the NFP), -EBUSY (messages are borrowed), -EEXIST (the
 * pool has the channel), -ENOMEM, -ENOSPC (the user has too many epoll entries).
 */
int nfpchan_dispatch_add(struct nfpchan_dispatch *d, struct nfpchan *ch, nfpchan_handler fn,
			 void *arg);

/**
 * nfpchan_dispatch_remove() - remove a channel from a pool
 * @d: the pool
 * @ch: the channel
 *
 * The call waits for the channel's handler if it runs. After 0 and after -ENOENT the pool does
 * not use the channel any more. Call it before nfpchan_close(), unless the pool was closed,
 * even if the handler has ended the channel: the handler may know that before the pool has
 * finished with the channel.
 *
 * Return: 0, -ENOENT (the pool does not have the channel), -EDEADLK (the caller is the channel's
 * own handler; a handler removes its channel by its return value).
 */
int nfpchan_dispatch_remove(struct nfpchan_dispatch *d, struct nfpchan *ch);

/**
 * nfpchan_dispatch_close() - end a pool
 * @d: the pool, or NULL
 *
 * The call waits for the handlers that run, and joins the threads. The channels stay open.
 * Messages that were not handled can be received from them.
 *
 * Return: 0, -EDEADLK (a handler called this).
 */
int nfpchan_dispatch_close(struct nfpchan_dispatch *d);

#ifdef __cplusplus
}
#endif

#endif /* NFPCHAN_PORT_H */
