// SPDX-License-Identifier: GPL-2.0
/*
 * Measure the memory of idle connected queue pairs.
 *
 * 	idle_qps DEVICE GID-INDEX N...
 *
 * The counts N are in ascending order. For each, prints a line "N BYTES": the decrease in available
 * memory since before the first queue pair. Then waits to be killed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pair.h"

#define DEPTH 16

static long long available(void)
{
	long long kib = -1;
	char line[128];
	FILE *f = fopen("/proc/meminfo", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %lld kB", &kib) == 1)
			break;
	if (kib < 0)
		die("no MemAvailable in /proc/meminfo");
	fclose(f);
	return kib * 1024;
}

static struct ibv_qp *create(struct side *s)
{
	struct ibv_qp_init_attr init = {
		.send_cq = s->cq,
		.recv_cq = s->cq,
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = DEPTH,
			 .max_recv_wr = DEPTH,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};
	struct ibv_qp *qp = ibv_create_qp(s->pd, &init);

	if (!qp)
		die("cannot create a queue pair");
	return qp;
}

int main(int argc, char **argv)
{
	long long before;
	struct side s;
	int i, n = 0;

	if (argc < 4)
		die("usage: idle_qps DEVICE GID-INDEX N...");
	side_open(&s, argv[1], atoi(argv[2]), 4096);
	before = available();
	for (i = 3; i < argc; i++) {
		for (; n < atoi(argv[i]); n++)
			qp_connect_to_self(create(&s), &s);
		printf("%d %lld\n", n, before - available());
		fflush(stdout);
	}
	pause();
	return 0;
}
