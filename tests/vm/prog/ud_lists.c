// SPDX-License-Identifier: GPL-2.0
/*
 * Send lists of datagrams, one doorbell per list, with alternating traffic classes and hop limits.
 * They need no receiver.
 *
 * 	ud_lists DEVICE GID-INDEX GID COUNT TCLASS[/HOP-LIMIT]...
 *
 * GID is an IPv6 address, or an IPv4-mapped one. Each of several queue pairs sends COUNT lists. The
 * hop limit is 64 if none is given.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "pair.h"

#define QPS	    8
#define LIST	    16
#define MAX_CLASSES 4
#define SIZE	    64
#define QKEY	    0x11111111u

static struct ibv_qp *ready_qp(struct side *s)
{
	struct ibv_qp_init_attr init = {
		.send_cq = s->cq,
		.recv_cq = s->cq,
		.cap = { LIST, 1, 1, 1, 0 },
		.qp_type = IBV_QPT_UD,
	};
	struct ibv_qp *qp = ibv_create_qp(s->pd, &init);
	struct ibv_qp_attr attr = { .port_num = 1, .qkey = QKEY };
	int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY;

	for (attr.qp_state = IBV_QPS_INIT; qp && attr.qp_state <= IBV_QPS_RTS; attr.qp_state++) {
		if (ibv_modify_qp(qp, &attr, mask))
			die("a queue pair to state %d: %m", attr.qp_state);
		mask = IBV_QP_STATE | (attr.qp_state == IBV_QPS_RTR ? IBV_QP_SQ_PSN : 0);
	}
	if (!qp)
		die("cannot create a queue pair: %m");
	return qp;
}

/* @headers is TCLASS[/HOP-LIMIT]. */
static struct ibv_ah *address(struct side *s, const union ibv_gid *to, const char *headers)
{
	struct ibv_ah_attr attr = { .is_global = 1, .port_num = 1 };
	struct ibv_ah *ah;
	char *end;

	attr.grh.dgid = *to;
	attr.grh.sgid_index = s->gid_index;
	attr.grh.traffic_class = strtoul(headers, &end, 0);
	attr.grh.hop_limit = *end == '/' ? strtoul(end + 1, NULL, 0) : 64;
	ah = ibv_create_ah(s->pd, &attr);
	if (!ah)
		die("no way to the address: %m");
	return ah;
}

/* Only the last one generates a completion. */
static void post_list(struct side *s, struct ibv_qp *qp, struct ibv_ah *const *ah, int classes)
{
	struct ibv_sge sge = { (uintptr_t)s->buf, SIZE, s->mr->lkey };
	struct ibv_send_wr wr[LIST] = {}, *bad;
	int i;

	for (i = 0; i < LIST; i++) {
		wr[i].next = i + 1 < LIST ? &wr[i + 1] : NULL;
		wr[i].sg_list = &sge;
		wr[i].num_sge = 1;
		wr[i].opcode = IBV_WR_SEND;
		wr[i].send_flags = i + 1 < LIST ? 0 : IBV_SEND_SIGNALED;
		wr[i].wr.ud.ah = ah[i % classes];
		wr[i].wr.ud.remote_qpn = 77;
		wr[i].wr.ud.remote_qkey = QKEY;
	}
	if (ibv_post_send(qp, wr, &bad))
		die("cannot post a list: %m");
}

int main(int argc, char **argv)
{
	int i, count, classes = argc - 5;
	struct ibv_ah *ah[MAX_CLASSES];
	struct ibv_qp *qp[QPS];
	struct ibv_wc wc;
	union ibv_gid to;
	struct side s;

	if (classes < 1 || classes > MAX_CLASSES || inet_pton(AF_INET6, argv[3], to.raw) != 1)
		die("usage: ud_lists DEVICE GID-INDEX GID COUNT TCLASS[/HOP-LIMIT]...");
	side_open(&s, argv[1], atoi(argv[2]), SIZE);
	for (i = 0; i < classes; i++)
		ah[i] = address(&s, &to, argv[5 + i]);
	for (i = 0; i < QPS; i++)
		qp[i] = ready_qp(&s);
	for (count = atoi(argv[4]); count; count--) {
		for (i = 0; i < QPS; i++)
			post_list(&s, qp[i], ah, classes);
		for (i = 0; i < QPS; i++)
			side_expect(&s, 0, IBV_WC_SUCCESS, &wc);
	}
	for (i = 0; i < QPS; i++)
		ibv_destroy_qp(qp[i]);
	for (i = 0; i < classes; i++)
		ibv_destroy_ah(ah[i]);
	side_close(&s);
	return 0;
}
