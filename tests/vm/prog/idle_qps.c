// SPDX-License-Identifier: GPL-2.0
/*
 * Connected queue pairs that do nothing, and the memory that they take.
 *
 *	idle_qps DEVICE GID-INDEX N...
 *
 * Prints a line "N BYTES" for each N, counts of queue pairs in ascending order: how much less
 * memory is available with them than before the first. Then waits to be killed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* To itself. */
static void connect_to_self(struct side *s, struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = qp->qp_num,
		.max_rd_atomic = 1,
		.max_dest_rd_atomic = 1,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.min_rnr_timer = 12,
		.ah_attr = { .is_global = 1,
			     .port_num = 1,
			     .grh = { .dgid = s->gid,
				      .sgid_index = s->gid_index,
				      .hop_limit = 64 } },
	};
	int err;

	err = ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
	attr.qp_state = IBV_QPS_RTR;
	err = err   ?:
		      ibv_modify_qp(qp, &attr,
				    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
					    IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
					    IBV_QP_MIN_RNR_TIMER);
	attr.qp_state = IBV_QPS_RTS;
	err = err   ?:
		      ibv_modify_qp(qp, &attr,
				    IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
					      IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
					      IBV_QP_MAX_QP_RD_ATOMIC);
	if (err)
		die("cannot connect a queue pair: %s", strerror(err));
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
			connect_to_self(&s, create(&s));
		printf("%d %lld\n", n, before - available());
		fflush(stdout);
	}
	pause();
	return 0;
}
