/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Paths: the address pair of a QP or destination, its IP header fields and its cached route (dst).
 */
#ifndef RXE_PATH_H
#define RXE_PATH_H

#include <linux/in.h>
#include <linux/in6.h>
#include <net/dst.h>
#include <rdma/ib_verbs.h>

/**
 * struct rxe_path - an address pair with its header fields and its cached route
 * @v6: IPv6, else IPv4
 * @v4: IPv4 addresses, network byte order: local (saddr) and remote (daddr)
 * @ip6: IPv6 addresses: local (saddr) and remote (daddr)
 * @net: network namespace of the interface that holds the local address; NULL: no packet leaves
 *	or arrives. Without a reference: the device is a member of it (ip/pernet.h), and clears this
 *	when it leaves
 * @oif: index in @net of that interface; packets leave by it, unless the remote address is local,
 *	too
 * @sport: UDP source port, network byte order; constant for a QP, so that ECMP routers and receive
 *	queues (RSS) keep its packets in order
 * @tclass: traffic class (TOS)
 * @hop_limit: hop limit (TTL), 1 to 255. ib_core puts that of the route into the attributes of each
 *	unicast path; the program's arrives here for groups, and from libraries without AH numbers
 * @flow_label: IPv6 flow label, 20 bits, CPU byte order
 * @ip_id: IPv4 identification of the next packet, CPU byte order. A counter per path suffices: DF
 *	is set (RFC 6864), and GSO increments the identification as well
 * @no_gso: the IPv4 identification of GSO segments is wrong on this path (tx/gso_watch.h)
 * @tunnel: IPv4 over the interface of a tunnel, which may be segmented by an adapter that does not
 *	count up the identification in there; valid with @dst
 * @dst: cached route, with a reference; NULL if there is none
 * @cookie: for dst_check() of @dst
 *
 * Written under the lock of the endpoint or destination. The receive path reads the addresses,
 * @net, @oif, @dst and @cookie without it, under RCU.
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
	struct net *net;
	int oif;
	__be16 sport;
	u16 ip_id;
	u8 tclass;
	u8 hop_limit;
	bool no_gso;
	bool tunnel;
	u32 flow_label;
	struct dst_entry *dst;
	u32 cookie;
};

struct rxe_dev;

/**
 * rxe_mtu_from_netdev() - convert an interface MTU to a RoCE path MTU
 * @mtu: MTU of the interface, bytes
 *
 * Return: the largest path MTU (256 to 4096 bytes) whose packets fit; 0 if not even 256 does.
 */
u32 rxe_mtu_from_netdev(u32 mtu);

/**
 * rxe_path_set() - set a path from the attributes of an address handle
 * @path: overwritten, its cached route dropped; has to be zeroed before its first use
 * @attr: RoCE attributes with GRH and sgid_attr
 * @qpn: QPN, for the UDP source port
 * @dest_qpn: QPN of the peer, for the UDP source port
 *
 * Context: the path's lock held.
 * Return: 0; -EINVAL if there is no GRH or the address families differ; -ENODEV if no interface has
 * the source address any more; -ENETUNREACH if the device receives nothing in the namespace of that
 * interface. @path is unchanged on errors.
 */
int rxe_path_set(struct rxe_path *path, const struct rdma_ah_attr *attr, u32 qpn, u32 dest_qpn);

/**
 * rxe_path_may_use() - check that a program may send from a source address
 * @attr: as for rxe_path_set()
 *
 * Pods that share a device see each other's GIDs. A program may use those of the namespace of the
 * device's interface, of its own namespace, and of each that it could enter (CAP_SYS_ADMIN).
 *
 * Context: the program's system call.
 * Return: false if it may not.
 */
bool rxe_path_may_use(const struct rdma_ah_attr *attr);

/**
 * rxe_path_forgo_gso() - send one packet a buffer on an IPv4 path, and on later ones to its peer
 * @dev: device
 * @path: path; @no_gso is set
 *
 * Logs the reason, @tunnel or the peer's drops, and counts the path, once for each of the last 16
 * peers.
 *
 * Context: the path's lock held.
 */
void rxe_path_forgo_gso(struct rxe_dev *dev, struct rxe_path *path);

/* Drop the cached route. Context: the path's lock held, or @path not shared. */
void rxe_path_release(struct rxe_path *path);

/* Drop the cached route and the namespace, for good. Context: the path's lock held. */
void rxe_path_close(struct rxe_path *path);

/*
 * Close @path if its device @dev is no member of its namespace any more. Context: the path's lock
 * and the mutex of pernet.c held.
 */
void rxe_path_forget(struct rxe_path *path, const struct rxe_dev *dev);

/**
 * rxe_path_suspend() - stop a path whose interface leaves its namespace
 * @path: path; nothing happens unless its local address belongs to the interface
 * @net: namespace
 * @ifindex: index of the interface in @net
 *
 * Context: the path's lock held.
 */
void rxe_path_suspend(struct rxe_path *path, const struct net *net, int ifindex);

/**
 * rxe_path_resume() - follow the interface of a suspended path into another namespace
 * @path: path; nothing happens unless it has been suspended
 * @old: index of the interface in the namespace that it left
 * @net: namespace that it has joined
 * @ifindex: index in @net
 *
 * Context: the path's lock held.
 */
void rxe_path_resume(struct rxe_path *path, int old, struct net *net, int ifindex);

/**
 * rxe_path_dst() - return the cached route, after a lookup if it has expired
 * @path: path
 *
 * Routes to IPv4 multicast groups are looked up at each call.
 *
 * Context: bottom halves off, RCU read lock held, the path's lock held.
 * Return: the route, whose reference remains with @path; NULL if there is none.
 */
struct dst_entry *rxe_path_dst(struct rxe_path *path);

/**
 * rxe_dst_has_ipsec() - check for a route whose packets IPsec transforms
 * @dst: route
 *
 * Context: any.
 * Return: true if a security association (SA) transforms the packets of @dst, or if IPsec holds
 * them because it has none yet (net.core.xfrm_larval_drop=0).
 */
static inline bool rxe_dst_has_ipsec(const struct dst_entry *dst)
{
	return dst_xfrm(dst) || dst->flags & DST_XFRM_QUEUE;
}

/**
 * rxe_path_matches() - compare the addresses of a received packet with a path
 * @path: path
 * @ip: IPv4 or IPv6 header of the packet
 *
 * Context: any, without the path's lock: while rxe_path_set() runs, the result may be that of the
 * old or the new addresses.
 * Return: true if the packet came from the path's remote address to its local one.
 */
bool rxe_path_matches(const struct rxe_path *path, const void *ip);

/**
 * rxe_path_egress_is() - check that the cached route is valid and leads out of an interface
 * @path: path
 * @ndev: interface
 *
 * If so, the stack accepts packets from the path's remote address on @ndev: the reverse path filter
 * (rp_filter) finds the source behind @ndev, and the destination is a local address.
 *
 * Context: RCU read lock held; without the path's lock, as rxe_path_matches().
 * Return: true if a valid route is cached and its interface is @ndev.
 */
bool rxe_path_egress_is(const struct rxe_path *path, const struct net_device *ndev);

#endif
