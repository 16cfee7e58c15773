/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nfpchan_stream.h - libnfpchan: streams, many messages at a time, messages made in place.
 * Part of nfpchan.h, which includes this file and has the rules that hold for each call.
 *
 * A stream is a sequence of elements of one size, without headers. An element may have one
 * byte. "-EISCONN" and "-EBUSY" as in nfpchan_recv() and nfpchan_send(): the channel is linked,
 * or shares its ring (nfpchan_open_return()).
 */
#ifndef NFPCHAN_STREAM_H
#define NFPCHAN_STREAM_H

#include <nfpchan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- many at a time ---- */

/**
 * nfpchan_recv_many() - receive messages of a fixed size, or elements of a stream
 * @ch: a channel to the host
 * @buf: out: the messages, back to back
 * @count: messages that @buf has room for, at least 1
 * @timeout: nanoseconds, until at least one message is there
 *
 * The call does not wait for @count messages. It returns those that are there.
 *
 * Return: the number of messages, at least 1; or as nfpchan_recv(), -EINVAL (@count is 0),
 * -EOPNOTSUPP (the channel's messages vary in size).
 */
ssize_t nfpchan_recv_many(struct nfpchan *ch, void *buf, size_t count, int64_t timeout);

/**
 * nfpchan_send_many() - send messages of a fixed size, or elements of a stream
 * @ch: a channel to the NFP
 * @buf: the messages, back to back
 * @count: how many, at least 1
 * @timeout: nanoseconds, until at least one message has room
 *
 * The call sends the messages that have room, with one doorbell for all of them.
 *
 * Return: the number of messages sent, at least 1; or as nfpchan_send(), -EINVAL (@count is 0),
 * -EOPNOTSUPP (the channel's messages vary in size, or it is a rendezvous).
 */
ssize_t nfpchan_send_many(struct nfpchan *ch, const void *buf, size_t count, int64_t timeout);

/* ---- streams ---- */

/**
 * struct nfpchan_msg - a message
 * @data: its bytes
 * @len: how many
 */
struct nfpchan_msg {
	const void *data;
	size_t len;
};

/**
 * nfpchan_recv_msgs() - receive messages of any size
 * @ch: a channel to the host, no stream
 * @buf: out: the messages, each at a multiple of 8 bytes
 * @size: bytes of @buf
 * @msgs: out: where in @buf each message is
 * @count: messages that @msgs has room for, at least 1
 * @timeout: nanoseconds, until at least one message is there
 *
 * The call takes the messages that are there and fit into @buf. The next one stays.
 *
 * Return: the number of messages, at least 1; or as nfpchan_recv(), -EINVAL (@count is 0),
 * -EOPNOTSUPP (a stream).
 */
ssize_t nfpchan_recv_msgs(struct nfpchan *ch, void *buf, size_t size, struct nfpchan_msg *msgs,
			  size_t count, int64_t timeout);

/**
 * nfpchan_borrow_many() - show messages in place
 * @ch: a channel to the host, no stream
 * @msgs: out: where in the ring each message is, until nfpchan_release()
 * @count: messages that @msgs has room for, at least 1
 * @timeout: nanoseconds, until at least one message is there
 *
 * Return: the number of messages, at least 1; or as nfpchan_borrow(), -EINVAL (@count is 0),
 * -EOPNOTSUPP (a stream).
 */
ssize_t nfpchan_borrow_many(struct nfpchan *ch, struct nfpchan_msg *msgs, size_t count,
			    int64_t timeout);

/**
 * nfpchan_send_msgs() - send messages of any size, with one doorbell
 * @ch: a channel to the NFP, no stream and no rendezvous
 * @msgs: the messages
 * @count: how many, at least 1
 * @timeout: nanoseconds, until there is room for the first message
 *
 * The call sends the messages that have room, in order. It ends before a message that the channel
 * does not take, unless that is the first.
 *
 * Return: the number of messages sent, at least 1; or as nfpchan_send() of the first message,
 * -EINVAL (@count is 0), -EOPNOTSUPP (a stream, a rendezvous).
 */
ssize_t nfpchan_send_msgs(struct nfpchan *ch, const struct nfpchan_msg *msgs, size_t count,
			  int64_t timeout);

/**
 * nfpchan_peek() - show the bytes of a stream in place
 * @ch: a stream to the host
 * @data: out: the first byte, in the ring. The caller must not write to the ring
 * @timeout: nanoseconds, until at least one element is there
 *
 * The call shows all elements that have come and were not consumed, in one piece. The next
 * call shows them again, with the elements that have come since. What nfpchan_borrow() says of
 * the card's access to the ring holds here too.
 *
 * Return: bytes, a multiple of the element size; or as nfpchan_recv(), -EOPNOTSUPP (the channel
 * carries messages).
 */
ssize_t nfpchan_peek(struct nfpchan *ch, const void **data, int64_t timeout);

/**
 * nfpchan_consume() - give back the first bytes of what nfpchan_peek() showed
 * @ch: a stream to the host
 * @len: bytes, a multiple of the element size
 *
 * A caller that consumes in several steps lets the card use the room, and send its next
 * notification, while the caller works on the rest. The call makes no system call.
 *
 * Return: 0, -EINVAL (more than is there, or part of an element), -EBUSY (elements are
 * borrowed), -EISCONN, -EOPNOTSUPP (not a stream to the host).
 */
int nfpchan_consume(struct nfpchan *ch, size_t len);

/**
 * nfpchan_read() - receive bytes of a stream
 * @ch: a stream to the host
 * @buf: out: the bytes
 * @size: bytes of @buf, at least one element. The call receives whole elements
 * @timeout: nanoseconds, until at least one element is there
 *
 * Return: bytes, at least one element; or as nfpchan_recv(), -EMSGSIZE (@size is smaller than
 * an element), -EOPNOTSUPP (the channel carries messages).
 */
ssize_t nfpchan_read(struct nfpchan *ch, void *buf, size_t size, int64_t timeout);

/**
 * nfpchan_write() - send bytes on a stream
 * @ch: a stream to the NFP
 * @buf: the bytes
 * @len: how many, a multiple of the element size. They may be more than the ring has
 * @timeout: nanoseconds, for all of them
 *
 * The call returns fewer bytes than @len after a timeout or a signal, and when the ME process
 * ends or the card goes in between. The next call then fails with that error.
 *
 * Return: bytes sent; or, if none was sent, as nfpchan_send(), -EMSGSIZE (0, or not whole
 * elements), -EOPNOTSUPP (the channel carries messages).
 */
ssize_t nfpchan_write(struct nfpchan *ch, const void *buf, size_t len, int64_t timeout);

/* ---- messages made in place ---- */

/**
 * nfpchan_reserve() - reserve room in the ring for a message, or for elements of a stream
 * @ch: a channel to the NFP, not a rendezvous
 * @data: out: where the caller writes the message
 * @len: bytes of the message, or the most that it may have
 * @timeout: nanoseconds, until there is room
 *
 * nfpchan_commit() sends the message. A second call reserves the same room again. If other
 * threads send on the handle, the caller must keep them from doing so between this call and
 * nfpchan_commit().
 *
 * Return: 0; or as nfpchan_send(), -EOPNOTSUPP (a rendezvous).
 */
int nfpchan_reserve(struct nfpchan *ch, void **data, size_t len, int64_t timeout);

/**
 * nfpchan_commit() - send the message that was written to the reserved room
 * @ch: a channel to the NFP
 * @len: bytes of the message, up to what was reserved
 *
 * Return: 0, -EINVAL (nothing was reserved, or fewer bytes, or a message was sent since),
 * -EMSGSIZE (not a size of this channel), -EPIPE, -EIO, -ENODEV. After a failure nothing was
 * sent.
 */
int nfpchan_commit(struct nfpchan *ch, size_t len);

/* ---- one ring for two streams ---- */

/**
 * nfpchan_open_return() - open a stream that returns another stream's elements without a copy
 * @out: out: the handle, or NULL after a failure
 * @card: the card
 * @name: name of a stream to the NFP
 * @from: an open stream to the host, of the same card and with elements of the same size.
 *	None of its elements was given back yet
 * @opts: as of nfpchan_open(). @ring_size is 0, or that of @from
 *
 * Both streams use the ring of @from. The caller works on the elements in the ring
 * (nfpchan_returnable()) and returns them to the NFP from there (nfpchan_return()), in the
 * order in which they came. All elements have to be returned: the sender of @from gets room
 * when the receiving ME process has taken the returned elements.
 *
 * Until @out is closed, other calls that move data on the two handles fail with -EBUSY.
 * nfpchan_wait(), nfpchan_select() without a buffer and nfpchan_drain() work as usual. On
 * @from this begins with the call itself, and ends again if the call fails. Close @out before
 * @from.
 *
 * Return: 0; or as nfpchan_open(), -EBADF (@from is not a stream to the host), -EPROTOTYPE
 * (@name is not a stream to the NFP with elements of that size), -ESTALE (the ring of @from is
 * shared, or elements were read from it), -EISCONN (@from is linked), -EXDEV (@from is of
 * another card).
 */
int nfpchan_open_return(struct nfpchan **out, struct nfpchan_card *card, const char *name,
			struct nfpchan *from, const struct nfpchan_opts *opts);

/**
 * nfpchan_returnable() - show the elements that have come and were not returned
 * @ch: a channel of nfpchan_open_return()
 * @data: out: the first byte, in the ring. The caller may write to these bytes
 * @timeout: nanoseconds, until at least one element is there
 *
 * Return: bytes in one piece, a multiple of the element size; or the error of nfpchan_wait()
 * on the stream to the host, -EBADF (@ch is not such a channel, or the stream to the host is
 * closed).
 */
ssize_t nfpchan_returnable(struct nfpchan *ch, void **data, int64_t timeout);

/**
 * nfpchan_return() - send the first bytes of nfpchan_returnable() to the NFP, as they are now
 * @ch: a channel of nfpchan_open_return()
 * @len: bytes, a multiple of the element size, up to what nfpchan_returnable() has shown
 * @timeout: nanoseconds, for all of them. The call waits while 65535 elements are under way
 *
 * Return: bytes returned, fewer than @len only after a timeout, a signal or a failure; or, if
 * none was returned, as nfpchan_send(), -EINVAL (more than has come, or not whole elements).
 */
ssize_t nfpchan_return(struct nfpchan *ch, size_t len, int64_t timeout);

#ifdef __cplusplus
}
#endif

#endif /* NFPCHAN_STREAM_H */
