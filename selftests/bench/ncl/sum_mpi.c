// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * sum_mpi - add the arrays of all ranks with MPI_Allreduce, measure it, and check the sums.
 *
 * usage: sum_mpi COUNT ROUNDS
 *
 * The first round is not measured. When it ends, all ranks have started.
 */
#include <mpi.h>

#include "meter.h"
#include "sum.h"

int main(int argc, char **argv)
{
	uint32_t count = argc == 3 ? (uint32_t)atoi(argv[1]) : 0, *data;
	uint32_t rounds = argc == 3 ? (uint32_t)atoi(argv[2]) + 1 : 0;
	struct meter from = { 0 };
	int rank, ranks;

	if (!count || rounds < 2)
		return fprintf(stderr, "usage: sum_mpi COUNT ROUNDS\n"), 2;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	data = sum_arrays((unsigned int)rank, rounds, count);
	if (!data)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (uint32_t r = 0; r < rounds; r++) {
		if (r == 1)
			meter_begin(&from);
		MPI_Allreduce(MPI_IN_PLACE, data + (size_t)r * count, (int)count, MPI_UINT32_T,
			      MPI_SUM, MPI_COMM_WORLD);
	}
	meter_end(&from, "worker");
	if (!sum_right(data, rounds, count, (unsigned int)ranks))
		MPI_Abort(MPI_COMM_WORLD, 1);
	free(data);
	MPI_Finalize();
	return 0;
}
