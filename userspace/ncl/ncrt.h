/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ncrt.h - libncrt: the hosts' side of an NCL program.
 *
 * A session is one host of the AND file, with a socket. The session sends arrays as windows through
 * the kernels of the devices, and sends a window again until the window is done. It receives the
 * windows that devices send back and the windows of other hosts. ncl_host.h has the same calls with
 * the C names of kernels and variables.
 *
 * Conventions, for every call that does not say otherwise:
 * - A call returns a negative errno on failure; errno itself is neither read nor set.
 *   ncrt_error() has a text that names the value and its limit.
 * - Calls on different sessions are independent. In one session, one thread may send
 *   (ncrt_out, ncrt_out_window) while another thread receives (ncrt_in, ncrt_recv). A second
 *   sender or a second receiver gets -EBUSY. All other calls may be made at any time. No lock
 *   is held while a call sleeps, or while a kernel of the program runs. The exception are calls for
 *   variables of devices on other machines: they run one after another.
 * - The library keeps no pointer to memory passed in once the call has returned.
 * - The caller must not close a session while another call on that session is under way. Two
 *   processes must not use the same session after fork().
 * - Numbers in windows are little-endian, and so are the hosts that this library is built for.
 *
 * Timeouts are in nanoseconds: 0 (NCRT_NONBLOCK) never sleeps, a negative value (NCRT_FOREVER) has
 * no limit. A call that may sleep fails with -EAGAIN (timeout 0), -ETIMEDOUT, or, if its
 * description says so, -EINTR (a signal handler ran while the call slept).
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
#define NCRT_SLOTS	32	/* default of windows that are outstanding */
#define NCRT_SLOTS_MAX	1024

struct ncrt;

/* ---- what nclc puts into the object of the hosts' code ---- */

/**
 * struct ncrt_window - a received window
 * @seq: number of the window in the invocation, from 0
 * @invocation: number of the invocation
 * @kernel: number of the outgoing kernel
 * @from: node that sent or answered the window
 * @to: node that the window is for, or 0
 * @len: elements of the kernel's first array
 * @size: bytes of @data
 * @flags: NCP_REPLY...
 * @pad: 0
 * @data: fields of NCL_WINDOW, then the arguments, at the offsets of the description
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
 * Call an incoming kernel. @args has one pointer for each argument of the kernel, in order: to a
 * value inside the window; to the first element of an array inside the window; for an _ext_
 * argument, the pointer that the host passed. The stub makes the kernel's `window` from @w.
 */
typedef void ncl_call(const struct ncrt_window *w, void *const *args);

/**
 * struct ncl_kernel - a kernel in the hosts' code
 * @name: as in the description
 * @address: address of the kernel in the hosts' code
 * @call: function that calls the kernel; NULL for an outgoing kernel
 */
struct ncl_kernel {
	const char *name;
	const void *address;
	ncl_call *call;
};

/**
 * struct ncl_variable - a variable of the network in the hosts' code
 * @name: as in the description
 * @address: address of the C object; no value is kept there
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
 * @hash: ncp_hdr.program of the program's windows
 * @name: name of the program
 * @description: text of the description, all of PROG.ncd
 * @kernels: all kernels, outgoing and incoming
 * @variables: all _net_ variables and maps
 * @nr_kernels: number of kernels
 * @nr_variables: number of variables
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

/* nclc defines this symbol in the hosts' object; libncrt does not refer to it. */
extern const struct ncl_program ncl_program;

/* ---- sessions ---- */

#define NCRT_INTR	0x1	/* signals end ncrt_out() and ncrt_out_window() with -EINTR */

/**
 * struct ncrt_opts - how to open a session
 * @size: sizeof(struct ncrt_opts). Fields beyond @size count as 0. Fields that the library does not
 *	know must be 0
 * @program: the hosts' object that nclc made, or NULL
 * @description: without @program: path of PROG.ncd; NULL for the environment's NCL_PROGRAM
 * @net: path of the AND file; NULL for NCL_AND
 * @host: label of this host in the AND file; NULL for NCL_HOST
 * @first: number of the first invocation; 0 for NCL_FIRST. Without NCL_FIRST the number comes from
 *	the clock, in units of 4.096 us. Hosts whose windows meet in a kernel, for instance the
 *	workers of a sum, need the same number. A device that keeps its memory needs a larger number
 *	than all before.
 * @flags: NCRT_INTR, or 0
 * @queue: windows from other hosts that the session keeps until they are received; 0 for 4096.
 *	Further windows are dropped and counted (ncrt_stats.full).
 * @rcvbuf: bytes of the sockets' receive buffers, within the system's limit; 0 for 4 MiB
 * @ctrl_timeout_ms: time in which `ncl serve` of another machine must answer; 0 for 10 seconds
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
	uint32_t ctrl_timeout_ms;
};

/**
 * ncrt_open() - open a session
 * @nc: out: the handle
 * @opts: options, or NULL
 * @err: buffer for a text about the failure, or NULL
 * @errlen: bytes of @err
 *
 * The session binds sockets to the host's address and port, and to the groups of the neighbouring
 * devices. Several hosts may be on one machine if each has a different address.
 *
 * Return: 0, -EINVAL (a file is wrong, the label is not a host, no program is named), -ENOENT (no
 * such file), -EADDRINUSE (another session has the host's address), -EADDRNOTAVAIL (this machine
 * does not have the address), -EPROTO (program and AND file have different nodes; the object's
 * table is for another version of the library), -E2BIG (options of a newer library), -ENOMEM,
 * -EMFILE, -ENFILE, -errno of socket(2), bind(2), setsockopt(2).
 */
int ncrt_open(struct ncrt **nc, const struct ncrt_opts *opts, char *err, size_t errlen);

/*
 * Close a session; NULL is fine. Windows that were not received are lost. If a last answer or
 * acknowledgement was lost on the way, the host that waits for it times out, because a closed
 * session does not send it again.
 */
void ncrt_close(struct ncrt *nc);

/* Text of the calling thread's last failure; returns @buf. */
char *ncrt_error(struct ncrt *nc, char *buf, size_t len);

/* Number of the node with @label; NULL for this host. -ENOENT: no node has this label. */
int ncrt_node(struct ncrt *nc, const char *label);

/* Label of a node, valid while the session is open. NULL: there is no such node. */
const char *ncrt_label(struct ncrt *nc, unsigned int node);

/*
 * A descriptor for poll(2) and similar calls, readable when a datagram has come. The session owns
 * it. When it is readable, call ncrt_recv() or ncrt_in() with NCRT_NONBLOCK until -EAGAIN.
 */
int ncrt_fd(struct ncrt *nc);

/* ---- to the network ---- */

/**
 * struct ncrt_arg - an argument of an outgoing kernel
 * @data: first element of an array, or the address of a value; NULL: the value is in @i or @f
 * @count: elements of the array; 0: as many as the windows need (ncrt_wnd.windows)
 * @size: bytes of an element, compared with the kernel's; 0: not compared
 * @flags: 0
 * @i: without @data: the value of an integer or bool argument
 * @f: without @data: the value of a float or double argument
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
 * REPLY	A device has sent back a window with the same invocation and number, or the
 *		program at the destination has answered with ncrt_answer().
 * ACK		The libncrt of the destination has received the window. libncrt acknowledges by
 *		itself, and gives its program each window once.
 * NONE		The window has been sent.
 */
#define NCRT_REPLY	0
#define NCRT_ACK	1
#define NCRT_NONE	2

/* ncrt_wnd.flags */
#define NCRT_PAD	0x1	/* an array may end inside a window: zeros fill the rest */
#define NCRT_BACK	0x2	/* an answer's elements go to where those of the window came from */
#define NCRT_QUIET	0x4	/* count answers, but do not keep them */

/**
 * struct ncrt_wnd - how arrays are sent
 * @size: sizeof(struct ncrt_wnd). Fields beyond @size count as 0. Fields that the library does not
 *	know must be 0
 * @mode: NCRT_REPLY, NCRT_ACK or NCRT_NONE
 * @flags: NCRT_PAD, NCRT_BACK, NCRT_QUIET. Without NCRT_BACK and NCRT_QUIET, answers are kept for
 *	ncrt_in() and ncrt_recv().
 * @to: node that the windows are for; 0: the host at the first device
 * @slots: most windows that are outstanding; 0 for NCRT_SLOTS; at most NCRT_SLOTS_MAX. Window n has
 *	slot n % @slots, so window n + @slots is sent only after window n is done.
 * @windows: number of windows; 0: as many as the longest array needs
 * @timeout_ms: time in which a window must be done; 0 for 10 seconds
 * @first_seq: number of the first window
 * @rsvd: 0
 * @fields: the fields of NCL_WINDOW for every window; NULL for zeros. The runtime then fills the
 *	fields named "slot" and "ver": "slot" is the window's slot; "ver" starts at ncrt_opts.first
 *	and rises by one each time the slot is used.
 * @fill: called for each window before its first transmission, to change its fields; or NULL. The
 *	function runs in the sender's thread and must not call the session.
 * @fill_ctx: argument of @fill
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
 * @args: arguments of the kernel, in order; a value is the same in all windows
 * @nargs: number of arguments
 * @wnd: how to send, or NULL for the defaults
 * @mask: elements of each array that one window carries, in order; must equal the _win_() that the
 *	kernel was compiled with; or NULL
 *
 * The call returns when all windows are done. A window that is not done after the time that windows
 * usually take (at least 1 ms) is sent again, and the wait doubles with each transmission. Signals
 * do not end the call, unless NCRT_INTR is set.
 *
 * Return: number of windows sent, or -ENOENT (no such outgoing kernel), -EINVAL (arguments, mask,
 * mode, an array that is not a multiple of the mask, lengths that differ), -EDOM (a value does not
 * fit its type), -ENOBUFS (a million answers are kept already), -ETIMEDOUT (a window was not done
 * in time: the text names kernel, window and node), -EHOSTUNREACH (no path to the node), -EBUSY
 * (another thread sends), -EINTR, -ENOMEM, -errno of sendto(2). After a failure, devices may or may
 * not have processed the windows.
 */
int64_t ncrt_out(struct ncrt *nc, const char *kernel, const struct ncrt_arg *args,
		 unsigned int nargs, const struct ncrt_wnd *wnd, const uint16_t *mask);

/**
 * ncrt_out_window() - send one window, and wait for its answer
 * @args: as for ncrt_out(); each array has the elements of one window
 * @answer: out: the window that came back (NCRT_REPLY), or NULL
 *
 * With NCRT_BACK, the arrays of the answer go to where @args has them.
 *
 * Return: 0, or the errors of ncrt_out().
 */
int ncrt_out_window(struct ncrt *nc, const char *kernel, const struct ncrt_arg *args,
		    unsigned int nargs, const struct ncrt_wnd *wnd, struct ncrt_window *answer);

/* ---- from the network ---- */

/**
 * ncrt_recv() - receive a window
 * @kernel: name of an incoming or outgoing kernel; NULL for any
 * @w: out: the window
 * @timeout: ns
 *
 * Receive an answer to one of this host's windows, or a window of another host. The library has
 * checked each window: the program has its kernel, its size is the kernel's, and its sender is a
 * node of the AND file.
 *
 * Return: 0, -ENOENT (no such kernel), -EAGAIN, -ETIMEDOUT, -EINTR, -EBUSY (another thread
 * receives), -errno of recvmsg(2).
 */
int ncrt_recv(struct ncrt *nc, const char *kernel, struct ncrt_window *w, int64_t timeout);

/**
 * ncrt_in() - receive a window and run an incoming kernel on it
 * @kernel: name of an incoming kernel of the program that the session was opened with
 * @ext: pointers for the kernel's _ext_ arguments, in order
 * @next: number of pointers
 * @timeout: ns
 *
 * Return: as ncrt_recv(), -EINVAL (@next is not the number of the kernel's _ext_ arguments),
 * -EOPNOTSUPP (@kernel is an outgoing kernel, or the session has only a description).
 */
int ncrt_in(struct ncrt *nc, const char *kernel, void *const *ext, unsigned int next,
	    int64_t timeout);

/**
 * ncrt_answer() - answer a received window
 * @w: the window, with the arguments of the answer
 *
 * The answer goes to the node that sent @w, through the kernels on the way, and ends the wait of
 * that node's ncrt_out(). The answer is sent once. If it is lost, the waiting node sends its window
 * again.
 *
 * Return: 0, -EINVAL (not a window of this session's program), -EHOSTUNREACH, -errno of sendto(2).
 */
int ncrt_answer(struct ncrt *nc, const struct ncrt_window *w);

/**
 * ncrt_arg_at() - find an argument in a window
 * @w: the window
 * @arg: number of the kernel's argument, from 0
 *
 * Return: a pointer into @w, aligned to the argument's type; NULL: no such argument.
 */
void *ncrt_arg_at(struct ncrt *nc, struct ncrt_window *w, unsigned int arg);

/**
 * ncrt_field_at() - find a field of NCL_WINDOW in a window
 * @name: name of the field
 *
 * Return: a pointer into @w; NULL: no such field.
 */
void *ncrt_field_at(struct ncrt *nc, struct ncrt_window *w, const char *name);

/* ---- variables of the network ---- */

/*
 * A variable is in the memory of a device. A write reaches every device that has the variable, or the
 * one device that @place names. A read reaches one device: @place, or else the first device on this
 * machine, or else the first device.
 *
 * If `ncl deploy` has put the device on this machine, a call works with the rights of bpf(2). If
 * kernels hold a lock for the variable, the call takes the lock as well: it tries for at most 100 ms,
 * in steps of 50 us. A read takes no lock if the lock's key depends on the window, and a write fails
 * with -EOPNOTSUPP then. If a process dies while it holds the lock, a later call takes the lock over.
 * Such a process is found by its id, so all processes that write variables of one device must be in
 * one pid namespace.
 *
 * If the device is on another machine, a call sends its request to `ncl serve` there, which does the
 * same if the variable is _ctrl_, _managed_ or a map, and if this host has access. The request is sent
 * again until it is answered (ncrt_opts.ctrl_timeout_ms); it is executed once. An array of more than
 * NCP_CTRL_DATA bytes takes several requests. Such calls of a session run one after another.
 *
 * All return 0, -ENOENT (no such variable), -EINVAL (index, size), -EPERM (not allowed to use
 * bpf(2)), -ENODEV (the device now has another program), -EBUSY (the lock could not be taken),
 * -ECONNREFUSED (the device is not deployed on this machine, and not served at its address),
 * -EACCES (this host has no access to the variable), -ETIMEDOUT (no answer), -errno of bpf(2) and
 * sendto(2). After -ETIMEDOUT the request may or may not have been executed.
 */

/**
 * ncrt_ctrl_wr() - write elements of a variable
 * @var: name of the variable
 * @place: label of a device, or NULL for all
 * @index: number of the first element, row by row
 * @data: elements
 * @count: number of elements
 * @size: bytes of an element, compared with the variable's type
 */
int ncrt_ctrl_wr(struct ncrt *nc, const char *var, const char *place, size_t index,
		 const void *data, size_t count, size_t size);

/* ncrt_ctrl_rd() - read elements */
int ncrt_ctrl_rd(struct ncrt *nc, const char *var, const char *place, size_t index,
		 void *data, size_t count, size_t size);

/**
 * ncrt_map_put() - insert a key, or change its value
 * @map: name of a map or lookup table
 * @key: a key, of the size of the map's keys
 * @value: a value, of the size of the map's values
 *
 * -E2BIG: the map is full.
 */
int ncrt_map_put(struct ncrt *nc, const char *map, const char *place, const void *key,
		 const void *value);

/* ncrt_map_get() - read the value of a key. -ESRCH: the map does not have the key. */
int ncrt_map_get(struct ncrt *nc, const char *map, const char *place, const void *key, void *value);

/* ncrt_map_del() - delete a key. -ESRCH: the map does not have the key. */
int ncrt_map_del(struct ncrt *nc, const char *map, const char *place, const void *key);

/* ---- counters ---- */

/**
 * struct ncrt_stats - counters of a session
 * @sent: windows, each counted once
 * @again: transmissions after the first
 * @done: windows that were answered or acknowledged
 * @received: windows given to the program, or copied to its arrays
 * @acks: acknowledgements sent
 * @duplicates: windows that had come before
 * @late: answers to windows that are not outstanding
 * @malformed: datagrams that are not a window of this program: length, magic, version, hash,
 *	kernel, size or sender is wrong
 * @full: windows dropped for lack of room (ncrt_opts.queue)
 * @timeouts: windows given up
 * @rtt_ns: smoothed time from sending a window to its answer
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

/* Fill @s, which has @size bytes. Fields beyond those that this library knows become 0. */
void ncrt_stats(struct ncrt *nc, struct ncrt_stats *s, size_t size);

/* ---- kernels and variables by address, for ncl_host.h ---- */

/*
 * The session of a program that does not call ncrt_open(). The first call opens the session with
 * default options; the session is closed at exit. NULL: opening failed with *@err.
 */
struct ncrt *ncrt_default(const struct ncl_program *prog, int *err);

/* Open the session of ncrt_default() with options. -EALREADY: the session is already open. */
int ncrt_default_open(const struct ncl_program *prog, const struct ncrt_opts *opts);

/* Text of the calling thread's last failure, including failures of ncrt_default() */
const char *ncrt_last_error(void);

/* Name of the kernel or variable at @address; NULL: the program's table does not have @address. */
const char *ncrt_kernel_at(struct ncrt *nc, const void *address);
const char *ncrt_variable_at(struct ncrt *nc, const void *address, size_t *offset);

#ifdef __cplusplus
}
#endif

#endif /* NCRT_H */
