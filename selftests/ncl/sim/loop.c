// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * loop.c - a program for tests: its AND file with loopback addresses, its description, and its
 * kernels as C functions.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "and.h"
#include "loop.h"

#define HASH	0x10c0
#define TEXT(x)	TEXT_(x)
#define TEXT_(x) #x

static const char description[] =
	"ncl 1\n"
	"program loop 10c0\n"
	"node 1 w1 host\nnode 2 w2 host\nnode 3 w3 host\nnode 4 w4 host\n"
	"node 5 server host\nnode 6 s1 device\n"
	"node 7 s2 device\nnode 8 s3 device\nnode 9 far host\n"
	"field ver u32 0\n"
	"field slot u16 4\n"
	"kernel 1 sum out 72 " TEXT(WINDOW) " -\n"
	"arg 1 data i32 " TEXT(WINDOW) " 8\n"
	"kernel 2 calc out 24 - -\n"
	"arg 2 op u8 0 6\narg 2 a u32 0 8\narg 2 b i32 0 12\narg 2 r u64 0 16\n"
	"kernel 3 ask out 48 32 -\n"
	"arg 3 key u64 0 8\narg 3 val i8 32 16\n"
	"kernel 4 log out 24 4 -\n"
	"arg 4 data u32 4 8\n"
	"kernel 5 result in 72 " TEXT(WINDOW) " -\n"
	"arg 5 data i32 " TEXT(WINDOW) " 8\n"
	"arg 5 sums i32 0 0 ext\n"
	"arg 5 done bool 0 0 ext\n"
	"pair 5 1\n"
	"object s1 loop-s1.o 1 0\n"
	"var count s1 array ctrl u32 4x3 count row 1 8 lock 0\n"
	"var table s1 lookup ctrl u32 4 table hash u64 8 4 -\n";

/* ---- files ---- */

static char folder[] = "/tmp/ncrt.XXXXXX", net[64], desc[64];
static unsigned int base;

static void loop_remove(void)
{
	unlink(net);
	unlink(desc);
	rmdir(folder);
}

/* The addresses depend on the process id, so that two tests can run at the same time. */
static void write_net(void)
{
	FILE *f = fopen(net, "w");
	int i;

	fprintf(f, "# four workers and a server at a device, which is in a ring of three devices\n");
	for (i = 1; i <= WORKERS; i++)
		fprintf(f, "host w%d 127.%u.%u.%d\n", i, base >> 8, base & 255, 10 + i);
	fprintf(f, "host server 127.%u.%u.15\ndevice s1 127.%u.%u.16\n", base >> 8, base & 255,
		base >> 8, base & 255);
	for (i = S2; i <= FAR; i++)
		fprintf(f, "%s 127.%u.%u.%d\n", i == S2 ? "device s2" : i == S3 ? "device s3" : "host far",
			base >> 8, base & 255, 10 + i);
	for (i = 1; i <= WORKERS; i++)
		fprintf(f, "link w%d s1\n", i);
	fprintf(f, "link server s1\nlink s1 s2\nlink s2 s3\nlink s3 s1\nlink s3 far\n");
	for (i = 1; i <= 3; i++)
		fprintf(f, "group s%d 239.%d.%u.%u\n", i, 75 + i, base >> 8, base & 255);
	fprintf(f, "multicast %u w1 w2\n", 1 + base % AND_MULTICAST_MAX);
	fclose(f);
}

const char *loop_files(void)
{
	FILE *f;

	if (*net)
		return folder;
	if (!mkdtemp(folder)) {
		perror(folder);
		exit(1);
	}
	base = 1 + (unsigned int)getpid() % 65000;
	snprintf(net, sizeof(net), "%s/net.and", folder);
	snprintf(desc, sizeof(desc), "%s/loop.ncd", folder);
	write_net();
	f = fopen(desc, "w");
	fputs(description, f);
	fclose(f);
	atexit(loop_remove);
	return folder;
}

const char *loop_net(void)
{
	loop_files();
	return net;
}

const char *loop_desc(void)
{
	loop_files();
	return desc;
}

uint32_t loop_ip(unsigned int node)
{
	return htonl(127u << 24 | base << 8 | (10 + node));
}

/* ---- what nclc would make ---- */

void loop_sum(int *data)
{
	(void)data;
}

void loop_result(int *data, int *sums, bool *done)
{
	memcpy(sums, data, WINDOW * sizeof(*data));
	*done = true;
}

static void call_result(const struct ncrt_window *w, void *const *args)
{
	loop_result(args[0], (int *)args[1] + w->seq * WINDOW, args[2]);
}

static const struct ncl_kernel kernels[] = {
	{ "sum", loop_sum, NULL },
	{ "result", loop_result, call_result },
};

const struct ncl_program loop_program = {
	.abi = NCL_PROGRAM_ABI, .hash = HASH, .name = "loop", .description = description,
	.kernels = kernels, .nr_kernels = 2,
};

/* ---- kernels ---- */

struct memory {
	int cell[2][SIM_SLOTS][WORKERS][WINDOW];
	uint32_t round[2][SIM_SLOTS][WORKERS];
};

struct sum_window {
	uint32_t ver;
	uint16_t slot;
	int data[WINDOW];
} __attribute__((aligned(8)));

/*
 * Each worker has two cells per slot, for even and odd @ver: a worker that has received the sums
 * may be one round ahead of a worker that has not. A window of an older round is dropped.
 */
static enum sim_action sum(void *state, const struct ncp_hdr *h, void *data)
{
	unsigned int w = le16toh(h->from) - 1u, i, n;
	struct sum_window *win = data;
	struct memory *m = state;
	uint32_t *round;

	if (w >= WORKERS || win->slot >= SIM_SLOTS)
		return SIM_DROP;
	round = m->round[win->ver & 1][win->slot];
	if (round[w] && (int32_t)(win->ver - round[w]) < 0)
		return SIM_DROP;
	memcpy(m->cell[win->ver & 1][win->slot][w], win->data, sizeof(win->data));
	round[w] = win->ver;
	for (n = 0; n < WORKERS; n++)
		if (round[n] != win->ver)
			return SIM_DROP;
	memset(win->data, 0, sizeof(win->data));
	for (n = 0; n < WORKERS; n++)
		for (i = 0; i < WINDOW; i++)
			win->data[i] += m->cell[win->ver & 1][win->slot][n][i];
	return SIM_BCAST;
}

struct calc_window {
	uint32_t ver;
	uint16_t slot;
	uint8_t op;
	uint32_t a;
	int32_t b;
	uint64_t r;
};

static enum sim_action calc(void *state, const struct ncp_hdr *h, void *data)
{
	struct calc_window *win = data;

	(void)state;
	(void)h;
	win->r = win->op == '+' ? win->a + (uint64_t)(int64_t)win->b : win->a * (uint64_t)win->b;
	return SIM_REFLECT;
}

static enum sim_action on_the_way(void *state, const struct ncp_hdr *h, void *data)
{
	(void)state;
	(void)h;
	(void)data;
	return SIM_PASS;
}

static sim_kernel *const table[] = { NULL, sum, calc, on_the_way, on_the_way };

static enum sim_action spread(void *state, const struct ncp_hdr *h, void *data)
{
	struct { uint64_t fields; uint32_t data[4]; } *win = data;

	(void)state;
	(void)h;
	win->data[0]++;
	return SIM_BCAST;
}

pid_t loop_ring(const char *label, struct sim_counts **counts)
{
	static sim_kernel *const ring[] = { NULL, spread, spread, spread, spread };
	struct sim_opts o = {
		.net = loop_net(), .label = label, .program = HASH, .kernels = ring,
		.nr_kernels = 4,
	};

	return sim_start(&o, counts);
}

pid_t loop_device(uint64_t seed, unsigned int loss, unsigned int twice, unsigned int late,
		  struct sim_counts **counts)
{
	static struct memory memory;
	struct sim_opts o = {
		.net = loop_net(), .label = "s1", .seed = seed, .loss = loss, .twice = twice,
		.late = late, .program = HASH, .kernels = table, .nr_kernels = 4,
		.state = &memory,
	};

	return sim_start(&o, counts);
}

struct ncrt *loop_open(unsigned int node, const struct ncrt_opts *more)
{
	static const char * const label[] = { NULL, "w1", "w2", "w3", "w4", "server", "s1", "s2", "s3",
					   "far" };
	struct ncrt_opts o = { .size = sizeof(o) };
	struct ncrt *nc;
	char err[200];

	if (more)
		o = *more;
	o.program = &loop_program;
	o.net = loop_net();
	o.host = label[node];
	if (ncrt_open(&nc, &o, err, sizeof(err))) {
		fprintf(stderr, "# %s: %s\n", o.host, err);
		exit(1);
	}
	return nc;
}
