/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chan.h - channels, for ME processes.
 *
 * An ME process is one context of a microengine. A .chan file (scripts/chantab) declares the
 * process and its channels, and chan_table.h, which chantab generates, has the ids of the
 * channels. Only the process itself may make calls on its channels. This library uses signals
 * 12 to 15 and the transfer registers that are named below; the process may use all others.
 *
 * A message is bytes, and keeps their order. In a word that a memory command reads, the first byte is
 * the highest on a microengine, which is big-endian, and the lowest on the emulated card, if the machine
 * is little-endian. le32_to_cpu() of the word has the first byte in bits 7 to 0 on both; cpu_to_le32()
 * makes a word for a message, also for chan_send_regs(). None of it was tried on silicon.
 *
 * A process may have one send and one receive outstanding. A function that is declared with __swaps
 * swaps the context out: other contexts of the microengine may run during the call. If its comment
 * says that it does not block, it waits for hardware only.
 */
#ifndef CHAN_H
#define CHAN_H

#include <nfp.h>
#include "chan_table.h"

#define CHAN_SIG_SEND	15	/* a send is complete */
#define CHAN_SIG_RECV	14	/* a message was delivered */
#define CHAN_SIG_HOST	13	/* the host signalled one of its channels */
#define CHAN_SIG_OPEN	12	/* a channel to the host got its first receiver */

/* Bytes of the largest message that chan_send_regs() sends */
#define CHAN_REG_MAX	56

/* Return values of a send */
#define CHAN_OK		0
#define CHAN_DROPPED	1	/* the channel's policy is to drop, or the pipe was closed */
#define CHAN_EINVAL	2	/* the channel does not have this size: nothing was sent */

/* Wait until the channel managers run. A process calls this first. */
__swaps void chan_attach(void);

/**
 * chan_send() - send a message to the host, and wait until it has gone
 * @chan: a channel to the host
 * @msg: the message, an __export object, unchanged until the call returns
 * @len: bytes of the message; in a stream any number of whole elements
 *
 * On a buffered channel the call returns when the message has its place in the ring of a receiver and
 * the managers have copied it: to the ring, or if it is small to a buffer of the card. In a
 * rendezvous it returns when the receiver has given the room of the message back. The call
 * blocks while there is no receiver or no room, unless the channel's policy is to drop.
 *
 * Return: CHAN_OK, CHAN_DROPPED or CHAN_EINVAL.
 */
__swaps int chan_send(unsigned int chan, const __mem40 void *msg, unsigned int len);

/**
 * chan_send_post() - chan_send() in two steps
 * @chan: as in chan_send()
 * @msg: as in chan_send(), but unchanged until @sig is set
 * @len: as in chan_send()
 * @sig: the call gives the signal the number CHAN_SIG_SEND. The signal is set when the message
 *	has gone; chan_send_status() then returns what chan_send() would have returned
 *
 * The call does not block. When it returns, the message has its place in the channel's order.
 * A process may have one such send outstanding.
 *
 * Return: CHAN_OK or CHAN_EINVAL.
 */
__swaps int chan_send_post(unsigned int chan, const __mem40 void *msg, unsigned int len,
			   SIGNAL *sig);
int chan_send_status(void);

/* Count @n messages that the process has not sent as dropped, and wait until they are counted. */
__swaps void chan_drop(unsigned int chan, unsigned int n);

/* As chan_send(), with at most CHAN_REG_MAX bytes from local memory or registers. */
__swaps int chan_send_regs(unsigned int chan, const void *msg, unsigned int len);

/**
 * chan_recv_post() - ask for the next message of a channel
 * @chan: a channel to the NFP
 * @buf: memory for the message, an __export object. The managers own it until @sig is set
 * @size: bytes of @buf, at least the channel's max_size. With fewer the emulated board ends with
 *	a message; on a card @sig is never set
 * @sig: the call gives the signal the number CHAN_SIG_RECV. The signal is set when the message
 *	is in @buf; chan_recv_len() then returns the bytes of the message
 *
 * The call does not block. The pipes of the channel take turns, and the messages of one pipe
 * come in order. A receive from a stream gets the elements that are there: at least one, and
 * at most 32 KiB.
 */
__swaps void chan_recv_post(unsigned int chan, __mem40 void *buf, unsigned int size, SIGNAL *sig);
unsigned int chan_recv_len(void);

/* Receive, and wait for the message. Return: bytes of the message. */
__swaps unsigned int chan_recv(unsigned int chan, __mem40 void *buf, unsigned int size);

/* Return: the number of open pipes of @chan. CHAN_SIG_OPEN is set when it becomes 1. */
unsigned int chan_receivers(unsigned int chan);

/* Give @sig the number of a signal of this library, so that the process can wait for it. */
#define chan_signal_bind(sig)	__assign_relative_register(sig, CHAN_SIG_HOST)
#define chan_open_bind(sig)	__assign_relative_register(sig, CHAN_SIG_OPEN)

/*
 * Stop sending or receiving on @chan, until the firmware starts again. The call does not block.
 * The host still receives the messages that were sent before, then EPIPE. Its sends fail with
 * EPIPE, and it cannot open the channel any more.
 */
__swaps void chan_end(unsigned int chan);

#endif /* CHAN_H */
