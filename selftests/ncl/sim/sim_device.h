/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sim_device.h - a simulated device: a process that receives datagrams on a UDP socket, loses,
 * duplicates and reorders some of them, and runs kernels that are C functions.
 */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stdint.h>
#include <sys/types.h>
#include "ncp.h"

enum sim_action { SIM_PASS, SIM_REFLECT, SIM_BCAST, SIM_DROP };

/* A kernel. It may change @data, the bytes after the header. */
typedef enum sim_action sim_kernel(void *state, const struct ncp_hdr *hdr, void *data);

/**
 * struct sim_opts - a device
 * @net: path of the AND file
 * @label: label of the device in the AND file
 * @seed: chooses the datagrams that are lost, duplicated and held back
 * @loss: datagrams of 1000 that are lost, in each direction
 * @twice: datagrams of 1000 that are delivered twice, in each direction
 * @late: datagrams of 1000 that are held back until 1 to 8 others have passed, in each direction
 * @program: ncp_hdr.program of the program's windows
 * @kernels: kernels by number, from 1; [0] is unused
 * @nr_kernels: highest number of a kernel
 * @state: memory of the kernels
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

/* Counters of a device, in memory that the device's process shares with the test */
struct sim_counts {
	uint64_t windows;
	uint64_t lost;
	uint64_t twice;
	uint64_t late;
	uint64_t malformed;
};

/*
 * Start the device's process. Its socket is bound when sim_start() returns. Linux kills the process
 * when the test ends.
 */
pid_t sim_start(const struct sim_opts *opts, struct sim_counts **counts);
void sim_stop(pid_t pid, struct sim_counts *counts);

#endif /* SIM_DEVICE_H */
