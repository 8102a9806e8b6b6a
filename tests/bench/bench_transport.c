// SPDX-License-Identifier: GPL-2.0
/*
 * bench_transport TIMES: benchmark of the transport. A ping-pong of TIMES messages of 64 KiB over a
 * lossless simulated link; prints the number of packets and the time per packet, which includes the
 * simulated hosts and the link.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <roce/icrc.h>

#include "loss_bench.h"

int main(int argc, char **argv)
{
	struct timespec start, end;
	u64 pkts;

	if (argc != 2) {
		fputs("usage: bench_transport TIMES\n", stderr);
		return 2;
	}
	roce_crc32_init();
	clock_gettime(CLOCK_MONOTONIC, &start);
	pkts = bench_perfect(atol(argv[1]));
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (!pkts)
		return 1;
	printf("%llu packets %.0f ns\n", (unsigned long long)pkts,
	       ((end.tv_sec - start.tv_sec) * 1e9 + end.tv_nsec - start.tv_nsec) / pkts);
	return 0;
}
