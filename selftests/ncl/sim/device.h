/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * device.h - a device that is a process: it takes datagrams from a socket, loses,
 * doubles and reorders them, and runs kernels that are plain C.
 */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stdint.h>
#include <sys/types.h>
#include "ncp.h"

enum sim_action { SIM_PASS, SIM_REFLECT, SIM_BCAST, SIM_DROP };

/* A kernel: @data are the bytes behind the header, which it may change. */
typedef enum sim_action sim_kernel(void *state, const struct ncp_hdr *hdr, void *data);

/**
 * struct sim_opts - a device
 * @net: path of the AND file
 * @label: the device's label in it
 * @seed: of what happens to datagrams
 * @loss: per mille of datagrams that are lost, on the way in, and on the way out
 * @twice: per mille of those that come twice
 * @late: per mille of those that one to eight others overtake
 * @program: ncp_hdr.program
 * @kernels: by their numbers from 1; [0] is unused
 * @nr_kernels: how many
 * @state: the kernels' memory
 */
struct sim_opts {
	const char *net;
	const char *label;
	uint64_t seed;
	unsigned int loss;
	unsigned int twice;
	unsigned int late;
	uint16_t program;
	sim_kernel *const *kernels;
	unsigned int nr_kernels;
	void *state;
};

/* Counters of a device, in memory that the test sees too */
struct sim_counts {
	uint64_t windows;
	uint64_t lost;
	uint64_t twice;
	uint64_t late;
	uint64_t malformed;
};

/* Its socket is bound when it returns. It ends with the test. */
pid_t sim_start(const struct sim_opts *opts, struct sim_counts **counts);
void sim_stop(pid_t pid, struct sim_counts *counts);

#endif /* SIM_DEVICE_H */
