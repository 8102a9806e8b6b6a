// SPDX-License-Identifier: GPL-2.0
/* Fault injection: the verbs, each with the verb that undoes it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fault_rows.h"
#include "nldev.h"
#include "uverbs.h"

#define FULL                                                                      \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_ATOMIC)
#define PREFETCHED 65536

/* Network namespace of the first device's interface. */
#define NETNS_A "/run/netns/a"

struct side fault_a, fault_b;

/* Objects that the rows create. */
static struct ibv_context *ctx;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static struct ibv_mw *mw;
static struct ibv_comp_channel *channel;
static struct ibv_cq *cq;
static struct ibv_srq *srq;
static struct ibv_qp *qp;
static struct ibv_ah *ah;
static uint32_t counter;

/* Objects that the rows use. */
static struct ibv_pd *other_pd;
static struct ibv_comp_channel *used_channel;
static struct ibv_mr *used_mr, *paged_mr;
static struct ibv_srq *used_srq;
static struct ibv_qp *rc_qp, *uc_qp, *ud_qp;

/* The error of a call that returns an object. */
static int got(const void *object)
{
	return object ? 0 : errno;
}

static int nothing(void)
{
	return 0;
}

static int make_ctx(void)
{
	return got(ctx = ibv_open_device(fault_a.ctx->device));
}

static int unmake_ctx(void)
{
	return ibv_close_device(ctx) ? errno : 0;
}

static int make_pd(void)
{
	return got(pd = ibv_alloc_pd(fault_a.ctx));
}

static int unmake_pd(void)
{
	return ibv_dealloc_pd(pd);
}

static int make_mr(void)
{
	return got(mr = ibv_reg_mr(fault_a.pd, fault_a.buf, fault_a.size, FULL));
}

static int make_paged_mr(void)
{
	return got(mr = ibv_reg_mr(fault_a.pd, fault_a.buf, fault_a.size,
				   FULL | IBV_ACCESS_ON_DEMAND));
}

static int unmake_mr(void)
{
	return ibv_dereg_mr(mr);
}

/* Without a dma-buf, the call must fail with EBADF. */
static int make_dmabuf_mr(void)
{
	struct uverbs_region region;
	int err = pd_reg_dmabuf(fault_a.pd, &region, -1, 0, 4096, 0, FULL);

	return err == EBADF ? 0 : err ?: EINVAL;
}

/* All that can change: the PD, the rights, and the memory. */
static int rereg(struct ibv_pd *to, size_t length, int access)
{
	return mr_rereg(used_mr,
			IBV_REREG_MR_CHANGE_PD | IBV_REREG_MR_CHANGE_ACCESS |
				IBV_REREG_MR_CHANGE_TRANSLATION,
			to, fault_a.buf, length, access);
}

static int make_rereg(void)
{
	return rereg(other_pd, fault_a.size / 2, IBV_ACCESS_LOCAL_WRITE);
}

static int unmake_rereg(void)
{
	return rereg(fault_a.pd, fault_a.size, FULL);
}

static int prefetch(uint64_t flags)
{
	struct ibv_sge sge = { (uintptr_t)fault_a.buf, PREFETCHED, paged_mr->lkey };

	return pd_advise(fault_a.pd, IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE, flags, &sge, 1);
}

static int make_prefetch(void)
{
	return prefetch(IB_UVERBS_ADVISE_MR_FLAG_FLUSH);
}

static int make_async_prefetch(void)
{
	return prefetch(0);
}

static int make_mw(void)
{
	return got(mw = ibv_alloc_mw(fault_a.pd, IBV_MW_TYPE_1));
}

static int make_mw_2(void)
{
	return got(mw = ibv_alloc_mw(fault_a.pd, IBV_MW_TYPE_2));
}

static int unmake_mw(void)
{
	return ibv_dealloc_mw(mw);
}

static int make_channel(void)
{
	return got(channel = ibv_create_comp_channel(fault_a.ctx));
}

static int unmake_channel(void)
{
	return ibv_destroy_comp_channel(channel);
}

static int make_cq(void)
{
	return got(cq = ibv_create_cq(fault_a.ctx, 100, NULL, NULL, 0));
}

static int make_cq_with_events(void)
{
	return got(cq = ibv_create_cq(fault_a.ctx, 100000, NULL, used_channel, 0));
}

static int unmake_cq(void)
{
	return ibv_destroy_cq(cq);
}

static int make_armed_cq(void)
{
	return ibv_req_notify_cq(fault_a.cq, 0);
}

static int make_resized_cq(void)
{
	return ibv_resize_cq(fault_a.cq, 1000);
}

static int unmake_resized_cq(void)
{
	return ibv_resize_cq(fault_a.cq, 256);
}

static int make_srq(void)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 100, .max_sge = 2 } };

	return got(srq = ibv_create_srq(fault_a.pd, &init));
}

static int unmake_srq(void)
{
	return ibv_destroy_srq(srq);
}

static int resize_srq(uint32_t max_wr)
{
	struct ibv_srq_attr attr = { .max_wr = max_wr, .srq_limit = 1 };

	return ibv_modify_srq(used_srq, &attr, IBV_SRQ_MAX_WR | IBV_SRQ_LIMIT);
}

static int make_resized_srq(void)
{
	return resize_srq(1000);
}

static int unmake_resized_srq(void)
{
	return resize_srq(100);
}

static struct ibv_qp *create_qp(enum ibv_qp_type type, struct ibv_srq *with)
{
	struct ibv_qp_init_attr init = {
		.send_cq = fault_a.cq,
		.recv_cq = fault_a.cq,
		.srq = with,
		.cap = { 64, 64, 4, 4, 64 },
		.qp_type = type,
	};

	return ibv_create_qp(fault_a.pd, &init);
}

static int make_rc_qp(void)
{
	return got(qp = create_qp(IBV_QPT_RC, NULL));
}

static int make_uc_qp(void)
{
	return got(qp = create_qp(IBV_QPT_UC, NULL));
}

static int make_ud_qp(void)
{
	return got(qp = create_qp(IBV_QPT_UD, NULL));
}

static int make_raw_qp(void)
{
	return got(qp = create_qp(IBV_QPT_RAW_PACKET, NULL));
}

static int make_srq_qp(void)
{
	return got(qp = create_qp(IBV_QPT_RC, used_srq));
}

static int unmake_qp(void)
{
	return ibv_destroy_qp(qp);
}

static const struct ibv_ah_attr *address(void)
{
	static struct ibv_ah_attr attr;

	attr = (struct ibv_ah_attr){
		.is_global = 1,
		.port_num = 1,
		.grh = { .dgid = fault_b.gid, .sgid_index = fault_a.gid_index, .hop_limit = 9 },
	};
	return &attr;
}

static int to_state(struct ibv_qp *of, enum ibv_qp_state state)
{
	struct ibv_qp_attr attr = { .qp_state = state };

	return ibv_modify_qp(of, &attr, IBV_QP_STATE);
}

/* RESET, INIT, RTR, RTS, SQD, RTS, ERR. */
static int take_through_states(struct ibv_qp *of, int init_mask, int rtr_mask, int rts_mask)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = of->qp_type == IBV_QPT_RC ? FULL : IBV_ACCESS_REMOTE_WRITE,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = 1,
		.max_dest_rd_atomic = 4,
		.ah_attr = *address(),
		.timeout = 14,
		.max_rd_atomic = 4,
	};
	int err;

	err = ibv_modify_qp(of, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | init_mask);
	if (err)
		return err;
	attr.qp_state = IBV_QPS_RTR;
	err = ibv_modify_qp(of, &attr, IBV_QP_STATE | rtr_mask);
	if (err)
		return err;
	attr.qp_state = IBV_QPS_RTS;
	err = ibv_modify_qp(of, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN | rts_mask);
	err = err ?: to_state(of, IBV_QPS_SQD) ?: to_state(of, IBV_QPS_RTS);
	return err ?: to_state(of, IBV_QPS_ERR);
}

#define CONNECTED (IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN)

static int make_rc_rts(void)
{
	return take_through_states(
		rc_qp, IBV_QP_ACCESS_FLAGS,
		CONNECTED | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
		IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC);
}

static int make_uc_rts(void)
{
	return take_through_states(uc_qp, IBV_QP_ACCESS_FLAGS, CONNECTED, 0);
}

static int make_ud_rts(void)
{
	return take_through_states(ud_qp, IBV_QP_QKEY, 0, 0);
}

static int unmake_rc_rts(void)
{
	return to_state(rc_qp, IBV_QPS_RESET);
}

static int unmake_uc_rts(void)
{
	return to_state(uc_qp, IBV_QPS_RESET);
}

static int unmake_ud_rts(void)
{
	return to_state(ud_qp, IBV_QPS_RESET);
}

static int make_queries(void)
{
	struct ibv_qp_init_attr init;
	struct ibv_device_attr device;
	struct ibv_port_attr port;
	struct ibv_qp_attr attr;
	struct ibv_srq_attr queue;

	return ibv_query_device(fault_a.ctx, &device) ?: ibv_query_port(fault_a.ctx, 1, &port) ?:
	       ibv_query_qp(rc_qp, &attr, IBV_QP_STATE, &init) ?:
	       ibv_query_srq(used_srq, &queue);
}

static int make_ah(void)
{
	struct ibv_ah_attr attr = *address();

	return got(ah = ibv_create_ah(fault_a.pd, &attr));
}

static int unmake_ah(void)
{
	return ibv_destroy_ah(ah);
}

static const union ibv_gid group_4 = {
	.raw = { [10] = 0xff, [11] = 0xff, [12] = 239, [13] = 1, [14] = 2, [15] = 3 },
};

static const union ibv_gid group_6 = { .raw = { [0] = 0xff, [1] = 0x15, [15] = 0x77 } };

static void enter(int netns)
{
	if (netns < 0 || setns(netns, CLONE_NEWNET))
		die("cannot enter the network namespace: %m");
	close(netns);
}

/* Whether @text is in a file of /proc/net in the namespace of the interface. */
static bool net_file_has(const char *path, const char *text)
{
	int own = open("/proc/thread-self/ns/net", O_RDONLY);
	bool found = false;
	char line[256];
	FILE *file;

	enter(open(NETNS_A, O_RDONLY));
	file = fopen(path, "r");
	while (file && !found && fgets(line, sizeof(line), file))
		found = strstr(line, text);
	if (file)
		fclose(file);
	enter(own);
	return found;
}

/* The interface receives the group: the kernel shows its address as a number of the host. */
static bool member_4_works(void)
{
	return net_file_has("/proc/thread-self/net/igmp", "030201EF");
}

static bool member_6_works(void)
{
	return net_file_has("/proc/thread-self/net/igmp6", "ff150000000000000000000000000077");
}

static int make_member_4(void)
{
	return ibv_attach_mcast(ud_qp, &group_4, 0);
}

static int unmake_member_4(void)
{
	return ibv_detach_mcast(ud_qp, &group_4, 0);
}

static int make_member_6(void)
{
	return ibv_attach_mcast(ud_qp, &group_6, 0);
}

static int unmake_member_6(void)
{
	return ibv_detach_mcast(ud_qp, &group_6, 0);
}

static int make_counter(void)
{
	return nldev_bind_counter(nldev_index(ibv_get_device_name(fault_a.ctx->device)),
				  rc_qp->qp_num, &counter) ?
		       0 :
		       errno;
}

static int unmake_counter(void)
{
	return nldev_unbind_counter(nldev_index(ibv_get_device_name(fault_a.ctx->device)),
				    rc_qp->qp_num, counter) ?
		       0 :
		       errno;
}

const struct fault_row fault_rows[] = {
	{ "context", make_ctx, unmake_ctx, NULL, false },
	{ "protection domain", make_pd, unmake_pd, NULL, false },
	{ "memory region", make_mr, unmake_mr, NULL, false },
	{ "on-demand memory region", make_paged_mr, unmake_mr, NULL, false },
	{ "dma-buf memory region", make_dmabuf_mr, nothing, NULL, false },
	{ "re-registered memory region", make_rereg, unmake_rereg, NULL, false },
	{ "prefetch", make_prefetch, nothing, NULL, false },
	{ "prefetch by a work item", make_async_prefetch, nothing, NULL, false },
	{ "type 1 memory window", make_mw, unmake_mw, NULL, false },
	{ "type 2 memory window", make_mw_2, unmake_mw, NULL, false },
	{ "completion channel", make_channel, unmake_channel, NULL, false },
	{ "completion queue", make_cq, unmake_cq, NULL, false },
	{ "completion queue with events", make_cq_with_events, unmake_cq, NULL, false },
	{ "armed completion queue", make_armed_cq, nothing, NULL, false },
	{ "resized completion queue", make_resized_cq, unmake_resized_cq, NULL, false },
	{ "shared receive queue", make_srq, unmake_srq, NULL, false },
	{ "resized shared receive queue", make_resized_srq, unmake_resized_srq, NULL, false },
	{ "RC queue pair", make_rc_qp, unmake_qp, NULL, false },
	{ "RC queue pair with an SRQ", make_srq_qp, unmake_qp, NULL, false },
	{ "UC queue pair", make_uc_qp, unmake_qp, NULL, false },
	{ "UD queue pair", make_ud_qp, unmake_qp, NULL, false },
	{ "raw packet queue pair", make_raw_qp, unmake_qp, NULL, false },
	{ "states of an RC queue pair", make_rc_rts, unmake_rc_rts, NULL, true },
	{ "states of a UC queue pair", make_uc_rts, unmake_uc_rts, NULL, true },
	{ "states of a UD queue pair", make_ud_rts, unmake_ud_rts, NULL, true },
	{ "queries", make_queries, nothing, NULL, false },
	{ "address handle", make_ah, unmake_ah, NULL, false },
	{ "member of an IPv4 group", make_member_4, unmake_member_4, member_4_works, false },
	{ "member of an IPv6 group", make_member_6, unmake_member_6, member_6_works, false },
};
const size_t fault_rows_len = sizeof(fault_rows) / sizeof(fault_rows[0]);

const struct fault_row fault_counter_row = { "counter of a queue pair", make_counter,
					     unmake_counter, NULL, false };

void fault_rows_begin(void)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 100, .max_sge = 2 } };

	other_pd = ibv_alloc_pd(fault_a.ctx);
	used_channel = ibv_create_comp_channel(fault_a.ctx);
	used_mr = ibv_reg_mr(fault_a.pd, fault_a.buf, fault_a.size, FULL);
	paged_mr = ibv_reg_mr(fault_a.pd, fault_a.buf, fault_a.size, FULL | IBV_ACCESS_ON_DEMAND);
	used_srq = ibv_create_srq(fault_a.pd, &init);
	rc_qp = create_qp(IBV_QPT_RC, NULL);
	uc_qp = create_qp(IBV_QPT_UC, NULL);
	ud_qp = create_qp(IBV_QPT_UD, NULL);
	if (!other_pd || !used_channel || !used_mr || !paged_mr || !used_srq || !rc_qp || !uc_qp ||
	    !ud_qp)
		die("cannot set up: %m");
}

void fault_rows_end(void)
{
	if (ibv_destroy_qp(rc_qp) || ibv_destroy_qp(uc_qp) || ibv_destroy_qp(ud_qp) ||
	    ibv_destroy_srq(used_srq) || ibv_dereg_mr(paged_mr) || ibv_dereg_mr(used_mr) ||
	    ibv_destroy_comp_channel(used_channel) || ibv_dealloc_pd(other_pd))
		die("cannot release the objects: %m");
}
