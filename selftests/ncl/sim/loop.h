/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * loop.h - a program with its description and kernels, on addresses of this machine.
 *
 *	w1 w2 w3 w4 server -- s1
 *
 * sum	adds what the workers send, and sends the sums to all
 * calc	r = a op b, reflected
 * ask	goes to the server, whose program answers
 * log	goes to the server, which acknowledges
 */
#ifndef SIM_LOOP_H
#define SIM_LOOP_H

#include <stdbool.h>
#include "device.h"
#include "ncrt.h"

#define WORKERS		4
#define WINDOW		16
#define SIM_SLOTS	64

/* Numbers of nodes */
enum { W1 = 1, W2, W3, W4, SERVER, S1 };

/* Write the AND file and the description below a new folder; its path. */
const char *loop_files(void);
const char *loop_net(void);
const char *loop_desc(void);

/* Address of a node, network byte order */
uint32_t loop_ip(unsigned int node);

/* The program as nclc would put it into a hosts' object; for the addresses see loop.c. */
extern const struct ncl_program loop_program;
void loop_sum(int *data);
void loop_result(int *data, int *sums, bool *done);

/* The device, with the kernels of the program. */
pid_t loop_device(uint64_t seed, unsigned int loss, unsigned int twice, unsigned int late,
		  struct sim_counts **counts);

/* A session of a node; the test ends if it cannot be opened. */
struct ncrt *loop_open(unsigned int node, const struct ncrt_opts *more);

#endif /* SIM_LOOP_H */
