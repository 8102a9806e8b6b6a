// SPDX-License-Identifier: GPL-2.0
/* RC queue pair of the path test. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf/rc.h"
#include "sys/verbs.h"
#include "util/clock.h"

#define DEPTH 64

/* Local ACK timeout of 67 ms (IBTA 9.7.6.1.3), then retries. */
#define TIMEOUT	  14
#define RETRIES	  7
#define RNR_TIMER 12
#define HOP_LIMIT 64

#define REMOTE (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

struct rc {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	unsigned char *buffer;
	unsigned int index;
	struct rc_end self;
	struct rc_end peer;
};

static bool query_mtu(struct rc *rc, const char *device, char *why)
{
	struct ibv_port_attr port;

	if (ibv_query_port(rc->context, 1, &port))
		return errbuf_set(why, "the port of \"%s\" does not answer", device);
	if (port.state != IBV_PORT_ACTIVE)
		return errbuf_set(why, "the port of \"%s\" is not active", device);
	rc->self.mtu = 128U << port.active_mtu; /* IBV_MTU_256 is 1 */
	return true;
}

static bool make_objects(struct rc *rc, char *why)
{
	rc->pd = ibv_alloc_pd(rc->context);
	rc->cq = rc->pd ? ibv_create_cq(rc->context, DEPTH, NULL, NULL, 0) : NULL;
	if (!rc->cq)
		return errbuf_set(why, "cannot create a completion queue: %s", strerror(errno));
	if (posix_memalign((void **)&rc->buffer, 4096, RC_BUFFER))
		return errbuf_set(why, "out of memory");
	memset(rc->buffer, 0, RC_BUFFER);
	rc->mr = ibv_reg_mr(rc->pd, rc->buffer, RC_BUFFER, IBV_ACCESS_LOCAL_WRITE | REMOTE);
	if (!rc->mr)
		return errbuf_set(why, "%u KiB of memory cannot be registered: %s%s",
				  RC_BUFFER >> 10, strerror(errno),
				  errno == ENOMEM ? " (see ulimit -l)" : "");
	rc->self.rkey = rc->mr->rkey;
	rc->self.va = (uintptr_t)rc->buffer;
	return true;
}

static bool set_up(struct rc *rc, const char *device, char *why)
{
	rc->context = verbs_open(device);
	if (!rc->context)
		return errbuf_set(why, "\"%s\" cannot be opened: %s", device,
				  errno ? strerror(errno) : "libibverbs has no provider for it");
	return query_mtu(rc, device, why) && make_objects(rc, why);
}

struct rc *rc_open(const char *device, unsigned int index, const struct in6_addr *gid, char *why)
{
	struct rc *rc = calloc(1, sizeof(*rc));

	if (!rc) {
		errbuf_set(why, "out of memory");
		return NULL;
	}
	rc->index = index;
	rc->self.gid = *gid;
	errno = 0;
	if (!set_up(rc, device, why)) {
		rc_close(rc);
		return NULL;
	}
	return rc;
}

void rc_close(struct rc *rc)
{
	if (!rc)
		return;
	if (rc->qp)
		ibv_destroy_qp(rc->qp);
	if (rc->mr)
		ibv_dereg_mr(rc->mr);
	if (rc->cq)
		ibv_destroy_cq(rc->cq);
	if (rc->pd)
		ibv_dealloc_pd(rc->pd);
	if (rc->context)
		ibv_close_device(rc->context);
	free(rc->buffer);
	free(rc);
}

static bool to_init(struct rc *rc, char *why)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = REMOTE,
	};

	if (ibv_modify_qp(rc->qp, &attr,
			  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
		return errbuf_set(why, "cannot move the queue pair to INIT: %s", strerror(errno));
	return true;
}

/* Completions of the destroyed QP must not be taken for those of the new one. */
static void drain(struct rc *rc)
{
	struct ibv_wc wc;

	while (ibv_poll_cq(rc->cq, 1, &wc) > 0)
		;
}

bool rc_renew(struct rc *rc, char *why)
{
	struct ibv_qp_init_attr init = {
		.send_cq = rc->cq,
		.recv_cq = rc->cq,
		.cap = { .max_send_wr = DEPTH,
			 .max_recv_wr = 1,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};

	if (rc->qp)
		ibv_destroy_qp(rc->qp);
	drain(rc);
	rc->qp = ibv_create_qp(rc->pd, &init);
	if (!rc->qp)
		return errbuf_set(why, "cannot create a queue pair: %s", strerror(errno));
	rc->self.qpn = rc->qp->qp_num;
	rc->self.psn = (uint32_t)random() & 0xffffff;
	return to_init(rc, why);
}

void rc_self(const struct rc *rc, struct rc_end *self)
{
	*self = rc->self;
}

static enum ibv_mtu mtu_code(uint32_t mtu)
{
	enum ibv_mtu code = IBV_MTU_256;

	while (code < IBV_MTU_4096 && 128U << (code + 1) <= mtu)
		code++;
	return code;
}

static bool to_rtr(struct rc *rc, char *why)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = mtu_code(rc->peer.mtu),
		.dest_qp_num = rc->peer.qpn,
		.rq_psn = rc->peer.psn,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = RNR_TIMER,
		.ah_attr = { .is_global = 1,
			     .port_num = 1,
			     .grh = { .sgid_index = (uint8_t)rc->index,
				      .hop_limit = HOP_LIMIT } },
	};

	memcpy(attr.ah_attr.grh.dgid.raw, &rc->peer.gid, sizeof(rc->peer.gid));
	if (ibv_modify_qp(rc->qp, &attr,
			  IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				  IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER))
		return errbuf_set(why, "cannot move the queue pair to RTR: %s", strerror(errno));
	return true;
}

static bool to_rts(struct rc *rc, char *why)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.sq_psn = rc->self.psn,
		.timeout = TIMEOUT,
		.retry_cnt = RETRIES,
		.rnr_retry = RETRIES,
		.max_rd_atomic = 1,
	};

	if (ibv_modify_qp(rc->qp, &attr,
			  IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				  IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC))
		return errbuf_set(why, "cannot move the queue pair to RTS: %s", strerror(errno));
	return true;
}

bool rc_connect(struct rc *rc, const struct rc_end *peer, char *why)
{
	rc->peer = *peer;
	return to_rtr(rc, why) && to_rts(rc, why);
}

bool rc_post(struct rc *rc, bool read, uint32_t offset, uint32_t len, char *why)
{
	struct ibv_sge sge = { rc->self.va + offset, len, rc->mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = read ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE,
		.wr.rdma = { rc->peer.va + offset, rc->peer.rkey },
	};
	int err = ibv_post_send(rc->qp, &wr, &bad);

	return !err || errbuf_set(why, "cannot post a work request: %s", strerror(err));
}

bool rc_wait(struct rc *rc, char *why)
{
	double limit = clock_seconds() + RC_PATIENCE;
	struct ibv_wc wc;
	int n;

	while (!(n = ibv_poll_cq(rc->cq, 1, &wc)))
		if (clock_seconds() > limit)
			return errbuf_set(why, "no completion in %d s", RC_PATIENCE);
	if (n < 0)
		return errbuf_set(why, "cannot poll the completion queue");
	return wc.status == IBV_WC_SUCCESS ||
	       errbuf_set(why, "%s", ibv_wc_status_str(wc.status));
}

unsigned char *rc_buffer(const struct rc *rc)
{
	return rc->buffer;
}
