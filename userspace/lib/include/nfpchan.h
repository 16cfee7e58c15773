/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nfpchan.h - libnfpchan: message channels between this process and the microengines (MEs)
 * of an Agilio card.
 *
 * This file has cards, channels, and messages one at a time. It includes the rest:
 *   nfpchan_stream.h  streams, many messages at a time, messages made in place
 *   nfpchan_port.h    select, ports, asynchronous requests, handlers
 *   nfpchan_link.h    links between channels, PCI devices, events of XDP programs
 *
 * These rules hold for each call, unless the call says otherwise:
 *  - A call that fails returns a negative errno. The library neither reads nor changes errno.
 *  - -ENODEV is final: the card or its driver is gone, or the system is going to sleep. The
 *    caller may open the card again when the card is back.
 *  - Calls on different handles are independent. Any number of threads may make calls on one
 *    handle: a lock in the handle serialises them. The library never holds that lock while
 *    a call sleeps.
 *  - Memory that is passed to a call belongs to the caller. The library does not use it after
 *    the call has returned.
 *  - No thread may be in a call on a handle when the handle is closed. A thread must not leave
 *    a call by pthread_cancel() or longjmp(). After fork() only one of the two processes may
 *    use a handle.
 *  - The ME process defines the byte order of its messages. The library does not look at
 *    payloads.
 *
 * A timeout is in nanoseconds. With 0 (NFPCHAN_NONBLOCK) the call never sleeps; with a
 * negative one (NFPCHAN_FOREVER) it waits without limit. A call with a timeout fails with
 *   -EAGAIN     the timeout is 0, and nothing can be done now
 *   -ETIMEDOUT  the time is over
 *   -EINTR      a signal handler ran while the call slept. The call has done nothing and may
 *               be repeated
 * A call without a timeout does not wait, unless it says so.
 *
 * Link with -lnfpchan (pkg-config libnfpchan).
 */
#ifndef NFPCHAN_H
#define NFPCHAN_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <nfpchan/nfp_chan.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NFPCHAN_NONBLOCK	((int64_t)0)
#define NFPCHAN_FOREVER		((int64_t)-1)

struct nfpchan_card;
struct nfpchan;
struct nfpchan_link;
struct nfpchan_port;

/* ---- cards ---- */

/**
 * nfpchan_card_open() - open a card
 * @card: out: the handle, or NULL after a failure
 * @name: the card, see below. NULL and "" mean the card with the lowest number
 * @err: buffer for a text that describes a failure, or NULL
 * @errlen: bytes of @err
 *
 * A card has these names:
 *   "0"               the N of /dev/nfp_chanN
 *   "/dev/nfp_chan0"  the device node
 *   "0000:01:00.0"    the PCI function
 *   "bpf:eth0"        an interface of a card whose firmware has no channels. The channels are
 *                     then maps of the XDP program in the card; see libnfpchan(3) and
 *                     nfpchan_bpf.h. A call that such a card does not support fails with
 *                     -EOPNOTSUPP. A call on a channel fails with -ESTALE when another
 *                     process has taken the channel's perf slots
 *
 * The library opens the device node for reading and writing, or for what its permissions
 * allow. A channel to the host needs a card that is open for reading, a channel to the NFP
 * one that is open for writing. The call does not wait.
 *
 * Return: 0, -ENODEV (there is no such card), -EACCES (no permission), -EINVAL (@name is none
 * of the above), -ENOTTY (the path is not a node of nfp_chan.ko), -ENOMEM, -EMFILE, -ENFILE.
 */
int nfpchan_card_open(struct nfpchan_card **card, const char *name,
		      char *err, size_t errlen);

/**
 * nfpchan_card_close() - close a card
 * @card: the card, or NULL
 *
 * Channels and ports that were opened on the card stay open.
 */
void nfpchan_card_close(struct nfpchan_card *card);

/**
 * nfpchan_card_fd() - file descriptor of a card
 * @card: the card
 *
 * The descriptor belongs to the handle. The caller must not close it.
 *
 * Return: the file descriptor.
 */
int nfpchan_card_fd(const struct nfpchan_card *card);

/**
 * nfpchan_card_info() - describe a card and its firmware
 * @card: the card
 * @info: out: the description. The call sets its size and flags
 *
 * Return: 0, -ENODEV, -EIO. "bpf:" cards: also -EPERM (no CAP_SYS_ADMIN), -ETIMEDOUT.
 */
int nfpchan_card_info(struct nfpchan_card *card, struct nfp_chan_info *info);

/**
 * nfpchan_query() - properties and counters of a channel, by its name
 * @card: the card
 * @name: the channel, which need not be open
 * @q: out: the properties, and the counters that the card keeps
 *
 * The library reads the counters from the card, which takes microseconds.
 *
 * Return: 0, -ENOENT (there is no such channel), -EINVAL (@name does not have 1 to 31
 * characters), -ENODEV. "bpf:" cards: also -EPERM (no CAP_SYS_ADMIN), -ETIMEDOUT.
 */
int nfpchan_query(struct nfpchan_card *card, const char *name,
		  struct nfp_chan_query *q);

/**
 * nfpchan_query_id() - properties and counters of a channel, by its id
 * @card: the card
 * @id: id of the channel, 0 to nfp_chan_info.chan_count - 1
 * @q: out: as of nfpchan_query()
 *
 * Return: as nfpchan_query(), without -EINVAL.
 */
int nfpchan_query_id(struct nfpchan_card *card, uint32_t id,
		     struct nfp_chan_query *q);

/**
 * nfpchan_repeats() - may messages of a channel be taken more than once?
 * @card: the card
 * @name: the channel, which need not be open
 * @count: out: times that a message was taken again
 *
 * Only the program of a "bpf:" card whose firmware has no map_delete takes a message more than once
 * (nfpchan_bpf.h, NFPCHAN_NO_DELETE).
 *
 * Return: 1: yes. 0: each message is taken once. Otherwise as nfpchan_query().
 */
int nfpchan_repeats(struct nfpchan_card *card, const char *name, uint64_t *count);

/**
 * nfpchan_signal() - set the signal of a channel's ME process
 * @card: the card
 * @name: the channel, which need not be open
 *
 * If the ME process has not looked at its signal since the last call, both calls count as one
 * signal. The call does not wait.
 *
 * Return: 0, -EOPNOTSUPP (the ME process takes no signals), -ENOENT (there is no such channel),
 * -EINVAL (@name does not have 1 to 31 characters), -EACCES (the card is not open for writing),
 * -EBUSY (the channel is exclusive and open: use nfpchan_raise()), -ENODEV.
 */
int nfpchan_signal(struct nfpchan_card *card, const char *name);

/**
 * nfpchan_card_error() - text of the last failure on a card
 * @card: the card
 * @buf: out: the text, NUL-terminated
 * @len: bytes of @buf
 *
 * The text names the value and its limit. The failures of nfpchan_open() and of other calls
 * that open something on the card are included.
 *
 * Return: @buf.
 */
char *nfpchan_card_error(struct nfpchan_card *card, char *buf, size_t len);

/* ---- channels ---- */

/* struct nfpchan_opts.flags */

/*
 * Only one thread at a time makes calls on the handle, so that the calls take no lock. The
 * caller guarantees this. A channel that reports to a port takes its lock all the same, unless
 * the port was opened with NFPCHAN_ALONE too: any thread that waits for the port looks at the
 * channel.
 */
#define NFPCHAN_ALONE	0x1

/*
 * The handle of a channel to the host receives messages through a link only: none arrives in
 * its ring, neither before nor after the link (NFP_CHAN_OPEN_LINK).
 */
#define NFPCHAN_LINK	0x2

/*
 * Wait policies: how a call waits, nfpchan_opts.wait and nfpchan_set_wait(). To watch means to
 * read the card's notification record in host memory again and again, without a system call.
 * A call arms the interrupt only before it sleeps. The kernel then looks at the record once
 * more, so that no message is missed. @spin_us is nfpchan_opts.spin_us.
 *
 * DEFAULT   @spin_us is 0: as ADAPTIVE. Above 0: watch for that time, then sleep. Below 0: as
 *           SLEEP
 * SPIN      watch until the call ends. The call makes no system call and takes a whole CPU.
 *           @spin_us has no meaning
 * ADAPTIVE  watch for about as long as recent waits have lasted, @spin_us at most, then sleep.
 *           Do not watch while waits last longer than @spin_us. One wait in 16 is watched for
 *           all of @spin_us, to learn whether waits have become shorter
 * MONITOR   as SPIN, but halt the CPU until the card writes (UMWAIT, MWAITX), which leaves the
 *           core to its other hardware thread. With @spin_us above 0: for that time, then
 *           sleep. Fails with -EOPNOTSUPP on a CPU without these instructions. A CPU monitors
 *           one record: nfpchan_select() on channels without a port spins instead
 * SLEEP     sleep at once
 * BEST      as MONITOR for @spin_us, if the CPU has the instructions; else as ADAPTIVE
 *
 * A @spin_us of 0 means 20 us, or 0 us on a machine with one CPU, except for SPIN and MONITOR.
 */
#define NFPCHAN_WAIT_DEFAULT	0
#define NFPCHAN_WAIT_SPIN	1
#define NFPCHAN_WAIT_ADAPTIVE	2
#define NFPCHAN_WAIT_MONITOR	3
#define NFPCHAN_WAIT_SLEEP	4
#define NFPCHAN_WAIT_BEST	5

/**
 * struct nfpchan_opts - how to open a channel
 * @size: sizeof(struct nfpchan_opts). Fields beyond @size count as 0
 * @ring_size: bytes of the data ring, a power of 2 from 4096 to 4194304; 0: the smallest ring
 *	that holds the channel's depth
 * @spin_us: microseconds to watch before sleeping, see the wait policies. Negative: only with
 *	NFPCHAN_WAIT_DEFAULT
 * @flags: NFPCHAN_ALONE, NFPCHAN_LINK
 * @inline_max: messages to the NFP: payload bytes, up to 248, of the largest message that goes
 *	inline. If the ring is empty, the CPU writes such a message to the card together with
 *	the doorbell. The card then need not read the ring, which saves a PCIe round trip and
 *	costs more bytes on the PCIe link. 0: 64 bytes. Negative: none. The card has 6 pages
 *	for inline messages; a handle that gets none of them sends all messages by DMA
 * @irq_count: messages that an interrupt waits for, up to 65535, see struct nfp_chan_open
 * @irq_usecs: microseconds that the interrupt waits for them at most, up to 1000000. 0: it
 *	does not wait, and @irq_count is 0 or 1
 * @wait: NFPCHAN_WAIT_*
 * @rsvd: 0
 * @port: the port that the channel reports to, which has a pipe on the same card; or NULL
 */
struct nfpchan_opts {
	size_t		size;
	uint32_t	ring_size;
	int32_t		spin_us;
	uint32_t	flags;
	int32_t		inline_max;
	uint32_t	irq_count;
	uint32_t	irq_usecs;
	uint32_t	wait;
	uint32_t	rsvd;
	struct nfpchan_port	*port;
};

/**
 * nfpchan_open() - open one end of a channel
 * @ch: out: the handle, or NULL after a failure
 * @card: the card, which may be closed before the channel
 * @name: name of the channel, 1 to 31 characters
 * @opts: options, or NULL
 *
 * The call waits for the firmware, 1 s at most. nfpchan_card_error() has the text of a failure.
 *
 * Return: 0, -ENOENT (there is no such channel), -EBUSY (the channel is exclusive and open),
 * -EPIPE (the ME process has ended), -ENOSPC (all pipes or interrupt vectors of the card are in
 * use), -EDQUOT (the user has as many pipes of the card as allowed), -EACCES (the card is not
 * open for this direction), -EMSGSIZE (the ring is too small for a message), -EINVAL (name or
 * options are out of range), -EPROTOTYPE (NFPCHAN_LINK, but the channel leads to the NFP),
 * -EOPNOTSUPP (the firmware cannot delay interrupts, or the CPU cannot monitor memory), -E2BIG
 * (@opts has fields that this library does not know), -EXDEV (the port is of another card),
 * -ENODEV, -EIO, -ETIMEDOUT, -ENOMEM (also: beyond RLIMIT_MEMLOCK), -EMFILE, -ENFILE.
 */
int nfpchan_open(struct nfpchan **ch, struct nfpchan_card *card,
		 const char *name, const struct nfpchan_opts *opts);

/**
 * nfpchan_close() - close a channel
 * @ch: the channel, or NULL
 *
 * Messages that the ME process has not taken are lost, and so are messages in the ring that
 * the caller has not received. The card counts them as dropped. Borrowed messages become
 * invalid. The call waits for the firmware, 1 s at most.
 */
void nfpchan_close(struct nfpchan *ch);

/**
 * nfpchan_set_wait() - change the wait policy of a channel
 * @ch: the channel
 * @wait: NFPCHAN_WAIT_*
 * @spin_us: microseconds, as in struct nfpchan_opts
 *
 * Later calls on the handle use the policy. The handle forgets how long its waits have lasted.
 *
 * Return: 0, -EINVAL (there is no such policy, or @spin_us is negative), -EOPNOTSUPP (the CPU
 * cannot monitor memory). A failure changes nothing.
 */
int nfpchan_set_wait(struct nfpchan *ch, uint32_t wait, int32_t spin_us);

/**
 * nfpchan_get_wait() - the wait policy of a channel
 * @ch: the channel
 *
 * Return: NFPCHAN_WAIT_*, as it is in force: BEST reads as MONITOR or as ADAPTIVE. DEFAULT
 * means that the handle watches for a fixed time.
 */
uint32_t nfpchan_get_wait(struct nfpchan *ch);

/**
 * nfpchan_name() - name of a channel
 * @ch: the channel
 *
 * Return: the name, valid until nfpchan_close().
 */
const char *nfpchan_name(const struct nfpchan *ch);

/**
 * nfpchan_layout() - properties of a channel
 * @ch: the channel
 *
 * Return: the properties, valid until nfpchan_close().
 */
const struct nfp_chan_layout *nfpchan_layout(const struct nfpchan *ch);

/**
 * nfpchan_send() - send a message
 * @ch: a channel to the NFP
 * @buf: the message
 * @len: bytes of the message; 0 is allowed on a channel of messages
 * @timeout: nanoseconds
 *
 * Buffered channel (depth above 0): the call returns when the message is in the ring, and
 * waits while the ring is full. Rendezvous (depth 0): the call returns when the ME process has
 * taken the message. After a timeout or a signal the library takes the message back, so that a
 * send that fails was not delivered; -EIO and -ENODEV are the exceptions. With a timeout of 0
 * the card offers a rendezvous to the ME process for the time that the handle watches.
 * Stream: several elements go together, or none of them. poll() cannot wait for room for
 * several elements, so the call looks again after 20 us, then at longer intervals, up to 1 ms.
 *
 * The call makes no system call while the card keeps up.
 *
 * Return: 0, -EAGAIN, -ETIMEDOUT, -EINTR, -EMSGSIZE (more bytes than the channel allows, or
 * not of its element size), -EPIPE (the ME process has ended), -EBADF (the channel leads to the
 * host), -EISCONN (the channel is linked), -EBUSY (the channel was opened with
 * nfpchan_open_return()), -EIO (a protocol fault: the channel is dead; or the card did not
 * answer whether it took back the message of a rendezvous, which may have been delivered),
 * -ENODEV.
 */
int nfpchan_send(struct nfpchan *ch, const void *buf, size_t len, int64_t timeout);

/**
 * nfpchan_drain() - wait until the ME process has taken all messages sent
 * @ch: a channel to the NFP
 * @timeout: nanoseconds
 *
 * A caller that closes a buffered channel after this call has succeeded loses no message.
 * While the call sleeps it binds the pipe's eventfd, which nfpchan_eventfd() cannot bind then.
 *
 * Return: 0, -EAGAIN, -ETIMEDOUT, -EINTR, -EBUSY (the caller has bound an eventfd, or another
 * thread is in this call), -EPIPE, -EBADF (the channel leads to the host), -EIO, -ENODEV,
 * -EMFILE, -ENFILE, -ENOMEM.
 */
int nfpchan_drain(struct nfpchan *ch, int64_t timeout);

/**
 * nfpchan_recv() - receive a message
 * @ch: a channel to the host
 * @buf: out: the message
 * @size: bytes of @buf. nfpchan_layout()->max_size is enough for any message
 * @timeout: nanoseconds
 *
 * When the ME process has ended, the call returns the messages that came before, and then
 * -EPIPE. When the card goes, messages that were not received are lost. The call makes no
 * system call while the card keeps up.
 *
 * Return: bytes of the message, which may be 0; -EAGAIN, -ETIMEDOUT, -EINTR, -EMSGSIZE (the
 * message is larger than @size, and stays the next one), -EBUSY (messages are borrowed, or
 * nfpchan_open_return() returns them), -EISCONN (the channel is linked), -EPIPE, -EBADF (the
 * channel leads to the NFP), -EIO, -ENODEV.
 */
ssize_t nfpchan_recv(struct nfpchan *ch, void *buf, size_t size, int64_t timeout);

/**
 * nfpchan_borrow() - receive a message in place, without a copy
 * @ch: a channel to the host
 * @data: out: the message in the ring, aligned to 8 bytes. The caller must not write to it
 * @timeout: nanoseconds
 *
 * The message is valid until nfpchan_release() gives it back, or until the channel is closed.
 * The caller may borrow further messages before that, up to the size of the ring. The card
 * cannot use the room of borrowed messages.
 *
 * The card can write to the ring at any time. Copy what must not change between a check and
 * its use. When the card is detached, the kernel replaces the ring's pages by zeros. Call
 * nfpchan_wait() with timeout 0 after reading the message: -ENODEV says that the ring may have
 * been replaced before.
 *
 * Return: as nfpchan_recv(), except that -EMSGSIZE does not occur, and that -EBUSY does not
 * mean that messages are borrowed.
 */
ssize_t nfpchan_borrow(struct nfpchan *ch, const void **data, int64_t timeout);

/**
 * nfpchan_release() - give back the oldest borrowed messages
 * @ch: a channel to the host
 * @n: messages, or elements of a stream, to give back
 *
 * The call makes no system call. Threads that borrow on one handle have to agree on the order
 * of giving back.
 *
 * Return: 0, -EINVAL (fewer than @n are borrowed), -EIO.
 */
int nfpchan_release(struct nfpchan *ch, unsigned int n);

/**
 * nfpchan_wait() - wait until a message can be received or sent
 * @ch: the channel
 * @timeout: nanoseconds
 *
 * To the NFP: wait until the largest message has room. If other threads use the handle, the
 * result is a hint: another thread may receive the message first, or take the room.
 *
 * Return: 0, -EAGAIN, -ETIMEDOUT, -EINTR, or the error of a receive or send.
 */
int nfpchan_wait(struct nfpchan *ch, int64_t timeout);

/* ---- interrupts and event loops ---- */

/**
 * nfpchan_fd() - file descriptor of a channel, for poll()
 * @ch: the channel
 *
 * The descriptor belongs to the handle. POLLIN: a message is there that was neither received
 * nor borrowed. POLLOUT: the largest message has room. A poll() that finds neither arms the
 * pipe. Receive until -EAGAIN before poll(): only then has the card all room of the ring.
 *
 * Return: the file descriptor.
 */
int nfpchan_fd(const struct nfpchan *ch);

/**
 * nfpchan_eventfd() - bind the pipe's interrupt to an eventfd
 * @ch: the channel
 * @fd: the eventfd, which remains the caller's; -1: unbind
 *
 * For an event loop or a virtual machine that takes the interrupt itself. Each nfpchan_arm()
 * gives one interrupt. An interrupt may be spurious: look at the ring afterwards. The library
 * itself uses the binding in nfpchan_drain() only.
 *
 * Return: 0, -EBADF (@fd is not an eventfd), -EBUSY (nfpchan_drain() is under way), -EOPNOTSUPP
 * (a "bpf:" card), -ENODEV.
 */
int nfpchan_eventfd(struct nfpchan *ch, int fd);

/**
 * nfpchan_arm() - ask for one interrupt at the next change
 * @ch: the channel
 *
 * To the host: the interrupt comes when a message arrives after the last one that was received
 * or borrowed. To the NFP: it comes when the ME process takes a message after the last time
 * that a call on the handle looked at the card's record. The call costs one posted write and
 * no system call.
 *
 * Return: 0 (armed: the caller may sleep), 1 (there is something to do already; an interrupt
 * may come all the same), or the error of a receive or send.
 */
int nfpchan_arm(struct nfpchan *ch);

/**
 * nfpchan_notify() - have the pipe's interrupt send a real-time signal to a thread
 * @ch: the channel
 * @tid: thread id, 0 for the calling thread
 * @signo: SIGRTMIN to SIGRTMAX; 0: no signal any more
 *
 * The thread gets the signal once each time the pipe is armed and something changes, with
 * nfpchan_fd() in si_fd. It runs a handler, or calls sigwaitinfo(). The call arms the pipe;
 * if something is there already the signal is sent at once. The thread then receives until
 * -EAGAIN and arms again:
 *
 *	do {
 *		while ((n = nfpchan_recv(ch, buf, size, NFPCHAN_NONBLOCK)) >= 0)
 *			...
 *	} while (n == -EAGAIN && nfpchan_arm(ch) == 1);
 *
 * A signal handler may call nfpchan_arm(), nfpchan_recv(), nfpchan_borrow(), nfpchan_release()
 * and nfpchan_send(), with timeout 0, under two conditions: the handle was opened with
 * NFPCHAN_ALONE, and its thread blocks the signal while it makes calls on the handle.
 *
 * A signal may be spurious. If the user's queue of signals (RLIMIT_SIGPENDING) is full the
 * kernel sends SIGIO instead. nfpchan_close() ends the signals.
 *
 * Return: 0, -EINVAL (@signo is not a real-time signal), -ESRCH (there is no such thread),
 * -EOPNOTSUPP (a "bpf:" card), -ENOMEM.
 */
int nfpchan_notify(struct nfpchan *ch, pid_t tid, int signo);

/**
 * nfpchan_raise() - set the signal of the channel's ME process
 * @ch: the channel
 *
 * The first 15 pipes whose ME process takes signals have a signal doorbell. On these channels
 * the call is one store, without a system call. On others it makes a system call, as
 * nfpchan_signal() does.
 *
 * Return: 0, -EOPNOTSUPP (the ME process takes no signals), -ENODEV.
 */
int nfpchan_raise(struct nfpchan *ch);

/* ---- counters and errors ---- */

/**
 * struct nfpchan_stats - counters of a handle
 * @size: sizeof(struct nfpchan_stats), set by the caller
 * @msgs: messages sent, received or borrowed; elements of a stream
 * @bytes: payload bytes of @msgs
 * @doorbells: posted writes to the card that sent messages or gave room back
 * @arms: posted writes to the card that armed the pipe. The kernel's are not counted
 * @sleeps: times that a call slept in poll()
 * @borrowed: messages that are borrowed now
 * @inlined: messages sent inline
 * @waits: calls that found nothing at first, waited, and then succeeded or failed for good
 */
struct nfpchan_stats {
	size_t		size;
	uint64_t	msgs;
	uint64_t	bytes;
	uint64_t	doorbells;
	uint64_t	arms;
	uint64_t	sleeps;
	uint64_t	borrowed;
	uint64_t	inlined;
	uint64_t	waits;
};

/**
 * nfpchan_stats() - counters of a handle
 * @ch: the channel
 * @stats: in: its size. out: the counters. Fields that the library does not know are set to 0
 *
 * nfpchan_query() has the counters of the card.
 *
 * Return: 0, -EINVAL (@stats->size is smaller than the field itself).
 */
int nfpchan_stats(struct nfpchan *ch, struct nfpchan_stats *stats);

/**
 * nfpchan_error() - text of the last failure on a channel
 * @ch: the channel
 * @buf: out: the text, NUL-terminated
 * @len: bytes of @buf
 *
 * The text names the channel, the value and its limit. -EAGAIN, -ETIMEDOUT and -EINTR leave
 * no text. If several threads use the handle, the failure may be another thread's.
 *
 * Return: @buf.
 */
char *nfpchan_error(struct nfpchan *ch, char *buf, size_t len);

#ifdef __cplusplus
}
#endif

#include <nfpchan_stream.h>
#include <nfpchan_port.h>
#include <nfpchan_link.h>

#endif /* NFPCHAN_H */
