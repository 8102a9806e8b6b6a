// SPDX-License-Identifier: GPL-2.0
/*
 * GRO bypass: receive from NAPI poll straight to the endpoint. A small packet bypasses the receive
 * path of the stack (taps, tc, IP input, netfilter, the UDP socket) if none of these would act on
 * it: the packet is for an endpoint of the interface's own device, the endpoint's route leads back
 * out of the interface, and no firewall or capture is installed. The conditions (ip/bypass.h) are
 * tested for each packet, so that a new firewall, capture or route applies to the next packet.
 * Bypassed packets are queued per CPU for a tasklet. It runs after the NAPI poll, so the packets of
 * one poll are delivered together.
 *
 * The interface may interrupt again before the tasklet runs, which can cost more than the bypass
 * saves. So packets that arrive in bursts of more than SHORT_BURST_PKTS are left to GRO instead:
 * they are merged and pass the stack as one buffer, within the poll.
 */
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <linux/interrupt.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/udp.h>
#include <net/gro.h>
#include <net/ip.h>
#include <roce/wire.h>

#include "ip/bypass.h"
#include "ip/bypass_trace.h"
#include "rx/demux.h"
#include "rx/gro.h"
#include "ip/icrc_offload.h"
#include "rx/gro_bypass.h"
#include "base/counters.h"
#include "rx/receive.h"

/* Packets in the queue: the NAPI poll weight, and the largest batch that an endpoint is given. */
#define MAX_QUEUED_PKTS 64

/* Packets: an ACK, and the reply of the peer's program to the same message, arrive together. */
#define SHORT_BURST_PKTS 2

/**
 * struct rxe_bypass_queue - per-CPU queue of packets that have bypassed the stack
 * @lock: protects @first, @last and @n; contended only in CPU hotplug, when another CPU may run the
 *	tasklet
 * @first: buffers, linked by @next, all of one interface, on which the queue holds a reference;
 *	NULL if the queue is empty
 * @last: link to append the next buffer to
 * @n: packets in the buffers, segments counted
 * @tasklet: delivers the queue; scheduled when the first buffer is appended, stopped by
 *	rxe_gro_bypass_stop()
 * @burst: packets seen by GRO since the queue was last found empty, bypassed or merged
 * @short_burst: the burst before had at most SHORT_BURST_PKTS packets. As @burst, accessed without
 *	@lock, by this CPU in softirq only
 */
struct rxe_bypass_queue {
	spinlock_t lock;
	struct sk_buff *first;
	struct sk_buff **last;
	u32 n;
	struct tasklet_struct tasklet;
	u32 burst;
	bool short_burst;
};

static DEFINE_PER_CPU(struct rxe_bypass_queue, rxe_bypass_queue);

static struct sk_buff *rxe_gro_bypass_detach(struct rxe_bypass_queue *in, u32 *n)
{
	struct sk_buff *skbs;

	spin_lock(&in->lock);
	skbs = in->first;
	*n = in->n;
	in->first = NULL;
	in->last = &in->first;
	in->n = 0;
	spin_unlock(&in->lock);
	return skbs;
}

static void rxe_gro_bypass_receive(struct rxe_bypass_queue *in)
{
	struct net_device *ndev;
	struct sk_buff *skbs;
	u32 n;

	skbs = rxe_gro_bypass_detach(in, &n);
	if (!skbs)
		return;
	ndev = skbs->dev;
	rxe_rx_list(skbs, n);
	dev_put(ndev);
}

static void rxe_gro_bypass_tasklet(struct tasklet_struct *t)
{
	rxe_gro_bypass_receive(container_of(t, struct rxe_bypass_queue, tasklet));
}

/* Returns false if the queue is full, or holds buffers of another interface. */
static bool rxe_gro_bypass_append(struct rxe_bypass_queue *in, struct sk_buff *skb)
{
	bool fits;

	spin_lock(&in->lock);
	fits = !in->first || (in->first->dev == skb->dev && in->n < MAX_QUEUED_PKTS);
	if (fits) {
		if (!in->first) {
			dev_hold(skb->dev);
			tasklet_schedule(&in->tasklet);
		}
		*in->last = skb;
		in->last = &skb->next;
		in->n += skb_shinfo(skb)->gso_segs ?: 1;
	}
	spin_unlock(&in->lock);
	return fits;
}

/*
 * GRO still writes to the control block of the last buffer that it has passed here. So a queue
 * without space is delivered before that buffer is appended, never with it.
 */
static void rxe_gro_bypass_insert(struct sk_buff *skb)
{
	struct rxe_bypass_queue *in = this_cpu_ptr(&rxe_bypass_queue);

	skb->next = NULL;
	while (!rxe_gro_bypass_append(in, skb))
		rxe_gro_bypass_receive(in);
}

/*
 * Checks the lengths of the IP and UDP headers against that of the buffer: one packet, possibly
 * with Ethernet padding, or segments without. rxe_rx_list() checks the transport headers.
 */
static bool rxe_gro_bypass_has_lengths(const struct rxe_gro_pkt *pkt)
{
	const struct ipv6hdr *ip6 = (const void *)pkt->headers;
	const struct iphdr *ip4 = (const void *)pkt->headers;
	const struct udphdr *udp = rxe_gro_udp(pkt);
	u32 len = ntohs(udp->len), rest = pkt->skb->len - pkt->ip_len;

	if (len < sizeof(*udp) + sizeof(struct roce_bth) + ROCE_ICRC_LEN || len > rest)
		return false;
	if (skb_is_gso(pkt->skb) && (len != rest || !rxe_rx_has_segments(pkt->skb)))
		return false;
	if (pkt->ip_len == sizeof(*ip6))
		return ip6->nexthdr == IPPROTO_UDP && ip6->payload_len == udp->len;
	return ntohs(ip4->tot_len) == sizeof(*ip4) + len &&
	       !(ip4->frag_off & htons(IP_MF | IP_OFFSET));
}

/* GRO does not verify the UDP checksum of a packet that is marked for flushing. */
static bool rxe_gro_bypass_checked(const struct sk_buff *skb, const struct udphdr *udp)
{
	return !udp->check || !NAPI_GRO_CB(skb)->flush || skb_csum_unnecessary(skb);
}

/*
 * Compares the MAC address, too: in napi_gro_frags(), eth_type_trans() has not set pkt_type yet. In
 * promiscuous mode a packet for another host then has the initial value, PACKET_HOST.
 */
static bool rxe_gro_bypass_for_us(const struct sk_buff *skb)
{
	return skb->pkt_type == PACKET_HOST && skb->dev->type == ARPHRD_ETHER &&
	       !skb_vlan_tag_present(skb) &&
	       ether_addr_equal(eth_hdr(skb)->h_dest, skb->dev->dev_addr);
}

static enum rxe_bypass_veto rxe_gro_bypass_veto(const struct rxe_gro_pkt *pkt)
{
	struct sk_buff *skb = pkt->skb;

	if (!rxe_gro_bypass_has_lengths(pkt))
		return RXE_VETO_LENGTH;
	if (!rxe_gro_bypass_checked(skb, rxe_gro_udp(pkt)))
		return RXE_VETO_CSUM;
	if (skb->destructor || skb_has_frag_list(skb) || !skb_frags_readable(skb))
		return RXE_VETO_SKB;
	if (static_branch_unlikely(&rxe_hw_icrc_key))
		return RXE_VETO_ICRC_OFFLOAD;
	if (!rxe_demux_match_iif(skb, pkt->headers, rxe_gro_qpn(pkt)))
		return RXE_VETO_NO_QP;
	if (!rxe_gro_bypass_for_us(skb))
		return RXE_VETO_LINK_ADDR;
	return rxe_bypass_rx_veto(skb, pkt->ip_len == sizeof(struct ipv6hdr));
}

/*
 * Burst heuristic. Input: packets seen by GRO between two moments at which the queue was empty.
 * Decision: packets are bypassed if the burst before had at most SHORT_BURST_PKTS packets. While
 * packets are not bypassed the queue stays empty, so each call starts a new burst, whose size is
 * one more than the packets merged since the last call.
 */
static bool rxe_gro_bypass_low_rate(struct rxe_bypass_queue *in)
{
	if (!READ_ONCE(in->n)) {
		in->short_burst = in->burst <= SHORT_BURST_PKTS;
		in->burst = 0;
	}
	in->burst++;
	return in->short_burst;
}

void rxe_gro_bypass_note_merge(void)
{
	rxe_percpu_add_bh(rxe_bypass_queue.burst, 1);
}

bool rxe_gro_bypass(const struct rxe_gro_pkt *pkt, bool plain)
{
	enum rxe_bypass_veto veto;

	/* rxe_rx_list() expects the IP header at skb->data. */
	if (!plain || skb_network_offset(pkt->skb))
		veto = RXE_VETO_HEADERS;
	/* On PREEMPT_RT the tasklet may run while the NAPI poll still uses the buffer. */
	else if (IS_ENABLED(CONFIG_PREEMPT_RT))
		veto = RXE_VETO_RT;
	else if (!rxe_gro_bypass_low_rate(this_cpu_ptr(&rxe_bypass_queue)))
		veto = RXE_VETO_RATE;
	else
		veto = rxe_gro_bypass_veto(pkt);
	trace_rxe_bypass(veto, pkt->skb->dev, RXE_BYPASS_GRO_BYPASS);
	if (veto || !pskb_may_pull(pkt->skb, pkt->ip_len + sizeof(struct udphdr)))
		return false;
	skb_set_transport_header(pkt->skb, pkt->ip_len);
	rxe_gro_bypass_insert(pkt->skb);
	return true;
}

void rxe_gro_bypass_start(void)
{
	struct rxe_bypass_queue *in;
	int cpu;

	for_each_possible_cpu(cpu) {
		in = per_cpu_ptr(&rxe_bypass_queue, cpu);
		spin_lock_init(&in->lock);
		in->last = &in->first;
		tasklet_setup(&in->tasklet, rxe_gro_bypass_tasklet);
	}
}

void rxe_gro_bypass_stop(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		tasklet_kill(&per_cpu_ptr(&rxe_bypass_queue, cpu)->tasklet);
}
