// SPDX-License-Identifier: GPL-2.0
/*
 * Raw packet QPs: Ethernet frames from send WQEs to the qdisc of the interface.
 */
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <linux/netdevice.h>

#include "base/device.h"
#include "mem/cache.h"
#include "mem/mem.h"
#include "tx/flow.h"
#include "tx/raw.h"

bool rxe_raw_has_frames(struct rxe_dev *dev)
{
	struct net_device *ndev;
	bool has;

	rcu_read_lock();
	ndev = rcu_dereference(dev->ndev);
	has = ndev && (ndev->type == ARPHRD_ETHER || ndev->type == ARPHRD_LOOPBACK);
	rcu_read_unlock();
	return has;
}

bool rxe_raw_length_ok(struct rxe_dev *dev, u32 len)
{
	struct net_device *ndev;
	bool ok = false;

	rcu_read_lock();
	ndev = rcu_dereference(dev->ndev);
	if (ndev)
		ok = len >= ETH_HLEN && len <= READ_ONCE(ndev->mtu) + VLAN_ETH_HLEN;
	rcu_read_unlock();
	return ok;
}

static int rxe_raw_copy_payload(struct rxe_tx_flow *flow, const struct roce_send_wqe *wqe, u8 *to)
{
	const struct roce_sge *sge = wqe->sge, *end = sge + wqe->num_sge;
	struct rxe_mem *mem;

	if (wqe->flags & ROCE_WR_INLINE) {
		memcpy(to, wqe->data, wqe->length);
		return 0;
	}
	for (; sge < end; to += sge++->length) {
		mem = rxe_mem_cache_get(flow->mem_cache, sge->lkey, sge->addr, sge->length,
					RXE_ACCESS_LOCAL);
		if (IS_ERR(mem))
			return PTR_ERR(mem);
		rxe_mem_read(mem, sge->addr, to, sge->length);
		rxe_mem_cache_put(flow->mem_cache, mem);
	}
	return 0;
}

/* The headroom aligns the network header behind the 14 bytes of Ethernet, as drivers expect. */
static struct sk_buff *rxe_raw_alloc(struct net_device *ndev, u32 len)
{
	u32 head = LL_RESERVED_SPACE(ndev);
	struct sk_buff *skb;

	skb = alloc_skb(head + len + READ_ONCE(ndev->needed_tailroom), GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return NULL;
	skb_reserve(skb, head - ETH_HLEN);
	skb_put(skb, len);
	skb->dev = ndev;
	return skb;
}

static void rxe_raw_parse(const struct rxe_tx_flow *flow, struct sk_buff *skb)
{
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	skb->protocol = eth_hdr(skb)->h_proto;
	skb_probe_transport_header(skb);
	__skb_set_sw_hash(skb, flow->hash, true);
}

/* A VLAN tag does not count towards the MTU. */
static bool rxe_raw_fits(const struct sk_buff *skb)
{
	u32 tag = eth_type_vlan(skb->protocol) ? VLAN_HLEN : 0;

	return skb->len <= READ_ONCE(skb->dev->mtu) + ETH_HLEN + tag;
}

/* Returns 0 if the frame has been appended to @skbs, or dropped and counted. */
static int rxe_raw_build_frame(struct rxe_tx_flow *flow, struct net_device *ndev,
			       const struct roce_tx_run *run, struct sk_buff_head *skbs)
{
	struct sk_buff *skb = rxe_raw_alloc(ndev, run->seg_len);
	int err;

	if (!skb) {
		rxe_tx_count(flow, RXE_CNT_DROP_NO_MEM, 1);
		return 0;
	}
	err = rxe_raw_copy_payload(flow, run->payload.wqe, skb->data);
	if (err) {
		kfree_skb(skb);
		return err;
	}
	rxe_raw_parse(flow, skb);
	if (rxe_raw_fits(skb)) {
		__skb_queue_tail(skbs, skb);
	} else {
		rxe_tx_count(flow, RXE_CNT_SEND_ERR, 1);
		kfree_skb(skb);
	}
	return 0;
}

const struct roce_tx_run *rxe_raw_build(struct rxe_tx_flow *flow, const struct roce_tx_batch *batch,
					struct sk_buff_head *skbs, int *err)
{
	struct net_device *ndev = rcu_dereference(flow->dev->ndev);
	u32 i;

	if (!ndev) {
		rxe_tx_count(flow, RXE_CNT_SEND_ERR, batch->npkts);
		return NULL;
	}
	for (i = 0; i < batch->nruns; i++) {
		*err = rxe_raw_build_frame(flow, ndev, &batch->run[i], skbs);
		if (*err)
			return &batch->run[i];
	}
	return NULL;
}

void rxe_raw_send(struct rxe_tx_flow *flow, struct sk_buff_head *skbs)
{
	struct sk_buff *skb;
	int err;

	while ((skb = __skb_dequeue(skbs))) {
		rxe_tx_count(flow, RXE_CNT_SENT_PKTS, 1);
		rxe_tx_count(flow, RXE_CNT_SENT_BYTES, skb->len);
		err = dev_queue_xmit(skb);
		if (net_xmit_eval(err))
			rxe_tx_count(flow, RXE_CNT_SEND_ERR, 1);
	}
}
