// SPDX-License-Identifier: GPL-2.0
/*
 * The way up the stack (taps, traffic control, IP input, netfilter, the UDP socket) costs a small
 * packet as much as the way down. It is left out where it would do nothing: the packet is for
 * an endpoint of the interface's own device, comes from where the endpoint's route leads, and
 * nobody is there to look at it. All of that is asked about each packet, so that a firewall,
 * a capture or a route sees the next one. Packets wait in a list of the processor for a tasklet,
 * which runs when the interface has been polled: so those that came together share one delivery.
 *
 * But then the interface may interrupt again, which can cost more than the stack. So where
 * packets come many at a time, the next ones are left to be joined: they share one way up,
 * within the poll.
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/interrupt.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/udp.h>
#include <net/gro.h>
#include <roce/wire.h>

#include "ip/bypass.h"
#include "ip/bypass_trace.h"
#include "rx/demux.h"
#include "rx/gro.h"
#include "ip/icrc_offload.h"
#include "rx/gro_bypass.h"
#include "base/counters.h"
#include "rx/receive.h"

/* As many as an endpoint is handed at a time, and as an interface is polled for. */
#define MAX_TAKEN 64

/* An acknowledgement and what the peer's program answers to the same message come together. */
#define FEW_TOGETHER 2

/**
 * struct rxe_bypass_queue - what a processor has taken from an interface
 * @lock: protects the rest; others want it only while the processor goes or comes
 * @first: buffers, linked by @next; while there are any, their interface is held
 * @last: where the next is to be linked
 * @n: packets in them
 * @tasklet: receives them
 * @burst: packets that have come together lately, taken or joined
 * @short_burst: those before them were few; used, as @burst, in GRO alone
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
	rxe_rcv_list(skbs, n);
	dev_put(ndev);
}

static void rxe_gro_bypass_tasklet(struct tasklet_struct *t)
{
	rxe_gro_bypass_receive(container_of(t, struct rxe_bypass_queue, tasklet));
}

/* False: the list is full, or another interface's. */
static bool rxe_gro_bypass_append(struct rxe_bypass_queue *in, struct sk_buff *skb)
{
	bool fits;

	spin_lock(&in->lock);
	fits = !in->first || (in->first->dev == skb->dev && in->n < MAX_TAKEN);
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

/* GRO still notes something in the buffer taken last: only those before it may go. */
static void rxe_gro_bypass_insert(struct sk_buff *skb)
{
	struct rxe_bypass_queue *in = this_cpu_ptr(&rxe_bypass_queue);

	skb->next = NULL;
	while (!rxe_gro_bypass_append(in, skb))
		rxe_gro_bypass_receive(in);
}

/*
 * Its lengths are those of one packet, or of segments; there may be padding behind one. What they
 * are behind the UDP header is checked when it is received.
 */
static bool rxe_gro_bypass_has_lengths(const struct rxe_gro_pkt *pkt)
{
	const struct ipv6hdr *ip6 = (const void *)pkt->headers;
	const struct iphdr *ip4 = (const void *)pkt->headers;
	const struct udphdr *udp = rxe_gro_udp(pkt);
	u32 len = ntohs(udp->len), rest = pkt->skb->len - pkt->ip_len;

	if (len < sizeof(*udp) + sizeof(struct roce_bth) + ROCE_ICRC_LEN || len > rest)
		return false;
	if (skb_is_gso(pkt->skb) && (len != rest || !rxe_rcv_has_segments(pkt->skb)))
		return false;
	if (pkt->ip_len == sizeof(*ip6))
		return ip6->nexthdr == IPPROTO_UDP && ip6->payload_len == udp->len;
	return ntohs(ip4->tot_len) == sizeof(*ip4) + len &&
	       !(ip4->frag_off & htons(IP_MF | IP_OFFSET));
}

/* GRO checks no checksum of what it is not going to join. */
static bool rxe_gro_bypass_checked(const struct sk_buff *skb, const struct udphdr *udp)
{
	return !udp->check || !NAPI_GRO_CB(skb)->flush || skb_csum_unnecessary(skb);
}

/* To this host, or to one that the interface listens for as well? Its type may not be set yet. */
static bool rxe_gro_bypass_for_us(const struct sk_buff *skb)
{
	return skb->pkt_type == PACKET_HOST && !skb_vlan_tag_present(skb) &&
	       ether_addr_equal(eth_hdr(skb)->h_dest, skb->dev->dev_addr);
}

static enum rxe_bypass_veto rxe_gro_bypass_veto(const struct rxe_gro_pkt *pkt)
{
	const struct sk_buff *skb = pkt->skb;

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

/* Is it likely that not many others come with it? */
static bool rxe_gro_bypass_low_rate(struct rxe_bypass_queue *in)
{
	if (!READ_ONCE(in->n)) {
		in->short_burst = in->burst <= FEW_TOGETHER;
		in->burst = 0;
	}
	in->burst++;
	return in->short_burst;
}

void rxe_gro_bypass_note_merge(void)
{
	rxe_percpu_add_bh(rxe_bypass_queue.burst, 1);
}

bool rxe_gro_bypass(const struct rxe_gro_pkt *pkt)
{
	enum rxe_bypass_veto veto;

	/* On PREEMPT_RT the tasklet may run while the poll still uses the buffer. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		veto = RXE_VETO_RT;
	else if (!rxe_gro_bypass_low_rate(this_cpu_ptr(&rxe_bypass_queue)))
		veto = RXE_VETO_RATE;
	else
		veto = rxe_gro_bypass_veto(pkt);
	trace_rxe_bypass(veto, pkt->skb->dev, RXE_BYPASS_RX);
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
