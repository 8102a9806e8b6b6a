// SPDX-License-Identifier: GPL-2.0
/*
 * Output: direct transmit first, else ip_local_out() or ip6_local_out().
 */
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/ip6_route.h>
#include <net/ipv6.h>
#include <roce/qp.h>

#include "ip/bypass.h"
#include "tx/direct.h"
#include "tx/drops.h"
#include "tx/flow.h"
#include "tx/output.h"
#include "tx/raw.h"

static int rxe_output_ip(struct sk_buff *skb)
{
	struct net *net = dev_net(dst_dev(skb_dst(skb)));

	return ip_hdr(skb)->version == 4 ? ip_local_out(net, NULL, skb) :
					   ip6_local_out(net, NULL, skb);
}

static void rxe_output_count(struct rxe_tx_flow *flow, const struct sk_buff_head *skbs)
{
	u32 pkts = 0, bytes = 0;
	struct sk_buff *skb;

	skb_queue_walk(skbs, skb) {
		pkts += skb_shinfo(skb)->gso_segs ?: 1;
		bytes += skb->len - skb_transport_offset(skb) - sizeof(struct udphdr);
	}
	rxe_tx_count(flow, RXE_CNT_SENT_PKTS, pkts);
	rxe_tx_count(flow, RXE_CNT_SENT_BYTES, bytes);
}

/* A buffer received inline would arrive before those that wait in a backlog. */
static enum rxe_bypass_veto rxe_output_inline_veto(struct rxe_tx_flow *flow, bool ordered)
{
	if (!flow->user)
		return RXE_VETO_KERNEL_QP;
	return !ordered || rxe_tx_order_drained(&flow->order) ? RXE_BYPASS_OK : RXE_VETO_BACKLOG;
}

static bool rxe_output_roce(struct rxe_tx_flow *flow, struct sk_buff_head *skbs, bool ordered)
{
	enum rxe_bypass_veto inline_veto = rxe_output_inline_veto(flow, ordered);
	struct rxe_tx_drops drops = {};
	struct sk_buff *skb;
	u32 n, stack = 0;

	rxe_output_count(flow, skbs);
	while (!skb_queue_empty(skbs)) {
		if (rxe_direct_send(flow->dev, skbs, inline_veto, &drops))
			continue;
		skb = __skb_dequeue(skbs);
		n = skb_shinfo(skb)->gso_segs ?: 1;
		stack += n;
		rxe_tx_drops_add(&drops, rxe_output_ip(skb), n);
	}
	if (stack)
		rxe_tx_count(flow, RXE_CNT_XMIT_STACK, stack);
	if (unlikely(drops.pkts))
		rxe_tx_count(flow, RXE_CNT_SEND_ERR, drops.pkts);
	return drops.congested;
}

bool rxe_output(struct rxe_tx_flow *flow, struct sk_buff_head *skbs, bool ordered)
{
	u32 tail = rxe_tx_order_tail();
	bool congested = false;

	if (likely(flow->service != ROCE_RAW))
		congested = rxe_output_roce(flow, skbs, ordered);
	else
		rxe_raw_send(flow, skbs);
	if (ordered)
		rxe_tx_order_sent(&flow->order, tail);
	return congested;
}
