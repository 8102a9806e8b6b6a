// SPDX-License-Identifier: GPL-2.0
/*
 * GSO (UDP segmentation offload): packets of equal length, and one shorter packet behind them, form
 * one buffer, which passes the stack, the route and the neighbour once for all of them. If the
 * interface cannot segment, the stack does it just above the driver.
 *
 * The ICRC covers the IPv4 identification and the lengths. Each packet's ICRC is therefore computed
 * over the headers that segmentation will give it, whose identification increases by one.
 *
 * With "ethtool -K DEV gso off", and while a packet socket is attached to the interface, every
 * packet gets a buffer of its own, so that tcpdump shows the packets of the wire.
 */
#include <net/dsfield.h>
#include <net/ip.h>
#include <net/ip6_checksum.h>
#include <net/ip6_route.h>
#include <net/ipv6.h>
#include <net/route.h>
#include <net/udp.h>

#include "base/crc.h"
#include "base/params.h"
#include "ip/dest.h"
#include "ip/icrc_offload.h"
#include "ip/net_hdr.h"
#include "ip/path.h"
#include "ip/pmtu.h"
#include "tx/flow.h"
#include "tx/payload.h"
#include "tx/raw.h"
#include "tx/skb_build.h"

/* Maximum of packets in a buffer: the smallest UDP_MAX_SEGMENTS of the kernels supported. */
#define MAX_SEGS 64u

/* Bytes up to which the packets lie in the linear part of the buffer, else in page fragments. */
#define MAX_LINEAR 2048u

/* Largest page order that the allocator serves without extra effort to find contiguous pages. */
#define MAX_ORDER_CHEAP PAGE_ALLOC_COSTLY_ORDER

/**
 * struct rxe_skb_builder - state while the socket buffers of a batch are built
 * @flow: flow of the endpoint
 * @path: path of the next packets: the flow's, or that of a datagram's destination
 * @dst: route, held by @path
 * @hw_icrc: the adapter fills in the ICRCs
 * @batch: the batch
 * @end: one past the index of the last run that uses @path
 * @run: index of the run of the next packet
 * @pkt: index of the next packet in that run
 * @mtu: MTU of the route, bytes
 * @max_segs: maximum of packets in a buffer
 * @max_len: maximum of bytes in a buffer, from the first BTH to the last ICRC
 * @reading: @src is open, and its position is the next packet
 * @src: payload of the rest of the run; @src.err is the error of the batch
 * @crc: CRC context, open while a buffer is written
 */
struct rxe_skb_builder {
	struct rxe_tx_flow *flow;
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
	bool reading;
	struct rxe_payload_iter src;
	struct rxe_crc crc;
};

/**
 * struct rxe_gso_burst - the packets of one socket buffer, the first being the builder's next
 * @npkts: number of packets
 * @seg_len: bytes of a packet from BTH to ICRC; the last packet may be shorter
 * @len: bytes of all packets
 * @cnp: it is a CNP
 */
struct rxe_gso_burst {
	u32 npkts;
	u32 seg_len;
	u32 len;
	bool cnp;
};

static DEFINE_PER_CPU(struct rxe_icrc_memos, rxe_skb_memos);

static const struct roce_tx_run *rxe_skb_next_run(const struct rxe_skb_builder *b)
{
	return &b->batch->run[b->run];
}

/* The iterator stays open from buffer to buffer, so that memory is looked up once per run. */
static struct rxe_payload_iter *rxe_skb_payload(struct rxe_skb_builder *b)
{
	const struct roce_tx_run *run = rxe_skb_next_run(b);

	if (!b->reading)
		rxe_payload_open(&b->src, b->flow->mem_cache, b->hw_icrc ? NULL : &b->crc, run,
				 b->pkt, run->npkts - b->pkt);
	b->reading = true;
	return &b->src;
}

static void rxe_skb_stop_reading(struct rxe_skb_builder *b)
{
	if (b->reading)
		rxe_payload_close(&b->src);
	b->reading = false;
}

static void rxe_skb_skip(struct rxe_skb_builder *b, u32 npkts)
{
	while (npkts && b->run < b->end) {
		u32 n = min(npkts, rxe_skb_next_run(b)->npkts - b->pkt);

		b->pkt += n;
		npkts -= n;
		if (b->pkt == rxe_skb_next_run(b)->npkts) {
			rxe_skb_stop_reading(b);
			b->run++;
			b->pkt = 0;
		}
	}
}

/* Counts the next packets that fit into one buffer, by their lengths. */
static void rxe_skb_plan_burst(const struct rxe_skb_builder *b, struct rxe_gso_burst *burst)
{
	const struct roce_tx_run *run = rxe_skb_next_run(b),
				 *end = b->batch->run + b->end;
	u32 done = b->pkt;

	burst->seg_len = roce_run_pkt_len(run);
	burst->npkts = 0;
	burst->len = 0;
	for (; run < end; run++, done = 0) {
		u32 left = run->npkts - done;
		u32 pkt_len = roce_run_pkt_len(run);
		u32 n = min3(left, b->max_segs - burst->npkts, (b->max_len - burst->len) / pkt_len);

		if (pkt_len > burst->seg_len || ((run->new_skb || run->cnp) && burst->npkts))
			break;
		if (pkt_len < burst->seg_len)
			n = min(n, 1u);
		burst->npkts += n;
		burst->len += n * pkt_len;
		burst->cnp = run->cnp;
		if (run->cnp || n < left || pkt_len < burst->seg_len)
			break;
	}
}

static u32 rxe_skb_ip_hdr_len(const struct rxe_path *path)
{
	return path->v6 ? sizeof(struct ipv6hdr) : sizeof(struct iphdr);
}

static void rxe_skb_init_net_hdr(struct rxe_net_hdr *h, const struct rxe_path *path)
{
	memset(h, 0, sizeof(*h));
	rxe_net_hdr_use(h, &rxe_skb_memos);
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
 * struct rxe_skb_cursor - write position in a socket buffer
 * @skb: the buffer
 * @frag: index of the page fragment after the current one
 * @pos: start of the next packet
 * @end: end of the contiguous memory at @pos
 */
struct rxe_skb_cursor {
	const struct sk_buff *skb;
	u32 frag;
	u8 *pos;
	u8 *end;
};

/* Returns contiguous memory for a packet of @len bytes, which rxe_skb_add_frags() ensures. */
static u8 *rxe_skb_cursor_advance(struct rxe_skb_cursor *r, u32 len)
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
static bool rxe_skb_write_packet(const struct roce_tx_run *run, u32 i,
				  struct rxe_payload_iter *src, struct rxe_net_hdr *h, u8 *p)
{
	u8 *payload = p + run->hdr_len, *pad = payload + run->seg_len;

	roce_run_header(run, i, p);
	if (src->crc_ctx)
		src->crc = rxe_net_hdr_icrc(h, p);
	rxe_payload_sum(src, p + sizeof(struct roce_bth), run->hdr_len - sizeof(struct roce_bth));
	if (!rxe_payload_read(src, payload, run->seg_len))
		return false;
	memset(pad, 0, run->pad);
	rxe_payload_sum(src, pad, run->pad);
	if (src->crc_ctx)
		roce_icrc_put(src->crc, pad + run->pad);
	else
		memset(pad + run->pad, 0, ROCE_ICRC_LEN);
	return true;
}

/* Writes @n packets of the next run. */
static bool rxe_skb_write_packets(struct rxe_skb_builder *b, u32 n, struct rxe_skb_cursor *room,
				   struct rxe_net_hdr *h)
{
	const struct roce_tx_run *run = rxe_skb_next_run(b);
	struct rxe_payload_iter *src = rxe_skb_payload(b);
	u32 i, len = roce_run_pkt_len(run);
	bool ok = true;

	for (i = 0; ok && i < n; i++) {
		rxe_net_hdr_set(h, len, b->path->ip_id++);
		ok = rxe_skb_write_packet(run, b->pkt + i, src, h,
					  rxe_skb_cursor_advance(room, len));
	}
	return ok;
}

/* Returns the run whose payload could not be read, or NULL. */
static const struct roce_tx_run *rxe_skb_write_burst(struct rxe_skb_builder *b,
						      const struct rxe_gso_burst *burst,
						      struct sk_buff *skb, struct rxe_net_hdr *h)
{
	struct rxe_skb_cursor room = { .skb = skb, .pos = skb->data, .end = skb_tail_pointer(skb) };
	u32 n, left;

	for (left = burst->npkts; left; left -= n) {
		n = min(left, rxe_skb_next_run(b)->npkts - b->pkt);
		if (!rxe_skb_write_packets(b, n, &room, h))
			return rxe_skb_next_run(b);
		rxe_skb_skip(b, n);
	}
	return NULL;
}

/* Each page fragment gets as many packets as fit; no packet spans two fragments. */
static bool rxe_skb_add_frags(struct sk_buff *skb, const struct rxe_gso_burst *burst)
{
	u32 len, left = burst->len, per_frag, frags = 0;
	struct page *page;
	u32 order;

	for (; left; left -= len) {
		order = min_t(u32, get_order(left), MAX_ORDER_CHEAP);
		do {
			per_frag = (PAGE_SIZE << order) / burst->seg_len;
			if (!per_frag || frags == MAX_SKB_FRAGS)
				return false;
			page = alloc_pages(GFP_NOWAIT | __GFP_NOWARN | __GFP_COMP, order);
		} while (!page && order--);
		if (!page)
			return false;
		len = min(left, per_frag * burst->seg_len);
		skb_add_rx_frag(skb, frags++, page, 0, len, PAGE_SIZE << order);
	}
	return true;
}

/*
 * A page fragment is faster to allocate and free than slab memory, and napi_build_skb() takes the
 * struct sk_buff from a per-CPU cache, to which transmitted buffers return.
 */
static struct sk_buff *rxe_skb_alloc(u32 len)
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

static struct sk_buff *rxe_skb_alloc_burst(const struct rxe_skb_builder *b,
					   const struct rxe_gso_burst *burst)
{
	u32 head = LL_RESERVED_SPACE(dst_dev(b->dst)) + b->dst->header_len +
		   rxe_skb_ip_hdr_len(b->path) + sizeof(struct udphdr);
	bool linear = burst->npkts == 1 || burst->len <= MAX_LINEAR;
	struct sk_buff *skb;

	skb = rxe_skb_alloc(head + (linear ? burst->len : 0) + b->dst->trailer_len);
	if (!skb)
		return NULL;
	skb_reserve(skb, head);
	if (linear) {
		skb_put(skb, burst->len);
	} else if (!rxe_skb_add_frags(skb, burst)) {
		kfree_skb(skb);
		return NULL;
	}
	return skb;
}

static void rxe_skb_offload_checksum(struct sk_buff *skb, struct udphdr *udp,
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

/* The ICRC does not cover the traffic class, and the checksum of the IPv4 header is not set yet. */
static void rxe_skb_set_tclass(struct sk_buff *skb, bool v6, u8 tclass)
{
	if (v6)
		ipv6_change_dsfield(ipv6_hdr(skb), 0, tclass);
	else
		ip_hdr(skb)->tos = tclass;
}

/*
 * UDP checksum: zero over IPv4 (IBTA A17). IPv6 requires one, segmentation offload needs
 * CHECKSUM_PARTIAL, and so do adapters that fill in the ICRC.
 */
static void rxe_skb_push_headers(const struct rxe_skb_builder *b, struct sk_buff *skb,
				  const struct rxe_gso_burst *burst, struct rxe_net_hdr *h, u16 id)
{
	struct udphdr *udp;

	rxe_net_hdr_set(h, skb->len, id);
	udp = skb_push(skb, sizeof(*udp));
	skb_reset_transport_header(skb);
	*udp = h->udp;
	if (burst->npkts > 1) {
		skb_shinfo(skb)->gso_type = SKB_GSO_UDP_L4;
		skb_shinfo(skb)->gso_size = burst->seg_len;
		skb_shinfo(skb)->gso_segs = burst->npkts;
	}
	if (h->v6 || burst->npkts > 1 || b->hw_icrc)
		rxe_skb_offload_checksum(skb, udp, h);
	if (h->v6)
		*(struct ipv6hdr *)skb_push(skb, sizeof(h->ip6)) = h->ip6;
	else
		*(struct iphdr *)skb_push(skb, sizeof(h->ip4)) = h->ip4;
	skb_reset_network_header(skb);
	if (burst->cnp)
		rxe_skb_set_tclass(skb, h->v6, rxe_params_cnp_tclass());
}

static void rxe_skb_set_flow(struct sk_buff *skb, const struct rxe_skb_builder *b,
			     const struct rxe_gso_burst *burst)
{
	u8 tclass = burst->cnp ? rxe_params_cnp_tclass() : b->path->tclass;

	__skb_set_sw_hash(skb, b->flow->hash, true);
	skb->priority = rt_tos2priority(tclass);
	skb_dst_set(skb, dst_clone(b->dst));
}

static void rxe_skb_count_lost(struct rxe_skb_builder *b, enum rxe_counter why, u32 npkts)
{
	rxe_tx_count(b->flow, why, npkts);
	rxe_skb_stop_reading(b);
	rxe_skb_skip(b, npkts);
}

/*
 * Returns true if segmentation does not count up the IPv4 identification on this path, as far as
 * the buffers so far show.
 */
static bool rxe_skb_lacks_gso(struct rxe_skb_builder *b, const struct rxe_gso_burst *burst)
{
	const struct roce_tx_run *run = rxe_skb_next_run(b);

	return b->max_segs > 1 && !b->path->v6 && b->flow->service == ROCE_OP_RC &&
	       rxe_gso_watch_buffer(b->flow->gso_watch, run, roce_psn_add(run->psn, b->pkt),
				    burst->npkts, b->flow->una);
}

/* Builds one socket buffer. Returns the run whose payload could not be read, or NULL. */
static const struct roce_tx_run *rxe_skb_build_burst(struct rxe_skb_builder *b,
						     struct rxe_net_hdr *h,
						     struct sk_buff_head *skbs)
{
	const struct roce_tx_run *failed;
	u16 id = b->path->ip_id;
	struct sk_buff *skb;
	struct rxe_gso_burst burst;
	u32 ip_len;

	rxe_skb_plan_burst(b, &burst);
	if (rxe_skb_lacks_gso(b, &burst)) {
		rxe_path_forgo_gso(b->flow->dev, b->path);
		b->max_segs = 1;
		rxe_skb_plan_burst(b, &burst);
	}
	ip_len = rxe_skb_ip_hdr_len(b->path) + sizeof(struct udphdr) + burst.seg_len;
	if (unlikely(ip_len > b->mtu)) {
		rxe_pmtu_too_big(b->flow->dev, b->path, ip_len, b->mtu);
		rxe_skb_count_lost(b, RXE_CNT_SEND_ERR, burst.npkts);
		return NULL;
	}
	skb = rxe_skb_alloc_burst(b, &burst);
	if (!skb) {
		if (burst.npkts == 1)
			rxe_skb_count_lost(b, RXE_CNT_DROP_NO_MEM, 1);
		b->max_segs = 1;
		return NULL;
	}
	rxe_crc_begin(&b->crc, b->hw_icrc ? 0 : burst.len);
	failed = rxe_skb_write_burst(b, &burst, skb, h);
	rxe_crc_end(&b->crc);
	if (failed) {
		kfree_skb(skb);
		return failed;
	}
	rxe_skb_push_headers(b, skb, &burst, h, id);
	rxe_skb_set_flow(skb, b, &burst);
	__skb_queue_tail(skbs, skb);
	return NULL;
}

/* A packet socket on the veth peer sees GSO buffers unsegmented, so its taps count, too. */
static bool rxe_skb_has_taps(struct net_device *ndev)
{
	const struct net_device_ops *ops = ndev->netdev_ops;
	struct net_device *peer = ops->ndo_get_peer_dev ? ops->ndo_get_peer_dev(ndev) : NULL;

	return dev_nit_active(ndev) || (peer && dev_nit_active(peer));
}

static void rxe_skb_set_limits(struct rxe_skb_builder *b)
{
	u32 head = rxe_skb_ip_hdr_len(b->path) + sizeof(struct udphdr);
	struct net_device *ndev = dst_dev(b->dst);
	u32 max_size = min(READ_ONCE(ndev->gso_max_size), 0xffffu);

	b->mtu = dst_mtu(b->dst);
	b->max_segs = 1;
	b->max_len = 0xffff - head;
	if (rxe_dst_has_ipsec(b->dst) || ~READ_ONCE(ndev->features) & (NETIF_F_GSO | NETIF_F_SG) ||
	    rxe_skb_has_taps(ndev) || !rxe_params_use_sg() ||
	    (b->hw_icrc && READ_ONCE(ndev->features) & NETIF_F_GSO_UDP_L4) ||
	    b->path->no_gso || b->path->tunnel ||
	    max_size <= head + LL_RESERVED_SPACE(ndev) + ROCE_MAX_MTU + ROCE_MAX_HDR)
		return;
	b->max_segs = clamp_t(u32, READ_ONCE(ndev->gso_max_segs), 1, MAX_SEGS);
	b->max_len = max_size - head - LL_RESERVED_SPACE(ndev);
}

/*
 * Builds the runs up to @end, with the cached route of @path. Returns the run whose payload could
 * not be read, or NULL.
 */
static const struct roce_tx_run *rxe_skb_build_runs(struct rxe_skb_builder *b,
						    struct rxe_path *path, u32 end,
						    struct sk_buff_head *skbs)
{
	const struct roce_tx_run *failed = NULL;
	struct rxe_net_hdr h;

	b->path = path;
	b->dst = path->dst;
	b->end = end;
	b->hw_icrc = rxe_icrc_tx_offload(b->flow->dev, b->dst, path->v6);
	rxe_skb_set_limits(b);
	rxe_skb_init_net_hdr(&h, path);
	while (b->run < end && !failed)
		failed = rxe_skb_build_burst(b, &h, skbs);
	rxe_skb_stop_reading(b);
	return failed;
}

/* Returns one past the index of the last run with the same destination as the next run. */
static u32 rxe_skb_dest_end(const struct rxe_skb_builder *b)
{
	const struct roce_tx_run *run = b->batch->run;
	u32 end = b->run + 1;

	while (end < b->batch->nruns && run[end].payload.wqe->av == run[b->run].payload.wqe->av)
		end++;
	return end;
}

/* Each run is one packet: a datagram is a message of its own. */
static const struct roce_tx_run *rxe_skb_build_datagrams(struct rxe_skb_builder *b,
							  struct sk_buff_head *skbs)
{
	const struct roce_tx_run *failed = NULL;
	struct rxe_path path;

	while (b->run < b->batch->nruns && !failed) {
		struct rxe_dest *dest = (void *)rxe_skb_next_run(b)->payload.wqe->av;
		u32 end = rxe_skb_dest_end(b), npkts = end - b->run;

		if (rxe_dest_route(dest, npkts, &path)) {
			failed = rxe_skb_build_runs(b, &path, end, skbs);
			rxe_path_release(&path);
		} else {
			rxe_tx_count(b->flow, RXE_CNT_SEND_ERR, npkts);
			b->run = end;
		}
	}
	return failed;
}

const struct roce_tx_run *rxe_skb_build(struct rxe_tx_flow *flow, const struct roce_tx_batch *batch,
					struct sk_buff_head *skbs)
{
	const struct roce_tx_run *failed = NULL;
	struct rxe_skb_builder b = { .flow = flow, .batch = batch };

	if (flow->service == ROCE_OP_UD)
		failed = rxe_skb_build_datagrams(&b, skbs);
	else if (flow->service == ROCE_RAW)
		failed = rxe_raw_build(flow, batch, skbs, &b.src.err);
	else if (rxe_path_dst(&flow->path))
		failed = rxe_skb_build_runs(&b, &flow->path, batch->nruns, skbs);
	else
		rxe_tx_count(flow, RXE_CNT_SEND_ERR, batch->npkts);
	/* The transport checked residency before it made the batch, so this race is rare. */
	if (b.src.err != -EAGAIN)
		return failed;
	rxe_tx_count(flow, RXE_CNT_DROP_NO_MEM, 1);
	return NULL;
}
