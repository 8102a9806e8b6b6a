// SPDX-License-Identifier: GPL-2.0
/*
 * An MPI program that sums vectors of growing lengths over all ranks and checks
 * every element. Prints "allreduce ok: N ranks, M bytes" on rank 0.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_LEN (1 << 18)

static double element(int rank, int i, int round)
{
	return rank * 1000.0 + i % 997 + round;
}

/* Check the sum of element() over all ranks. The arithmetic is exact. */
static int check(const double *sum, int len, int ranks, int round)
{
	double base = 1000.0 * ranks * (ranks - 1) / 2;

	for (int i = 0; i < len; i++)
		if (sum[i] != base + ranks * (i % 997 + (double)round)) {
			fprintf(stderr, "round %d: element %d of %d is %f\n", round, i, len,
				sum[i]);
			return -1;
		}
	return 0;
}

int main(int argc, char **argv)
{
	double *in = malloc(MAX_LEN * sizeof(*in)), *sum = malloc(MAX_LEN * sizeof(*sum));
	int rank, ranks, len, round = 0;
	size_t bytes = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (!in || !sum || ranks < 2)
		MPI_Abort(MPI_COMM_WORLD, 2);
	for (len = 1; len <= MAX_LEN; len *= 2, round++) {
		for (int i = 0; i < len; i++)
			in[i] = element(rank, i, round);
		MPI_Allreduce(in, sum, len, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		if (check(sum, len, ranks, round))
			MPI_Abort(MPI_COMM_WORLD, 1);
		bytes += len * sizeof(*in);
	}
	if (!rank)
		printf("allreduce ok: %d ranks, %zu bytes\n", ranks, bytes);
	MPI_Finalize();
	free(in);
	free(sum);
	return 0;
}
