/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * fuzz.h - random programs of system calls on a card's node and on channel fds.
 *
 * A program is a list of calls for a few threads of one process. The numbers of a call say what
 * it does, and every value of each number has a meaning, so each random change of a program is a
 * program again.
 */
#ifndef CHAN_FUZZ_H
#define CHAN_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <nfpchan/nfp_chan_peer.h>

#include "random.h"
#include "tap.h"

#define CALLS		1024	/* largest number of calls of a program */
#define THREADS		3
#define SLOTS		12	/* slots for files of a process */
#define MAPS		6	/* mappings */
#define WINDOW		(16ul << 20)	/* addresses reserved for each mapping */
#define PAGE		4096ul
#define NAMES		64
#define JOBS		16	/* programs that run at once, at most */
#define COVER_BITS	(1u << 21)	/* bits of coverage: results first, then places */
#define COVER_PLACES	(1u << 16)	/* first bit for places of the module */

/**
 * struct call - one system call, or a few that belong together
 * @op: the operation, modulo op_count
 * @thread: the thread that makes it, modulo THREADS
 * @a: a slot (see slot()) or mapping, modulo their number
 * @b: a second slot or mapping
 * @x: argument; each operation says how it uses @x, @y and @z
 * @y: argument
 * @z: argument
 */
struct call {
	uint8_t op;
	uint8_t thread;
	uint8_t a;
	uint8_t b;
	uint32_t x;
	uint32_t y;
	uint32_t z;
};

/**
 * struct prog - a program
 * @user: 0: it runs as root, else as a user of the node's group
 * @lock: chooses RLIMIT_MEMLOCK
 * @n: number of calls
 * @call: the calls
 */
struct prog {
	uint8_t user;
	uint8_t lock;
	unsigned int n;
	struct call call[CALLS];
};

/* What a slot usually holds: the card's node, a channel, another kind of file */
enum slot_kind { CARD, CHAN, OTHER, ANY };

/* The slots of a kind */
struct slot_range {
	uint8_t first;
	uint8_t count;
};

static const struct slot_range slots_of[] = {
	[CARD] = { 0, 2 }, [CHAN] = { 2, 6 }, [OTHER] = { 8, SLOTS - 8 }, [ANY] = { 0, SLOTS },
};

/* Properties of a channel's file */
#define TAG_READ	0x1	/* to the host */
#define TAG_WRITE	0x2	/* to the NFP */
#define TAG_ASK		0x4	/* a message to it makes the card send something */
#define TAG_PORT	0x8
#define TAG_LOOP	0x10	/* another channel can share its ring */
#define TAG_XDP		0x20	/* for events of offloaded programs */
#define TAG_MAPPED	0x40	/* opened to be mapped */

/**
 * struct op - an operation
 * @name: its name
 * @weight: frequency, relative to other operations
 * @a: kind of file usually in slot @a of a call
 * @b: kind of file usually in slot @b of a call
 * @run: do it; return 0 or more, or -errno
 */
struct op {
	const char *name;
	unsigned int weight;
	enum slot_kind a;
	enum slot_kind b;
	long (*run)(const struct call *c);
};

extern const struct op ops[];
extern const unsigned int op_count;

/**
 * struct setup - what all programs use, filled in once
 * @names: names of the channels
 * @tags: TAG_* of each channel
 * @count: number of channels
 * @tester: a user of the node's group
 * @prog_fd: an XDP program that is not offloaded, or -1
 * @card_fd: an XDP program that is offloaded to the card, or -1
 * @map_fd: the offloaded program's event map
 */
struct setup {
	char names[NAMES][NFP_CHAN_NAME_LEN];
	uint8_t tags[NAMES];
	unsigned int count;
	unsigned int tester;
	int prog_fd;
	int card_fd;
	int map_fd;
};

extern struct setup setup;

/* exec.c: one process for each program */
struct map {
	uint8_t *base;		/* start of its window */
	size_t len;		/* length of the last mapping there */
};

extern struct map maps[MAPS];
extern int socks[2];

void exec_prog(const struct prog *p) __attribute__((noreturn));
int slot(unsigned int n);
int slot_find(unsigned int n, uint8_t tag);
int slot_like(unsigned int n, uint8_t tag);
uint8_t slot_tag(unsigned int n);
long slot_put(unsigned int n, int fd);
long slot_put_tagged(unsigned int n, int fd, uint8_t tag);
void *place(const void *data, size_t len, uint32_t how);
bool touch(void (*access)(void *arg), void *arg);
long result(long ret);
bool files_calm(void);
long file_over(int from, int to);
bool in_child(void);
long run_child(const struct call *c);

/* ops_chan.c, ops_fd.c, ops_mem.c */
typedef long op_run(const struct call *c);

op_run op_card, op_info, op_query, op_open, op_port, op_signal, op_geom, op_eventfd,
	op_shared, op_cancel, op_bind, op_ioctl, op_read, op_write, op_feed, op_poll, op_epoll,
	op_newfd, op_close, op_dup, op_fcntl, op_pass, op_misc, op_uring, op_mmap, op_munmap,
	op_mremap, op_mprotect, op_madvise, op_touch, op_link, op_arm, op_kick;

/* answer.c: calls that are not ioctls; no ioctl of the module has these numbers */
#define ON_READ		1
#define ON_WRITE	2
#define ON_MMAP		3

void answer_init(void);
long answer(const struct call *c, int fd, unsigned long what, long ret);
void answer_any(const struct call *c, long ret);
unsigned int answer_wrong(void);

/* offload.c */
void offload_init(void);
void offload_again(void);

/* prog.c */
void prog_random(struct prog *p, uint64_t seed);
void prog_mutate(struct prog *p, const struct prog *other, uint64_t *state);
void prog_print(const struct prog *p, FILE *f);
bool prog_parse(struct prog *p, FILE *f);

/* cover.c */
bool cover_init(void);
void cover_job(unsigned int job);
void cover_thread(void);
void cover_child(void);
void cover_call(const struct call *c, long ret, uint64_t ns);
unsigned int cover_news(unsigned int job);
void cover_print(bool ops_too);
uint64_t cover_calls(void);
unsigned int cover_places(void);
unsigned int cover_failing(void);
unsigned int cover_results(void);

#endif /* CHAN_FUZZ_H */
