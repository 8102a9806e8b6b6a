/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a QP's packets go: addresses, cached route, header fields.
 */
#ifndef RXE_PATH_H
#define RXE_PATH_H

#include <linux/in.h>
#include <linux/in6.h>
#include <net/dst.h>
#include <rdma/ib_verbs.h>

/**
 * struct rxe_path - an address pair and what is cached for it
 * @v6: IPv6, else IPv4
 * @saddr: ours
 * @daddr: the peer's
 * @oif: interface that holds @saddr, where packets leave unless @daddr is our own
 * @sport: UDP source port, network order; constant for a QP, so that routers
 *	and receive queues keep its packets in order
 * @tclass: traffic class (TOS)
 * @hop_limit: hop limit (TTL), never 0
 * @flow_label: IPv6 flow label, 20 bits
 * @ip_id: IPv4 identification of the next packet; counted for each path, which
 *	costs nothing, is what segmentation offload does, and enough with DF set
 * @dst: cached route, or NULL; checked by @cookie
 *
 * Protected by the endpoint's lock.
 */
struct rxe_path {
	bool v6;
	union {
		struct {
			__be32 saddr, daddr;
		} v4;
		struct {
			struct in6_addr saddr, daddr;
		} ip6;
	};
	int oif;
	__be16 sport;
	u16 ip_id;
	u8 tclass;
	u8 hop_limit;
	u32 flow_label;
	struct dst_entry *dst;
	u32 cookie;
};

struct rxe_dev;

/**
 * rxe_mtu_from_netdev() - convert an interface MTU to a RoCE path MTU
 * @mtu: of the interface, bytes
 *
 * Return: the largest path MTU (256 to 4096 bytes) whose packets fit; 0 if not even 256 does.
 */
u32 rxe_mtu_from_netdev(u32 mtu);

/**
 * rxe_path_set() - take the addresses of an address handle attribute
 * @path: released and written anew; zeroed before its first use
 * @attr: RoCE attribute with GRH and sgid_attr
 * @qpn: own QPN
 * @dest_qpn: the peer's, for the UDP source port
 *
 * Return: 0; -EINVAL when there is no GRH or the address families differ;
 * -ENODEV when the source address is no longer an interface's.
 */
int rxe_path_set(struct rxe_path *path, const struct rdma_ah_attr *attr, u32 qpn, u32 dest_qpn);

/* Drop the cached route. */
void rxe_path_release(struct rxe_path *path);

/**
 * rxe_path_dst() - the route, looked up anew when the cached one has expired, and for an IPv4 group
 * @dev: device, its namespace is the one that counts
 * @path: path
 *
 * Context: bottom halves off, RCU read lock held.
 * Return: a route without a reference of its own (the path holds one), or NULL.
 */
struct dst_entry *rxe_path_dst(struct rxe_dev *dev, struct rxe_path *path);

/**
 * rxe_path_matches() - did a received packet come over this path?
 * @path: path
 * @ip: start of the received packet's IPv4 or IPv6 header
 *
 * May be called without the endpoint's lock: while the path is being changed the
 * answer may be either, as for a packet that arrives a moment earlier or later.
 */
bool rxe_path_matches(const struct rxe_path *path, const void *ip);

/**
 * rxe_path_egress_is() - does the cached route lead out of an interface, and still hold?
 * @path: path
 * @ndev: interface
 *
 * If so, the stack would accept packets from the path's other end by that interface: their source
 * is a host that is reached there, and their destination one of our addresses. May be called
 * without the endpoint's lock, as above. Context: RCU read lock held.
 */
bool rxe_path_egress_is(const struct rxe_path *path, const struct net_device *ndev);

#endif
