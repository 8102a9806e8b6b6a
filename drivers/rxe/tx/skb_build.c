// SPDX-License-Identifier: GPL-2.0
/*
 * A batch of packets becomes as few socket buffers as possible: packets of equal
 * length, and a shorter one behind them, go down the stack as one buffer with UDP
 * segmentation offload, which walks it, its route and its neighbour once. What
 * the device cannot segment the stack does just above it. The ICRC covers the
 * IPv4 identification and the lengths, so each packet's is computed over the
 * headers that segmentation will give it: the identification counts up by one.
 *
 * "ethtool -K DEV gso off" makes every packet a buffer of its own, and so does a
 * tap on the interface: what tcpdump shows is then what goes on the wire.
 */
#include <linux/hash.h>
#include <linux/ktime.h>
#include <net/ip.h>
#include <net/ip6_checksum.h>
#include <net/ip6_route.h>
#include <net/ipv6.h>
#include <net/route.h>
#include <net/udp.h>

#include "base/crc.h"
#include "ip/dest.h"
#include "base/device.h"
#include "tx/direct.h"
#include "qp/ep.h"
#include "ip/icrc_offload.h"
#include "ip/net_hdr.h"
#include "base/params.h"
#include "qp/qp.h"
#include "tx/raw.h"
#include "tx/payload.h"
#include "tx/skb_build.h"

/* Packets in a buffer; no receiver takes more of them than the smallest UDP_MAX_SEGMENTS. */
#define MAX_SEGS 64u

/* A buffer's packets lie in its linear part up to this size, and in pages above. */
#define MAX_LINEAR 2048u

/* Allocations of this order are as cheap as those of single pages. */
#define MAX_ORDER_CHEAP PAGE_ALLOC_COSTLY_ORDER

/**
 * struct rxe_xmit - a batch being turned into socket buffers
 * @ep: endpoint
 * @path: where the next packets go: the endpoint's, or a datagram's destination's
 * @dst: route, held by @path
 * @hw_icrc: the adapter fills in the ICRCs
 * @batch: the batch
 * @end: one past the last run that goes over @path
 * @run: run of the next packet
 * @pkt: its place in the run
 * @mtu: of the route
 * @max_segs: packets that a buffer may hold
 * @max_len: bytes from the first BTH to the last ICRC that a buffer may hold
 * @not_resident: payload has been paged out since the batch was made
 * @reading: @src is open, and stands at the next packet
 * @src: payload of the rest of the run
 * @crc: the section in which a buffer is written
 */
struct rxe_xmit {
	struct rxe_ep *ep;
	struct rxe_path *path;
	struct dst_entry *dst;
	bool hw_icrc;
	const struct roce_tx_batch *batch;
	u32 end;
	u32 run;
	u32 pkt;
	u32 mtu;
	u32 max_segs;
	u32 max_len;
	bool not_resident;
	bool reading;
	struct rxe_payload_iter src;
	struct rxe_crc crc;
};

/**
 * struct rxe_gso_burst - the packets of one socket buffer, from @run and @pkt of struct rxe_xmit on
 * @npkts: how many
 * @seg_len: bytes of each but the last, which may be shorter, from BTH to ICRC
 * @len: bytes of all
 */
struct rxe_gso_burst {
	u32 npkts;
	u32 seg_len;
	u32 len;
};

static DEFINE_PER_CPU(struct rxe_icrc_memos, rxe_xmit_memos);

static const struct roce_tx_run *rxe_xmit_next_run(const struct rxe_xmit *x)
{
	return &x->batch->run[x->run];
}

/* Open from one buffer to the next, so that what is read is looked up and pinned once a run. */
static struct rxe_payload_iter *rxe_xmit_source(struct rxe_xmit *x)
{
	const struct roce_tx_run *run = rxe_xmit_next_run(x);

	if (!x->reading)
		rxe_source_open(&x->src, x->ep, x->hw_icrc ? NULL : &x->crc, run, x->pkt,
				run->npkts - x->pkt);
	x->reading = true;
	return &x->src;
}

static void rxe_xmit_stop_reading(struct rxe_xmit *x)
{
	if (x->reading)
		rxe_source_close(&x->src);
	x->reading = false;
}

static void rxe_xmit_skip(struct rxe_xmit *x, u32 npkts)
{
	while (npkts && x->run < x->end) {
		u32 n = min(npkts, rxe_xmit_next_run(x)->npkts - x->pkt);

		x->pkt += n;
		npkts -= n;
		if (x->pkt == rxe_xmit_next_run(x)->npkts) {
			rxe_xmit_stop_reading(x);
			x->run++;
			x->pkt = 0;
		}
	}
}

/* How many of the next packets fit into one buffer? */
static void rxe_xmit_plan_burst(const struct rxe_xmit *x, struct rxe_gso_burst *b)
{
	const struct roce_tx_run *run = rxe_xmit_next_run(x),
				 *end = x->batch->run + x->end;
	u32 done = x->pkt;

	b->seg_len = roce_run_pkt_len(run);
	b->npkts = 0;
	b->len = 0;
	for (; run < end; run++, done = 0) {
		u32 left = run->npkts - done;
		u32 pkt_len = roce_run_pkt_len(run);
		u32 n = min3(left, x->max_segs - b->npkts, (x->max_len - b->len) / pkt_len);

		if (pkt_len > b->seg_len || (run->new_skb && b->npkts))
			break;
		if (pkt_len < b->seg_len)
			n = min(n, 1u);
		b->npkts += n;
		b->len += n * pkt_len;
		if (n < left || pkt_len < b->seg_len)
			break;
	}
}

static u32 rxe_xmit_ip_hdr_len(const struct rxe_path *path)
{
	return path->v6 ? sizeof(struct ipv6hdr) : sizeof(struct iphdr);
}

static void rxe_xmit_init_net_hdr(struct rxe_net_hdr *h, const struct rxe_path *path)
{
	memset(h, 0, sizeof(*h));
	rxe_net_hdr_use(h, &rxe_xmit_memos);
	h->v6 = path->v6;
	if (path->v6) {
		ip6_flow_hdr(&h->ip6, path->tclass, htonl(path->flow_label));
		h->ip6.nexthdr = IPPROTO_UDP;
		h->ip6.hop_limit = path->hop_limit;
		h->ip6.saddr = path->ip6.saddr;
		h->ip6.daddr = path->ip6.daddr;
	} else {
		h->ip4.version = 4;
		h->ip4.ihl = sizeof(h->ip4) / 4;
		h->ip4.tos = path->tclass;
		h->ip4.frag_off = htons(IP_DF);
		h->ip4.ttl = path->hop_limit;
		h->ip4.protocol = IPPROTO_UDP;
		h->ip4.saddr = path->v4.saddr;
		h->ip4.daddr = path->v4.daddr;
	}
	h->udp.source = path->sport;
	h->udp.dest = htons(ROCE_UDP_PORT);
}

/**
 * struct rxe_skb_cursor - where the packets of a socket buffer are written
 * @skb: the buffer
 * @frag: page fragment after the one being written
 * @pos: where the next packet goes
 * @end: end of the contiguous memory there
 */
struct rxe_skb_cursor {
	const struct sk_buff *skb;
	u32 frag;
	u8 *pos;
	u8 *end;
};

/* Memory for @len bytes; every packet is contiguous, see rxe_xmit_add_frags(). */
static u8 *rxe_xmit_take_room(struct rxe_skb_cursor *r, u32 len)
{
	u8 *p;

	if (r->pos == r->end) {
		const skb_frag_t *frag = &skb_shinfo(r->skb)->frags[r->frag++];

		r->pos = skb_frag_address(frag);
		r->end = r->pos + skb_frag_size(frag);
	}
	p = r->pos;
	r->pos += len;
	return p;
}

/* Writes packet @i of @run, whose network header is @h, to @p. */
static bool rxe_xmit_write_packet(const struct roce_tx_run *run, u32 i,
				  struct rxe_payload_iter *src, struct rxe_net_hdr *h, u8 *p)
{
	u8 *payload = p + run->hdr_len, *pad = payload + run->seg_len;

	roce_run_header(run, i, p);
	if (src->crc_ctx)
		src->crc = rxe_net_hdr_icrc(h, p);
	rxe_source_sum(src, p + sizeof(struct roce_bth), run->hdr_len - sizeof(struct roce_bth));
	if (!rxe_source_read(src, payload, run->seg_len))
		return false;
	memset(pad, 0, run->pad);
	rxe_source_sum(src, pad, run->pad);
	if (src->crc_ctx)
		roce_icrc_put(src->crc, pad + run->pad);
	else
		memset(pad + run->pad, 0, ROCE_ICRC_LEN);
	return true;
}

/* Writes @n packets of the next run. */
static bool rxe_xmit_write_packets(struct rxe_xmit *x, u32 n, struct rxe_skb_cursor *room,
				   struct rxe_net_hdr *h)
{
	const struct roce_tx_run *run = rxe_xmit_next_run(x);
	struct rxe_payload_iter *src = rxe_xmit_source(x);
	u32 i, len = roce_run_pkt_len(run);
	bool ok = true;

	for (i = 0; ok && i < n; i++) {
		rxe_net_hdr_set(h, len, x->path->ip_id++);
		ok = rxe_xmit_write_packet(run, x->pkt + i, src, h, rxe_xmit_take_room(room, len));
	}
	x->not_resident = src->not_resident;
	return ok;
}

/* Returns the run whose payload could not be read, or NULL. */
static const struct roce_tx_run *rxe_xmit_write_burst(struct rxe_xmit *x,
						      const struct rxe_gso_burst *b,
						      struct sk_buff *skb, struct rxe_net_hdr *h)
{
	struct rxe_skb_cursor room = { .skb = skb, .pos = skb->data, .end = skb_tail_pointer(skb) };
	u32 n, left;

	for (left = b->npkts; left; left -= n) {
		n = min(left, rxe_xmit_next_run(x)->npkts - x->pkt);
		if (!rxe_xmit_write_packets(x, n, &room, h))
			return rxe_xmit_next_run(x);
		rxe_xmit_skip(x, n);
	}
	return NULL;
}

/* As many packets to a page fragment as fit, none of them in two. */
static bool rxe_xmit_add_frags(struct sk_buff *skb, const struct rxe_gso_burst *b)
{
	u32 len, left = b->len, per_frag, frags = 0;
	struct page *page;
	u32 order;

	for (; left; left -= len) {
		order = min_t(u32, get_order(left), MAX_ORDER_CHEAP);
		do {
			per_frag = (PAGE_SIZE << order) / b->seg_len;
			if (!per_frag || frags == MAX_SKB_FRAGS)
				return false;
			page = alloc_pages(GFP_NOWAIT | __GFP_NOWARN | __GFP_COMP, order);
		} while (!page && order--);
		if (!page)
			return false;
		len = min(left, per_frag * b->seg_len);
		skb_add_rx_frag(skb, frags++, page, 0, len, PAGE_SIZE << order);
	}
	return true;
}

/*
 * A fragment of a page is quicker to get, clear and return than what slab caches have, and the
 * processor has buffers at hand, among them those that interfaces have sent.
 */
static struct sk_buff *rxe_xmit_alloc_skb(u32 len)
{
	u32 size = SKB_DATA_ALIGN(len) + SKB_DATA_ALIGN(sizeof(struct skb_shared_info));
	struct sk_buff *skb;
	void *data;

	if (size > PAGE_SIZE)
		return __netdev_alloc_skb(NULL, len, GFP_ATOMIC | __GFP_NOWARN);
	data = napi_alloc_frag(size);
	if (!data)
		return NULL;
	skb = napi_build_skb(data, size);
	if (!skb)
		skb_free_frag(data);
	return skb;
}

static struct sk_buff *rxe_xmit_alloc_burst(const struct rxe_xmit *x, const struct rxe_gso_burst *b)
{
	u32 head = LL_RESERVED_SPACE(dst_dev(x->dst)) + x->dst->header_len +
		   rxe_xmit_ip_hdr_len(x->path) + sizeof(struct udphdr);
	bool linear = b->npkts == 1 || b->len <= MAX_LINEAR;
	struct sk_buff *skb;

	skb = rxe_xmit_alloc_skb(head + (linear ? b->len : 0) + x->dst->trailer_len);
	if (!skb)
		return NULL;
	skb_reserve(skb, head);
	if (linear) {
		skb_put(skb, b->len);
	} else if (!rxe_xmit_add_frags(skb, b)) {
		kfree_skb(skb);
		return NULL;
	}
	return skb;
}

/* Have the UDP checksum filled in by the device, or just above it. */
static void rxe_xmit_offload_checksum(struct sk_buff *skb, struct udphdr *udp,
				      const struct rxe_net_hdr *h)
{
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_transport_header(skb) - skb->head;
	skb->csum_offset = offsetof(struct udphdr, check);
	if (h->v6)
		udp->check = ~udp_v6_check(skb->len, &h->ip6.saddr, &h->ip6.daddr, 0);
	else
		udp->check = ~udp_v4_check(skb->len, h->ip4.saddr, h->ip4.daddr, 0);
}

/*
 * Over IPv4 a packet goes without a UDP checksum, as the specification has it; IPv6
 * needs one, and so does whoever segments, or fills in the ICRC.
 */
static void rxe_xmit_push_headers(const struct rxe_xmit *x, struct sk_buff *skb,
				  const struct rxe_gso_burst *b, struct rxe_net_hdr *h, u16 id)
{
	struct udphdr *udp;

	rxe_net_hdr_set(h, skb->len, id);
	udp = skb_push(skb, sizeof(*udp));
	skb_reset_transport_header(skb);
	*udp = h->udp;
	if (b->npkts > 1) {
		skb_shinfo(skb)->gso_type = SKB_GSO_UDP_L4;
		skb_shinfo(skb)->gso_size = b->seg_len;
		skb_shinfo(skb)->gso_segs = b->npkts;
	}
	if (h->v6 || b->npkts > 1 || x->hw_icrc)
		rxe_xmit_offload_checksum(skb, udp, h);
	if (h->v6)
		*(struct ipv6hdr *)skb_push(skb, sizeof(h->ip6)) = h->ip6;
	else
		*(struct iphdr *)skb_push(skb, sizeof(h->ip4)) = h->ip4;
	skb_reset_network_header(skb);
}

/* One flow for each QP: it stays in order, and QPs spread over queues. */
static void rxe_xmit_set_flow(struct sk_buff *skb, const struct rxe_xmit *x)
{
	__skb_set_sw_hash(skb, hash_32(x->ep->core.qpn, 32), true);
	skb->priority = rt_tos2priority(x->path->tclass);
	skb_dst_set(skb, dst_clone(x->dst));
}

static void rxe_xmit_count_lost(struct rxe_xmit *x, enum rxe_counter why, u32 npkts)
{
	rxe_ep_count(x->ep, why, npkts);
	rxe_xmit_stop_reading(x);
	rxe_xmit_skip(x, npkts);
}

/* Builds one socket buffer. Returns the run whose payload could not be read, or NULL. */
static const struct roce_tx_run *rxe_xmit_build_burst(struct rxe_xmit *x, struct rxe_net_hdr *h,
						      struct sk_buff_head *skbs)
{
	const struct roce_tx_run *failed;
	u16 id = x->path->ip_id;
	struct sk_buff *skb;
	struct rxe_gso_burst b;

	rxe_xmit_plan_burst(x, &b);
	if (rxe_xmit_ip_hdr_len(x->path) + sizeof(struct udphdr) + b.seg_len > x->mtu) {
		rxe_xmit_count_lost(x, RXE_CNT_SEND_ERR, b.npkts);
		return NULL;
	}
	skb = rxe_xmit_alloc_burst(x, &b);
	if (!skb) {
		if (b.npkts == 1)
			rxe_xmit_count_lost(x, RXE_CNT_DROP_NO_MEM, 1);
		x->max_segs = 1;
		return NULL;
	}
	rxe_crc_begin(&x->crc, x->hw_icrc ? 0 : b.len);
	failed = rxe_xmit_write_burst(x, &b, skb, h);
	rxe_crc_end(&x->crc);
	if (failed) {
		kfree_skb(skb);
		return failed;
	}
	rxe_xmit_push_headers(x, skb, &b, h, id);
	rxe_xmit_set_flow(skb, x);
	__skb_queue_tail(skbs, skb);
	return NULL;
}

/* Taps also see what arrives at the other end of a veth, just as it was sent. */
static bool rxe_xmit_has_taps(struct net_device *ndev)
{
	const struct net_device_ops *ops = ndev->netdev_ops;
	struct net_device *peer = ops->ndo_get_peer_dev ? ops->ndo_get_peer_dev(ndev) : NULL;

	return dev_nit_active(ndev) || (peer && dev_nit_active(peer));
}

static void rxe_xmit_set_limits(struct rxe_xmit *x)
{
	u32 head = rxe_xmit_ip_hdr_len(x->path) + sizeof(struct udphdr);
	struct net_device *ndev = dst_dev(x->dst);
	u32 max_size = min(READ_ONCE(ndev->gso_max_size), 0xffffu);

	x->mtu = dst_mtu(x->dst);
	x->max_segs = 1;
	x->max_len = 0xffff - head;
	if (dst_xfrm(x->dst) || ~READ_ONCE(ndev->features) & (NETIF_F_GSO | NETIF_F_SG) ||
	    rxe_xmit_has_taps(ndev) || !rxe_params_use_sg() ||
	    (x->hw_icrc && READ_ONCE(ndev->features) & NETIF_F_GSO_UDP_L4) ||
	    max_size <= head + LL_RESERVED_SPACE(ndev) + ROCE_MAX_MTU + ROCE_MAX_HDR)
		return;
	x->max_segs = clamp(READ_ONCE(ndev->gso_max_segs), 1u, MAX_SEGS);
	x->max_len = max_size - head - LL_RESERVED_SPACE(ndev);
}

/*
 * Builds the runs up to @end, which go over @path, by its cached route. Returns the
 * run whose payload could not be read, or NULL.
 */
static const struct roce_tx_run *rxe_xmit_build_runs(struct rxe_xmit *x, struct rxe_path *path,
						     u32 end, struct sk_buff_head *skbs)
{
	const struct roce_tx_run *failed = NULL;
	struct rxe_net_hdr h;

	x->path = path;
	x->dst = path->dst;
	x->end = end;
	x->hw_icrc = rxe_icrc_tx_offload(x->ep->dev, x->dst, path->v6);
	rxe_xmit_set_limits(x);
	rxe_xmit_init_net_hdr(&h, path);
	while (x->run < end && !failed)
		failed = rxe_xmit_build_burst(x, &h, skbs);
	rxe_xmit_stop_reading(x);
	return failed;
}

/* One past the last of the next datagrams that have the same destination. */
static u32 rxe_xmit_dest_end(const struct rxe_xmit *x)
{
	const struct roce_tx_run *run = x->batch->run;
	u32 end = x->run + 1;

	while (end < x->batch->nruns && run[end].payload.wqe->av == run[x->run].payload.wqe->av)
		end++;
	return end;
}

/* A run of datagrams is one packet, since each is a message. */
static const struct roce_tx_run *rxe_xmit_build_datagrams(struct rxe_xmit *x,
							  struct sk_buff_head *skbs)
{
	const struct roce_tx_run *failed = NULL;
	struct rxe_path path;

	while (x->run < x->batch->nruns && !failed) {
		struct rxe_dest *dest = (void *)rxe_xmit_next_run(x)->payload.wqe->av;
		u32 end = rxe_xmit_dest_end(x), npkts = end - x->run;

		if (rxe_dest_route(dest, npkts, &path)) {
			failed = rxe_xmit_build_runs(x, &path, end, skbs);
			rxe_path_release(&path);
		} else {
			rxe_ep_count(x->ep, RXE_CNT_SEND_ERR, npkts);
			x->run = end;
		}
	}
	return failed;
}

/* They have been built, or will never be. */
static void rxe_xmit_release_dests(const struct roce_tx_batch *batch)
{
	u32 i;

	for (i = 0; i < batch->nruns; i++)
		rxe_ep_release_wqe(batch->run[i].payload.wqe);
}

void rxe_xmit_build(struct rxe_ep *ep, const struct roce_tx_batch *batch, struct sk_buff_head *skbs)
{
	const struct roce_tx_run *failed = NULL;
	struct rxe_xmit x = { .ep = ep, .batch = batch };

	if (ep->core.service == ROCE_OP_UD) {
		failed = rxe_xmit_build_datagrams(&x, skbs);
		rxe_xmit_release_dests(batch);
	} else if (ep->core.service == ROCE_RAW) {
		failed = rxe_raw_build(ep, batch, skbs, &x.not_resident);
	} else if (rxe_path_dst(ep->dev, &ep->path)) {
		failed = rxe_xmit_build_runs(&x, &ep->path, batch->nruns, skbs);
	} else {
		rxe_ep_count(ep, RXE_CNT_SEND_ERR, batch->npkts);
	}
	/* The transport had asked for it a moment before: that is rare enough to be a loss. */
	if (x.not_resident)
		rxe_ep_count(ep, RXE_CNT_DROP_NO_MEM, 1);
	else if (failed)
		roce_tx_failed(&ep->core, ktime_get_ns(), failed);
}

static int rxe_xmit_send_skb(struct sk_buff *skb)
{
	struct net *net = dev_net(dst_dev(skb_dst(skb)));

	return ip_hdr(skb)->version == 4 ? ip_local_out(net, NULL, skb) :
					   ip6_local_out(net, NULL, skb);
}

static void rxe_xmit_count_sent(struct rxe_ep *ep, const struct sk_buff_head *skbs)
{
	u32 pkts = 0, bytes = 0;
	struct sk_buff *skb;

	skb_queue_walk(skbs, skb) {
		pkts += skb_shinfo(skb)->gso_segs ?: 1;
		bytes += skb->len - skb_transport_offset(skb) - sizeof(struct udphdr);
	}
	rxe_ep_count(ep, RXE_CNT_SENT_PKTS, pkts);
	rxe_ep_count(ep, RXE_CNT_SENT_BYTES, bytes);
}

void rxe_xmit_send(struct rxe_ep *ep, struct sk_buff_head *skbs)
{
	struct sk_buff *skb;
	u32 n, lost = 0;

	if (unlikely(ep->core.service == ROCE_RAW)) {
		rxe_raw_send(ep, skbs);
		return;
	}
	rxe_xmit_count_sent(ep, skbs);
	while (!skb_queue_empty(skbs)) {
		if (rxe_direct_send(ep->dev, skbs, ep->user))
			continue;
		skb = __skb_dequeue(skbs);
		n = skb_shinfo(skb)->gso_segs ?: 1;
		if (rxe_xmit_send_skb(skb))
			lost += n;
	}
	if (lost)
		rxe_ep_count(ep, RXE_CNT_SEND_ERR, lost);
}
