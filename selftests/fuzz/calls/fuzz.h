/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * fuzz.h - random programs of system calls on a card's node and on channel fds.
 *
 * A program is a list of calls for a few threads of one process. What a call
 * does is told by its numbers alone, each of which has a meaning for any value:
 * so whatever is made of programs by chance is a program.
 */
#ifndef CHAN_FUZZ_H
#define CHAN_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <nfpchan/nfp_chan.h>

#include "random.h"
#include "tap.h"

#define CALLS		1024	/* of a program, at most */
#define THREADS		3
#define SLOTS		12	/* files of a process */
#define MAPS		6	/* mappings */
#define WINDOW		(16ul << 20)	/* addresses that each mapping has for itself */
#define PAGE		4096ul
#define NAMES		64
#define JOBS		16	/* programs at once, at most */
#define COVER_BITS	(1u << 21)	/* results first, then places of the module */
#define COVER_PLACES	(1u << 16)

/**
 * struct call - one system call, or a few that belong together
 * @op: which, modulo op_count
 * @thread: who does it, modulo THREADS
 * @a: a slot (see slot()) or mapping, modulo their number
 * @b: another
 * @x: what the operation makes of it, as of the rest
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
 * @user: 0: root, else a user of the node's group
 * @lock: RLIMIT_MEMLOCK, one of a few
 * @n: number of calls
 */
struct prog {
	uint8_t user;
	uint8_t lock;
	unsigned int n;
	struct call call[CALLS];
};

/* What a slot mostly holds: the card, channels, files of other kinds. */
enum slot_kind { CARD, CHAN, OTHER, ANY };

/* Which slots those are. */
struct slot_range {
	uint8_t first;
	uint8_t count;
};

static const struct slot_range slots_of[] = {
	[CARD] = { 0, 2 }, [CHAN] = { 2, 6 }, [OTHER] = { 8, SLOTS - 8 }, [ANY] = { 0, SLOTS },
};

/* What is known of a channel's file. */
#define TAG_READ	0x1	/* to the host */
#define TAG_WRITE	0x2	/* to the NFP */
#define TAG_ASK		0x4	/* has the card send something */
#define TAG_PORT	0x8
#define TAG_LOOP	0x10	/* another could share its ring */
#define TAG_XDP		0x20	/* for events of offloaded programs */
#define TAG_MAPPED	0x40	/* opened to be mapped */

/**
 * struct op - an operation
 * @weight: how often, relative to the others
 * @a: what is mostly in the slot of that name
 * @b: and in that one
 * @run: does it; as a system call of the kernel: 0 or more, or -errno
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
 * struct setup - what all programs find, filled in once
 * @names: of the channels
 * @tags: TAG_*, of each
 * @count: how many
 * @tester: a user of the node's group
 * @prog_fd: an XDP program that is not offloaded, or -1
 * @card_fd: one that is offloaded to the card, or -1
 * @map_id: of its event map
 */
struct setup {
	char names[NAMES][NFP_CHAN_NAME_LEN];
	uint8_t tags[NAMES];
	unsigned int count;
	unsigned int tester;
	int prog_fd;
	int card_fd;
	uint32_t map_id;
};

extern struct setup setup;

/* exec.c: one process per program */
struct map {
	uint8_t *base;		/* of its window */
	size_t len;		/* mapped there when last looked at */
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
	op_mremap, op_mprotect, op_madvise, op_touch, op_link;

/* answer.c: not the number of any ioctl of ours */
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
