/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * loop.h - a program for tests: its AND file with loopback addresses, its description, and its
 * kernels as C functions.
 *
 *	w1 w2 w3 w4 server -- s1, s1 -- s2 -- s3 -- s1, s3 -- far
 *
 *	sum	adds the windows of all workers, and sends the sums to the group of s1
 *	calc	computes r = a op b, and reflects the window
 *	ask	passes the window to the server, whose program answers
 *	log	passes the window to the server, whose libncrt acknowledges
 */
#ifndef SIM_LOOP_H
#define SIM_LOOP_H

#include <stdbool.h>
#include "sim_device.h"
#include "ncrt.h"

#define WORKERS		4
#define WINDOW		16
#define SIM_SLOTS	64

/* Numbers of nodes */
enum { W1 = 1, W2, W3, W4, SERVER, S1, S2, S3, FAR };

/*
 * The first call writes the AND file and the description to a new folder. loop_files() returns
 * the path of the folder; loop_net() and loop_desc() return the paths of the two files.
 */
const char *loop_files(void);
const char *loop_net(void);
const char *loop_desc(void);

/* Address of a node, network byte order */
uint32_t loop_ip(unsigned int node);

/*
 * The table that nclc would put into the hosts' object. It has the addresses of loop_sum and
 * loop_result.
 */
extern const struct ncl_program loop_program;
void loop_sum(int *data);
void loop_result(int *data, int *sums, bool *done);

/* Start the device s1. For @seed, @loss, @twice and @late see struct sim_opts. */
pid_t loop_device(uint64_t seed, unsigned int loss, unsigned int twice, unsigned int late,
		  struct sim_counts **counts);

/*
 * Start a device of the ring. Its kernels broadcast each window; that of log adds 1 to the first
 * element.
 */
pid_t loop_ring(const char *label, struct sim_counts **counts);

/* Open a session of a node. On failure the process exits with status 1. */
struct ncrt *loop_open(unsigned int node, const struct ncrt_opts *more);

#endif /* SIM_LOOP_H */
