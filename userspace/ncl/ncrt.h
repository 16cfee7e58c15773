/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ncrt.h - libncrt: the hosts' side of an NCL program.
 *
 * A session is a host of the AND file with a socket. It sends arrays in windows through
 * the kernels of the devices, sends a window again until it is done, and receives those
 * that come back, or by themselves. ncl_host.h has the same in the words of the language.
 *
 * Conventions, for every call that does not say otherwise:
 *  - Failure is a negative errno as the return value; errno itself is neither read nor
 *    set. ncrt_error() has a text that names the value and its limit.
 *  - Calls on different sessions are independent. In one session, one thread may send
 *    (ncrt_out, ncrt_out_window) while another receives (ncrt_in, ncrt_recv); a second
 *    of a kind gets -EBUSY. All other calls may be made at any time. No lock is
 *    held while a call sleeps, or while a kernel of the program runs.
 *  - Nothing is retained of memory passed in once the call has returned.
 *  - Closing a session while another call on it is under way is an error of the caller. A
 *    session must not be used by two processes after fork().
 *  - Numbers in windows are little-endian; so are hosts that this library is built for.
 *
 * Timeouts are in nanoseconds: 0 (NCRT_NONBLOCK) never sleeps, a negative one
 * (NCRT_FOREVER) waits as long as it takes. A call that may sleep fails with -EAGAIN
 * (timeout 0), -ETIMEDOUT, or, if it says so, -EINTR (a signal handler ran while it slept).
 *
 * Link with -lncrt (pkg-config libncrt).
 */
#ifndef NCRT_H
#define NCRT_H

#include <stddef.h>
#include <stdint.h>

#include "ncp.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NCRT_NONBLOCK	((int64_t)0)
#define NCRT_FOREVER	((int64_t)-1)

#define NCRT_ARGS_MAX	16	/* arguments of a kernel */
#define NCRT_SLOTS	32	/* windows that are outstanding, if nobody says otherwise */
#define NCRT_SLOTS_MAX	1024

struct ncrt;

/* ---- what nclc puts into the object of the hosts' code ---- */

/**
 * struct ncrt_window - a window that has come
 * @seq: its number in the invocation, from 0
 * @invocation: number of the invocation
 * @kernel: number of the outgoing kernel
 * @from: node that made it, or answered
 * @to: node that it is for, or 0
 * @len: elements of the kernel's first array
 * @size: bytes of @data
 * @flags: NCP_REPLY...
 * @pad: 0
 * @data: fields of NCL_WINDOW, and the arguments, at the offsets of the description
 */
struct ncrt_window {
	uint32_t seq;
	uint32_t invocation;
	uint16_t kernel;
	uint16_t from;
	uint16_t to;
	uint16_t len;
	uint16_t size;
	uint16_t flags;
	uint32_t pad;
	uint64_t data[NCP_DATA_MAX / 8];
};

/*
 * Calls an incoming kernel. @args are the kernel's, in order: of a value, where it lies in
 * the window; of an array, its first element in the window; of an _ext_ argument, the
 * pointer that the kernel is to get. The kernel's `window` is made of @w.
 */
typedef void ncl_call(const struct ncrt_window *w, void *const *args);

/**
 * struct ncl_kernel - a kernel in the hosts' code
 * @name: as in the description
 * @address: its address in the hosts' code
 * @call: calls it; NULL for an outgoing one
 */
struct ncl_kernel {
	const char *name;
	const void *address;
	ncl_call *call;
};

/**
 * struct ncl_variable - a variable of the network in the hosts' code
 * @name: as in the description
 * @address: where the hosts' code believes it to be: nothing is kept there
 * @size: bytes of the C object
 */
struct ncl_variable {
	const char *name;
	const void *address;
	size_t size;
};

#define NCL_PROGRAM_ABI	1

/**
 * struct ncl_program - a program in the hosts' code
 * @abi: NCL_PROGRAM_ABI
 * @hash: what windows carry (ncp_hdr.program)
 * @name: the program's
 * @description: text of the description, all of PROG.ncd
 * @kernels: all kernels, outgoing and incoming
 * @variables: all _net_ variables and maps
 * @nr_kernels: how many
 * @nr_variables: how many
 */
struct ncl_program {
	uint32_t abi;
	uint32_t hash;
	const char *name;
	const char *description;
	const struct ncl_kernel *kernels;
	const struct ncl_variable *variables;
	uint32_t nr_kernels;
	uint32_t nr_variables;
};

/* nclc defines it in the hosts' object; libncrt does not refer to it. */
extern const struct ncl_program ncl_program;

/* ---- sessions ---- */

#define NCRT_INTR	0x1	/* ncrt_out() and ncrt_out_window() end with -EINTR, too */

/**
 * struct ncrt_opts - how to open a session
 * @size: sizeof(struct ncrt_opts); fields behind it are taken as 0
 * @program: what nclc made, or NULL
 * @description: without @program: path of PROG.ncd; NULL for the environment's NCL_PROGRAM
 * @net: path of the AND file; NULL for NCL_AND
 * @host: the host's label in it; NULL for NCL_HOST
 * @first: number of the first invocation; 0 for NCL_FIRST, and without it one of the
 *	clock's (units of 4.096 us). Hosts that meet in a kernel, as workers of a sum do, need the
 *	same; on the same memory of a device it is to be larger than all that came before
 * @flags: NCRT_INTR, or 0
 * @queue: windows that are kept until somebody receives them, beyond the answers to this
 *	host's own; 0 for 4096. More are dropped and counted (ncrt_stats.full)
 * @rcvbuf: bytes that sockets are to hold, as far as the system allows; 0 for 4 MiB
 */
struct ncrt_opts {
	size_t size;
	const struct ncl_program *program;
	const char *description;
	const char *net;
	const char *host;
	uint32_t first;
	uint32_t flags;
	uint32_t queue;
	uint32_t rcvbuf;
};

/**
 * ncrt_open() - open a session
 * @nc: out: the handle
 * @opts: options, or NULL
 * @err: buffer for a text that says what is wrong, or NULL
 * @errlen: its size
 *
 * The socket is bound to the host's address and port, and to the groups of the devices
 * that it is next to. Several hosts may be on one machine, each with another
 * address.
 *
 * Return: 0, -EINVAL (a file is wrong, the label is no host, no program is named), -ENOENT (no
 * such file), -EADDRINUSE (another session is this host), -EADDRNOTAVAIL (the address is no
 * address of this machine), -EPROTO (nodes of program and AND file differ; the object's
 * table is another library's), -E2BIG (options of a newer library), -ENOMEM, -EMFILE, -ENFILE,
 * -errno of socket(2), bind(2), setsockopt(2).
 */
int ncrt_open(struct ncrt **nc, const struct ncrt_opts *opts, char *err, size_t errlen);

/*
 * Close it; NULL is fine. Windows that nobody has received are lost. Answers and
 * acknowledgements can be lost on their way: hosts that wait for one ask a closed session in vain.
 */
void ncrt_close(struct ncrt *nc);

/* Text of the calling thread's last failure on this session; returns @buf. */
char *ncrt_error(struct ncrt *nc, char *buf, size_t len);

/* Number of a node by its label; NULL for this host. -ENOENT: there is none. */
int ncrt_node(struct ncrt *nc, const char *label);

/* Label of a node, which lives as long as the session; NULL: there is none. */
const char *ncrt_label(struct ncrt *nc, unsigned int node);

/*
 * A descriptor that is readable when a datagram has come, for poll(2) and the like; the
 * session owns it. Call ncrt_recv() or ncrt_in() with NCRT_NONBLOCK until -EAGAIN then.
 */
int ncrt_fd(struct ncrt *nc);

/* ---- to the network ---- */

/**
 * struct ncrt_arg - an argument of an outgoing kernel
 * @data: first element of an array, or where a value is; NULL: the value is in @i and @f
 * @count: elements of the array; 0: as many as the windows need (ncrt_wnd.windows)
 * @size: bytes of an element, compared with the kernel's; 0: not compared
 * @flags: 0
 * @i: without @data: the value, for arguments that are integers or bool
 * @f: the same, for those that are float or double
 */
struct ncrt_arg {
	void *data;
	size_t count;
	uint32_t size;
	uint32_t flags;
	int64_t i;
	double f;
};

/*
 * When a window is done:
 *
 * REPLY	a kernel has sent back a window of the same invocation and number, or the
 *		program at the destination has (ncrt_answer())
 * ACK		the libncrt of the destination has it: it says so by itself, and gives its
 *		program each window once
 * NONE		when it has been sent
 */
#define NCRT_REPLY	0
#define NCRT_ACK	1
#define NCRT_NONE	2

/* struct ncrt_wnd.flags */
#define NCRT_PAD	0x1	/* arrays that end within a window: zeros behind their end */
#define NCRT_BACK	0x2	/* elements of answers go to where those of the window came from */
#define NCRT_QUIET	0x4	/* answers are counted and not kept */

/**
 * struct ncrt_wnd - how arrays are sent
 * @size: sizeof(struct ncrt_wnd); fields behind it are taken as 0
 * @mode: NCRT_REPLY, NCRT_ACK or NCRT_NONE
 * @flags: NCRT_PAD, NCRT_BACK, NCRT_QUIET. With neither of the last two, answers are kept for
 *	ncrt_in() and ncrt_recv()
 * @to: node that the windows are for; 0: the host behind the first device
 * @slots: windows that are outstanding at most; 0 for NCRT_SLOTS; at most NCRT_SLOTS_MAX.
 *	Window n has slot n % @slots; n + @slots is sent when n is done, and not before
 * @windows: how many there are; 0: as many as the longest array has
 * @timeout_ms: how long a window may take; 0 for 10 seconds
 * @first_seq: number of the first window
 * @rsvd: 0
 * @fields: the fields of NCL_WINDOW, for each window; NULL for zeros. Fields with
 *	the names "slot" and "ver" are filled by the runtime after that: with the slot, and with
 *	a number that rises by one each time the slot is used, from ncrt_opts.first
 * @fill: called for each window before it is sent first, to change its fields; or NULL. It
 *	is called in the sender's thread and must not call the session
 * @fill_ctx: for @fill
 */
struct ncrt_wnd {
	size_t size;
	uint32_t mode;
	uint32_t flags;
	uint32_t to;
	uint32_t slots;
	uint32_t windows;
	uint32_t timeout_ms;
	uint32_t first_seq;
	uint32_t rsvd;
	const void *fields;
	void (*fill)(void *fields, uint32_t seq, void *fill_ctx);
	void *fill_ctx;
};

/**
 * ncrt_out() - send arrays through a kernel
 * @kernel: name of an outgoing kernel
 * @args: its arguments, in their order; values are the same in all windows
 * @nargs: how many
 * @wnd: how, or NULL for all of it by default
 * @mask: elements that a window has of each array, in their order: they must be those that
 *	the kernel was compiled for (_win_); or NULL
 *
 * Returns when each window is done. A window is sent again when it has not been for about as
 * long as others took, 1 ms at least; the time doubles with each time. Signals do not
 * end it, but with NCRT_INTR.
 *
 * Return: windows sent, or -ENOENT (no such outgoing kernel), -EINVAL (arguments, mask, mode,
 * an array that is not a multiple of the mask, lengths that differ), -EDOM (a value does not
 * fit its type), -ENOBUFS (a million answers are kept already), -ETIMEDOUT (a window was not done
 * in time: the text names kernel, window, node), -EHOSTUNREACH (no way to the node), -EBUSY (another thread sends), -EINTR, -ENOMEM,
 * -errno of sendto(2). After a failure, devices may have seen windows or not.
 */
int64_t ncrt_out(struct ncrt *nc, const char *kernel, const struct ncrt_arg *args,
		 unsigned int nargs, const struct ncrt_wnd *wnd, const uint16_t *mask);

/**
 * ncrt_out_window() - send one window, and wait for what comes back
 * @args: as ncrt_out(); of each array there is what a window has
 * @answer: out: the window that came back (NCRT_REPLY), or NULL
 *
 * NCRT_BACK puts the arrays of the answer where @args has them.
 *
 * Return: 0, or as ncrt_out().
 */
int ncrt_out_window(struct ncrt *nc, const char *kernel, const struct ncrt_arg *args,
		    unsigned int nargs, const struct ncrt_wnd *wnd, struct ncrt_window *answer);

/* ---- from the network ---- */

/**
 * ncrt_recv() - receive a window
 * @kernel: name of an incoming kernel, or of an outgoing one; NULL for any
 * @w: out: it
 * @timeout: ns
 *
 * Answers to this host's own windows, and windows that others sent. Each was checked: its
 * kernel is the program's, its size the kernel's, its sender a node.
 *
 * Return: 0, -ENOENT (no such kernel), -EAGAIN, -ETIMEDOUT, -EINTR, -EBUSY (another thread
 * receives), -errno of recvmsg(2).
 */
int ncrt_recv(struct ncrt *nc, const char *kernel, struct ncrt_window *w, int64_t timeout);

/**
 * ncrt_in() - receive a window and run an incoming kernel on it
 * @kernel: name of an incoming kernel of the program that the session was opened with
 * @ext: pointers for its _ext_ arguments, in their order
 * @next: how many
 * @timeout: ns
 *
 * Return: as ncrt_recv(), -EINVAL (not the number of the kernel's _ext_ arguments),
 * -EOPNOTSUPP (an outgoing kernel, or there is only a description).
 */
int ncrt_in(struct ncrt *nc, const char *kernel, void *const *ext, unsigned int next,
	    int64_t timeout);

/**
 * ncrt_answer() - answer a window that has come
 * @w: it, with arguments as they are to be in the answer
 *
 * It goes to the node that made @w, through the kernels on the way, and ends the wait of
 * that node's ncrt_out(). It is sent once: when it is lost the other node asks again.
 *
 * Return: 0, -EINVAL (not a window of this session's program), -EHOSTUNREACH, -errno of
 * sendto(2).
 */
int ncrt_answer(struct ncrt *nc, const struct ncrt_window *w);

/**
 * ncrt_arg_at() - where an argument is in a window
 * @w: the window
 * @arg: number of the kernel's argument, from 0
 *
 * Return: a pointer into @w, aligned to the argument's type; NULL: there is no such one.
 */
void *ncrt_arg_at(struct ncrt *nc, struct ncrt_window *w, unsigned int arg);

/**
 * ncrt_field_at() - where a field of NCL_WINDOW is in a window
 * @name: the field's
 *
 * Return: a pointer into @w; NULL: there is no such one.
 */
void *ncrt_field_at(struct ncrt *nc, struct ncrt_window *w, const char *name);

/* ---- variables of the network ---- */

/*
 * They are read and written where `ncl deploy` has put the device: on that machine, with the
 * rights of bpf(2), in all devices of this machine that have the variable, or in the one that
 * @place names. Where kernels hold a lock, the call takes it: it waits 100 ms at most, in
 * steps of 50 us.
 *
 * All return 0, -ENOENT (no such variable; its place is not deployed here), -EINVAL (index, size),
 * -EPERM (not allowed to use bpf(2)), -ENODEV (the device has another program by now), -EBUSY
 * (the lock was not to be had), -errno of bpf(2).
 */

/**
 * ncrt_ctrl_wr() - write elements of a variable
 * @var: its name
 * @place: label of a device, or NULL
 * @index: number of the first element, row by row
 * @data: elements
 * @count: how many
 * @size: bytes of one, compared with the variable's type
 */
int ncrt_ctrl_wr(struct ncrt *nc, const char *var, const char *place, size_t index,
		 const void *data, size_t count, size_t size);

/* ncrt_ctrl_rd() - read them. Several devices: of the first. */
int ncrt_ctrl_rd(struct ncrt *nc, const char *var, const char *place, size_t index,
		 void *data, size_t count, size_t size);

/**
 * ncrt_map_put() - insert a key, or give it another value
 * @map: name of a map, or of a lookup table
 * @key: as many bytes as its keys have
 * @value: as many bytes as its values have
 *
 * -E2BIG: the map is full.
 */
int ncrt_map_put(struct ncrt *nc, const char *map, const char *place, const void *key,
		 const void *value);

/* ncrt_map_get() - read the value of a key. -ESRCH: the key is not there. */
int ncrt_map_get(struct ncrt *nc, const char *map, const char *place, const void *key, void *value);

/* ncrt_map_del() - delete a key. -ESRCH: the key is not there. */
int ncrt_map_del(struct ncrt *nc, const char *map, const char *place, const void *key);

/* ---- counters ---- */

/**
 * struct ncrt_stats - what a session has counted
 * @sent: windows, each once
 * @again: windows sent again
 * @done: windows that were answered or acknowledged
 * @received: windows given to the program, or copied to its arrays
 * @acks: acknowledgements sent
 * @duplicates: windows that had come before
 * @late: answers to windows that are not outstanding
 * @malformed: datagrams that are no window of this program: length, magic, version, hash,
 *	kernel, size, sender
 * @full: windows dropped since there was no room (ncrt_opts.queue)
 * @timeouts: windows given up
 * @rtt_ns: how long a window takes, smoothed
 */
struct ncrt_stats {
	uint64_t sent;
	uint64_t again;
	uint64_t done;
	uint64_t received;
	uint64_t acks;
	uint64_t duplicates;
	uint64_t late;
	uint64_t malformed;
	uint64_t full;
	uint64_t timeouts;
	uint64_t rtt_ns;
};

/* Fill @s, which has @size bytes: fields that this library does not know are 0. */
void ncrt_stats(struct ncrt *nc, struct ncrt_stats *s, size_t size);

/* ---- by address, for ncl_host.h ---- */

/*
 * The session of a program that calls no ncrt_open(): opened by the first call, with the
 * options' defaults, and closed at exit. NULL: it failed, and *@err says how.
 */
struct ncrt *ncrt_default(const struct ncl_program *prog, int *err);

/* Open it with options. -EALREADY: it is open. */
int ncrt_default_open(const struct ncl_program *prog, const struct ncrt_opts *opts);

/* The text of the last failure, of ncrt_default() as well; it is the calling thread's. */
const char *ncrt_last_error(void);

/* Names of a kernel and of a variable; NULL: the table has no such address. */
const char *ncrt_kernel_at(struct ncrt *nc, const void *address);
const char *ncrt_variable_at(struct ncrt *nc, const void *address, size_t *offset);

#ifdef __cplusplus
}
#endif

#endif /* NCRT_H */
