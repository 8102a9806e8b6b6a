// SPDX-License-Identifier: GPL-2.0
/* Two connected RC queue pairs in one process. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "pair.h"

#define ACCESS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | \
		IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)
#define WAIT_SECONDS 10

struct ibv_context *device_try_open(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = NULL;
	int i;

	for (i = 0; list && list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			ctx = ibv_open_device(list[i]);
	if (list)
		ibv_free_device_list(list);
	return ctx;
}

struct ibv_context *device_open(const char *name)
{
	struct ibv_context *ctx = device_try_open(name);

	if (!ctx)
		die("cannot open device \"%s\"", name);
	return ctx;
}

uint64_t device_counter(const char *device, const char *name)
{
	char path[128];
	uint64_t n;
	FILE *f;

	/* A value read less than 10 ms ago is not refreshed. */
	usleep(2 * 10 * 1000);
	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/hw_counters/%s", device,
		 name);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%lu", &n) != 1)
		die("%s cannot be read", path);
	fclose(f);
	return n;
}

void side_open(struct side *s, const char *device, int gid_index, size_t size)
{
	memset(s, 0, sizeof(*s));
	s->ctx = device_open(device);
	s->gid_index = gid_index;
	s->size = size;
	s->cap = (struct ibv_qp_cap){ 64, 64, 4, 4, 64 };
	if (ibv_query_gid(s->ctx, 1, gid_index, &s->gid))
		die("%s: no GID %d", device, gid_index);
	s->pd = ibv_alloc_pd(s->ctx);
	s->cq = ibv_create_cq(s->ctx, 256, NULL, NULL, 0);
	s->buf = mmap(NULL, size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!s->pd || !s->cq || s->buf == MAP_FAILED)
		die("%s: cannot set up", device);
	s->mr = ibv_reg_mr(s->pd, s->buf, size, ACCESS);
	if (!s->mr)
		die("%s: cannot register %zu bytes", device, size);
}

void side_create_qp(struct side *s)
{
	struct ibv_qp_init_attr init = {
		.send_cq = s->cq,
		.recv_cq = s->cq,
		.srq = s->srq,
		.cap = s->cap,
		.qp_type = IBV_QPT_RC,
	};
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = ACCESS,
	};

	s->qp = ibv_create_qp(s->pd, &init);
	if (!s->qp)
		die("cannot create a QP");
	if (ibv_modify_qp(s->qp, &attr,
			  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
		die("QP to INIT failed");
}

void side_to_rtr(struct side *s, const struct side *peer, const struct pair_attr *p)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = p->mtu,
		.dest_qp_num = peer->qp->qp_num,
		.rq_psn = p->psn,
		.max_dest_rd_atomic = 4,
		.min_rnr_timer = 1,
		.ah_attr = {
			.is_global = 1,
			.port_num = 1,
			.grh = {
				.dgid = peer->gid,
				.sgid_index = s->gid_index,
			},
		},
	};

	if (ibv_modify_qp(s->qp, &attr,
			  IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				  IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER))
		die("QP to RTR failed: %m");
}

void side_to_rts(struct side *s, const struct pair_attr *p)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.timeout = p->timeout,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.sq_psn = p->psn,
		.max_rd_atomic = 4,
	};

	if (ibv_modify_qp(s->qp, &attr,
			  IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				  IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC))
		die("QP to RTS failed: %m");
}

void pair_connect(struct side *a, struct side *b, const struct pair_attr *attr)
{
	side_to_rtr(a, b, attr);
	side_to_rtr(b, a, attr);
	side_to_rts(a, attr);
	side_to_rts(b, attr);
}

void qp_connect_to_self(struct ibv_qp *qp, const struct side *s)
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
		.min_rnr_timer = 1,
		.ah_attr = {
			.is_global = 1,
			.port_num = 1,
			.grh = {
				.dgid = s->gid,
				.sgid_index = s->gid_index,
			},
		},
	};
	int err;

	err = ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
	if (err)
		die("a queue pair to INIT: %s", strerror(err));
	attr.qp_state = IBV_QPS_RTR;
	err = ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				    IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				    IBV_QP_MIN_RNR_TIMER);
	if (err)
		die("a queue pair to RTR: %s", strerror(err));
	attr.qp_state = IBV_QPS_RTS;
	err = ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				    IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
	if (err)
		die("a queue pair to RTS: %s", strerror(err));
}

void side_destroy_qp(struct side *s)
{
	if (ibv_destroy_qp(s->qp))
		die("cannot destroy the QP");
	s->qp = NULL;
}

void side_close(struct side *s)
{
	if (s->qp)
		side_destroy_qp(s);
	if (ibv_dereg_mr(s->mr) || ibv_destroy_cq(s->cq) ||
	    ibv_dealloc_pd(s->pd) || ibv_close_device(s->ctx))
		die("cannot release the device's objects");
	munmap(s->buf, s->size);
}

void side_wait(struct side *s, struct ibv_wc *wc)
{
	time_t limit = time(NULL) + WAIT_SECONDS;
	int n;

	do {
		n = ibv_poll_cq(s->cq, 1, wc);
		if (n < 0)
			die("polling failed");
	} while (!n && time(NULL) < limit);
	if (!n)
		die("no completion in %d s", WAIT_SECONDS);
}

void side_expect(struct side *s, uint64_t wr_id, enum ibv_wc_status status,
		 struct ibv_wc *wc)
{
	side_wait(s, wc);
	if (wc->wr_id != wr_id || wc->status != status)
		die("completion of %llu: %s; expected %llu: %s",
		    (unsigned long long)wc->wr_id, ibv_wc_status_str(wc->status),
		    (unsigned long long)wr_id, ibv_wc_status_str(status));
}

void pair_create(struct side *a, struct side *b, const struct pair_attr *attr)
{
	side_create_qp(a);
	side_create_qp(b);
	pair_connect(a, b, attr);
}

void pair_destroy(struct side *a, struct side *b)
{
	struct ibv_wc wc;

	side_destroy_qp(a);
	side_destroy_qp(b);
	while (ibv_poll_cq(a->cq, 1, &wc) > 0 || ibv_poll_cq(b->cq, 1, &wc) > 0)
		;
}
