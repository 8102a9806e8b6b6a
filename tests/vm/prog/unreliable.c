// SPDX-License-Identifier: GPL-2.0
/* QPs of the unreliable services: creation and states. */
#include "unreliable.h"

void unreliable_to_rts(struct side *s, const struct side *peer, enum ibv_qp_type type)
{
	int uc = type == IBV_QPT_UC;
	struct ibv_qp_attr to = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qkey = UNRELIABLE_QKEY,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = peer->qp->qp_num,
		.ah_attr = { .is_global = 1,
			     .port_num = 1,
			     .grh = { .dgid = peer->gid,
				      .sgid_index = s->gid_index,
				      .hop_limit = 9 } },
	};

	if (ibv_modify_qp(s->qp, &to,
			  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				  (uc ? IBV_QP_ACCESS_FLAGS : IBV_QP_QKEY)))
		die("QP to INIT: %m");
	to.qp_state = IBV_QPS_RTR;
	if (ibv_modify_qp(s->qp, &to,
			  IBV_QP_STATE | (uc ? IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
						       IBV_QP_RQ_PSN :
					       0)))
		die("QP to RTR: %m");
	to.qp_state = IBV_QPS_RTS;
	if (ibv_modify_qp(s->qp, &to, IBV_QP_STATE | IBV_QP_SQ_PSN))
		die("QP to RTS: %m");
}

void unreliable_create(struct side *s, enum ibv_qp_type type)
{
	struct ibv_qp_init_attr init = {
		.send_cq = s->cq,
		.recv_cq = s->cq,
		.cap = { 128, 128, 1, 1, 0 },
		.qp_type = type,
	};

	s->qp = ibv_create_qp(s->pd, &init);
	if (!s->qp)
		die("no QP: %m");
}
