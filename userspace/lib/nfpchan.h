/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nfpchan.h - libnfpchan: message channels to the microengines of an Agilio.
 *
 * Conventions, for every call that does not say otherwise:
 *  - Failure is a negative errno as the return value; errno itself is neither
 *    read nor set. -ENODEV is final: the card, or its driver, is gone, or
 *    the system is going to sleep; open the card again once it is there.
 *  - Calls on different handles are independent. Calls on one handle may be
 *    made from any number of threads; a lock in the handle serialises them and
 *    is never held while a call sleeps.
 *  - Nothing is retained of memory passed in once the call has returned.
 *  - Closing a handle while another call on it is under way is an error of the
 *    caller, and so is to leave a call by pthread_cancel() or longjmp(). A handle must
 *    not be used by two processes after fork().
 *  - Byte order of messages is what the ME process defines; the library does
 *    not look at payloads.
 *
 * Timeouts are in nanoseconds: 0 (NFPCHAN_NONBLOCK) never sleeps, a negative
 * one (NFPCHAN_FOREVER) waits as long as it takes. A call that may sleep
 * fails with -EAGAIN (timeout 0), -ETIMEDOUT, or -EINTR (a signal handler ran
 * while it slept; nothing has happened and it may be made again).
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
 * @card: out: the handle
 * @name: "0" (the N of /dev/nfp_chanN), "/dev/nfp_chan0", "0000:01:00.0" (its
 *	PCI function), or NULL or "" for the card with the lowest number; or
 *	"bpf:eth0", an interface of a card whose firmware has no channels: those are maps
 *	of its program then, see libnfpchan(3) and nfpchan_bpf.h. The calls that there are
 *	not there fail with -EOPNOTSUPP; -ESTALE says that another process has taken the
 *	perf slots of a channel
 * @err: buffer for a text that says what is wrong, or NULL
 * @errlen: its size
 *
 * Opened for reading and writing, or for what the permissions allow: that
 * decides which channels can be opened. Does not sleep.
 *
 * Return: 0, -ENODEV (no such card), -EACCES, -EINVAL (not a name of a card),
 * -ENOMEM, -EMFILE, -ENFILE.
 */
int nfpchan_card_open(struct nfpchan_card **card, const char *name,
		      char *err, size_t errlen);

/* Close a card; NULL is fine. Channels opened on it live on. */
void nfpchan_card_close(struct nfpchan_card *card);

/* The file descriptor of the card, which the handle owns. */
int nfpchan_card_fd(const struct nfpchan_card *card);

/**
 * nfpchan_card_info() - about the card and its firmware
 * @info: out
 *
 * Return: 0, -ENODEV, -EIO.
 */
int nfpchan_card_info(struct nfpchan_card *card, struct nfp_chan_info *info);

/**
 * nfpchan_query() - about a channel: its properties and the card's counters
 * @name: the channel
 * @q: out
 *
 * Channels are enumerated with nfpchan_query_id(), ids from 0 to
 * nfp_chan_info.chan_count - 1. Counters are read from the card, which takes
 * microseconds.
 *
 * Return: 0, -ENOENT (no such channel), -EINVAL (name too long), -ENODEV.
 */
int nfpchan_query(struct nfpchan_card *card, const char *name,
		  struct nfp_chan_query *q);
int nfpchan_query_id(struct nfpchan_card *card, uint32_t id,
		     struct nfp_chan_query *q);

/**
 * nfpchan_signal() - set the signal of a channel's ME process
 * @name: the channel; it need not be open
 *
 * Signals that come before the process looks are one. Does not sleep.
 *
 * Return: 0, -EOPNOTSUPP (the process takes no signals), -ENOENT, -EACCES (the
 * card is not open for writing), -EBUSY (exclusive and open), -ENODEV.
 */
int nfpchan_signal(struct nfpchan_card *card, const char *name);

/**
 * nfpchan_card_error() - text of the last failure on this handle
 * @buf: where it goes, with a NUL
 * @len: its size
 *
 * Names the value and the limit where there is one. Covers nfpchan_open() too.
 *
 * Return: @buf.
 */
char *nfpchan_card_error(struct nfpchan_card *card, char *buf, size_t len);

/* ---- channels ---- */

/* struct nfpchan_opts.flags: the caller sees to it that one thread at a time is
 * in calls on this handle; they take no lock then. On a port that was opened
 * without it they do: who waits for the port looks at its channels.
 */
#define NFPCHAN_ALONE	0x1

/* Of a channel to the host that is to be linked: no message comes to the handle, neither
 * before the link nor behind it (NFP_CHAN_OPEN_LINK).
 */
#define NFPCHAN_LINK	0x2

/*
 * How calls on a handle wait, nfpchan_opts.wait and nfpchan_set_wait(). "Watch"
 * is to look for the card's notification without a system call; the interrupt
 * is armed only on the way to sleep, and the kernel looks once more behind that:
 * no message is missed. @spin_us is nfpchan_opts.spin_us.
 *
 * DEFAULT	as ADAPTIVE; with a @spin_us above 0, watch for that time, then
 *		sleep; with one below 0, as SLEEP
 * SPIN		watch for as long as the call lasts: no system call, a whole CPU
 * ADAPTIVE	watch for as long as waits have turned out to last, at most
 *		@spin_us, and not at all while they last longer, then sleep; one
 *		wait in 16 is watched for all of @spin_us, to learn anew
 * MONITOR	as SPIN, with the CPU halted until the card writes (UMWAIT, MWAITX),
 *		for its other hardware thread to have all of it. With a @spin_us
 *		above 0 for that time, then sleep. -EOPNOTSUPP: this CPU cannot.
 *		nfpchan_select() on channels without a port watches several, so it spins
 * SLEEP	sleep at once
 * BEST		MONITOR for @spin_us where the CPU can, else ADAPTIVE
 *
 * A @spin_us of 0 stands for 20, or for none with a single CPU; but for the one
 * of SPIN, which has no meaning, and that of MONITOR.
 */
#define NFPCHAN_WAIT_DEFAULT	0
#define NFPCHAN_WAIT_SPIN	1
#define NFPCHAN_WAIT_ADAPTIVE	2
#define NFPCHAN_WAIT_MONITOR	3
#define NFPCHAN_WAIT_SLEEP	4
#define NFPCHAN_WAIT_BEST	5

/**
 * struct nfpchan_opts - how to open a channel
 * @size: sizeof(struct nfpchan_opts); fields behind it are taken as 0
 * @ring_size: bytes of the data ring, a power of 2 from 4096 to 4194304, or 0
 *	for the smallest that holds the channel's depth
 * @spin_us: microseconds to watch for the card before sleeping, see above
 * @flags: NFPCHAN_ALONE, NFPCHAN_LINK, or 0
 * @inline_max: to the NFP, messages: payload bytes up to which a message that
 *	finds the ring empty is sent to the card with the doorbell, by posted
 *	writes, so that the card reads nothing: half a PCIe round trip instead of
 *	one and a half, for more bytes on the link. 0 for the default (64),
 *	negative for none; at most 248. The card has 6 pages for it: a handle that
 *	gets none sends all by DMA
 * @irq_count: messages for which an interrupt is held back, at most 65535, see
 *	struct nfp_chan_open
 * @irq_usecs: microseconds for which it is, at most 1000000; 0: not at all
 * @wait: NFPCHAN_WAIT_*
 * @rsvd: 0
 * @port: the port that the channel reports to, of the same card, or NULL
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
 * @ch: out: the handle
 * @card: the card; it may be closed before the channel
 * @name: name of the channel
 * @opts: options, or NULL
 *
 * Waits for the firmware, 1 s at most.
 *
 * Return: 0, -ENOENT (no such channel), -EBUSY (exclusive and taken), -EPIPE (the
 * ME process has ended), -ENOSPC (pipes or interrupt vectors are used up), -EDQUOT
 * (this user may have no more pipes of the card), -EACCES, -EMSGSIZE (ring too small
 * for a message), -EINVAL, -EPROTOTYPE (NFPCHAN_LINK, but the channel leads to the NFP),
 * -EOPNOTSUPP (the firmware holds no interrupts back,
 * the CPU cannot monitor memory), -E2BIG (options of a newer library), -ENODEV,
 * -EIO, -ETIMEDOUT, -ENOMEM (also: beyond RLIMIT_MEMLOCK), -EMFILE, -ENFILE,
 * -EXDEV (the port is another card's).
 */
int nfpchan_open(struct nfpchan **ch, struct nfpchan_card *card,
		 const char *name, const struct nfpchan_opts *opts);

/**
 * nfpchan_close() - close it; NULL is fine
 *
 * Messages sent but not taken by the ME process, and those received by the
 * ring but not by the caller, are lost and counted by the card as dropped.
 * Borrowed messages become invalid.
 */
void nfpchan_close(struct nfpchan *ch);

/**
 * nfpchan_set_wait() - how calls on this handle wait from now on
 * @wait: NFPCHAN_WAIT_*
 * @spin_us: as in struct nfpchan_opts
 *
 * Each end has its own. What an end has learned is forgotten.
 *
 * Return: 0, -EINVAL (no such policy, or a negative time), -EOPNOTSUPP (the CPU
 * cannot monitor memory): nothing has changed.
 */
int nfpchan_set_wait(struct nfpchan *ch, uint32_t wait, int32_t spin_us);

/*
 * The policy in force: NFPCHAN_WAIT_BEST shows as what it came to, DEFAULT is
 * watching for a fixed time.
 */
uint32_t nfpchan_get_wait(struct nfpchan *ch);

/* Name and properties of the channel; they live as long as the handle. */
const char *nfpchan_name(const struct nfpchan *ch);
const struct nfp_chan_layout *nfpchan_layout(const struct nfpchan *ch);

/**
 * nfpchan_send() - send a message
 * @buf: its bytes
 * @len: how many; 0 is a message too
 * @timeout: ns
 *
 * Buffered channels (depth n): returns when the message is in the ring, sleeps
 * while that is full. Rendezvous (depth 0): returns when the ME process has
 * taken the message; on timeout or signal it is taken back, so after a failure
 * other than -EIO and -ENODEV it was not delivered. With timeout 0 a rendezvous is
 * offered for as long as the handle spins. A stream takes several elements, all or none:
 * who waits while there is room for some of them looks again after 20 us at first, after
 * 1 ms in the end. No system call is made while the card keeps up.
 *
 * Return: 0, -EAGAIN, -ETIMEDOUT, -EINTR, -EMSGSIZE (longer than the channel
 * allows, or not its element size), -EPIPE (the ME process has ended), -EBADF
 * (the channel leads to the host), -EIO (protocol fault, the channel is dead; or the
 * card has not said whether it has taken the message of a rendezvous back: it may have
 * been delivered), -ENODEV.
 */
int nfpchan_send(struct nfpchan *ch, const void *buf, size_t len, int64_t timeout);

/**
 * nfpchan_drain() - wait until the ME process has taken all that was sent
 * @timeout: ns
 *
 * Before closing a buffered channel, so that nothing in it is lost. While it
 * sleeps it has the pipe's eventfd bound.
 *
 * Return: 0, -EAGAIN, -ETIMEDOUT, -EINTR, -EBUSY (an eventfd of the caller is
 * bound, or another thread is in this call), -EPIPE, -EBADF (the channel leads
 * to the host), -EIO, -ENODEV, -EMFILE, -ENFILE, -ENOMEM.
 */
int nfpchan_drain(struct nfpchan *ch, int64_t timeout);

/**
 * nfpchan_recv() - receive a message
 * @buf: where it goes
 * @size: room there; nfpchan_layout()->max_size is always enough
 * @timeout: ns
 *
 * Messages that came before the end of the ME process are received before that
 * is reported; those not received when the card goes are lost.
 * No system call is made while the card keeps up.
 *
 * Return: bytes of the message (0 is a message too), -EAGAIN, -ETIMEDOUT,
 * -EINTR, -EMSGSIZE (larger than @size; it stays the next one), -EBUSY
 * (messages are borrowed), -EPIPE, -EBADF (the channel leads to the NFP),
 * -EIO, -ENODEV.
 */
ssize_t nfpchan_recv(struct nfpchan *ch, void *buf, size_t size, int64_t timeout);

/**
 * nfpchan_borrow() - receive a message where it lies
 * @data: out: its first byte, aligned to 8, in the ring. Read-only; valid until
 *	it is given back or the handle is closed
 * @timeout: ns
 *
 * May be called again before the first is given back; the ring's room is the
 * limit. While messages are borrowed their room is not available to the card.
 * The card can write to the ring at any time: copy what must not change
 * between a check and its use. When the card is detached the ring reads as
 * zeros: nfpchan_wait() with timeout 0 says -ENODEV if that happened before.
 *
 * Return: as nfpchan_recv(), without -EMSGSIZE and -EBUSY.
 */
ssize_t nfpchan_borrow(struct nfpchan *ch, const void **data, int64_t timeout);

/* ---- many at a time ---- */

/**
 * nfpchan_recv_many() - receive messages of a fixed size, or a stream's elements
 * @buf: where they go, one behind the other
 * @count: how many have room there
 * @timeout: ns, until there is one
 *
 * Return: how many, one at least: those that are there, not more; or as
 * nfpchan_recv(), -EOPNOTSUPP (the messages vary in size).
 */
ssize_t nfpchan_recv_many(struct nfpchan *ch, void *buf, size_t count, int64_t timeout);

/**
 * nfpchan_send_many() - send messages of a fixed size, or a stream's elements
 * @buf: they lie there one behind the other
 * @count: how many
 * @timeout: ns, until one has room
 *
 * With one doorbell for all that have room.
 *
 * Return: how many, one at least; or as nfpchan_send(), -EOPNOTSUPP (the
 * messages vary in size, or meet in a rendezvous).
 */
ssize_t nfpchan_send_many(struct nfpchan *ch, const void *buf, size_t count, int64_t timeout);

/* ---- streams ---- */

/**
 * nfpchan_peek() - what is there of a stream, where it lies
 * @data: out: its first byte, as nfpchan_borrow()
 * @timeout: ns, until there is something
 *
 * All that has come and was not consumed, contiguous, in whole elements; a
 * second call shows it again, and more behind it.
 *
 * Return: bytes; or as nfpchan_recv(), -EOPNOTSUPP (not a stream to the host).
 */
ssize_t nfpchan_peek(struct nfpchan *ch, const void **data, int64_t timeout);

/**
 * nfpchan_consume() - give back the first @len bytes of what nfpchan_peek() showed
 *
 * Whole elements. Where more was shown this has the next notification fetched
 * while the caller works on the rest. Never sleeps, makes no system call.
 *
 * Return: 0, -EINVAL (more than is there, or part of an element), -EBUSY
 * (elements are borrowed), -EOPNOTSUPP.
 */
int nfpchan_consume(struct nfpchan *ch, size_t len);

/**
 * nfpchan_read() - receive bytes of a stream
 * @buf: where they go
 * @size: how many have room; whole elements are received
 * @timeout: ns, until there is something
 *
 * Return: bytes, an element at least; or as nfpchan_recv(), -EMSGSIZE (no room
 * for an element), -EOPNOTSUPP (not a stream).
 */
ssize_t nfpchan_read(struct nfpchan *ch, void *buf, size_t size, int64_t timeout);

/**
 * nfpchan_write() - send bytes on a stream, however many
 * @buf: the bytes
 * @len: how many; whole elements
 * @timeout: ns, for all of them
 *
 * Return: bytes sent: fewer than @len only after a timeout or a signal, or when
 * the ME process ends or the card goes meanwhile, which the next call says; or,
 * when none was, as nfpchan_send(), -EMSGSIZE (not whole elements), -EOPNOTSUPP.
 */
ssize_t nfpchan_write(struct nfpchan *ch, const void *buf, size_t len, int64_t timeout);

/**
 * nfpchan_reserve() - room for a message, or for part of a stream, in the ring
 * @data: out: where to write it
 * @len: its bytes, or the most that it may have
 * @timeout: ns, until there is room
 *
 * Reserved anew, it is the same room. With other threads that send on the
 * handle the caller keeps them out from here to nfpchan_commit(). Not for a
 * rendezvous.
 *
 * Return: 0; or as nfpchan_send(), -EOPNOTSUPP (rendezvous).
 */
int nfpchan_reserve(struct nfpchan *ch, void **data, size_t len, int64_t timeout);

/**
 * nfpchan_commit() - send what was written where nfpchan_reserve() said
 * @len: its bytes, at most what was reserved
 *
 * Return: 0, -EINVAL (nothing is reserved, or less, or something was sent since),
 * -EMSGSIZE (not a size of this channel), -EPIPE, -EIO, -ENODEV. After a failure
 * nothing was sent.
 */
int nfpchan_commit(struct nfpchan *ch, size_t len);

/**
 * nfpchan_open_return() - a channel that returns what comes on another, without a copy
 * @out: the channel, or NULL after a failure
 * @card: the card
 * @name: a stream to the NFP
 * @from: an open stream to the host of the same card, with elements of the same
 *	size, of which nothing was given back yet
 * @opts: as for nfpchan_open(); @ring_size is 0 or that of @from
 *
 * Both have one ring from then on: what came on @from is worked on where it lies,
 * and goes to the NFP from there, in the order in which it came. All of it does:
 * room on @from is what was returned and the ME process has taken. Until the
 * channel is closed, neither takes other calls that move data (-EBUSY), @from from the
 * beginning of this call on, also of one that fails in the end; waiting,
 * nfpchan_select() and nfpchan_drain() are as ever. Close it before @from.
 *
 * Return: 0 or as nfpchan_open(); -EBADF (@from is not such a stream), -EPROTOTYPE (the
 * channel is not), -ESTALE (@from is shared, or was read from), -EXDEV (another card's).
 */
int nfpchan_open_return(struct nfpchan **out, struct nfpchan_card *card, const char *name,
			struct nfpchan *from, const struct nfpchan_opts *opts);

/**
 * nfpchan_returnable() - what has come and was not returned
 * @ch: a channel of nfpchan_open_return()
 * @data: out: where it is; may be written
 * @timeout: ns, until something is there
 *
 * Return: bytes, whole elements, contiguous; or as nfpchan_peek() on the other
 * channel, -EBADF (not such a channel, or the other is closed).
 */
ssize_t nfpchan_returnable(struct nfpchan *ch, void **data, int64_t timeout);

/**
 * nfpchan_return() - give the first @len bytes of it to the NFP, as they are now
 * @ch: a channel of nfpchan_open_return()
 * @len: whole elements, of those that nfpchan_returnable() has shown
 * @timeout: ns, for all of them: 65535 elements may be on their way
 *
 * Return: bytes returned: fewer than @len only after a timeout or a signal; or, when
 * none was, as nfpchan_send(), -EINVAL (more than has come, or not whole elements).
 */
ssize_t nfpchan_return(struct nfpchan *ch, size_t len, int64_t timeout);

/**
 * nfpchan_release() - give back the @n messages borrowed longest ago
 *
 * Never sleeps, makes no system call. Threads that borrow on one handle must
 * agree on the order among themselves.
 *
 * Return: 0, -EINVAL (fewer are borrowed), -EIO.
 */
int nfpchan_release(struct nfpchan *ch, unsigned int n);

/**
 * nfpchan_wait() - wait until a message can be received, or sent
 * @timeout: ns
 *
 * With other threads on the handle it is a hint.
 *
 * Return: 0, -EAGAIN, -ETIMEDOUT, -EINTR, or the error that a receive or send
 * would fail with.
 */
int nfpchan_wait(struct nfpchan *ch, int64_t timeout);

/**
 * struct nfpchan_case - what a select may do on a channel
 * @ch: the channel: to receive from, or to send to
 * @buf: where the message goes, or lies. NULL: only wait until there is one, or
 *	room for one
 * @len: room at @buf, or bytes there
 * @guard: false: not this time
 * @ret: out, of the case chosen: what nfpchan_recv() or nfpchan_send() returned
 */
struct nfpchan_case {
	struct nfpchan	*ch;
	void		*buf;
	size_t		len;
	int		guard;
	ssize_t		ret;
};

/**
 * nfpchan_select() - do one of several things, the first that can be done
 * @cases: what, on any channels; one channel may be in several cases
 * @n: how many
 * @timeout: ns
 *
 * Of several that can be done one is chosen by lot, so none starves. When all
 * cases are receives on channels of one port, they have their turns instead, what
 * it costs does not grow with their number, and the waiting is as the port's
 * options say. A channel
 * that has failed or ended can be "done": @ret says how. One of a rendezvous to
 * the NFP may only be waited for (@buf NULL): an offer cannot be taken back
 * without waiting for the card.
 *
 * Return: index of the case, -EAGAIN, -ETIMEDOUT, -EINTR, -EINVAL (no case has
 * its guard true), -EOPNOTSUPP (send in a rendezvous), -ENOMEM.
 */
int nfpchan_select(struct nfpchan_case *cases, unsigned int n, int64_t timeout);

/**
 * nfpchan_fd() - file descriptor to poll for POLLIN, or POLLOUT
 *
 * The handle owns it. Readable: a message is there that was neither received
 * nor borrowed. Writable: the largest message has room. poll() itself arms the
 * pipe. Receive until -EAGAIN before polling: that also gives all room back.
 */
int nfpchan_fd(const struct nfpchan *ch);

/**
 * nfpchan_eventfd() - have the pipe's interrupt signal an eventfd
 * @fd: the eventfd, which stays the caller's, or -1 to unbind
 *
 * For event loops and virtual machines that want the interrupt itself. It
 * comes once for each nfpchan_arm(), is a hint to look at the ring, and may be
 * spurious. The library does not need the binding; it is the caller's.
 *
 * Return: 0, -EBADF (not an eventfd), -EBUSY (nfpchan_drain() is under
 * way), -ENODEV.
 */
int nfpchan_eventfd(struct nfpchan *ch, int fd);

/**
 * nfpchan_arm() - ask for one interrupt when something has changed
 *
 * One posted write, no system call. To host: when a message comes after the
 * last one received or borrowed. To NFP: when a message is taken after the last
 * look of nfpchan_send() or this.
 *
 * Return: 0: armed, go to sleep. 1: there is work already (an interrupt may
 * come anyway). Or the error that a receive or send would fail with.
 */
int nfpchan_arm(struct nfpchan *ch);

/**
 * nfpchan_notify() - have a thread get a real-time signal, as an interrupt
 * @tid: the thread, 0 for the caller
 * @signo: SIGRTMIN to SIGRTMAX, or 0 for none any more
 *
 * The signal comes once for each arming, with nfpchan_fd() in si_fd: a branch
 * to its handler wherever the thread is, or the end of a sigwaitinfo(). This
 * call arms, and what is there already is told at once; after that who was
 * told receives until -EAGAIN and arms again:
 *
 *	do {
 *		while ((n = nfpchan_recv(ch, buf, size, NFPCHAN_NONBLOCK)) >= 0)
 *			...
 *	} while (n == -EAGAIN && nfpchan_arm(ch) == 1);
 *
 * These two calls, nfpchan_borrow(), nfpchan_release() and nfpchan_send(), all
 * without a timeout, may be made in the handler of a handle opened with
 * NFPCHAN_ALONE that its thread uses with the signal blocked, else nowhere. The
 * signal is a hint, and may be spurious. When the queue of the process
 * (RLIMIT_SIGPENDING) is full the kernel sends SIGIO instead. Undone by
 * nfpchan_close().
 *
 * Return: 0, -EINVAL (not a real-time signal), -ESRCH (no such thread), -ENOMEM.
 */
int nfpchan_notify(struct nfpchan *ch, pid_t tid, int signo);

/* ---- links ---- */

/**
 * struct nfpchan_link_opts - which messages a link takes, and what it makes of them
 * @size: sizeof(struct nfpchan_link_opts); fields behind it are taken as 0
 * @match_len: bytes of a message that are compared, at most 8; 0: it takes messages as any
 *	end of the channel does. Of a stream 0
 * @match_off: where in the message they begin
 * @match_value: what they are, as the message has them
 * @match_mask: the bits of them that count
 * @hdr: bytes that are put in front of each message, or NULL
 * @hdr_len: how many, a multiple of 4 up to 64. Of a stream 0
 * @state_off: where in @hdr the card keeps a number, least significant byte first; a multiple
 *	of 4. The first message has the one that is in @hdr
 * @state_len: bytes of that number: 4 or 8; 0 for none
 * @state_step: what the card adds to it behind each message; 0 without one
 * @stage: not 0: the messages go from card to card by a ring in host memory, even if the
 *	one card could write them into the other's. Within a card 0
 */
struct nfpchan_link_opts {
	size_t		size;
	uint32_t	match_len;
	uint32_t	match_off;
	uint8_t		match_value[NFP_CHAN_LINK_MATCH_MAX];
	uint8_t		match_mask[NFP_CHAN_LINK_MATCH_MAX];
	const void	*hdr;
	size_t		hdr_len;
	uint32_t	state_off;
	uint32_t	state_len;
	uint32_t	state_step;
	uint32_t	stage;
};

/**
 * nfpchan_link_open() - have the card carry what comes on one channel to another
 * @link: out: the handle, or NULL after a failure
 * @from: an open channel to the host
 * @to: an open channel to the NFP. NULL: messages are dropped, and counted
 * @opts: options, or NULL
 *
 * What the ME process behind @from sends goes to the ME process behind @to, within the
 * card: no message crosses PCIe, none wakes the host. A message goes when that process
 * waits for one, so nothing is kept in between (struct nfp_chan_link). Both are channels
 * of messages, or streams with elements of one size.
 *
 * The two may be channels of two cards. Then @from is to be opened with NFPCHAN_LINK, and nothing
 * sent on @to. Messages go from card to card by PCIe, through memory of the receiving card or of
 * the host (struct nfp_chan_link_stat.via), without the CPU. When such a link has ended its two
 * channels are off (-EIO), and can only be closed; messages that the receiving process had not
 * taken by then are counted as dropped.
 *
 * A channel may be open several times, and so be in several links. A message that a link with
 * @match_len takes goes there and waits for it; the others go to the ends without, which may
 * be the host's. To have those dropped that no link takes, one link leads to NULL.
 *
 * As long as the link lasts, calls that would move data on the two fail with -EISCONN,
 * also those that sleep in another thread. The link ends with nfpchan_link_close(), and
 * with the close of either channel; the other is then as it was before the link, with the
 * messages that had come to it by then.
 *
 * Return: 0, -EBADF (not such channels), -EINVAL (options that no message meets), -E2BIG
 * (options of a newer library), -EISCONN (one is linked), -EHOSTUNREACH and -ERANGE (the two cards cannot
 * write to each other; the kernel's log says what was tried),
 * -EBUSY (one shares its ring, see nfpchan_open_return(); or, of two cards, @from was opened
 * without NFPCHAN_LINK or @to has carried something), -EPROTOTYPE (messages and a
 * stream), -EMSGSIZE (messages of @from need not fit @to, and there is no @match_len,
 * with which those go that fit), -EPIPE (an ME process has ended), -EOPNOTSUPP (no
 * channels of the module), -ENODEV,
 * -EIO, -ETIMEDOUT, -ENOMEM, -EMFILE, -ENFILE. nfpchan_error() of @from has the text.
 */
int nfpchan_link_open(struct nfpchan_link **link, struct nfpchan *from, struct nfpchan *to,
		      const struct nfpchan_link_opts *opts);

/**
 * nfpchan_link_close() - end a link; NULL is fine
 *
 * Messages on their way have come when this returns. Threads that are in calls on the two
 * channels are not disturbed.
 */
void nfpchan_link_close(struct nfpchan_link *link);

/* File descriptor of the link, which the handle owns. POLLHUP: it has ended. */
int nfpchan_link_fd(const struct nfpchan_link *link);

/**
 * nfpchan_link_stats() - what a link has carried, and whether it lasts
 * @stat: out
 *
 * Return: 0, -ENODEV.
 */
int nfpchan_link_stats(struct nfpchan_link *link, struct nfp_chan_link_stat *stat);

/* ---- devices ---- */

/**
 * nfpchan_device_open() - have the ME process behind a channel drive a PCI device
 * @ch: an open channel to the NFP: dev0-in or dev1-in
 * @dev: memory, doorbell, and how descriptors and completions look; its size is not read
 *
 * Each message of the channel becomes a job of the device, and what comes of the job a message
 * of dev0-out or dev1-out: the completion, then the output, or of a job that failed the
 * message that it was of. struct nfp_chan_device says what of the device has been set up
 * before, and what ends it. userspace/examples/chain does that for an accelerator.
 *
 * Messages that come to the channel by a link are jobs as well. So are those that waited in it.
 *
 * Return: 0, -EPERM (no CAP_SYS_RAWIO), -EINVAL (sizes, fields), -EADDRNOTAVAIL (the memory is
 * not in one piece for the card), -ENXIO (no such PCI device, its memory space is off, or it
 * has no such doorbell), -EBADF (the channel leads to the host), -EBUSY (the channel has a device), -EOPNOTSUPP (no process that
 * drives devices, no channels of the module), -ERANGE, -EFAULT,
 * -ENODEV, -EIO, -ETIMEDOUT, -ENOMEM. nfpchan_error() has the text.
 */
int nfpchan_device_open(struct nfpchan *ch, const struct nfp_chan_device *dev);

/**
 * nfpchan_device_close() - take the device back, as nfpchan_close() does
 *
 * Jobs under way are counted as dropped. The card uses neither memory nor doorbell any more
 * when this returns 0.
 *
 * Return: 0, -ENOENT (none is there: it was removed, or was none), -ENODEV, -EIO, -ETIMEDOUT.
 */
int nfpchan_device_close(struct nfpchan *ch);

/* ---- active messages ---- */

struct nfpchan_dispatch;

/**
 * typedef nfpchan_handler - what is done with a message
 * @arg: as registered
 * @ch: the channel
 * @msg: the message, where it lies: valid until the handler returns. Of a
 *	stream, all that is there. NULL with a negative @len
 * @len: its bytes; or why no more will come: -EPIPE, -ENODEV, -EIO. The channel
 *	is not registered any more once the handler has returned
 *
 * On a thread of the pool, with all signals blocked. For one channel it is not
 * called again before it has returned; for others, with the same @arg too, it
 * may be. It may send on channels, register others, and remove others; it must
 * not receive on its own, nor close it: the pool is not done with it before
 * nfpchan_dispatch_remove() says so.
 *
 * Return: 0 to go on; anything else: the channel is not registered any more.
 * This message has been received then, those behind it have not.
 */
typedef int (*nfpchan_handler)(void *arg, struct nfpchan *ch, const void *msg, ssize_t len);

/**
 * nfpchan_dispatch_open() - start a pool of threads that handle messages
 * @d: out: the pool
 * @threads: how many, at most 64; 0 for one a CPU
 *
 * Return: 0, -EINVAL (too many threads), -EAGAIN (no threads are left), -ENOMEM,
 * -EMFILE, -ENFILE.
 */
int nfpchan_dispatch_open(struct nfpchan_dispatch **d, unsigned int threads);

/**
 * nfpchan_dispatch_add() - have each message of a channel handled
 * @ch: a channel to the host. Receiving from it is the pool's, until it is
 *	removed; NFPCHAN_ALONE is kept
 * @fn: the handler
 * @arg: its argument
 *
 * Messages are handled in the order of the channel, so of each sender; one at a
 * time for each channel, several channels at a time. A channel with more has
 * 64 in a row, then the others have their turn. Before a thread sleeps it
 * watches as the channel's wait policy says (with NFPCHAN_WAIT_SPIN that channel
 * keeps a thread).
 *
 * Return: 0, -EBADF (the channel leads to the NFP), -EBUSY (messages are
 * borrowed), -EEXIST (registered here), -ENOMEM, -ENOSPC.
 */
int nfpchan_dispatch_add(struct nfpchan_dispatch *d, struct nfpchan *ch, nfpchan_handler fn,
			 void *arg);

/**
 * nfpchan_dispatch_remove() - take a channel out
 *
 * Waits for its handler, if that runs. It is not called again. To be called
 * before nfpchan_close() in any case, unless the pool was closed: that the handler
 * has ended it may be known before the pool is done with the channel. With 0 and
 * with -ENOENT it is.
 *
 * Return: 0, -ENOENT (not registered, or not any more), -EDEADLK (called by its
 * own handler: that returns another value than 0 instead).
 */
int nfpchan_dispatch_remove(struct nfpchan_dispatch *d, struct nfpchan *ch);

/**
 * nfpchan_dispatch_close() - end the pool; NULL is fine
 *
 * Waits for the handlers that run, and joins the threads. Messages that were
 * not handled are in their channels, which stay open, to be received.
 *
 * Return: 0, -EDEADLK (called by a handler).
 */
int nfpchan_dispatch_close(struct nfpchan_dispatch *d);

/**
 * nfpchan_raise() - set the signal of the process at the other end
 *
 * One store, without a system call, if the channel has a signal doorbell (the
 * first 15 pipes whose process takes signals do); else as nfpchan_signal().
 *
 * Return: 0, -EOPNOTSUPP (the process takes no signals), -ENODEV.
 */
int nfpchan_raise(struct nfpchan *ch);

/**
 * nfpchan_xdp_bind() - have events of an offloaded XDP program come here
 * @prog_fd: the program, offloaded to the channel's card; it may be closed
 *	afterwards
 * @map_id: kernel's id of the perf event array that it emits them on
 *
 * What the program gives to bpf_perf_event_output() on that map comes as
 * messages of this channel from now on: struct nfp_chan_xdp_event
 * (nfpchan/nfp_chan_xdp.h), then the bytes. The channels "xdp0" and so on are made
 * for it. The program is held until nfpchan_xdp_unbind() or nfpchan_close().
 * Waits for the firmware, 1 s at most.
 *
 * Return: 0, -EBADF (not the descriptor of an XDP program), -EINVAL (map id 0),
 * -EOPNOTSUPP (not a channel for events), -ENXIO (not offloaded), -EXDEV
 * (to another card), -ENOENT (the program uses no such map), -EBUSY (the map is
 * bound already), -ENOSPC (16 maps of the card are), -ENOMEM, -EIO, -ETIMEDOUT
 * (it may be bound), -ENODEV.
 */
int nfpchan_xdp_bind(struct nfpchan *ch, int prog_fd, uint32_t map_id);

/**
 * nfpchan_xdp_unbind() - have the map's events go the old way again
 *
 * Those emitted before are in the channel when it returns, and none follows.
 *
 * Return: 0, -ENOENT (not bound to this handle), -EINVAL (map id 0), -EIO,
 * -ETIMEDOUT, -ENODEV.
 */
int nfpchan_xdp_unbind(struct nfpchan *ch, uint32_t map_id);

/**
 * struct nfpchan_stats - what this handle did
 * @size: sizeof(struct nfpchan_stats), set by the caller
 * @msgs: messages sent, received or borrowed
 * @bytes: their payload
 * @doorbells: posted writes to the card for them
 * @arms: posted writes to arm the pipe, by nfpchan_arm()
 * @sleeps: times a call slept in poll()
 * @borrowed: messages borrowed now
 * @inlined: messages that went inline
 * @waits: calls that had to wait, and got what they waited for
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
 * nfpchan_stats() - counters of the handle (of the card: nfpchan_query())
 *
 * Return: 0, -EINVAL (@stats->size is too small for itself).
 */
int nfpchan_stats(struct nfpchan *ch, struct nfpchan_stats *stats);

/**
 * nfpchan_error() - text of the last failure on this handle
 * @buf: where it goes, with a NUL
 * @len: its size
 *
 * Names the channel, the value and the limit. -EAGAIN, -ETIMEDOUT and -EINTR
 * leave no text. With several threads on the handle it is the last failure of
 * any of them.
 *
 * Return: @buf.
 */
char *nfpchan_error(struct nfpchan *ch, char *buf, size_t len);

#ifdef __cplusplus
}
#endif

#include "nfpchan_port.h"

#endif /* NFPCHAN_H */
