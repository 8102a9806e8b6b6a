// SPDX-License-Identifier: GPL-2.0
/*
 * Create the requested number of queue pairs, with address handles, in one process: connect each,
 * send messages over some of them, and destroy all.
 *
 * 	many_qps DEVICE GID-INDEX QPS [stay]
 *
 * With "stay" it prints a line after it has created all, and waits to be killed.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair.h"

#define QPNS	 (1u << 24)
#define MESSAGES 1000u

static struct side s;
static struct ibv_qp **qps;
static struct ibv_ah **ahs;
static unsigned int n;

static struct ibv_ah_attr to_self(void)
{
	return (struct ibv_ah_attr){
		.is_global = 1,
		.port_num = 1,
		.grh = { .dgid = s.gid, .sgid_index = s.gid_index, .hop_limit = 64 },
	};
}

static struct ibv_qp *create_qp(void)
{
	struct ibv_qp_init_attr init = {
		.send_cq = s.cq,
		.recv_cq = s.cq,
		.srq = s.srq,
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 1, .max_send_sge = 1 },
	};
	struct ibv_qp *qp = ibv_create_qp(s.pd, &init);

	if (!qp)
		die("no queue pair: %m");
	return qp;
}

static void create_srq(void)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 8, .max_sge = 1 } };

	s.srq = ibv_create_srq(s.pd, &init);
	if (!s.srq)
		die("no shared receive queue: %m");
}

/* No two queue pairs may have the same number. */
static void note_qpn(uint8_t *taken, uint32_t qpn)
{
	if (qpn < 2 || qpn >= QPNS - 1 || taken[qpn / 8] & 1 << qpn % 8)
		die("a queue pair is given number %#x", qpn);
	taken[qpn / 8] |= 1 << qpn % 8;
}

static void create_all(void)
{
	uint8_t *taken = calloc(1, QPNS / 8);
	struct ibv_ah_attr attr = to_self();
	unsigned int i;

	qps = calloc(n, sizeof(*qps));
	ahs = calloc(n, sizeof(*ahs));
	if (!taken || !qps || !ahs)
		die("no memory for %u pointers", n);
	for (i = 0; i < n; i++) {
		qps[i] = create_qp();
		note_qpn(taken, qps[i]->qp_num);
		qp_connect_to_self(qps[i], &s);
		ahs[i] = ibv_create_ah(s.pd, &attr);
		if (!ahs[i])
			die("no address handle after %u: %m", i);
	}
	free(taken);
}

static void send_over(struct ibv_qp *qp, uint32_t number)
{
	struct ibv_sge from = { (uintptr_t)s.buf, sizeof(number), s.mr->lkey };
	struct ibv_sge to = { (uintptr_t)s.buf + 64, sizeof(number), s.mr->lkey };
	struct ibv_send_wr *bad_send, send = { .wr_id = 1,
					       .sg_list = &from,
					       .num_sge = 1,
					       .opcode = IBV_WR_SEND,
					       .send_flags = IBV_SEND_SIGNALED };
	struct ibv_recv_wr *bad_recv, recv = { .wr_id = 2, .sg_list = &to, .num_sge = 1 };
	struct ibv_wc wc;
	int i;

	memcpy(s.buf, &number, sizeof(number));
	if (ibv_post_srq_recv(s.srq, &recv, &bad_recv) || ibv_post_send(qp, &send, &bad_send))
		die("posting failed: %m");
	for (i = 0; i < 2; i++) {
		side_wait(&s, &wc);
		if (wc.status != IBV_WC_SUCCESS || wc.qp_num != qp->qp_num)
			die("a message over QP %#x: %s for QP %#x", qp->qp_num,
			    ibv_wc_status_str(wc.status), wc.qp_num);
	}
	if (memcmp(s.buf, s.buf + 64, sizeof(number)))
		die("a message over QP %#x arrived damaged", qp->qp_num);
}

/* Destroy every second one first, then the others. */
static void destroy_all(void)
{
	unsigned int i, odd;

	for (odd = 0; odd < 2; odd++)
		for (i = odd; i < n; i += 2)
			if (ibv_destroy_ah(ahs[i]) || ibv_destroy_qp(qps[i]))
				die("number %u cannot be destroyed: %m", i);
	free(ahs);
	free(qps);
}

int main(int argc, char **argv)
{
	double began, made, used;
	unsigned int i;

	if (argc < 4 || (argc == 5 && strcmp(argv[4], "stay")) || argc > 5)
		die("usage: many_qps DEVICE GID-INDEX QPS [stay]");
	n = strtoul(argv[3], NULL, 0);
	side_open(&s, argv[1], atoi(argv[2]), 4096);
	create_srq();
	began = seconds();
	create_all();
	made = seconds();
	if (argc == 5) {
		puts("there");
		fflush(stdout);
		pause();
	}
	for (i = 0; i < MESSAGES; i++)
		send_over(qps[(uint64_t)i * n / MESSAGES], i);
	used = seconds();
	destroy_all();
	printf("%u queue pairs and address handles made and connected in %.1f s, destroyed in %.1f s\n",
	       n, made - began, seconds() - used);
	if (ibv_destroy_srq(s.srq))
		die("the shared receive queue is still in use");
	side_close(&s);
	return 0;
}
