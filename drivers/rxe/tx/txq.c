// SPDX-License-Identifier: GPL-2.0
/*
 * Transmit queues (txq): selection by flow hash, and state of their qdiscs.
 */
#include <linux/if_vlan.h>
#include <linux/netdevice.h>
#include <net/sch_generic.h>

#include "base/params.h"
#include "tx/txq.h"

/*
 * Packets in the qdisc from which on a txq is saturated. They keep the hardware busy until the
 * transmit scheduler polls again and resumes the waiting endpoints; more would only add delay.
 */
#define TXQ_SATURATED_PKTS 64

bool rxe_txq_is_hashed(const struct net_device *ndev, u32 n)
{
	return n == 1 || (!ndev->netdev_ops->ndo_select_queue && rxe_params_skb_hash_to_txq() &&
			  !READ_ONCE(ndev->num_tc));
}

const struct netdev_queue *rxe_txq_find(const struct net_device *ndev, u32 hash)
{
	u32 n;

	/* Its driver passes each packet to the lower interface: none waits in its own txq. */
	if (is_vlan_dev(ndev))
		ndev = vlan_dev_real_dev(ndev);
	n = READ_ONCE(ndev->real_num_tx_queues);
	if (!rxe_txq_is_hashed(ndev, n))
		return NULL;
	return netdev_get_tx_queue(ndev, reciprocal_scale(hash, n));
}

/*
 * Packets that wait in the qdisc for the hardware. A shaper (no TCQ_F_CAN_BYPASS) delays packets on
 * purpose, so its backlog says nothing about the hardware, unless the queue is stopped.
 */
static u32 rxe_txq_backlog(const struct netdev_queue *txq)
{
	const struct Qdisc *q = rcu_dereference_bh(txq->qdisc);

	if (!netif_xmit_stopped(txq) && !(q->flags & TCQ_F_CAN_BYPASS))
		return 0;
	return qdisc_is_empty(q) ? 0 : qdisc_qlen_sum(q);
}

enum rxe_txq_state rxe_txq_state(const struct netdev_queue *txq)
{
	u32 backlog;

	if (!txq)
		return RXE_TXQ_OPEN;
	backlog = rxe_txq_backlog(txq);
	if (backlog >= TXQ_SATURATED_PKTS)
		return RXE_TXQ_SATURATED;
	return backlog || netif_xmit_stopped(txq) ? RXE_TXQ_BACKLOGGED : RXE_TXQ_OPEN;
}

/* A root qdisc such as htb serves all queues of the interface; mq has one child qdisc per queue. */
u32 rxe_txq_qdisc_id(const struct netdev_queue *txq)
{
	const struct netdev_queue *first = txq ? txq->dev->_tx : NULL;

	if (!txq || rcu_access_pointer(txq->qdisc) == rcu_access_pointer(first->qdisc))
		return 0;
	return txq - first;
}

u64 rxe_txq_dequeued(const struct netdev_queue *txq)
{
	return txq ? rxe_qdisc_dequeued(rcu_dereference_bh(txq->qdisc)) : 0;
}
