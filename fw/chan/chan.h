/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chan.h - channels, for ME processes.
 *
 * An ME process is one context of a microengine, declared with its channels in
 * a .chan file (scripts/chantab); channels go by the ids of the generated
 * chan_table.h. All calls are made by the process itself. Signals 12 to 15 and
 * the transfer registers below are those of this library; a process is free to
 * use the others.
 *
 * A process may have one send and one receive outstanding. Those that block
 * swap out, so other contexts run.
 */
#ifndef CHAN_H
#define CHAN_H

#include <nfp.h>
#include "chan_table.h"

#define CHAN_SIG_SEND	15	/* a send is complete */
#define CHAN_SIG_RECV	14	/* a message was delivered */
#define CHAN_SIG_HOST	13	/* the host signalled one of its channels */
#define CHAN_SIG_OPEN	12	/* a channel to the host got its first receiver */

/* Largest message that is sent from registers. */
#define CHAN_REG_MAX	56

/* What became of a message. */
#define CHAN_OK		0
#define CHAN_DROPPED	1	/* by the channel's policy, or with its pipe */
#define CHAN_EINVAL	2	/* not a size of this channel: not sent */

/* Wait until the managers run. First call of every process. */
void chan_attach(void);

/**
 * chan_send() - send a message to the host, and wait until it has gone
 * @chan: a channel to the host
 * @msg: the message, an __export object, unchanged until the call returns
 * @len: its bytes; of a stream any number of whole elements
 *
 * Buffered: returns once the message is in a receiver's ring. Rendezvous: once
 * the receiver has given its room back. Blocks while there is no receiver or no
 * room, unless the channel's policy is to drop.
 *
 * Return: CHAN_OK, CHAN_DROPPED or CHAN_EINVAL.
 */
int chan_send(unsigned int chan, const __mem40 void *msg, unsigned int len);

/**
 * chan_send_post() - chan_send() in two steps
 * @sig: gets the number CHAN_SIG_SEND, and is set when the message has gone;
 *	then chan_send_status() tells what chan_send() would have returned
 *
 * Does not block. The message has its place in the channel's order when the
 * call returns. One at a time.
 *
 * Return: CHAN_OK or CHAN_EINVAL.
 */
int chan_send_post(unsigned int chan, const __mem40 void *msg, unsigned int len, SIGNAL *sig);
int chan_send_status(void);

/* Count @n messages that were never sent as dropped. Swaps out shortly. */
void chan_drop(unsigned int chan, unsigned int n);

/* chan_send() of at most CHAN_REG_MAX bytes that are not in memory. */
int chan_send_regs(unsigned int chan, const void *msg, unsigned int len);

/**
 * chan_recv_post() - ask for the next message of a channel
 * @chan: a channel to the NFP
 * @buf: where it goes, an __export object that is the managers' until @sig
 * @size: its bytes, at least the channel's max_size; less is a bug that ends the
 *	board, and on a card waits for ever
 * @sig: gets the number CHAN_SIG_RECV, and is set when the message is there;
 *	then chan_recv_len() tells its length
 *
 * Does not block. Pipes take turns; within one, messages come in order. Of a
 * stream it gets what is there, one element at least, 32 KiB at most.
 */
void chan_recv_post(unsigned int chan, __mem40 void *buf, unsigned int size, SIGNAL *sig);
unsigned int chan_recv_len(void);

/* chan_recv_post(), wait, chan_recv_len(). */
unsigned int chan_recv(unsigned int chan, __mem40 void *buf, unsigned int size);

/* Pipes that are open on @chan. CHAN_SIG_OPEN tells of the first one. */
unsigned int chan_receivers(unsigned int chan);

/* Signals of the library that a process may wait for together with its own. */
#define chan_signal_bind(sig)	__assign_relative_register(sig, CHAN_SIG_HOST)
#define chan_open_bind(sig)	__assign_relative_register(sig, CHAN_SIG_OPEN)

/*
 * The process ends its side of @chan: the pipes' state becomes EPIPE behind the
 * last message, and nobody can open it until the firmware starts again.
 */
void chan_end(unsigned int chan);

#endif /* CHAN_H */
