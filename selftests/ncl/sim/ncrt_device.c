// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ncrt_device.c - run the device of loop.h, for tests that are not written in C.
 *
 * usage: ncrt_device SEED LOSS TWICE LATE
 *
 * The program prints the paths of the AND file and of the description, runs until the end of its
 * standard input, and prints how many windows the device received.
 */
#include <stdio.h>
#include <stdlib.h>
#include "loop.h"

int main(int argc, char **argv)
{
	struct sim_counts *counts;
	pid_t pid;

	if (argc != 5)
		return 2;
	pid = loop_device(strtoull(argv[1], NULL, 0), (unsigned int)atoi(argv[2]),
			  (unsigned int)atoi(argv[3]), (unsigned int)atoi(argv[4]), &counts);
	printf("%s %s\n", loop_net(), loop_desc());
	fflush(stdout);
	while (getchar() != EOF)
		;
	printf("%lu windows\n", counts->windows);
	sim_stop(pid, counts);
	return 0;
}
