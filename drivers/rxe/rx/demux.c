// SPDX-License-Identifier: GPL-2.0
/*
 * Demultiplexing of received packets: the search for the device and the endpoint.
 */
#include <linux/inetdevice.h>
#include <linux/netdevice.h>
#include <linux/rculist.h>
#include <linux/skbuff.h>
#include <net/addrconf.h>
#include <net/l3mdev.h>
#include <rdma/ib_cache.h>

#include "base/device.h"
#include "ip/net_hdr.h"
#include "ip/path.h"
#include "ip/pernet.h"
#include "ip/vrf.h"
#include "qp/ep.h"
#include "rx/demux.h"

struct rxe_dev *rxe_demux_dev(struct sk_buff *skb)
{
	const struct net_device *ndev = rxe_vrf_ingress(skb);
	struct rxe_net_member *member;

	list_for_each_entry_rcu(member, rxe_net_members(dev_net(ndev)), net_node)
		if (rcu_access_pointer(member->dev->ndev) == ndev)
			return member->dev;
	return NULL;
}

#ifdef CONFIG_NET_L3_MASTER_DEV
static bool rxe_demux_default_vrf_accepts_all(const struct net *net)
{
	return READ_ONCE(net->ipv4.sysctl_udp_l3mdev_accept);
}
#else
static bool rxe_demux_default_vrf_accepts_all(const struct net *net)
{
	return false;
}
#endif

/*
 * Namespaces and VRFs may use the same addresses, so an endpoint gets packets of the namespace and
 * the VRF of its source address only. As for sockets, net.ipv4.udp_l3mdev_accept=1 exempts the
 * default VRF.
 */
static bool rxe_demux_same_scope(const struct sk_buff *skb, const struct rxe_path *path)
{
	struct net *net = dev_net(skb->dev);
	int vrf;

	if (READ_ONCE(path->net) != net)
		return false;
	if (list_empty(&rxe_net(net)->vrfs))
		return true;
	vrf = l3mdev_master_ifindex_by_index(net, READ_ONCE(path->oif));
	return vrf == l3mdev_master_ifindex_rcu(skb->dev) ||
	       (!vrf && rxe_demux_default_vrf_accepts_all(net));
}

bool rxe_demux_dev_serves(struct rxe_dev *dev, const struct net_device *ndev)
{
	struct net_device *own = rcu_dereference(dev->ndev);

	return own &&
	       (own == ndev || netdev_has_upper_dev_all_rcu(own, (struct net_device *)ndev));
}

/* An endpoint that is being destroyed stays in the table until its last ACKs have been sent. */
static struct rxe_ep *rxe_demux_live_ep(struct rxe_dev *dev, u32 qpn)
{
	struct rxe_ep *ep = rxe_ep_find(dev, qpn);

	return ep && !READ_ONCE(ep->dead) ? ep : NULL;
}

/* @exists is set if the device has a QP of that number, whatever its addresses are. */
static struct rxe_ep *rxe_demux_match_ep(struct rxe_dev *dev, const struct sk_buff *skb,
					 const void *ip, u32 qpn, bool *exists)
{
	struct rxe_ep *ep = rxe_demux_live_ep(dev, qpn);

	if (!ep)
		return NULL;
	*exists = true;
	return rxe_path_matches(&ep->flow.path, ip) && rxe_demux_same_scope(skb, &ep->flow.path) ?
		       ep :
		       NULL;
}

static struct rxe_ep *rxe_demux_match_any(const struct sk_buff *skb, const void *ip, u32 qpn,
					  bool *exists)
{
	struct rxe_net_member *member;
	struct rxe_ep *ep;

	list_for_each_entry_rcu(member, rxe_net_members(dev_net(skb->dev)), net_node) {
		ep = rxe_demux_match_ep(member->dev, skb, ip, qpn, exists);
		if (ep)
			return ep;
	}
	return NULL;
}

struct rxe_ep *rxe_demux_find(const struct sk_buff *skb, struct rxe_dev *dev, u32 qpn,
			      enum rxe_counter *drop)
{
	const void *ip = skb_network_header(skb);
	bool exists = false;
	struct rxe_ep *ep;

	ep = dev ? rxe_demux_match_ep(dev, skb, ip, qpn, &exists) : NULL;
	ep = ep ?: rxe_demux_match_any(skb, ip, qpn, &exists);
	if (!ep && exists)
		*drop = RXE_CNT_DROP_ADDR;
	return ep;
}

static bool rxe_demux_has_v4(const struct net_device *ndev, __be32 addr)
{
	const struct in_device *in_dev = __in_dev_get_rcu(ndev);
	const struct in_ifaddr *ifa;

	if (!in_dev)
		return false;
	in_dev_for_each_ifa_rcu(ifa, in_dev)
		if (ifa->ifa_local == addr)
			return true;
	return false;
}

/* In a VRF, the table of all addresses may have the interface of another VRF first. */
static const struct net_device *rxe_demux_owner_v4(const struct net_device *ndev,
						   const struct sk_buff *skb, __be32 addr)
{
	if (!netif_is_l3_master(skb->dev))
		return __ip_dev_find(dev_net(skb->dev), addr, false);
	if (rxe_demux_has_v4(ndev, addr))
		return ndev;
	if (rxe_demux_has_v4(skb->dev, addr))
		return skb->dev;
	return __ip_dev_find(dev_net(skb->dev), addr, false);
}

/* Several interfaces may have the same link-local address: prefer the ingress interface. */
static const struct net_device *rxe_demux_addr_owner(struct sk_buff *skb,
						     const struct rxe_net_hdr *h)
{
	struct net_device *ndev = rxe_vrf_ingress(skb);
	struct net *net = dev_net(ndev);

	if (!h->v6)
		return rxe_demux_owner_v4(ndev, skb, h->ip4.daddr);
	return ipv6_dev_find(net, &h->ip6.daddr, ndev) ?:
		       ipv6_dev_find(net, &h->ip6.daddr, NULL);
}

static bool rxe_demux_dev_has_gid(struct rxe_dev *dev, const struct net_device *owner,
				  const struct rxe_net_hdr *h)
{
	const struct ib_gid_attr *attr;
	union ib_gid gid;

	if (h->v6)
		memcpy(gid.raw, &h->ip6.daddr, sizeof(gid.raw));
	else
		ipv6_addr_set_v4mapped(h->ip4.daddr, (struct in6_addr *)gid.raw);
	attr = rdma_find_gid_by_port(&dev->ibdev, &gid, IB_GID_TYPE_ROCE_UDP_ENCAP, 1,
				     (struct net_device *)owner);
	if (IS_ERR(attr))
		return false;
	rdma_put_gid_attr(attr);
	return true;
}

/*
 * The preference of a device among those that serve the interface @owner of the destination
 * address: the device of a bond's passive port, for example, does not have the GIDs of the bond.
 */
static int rxe_demux_ud_rank(struct rxe_dev *dev, const struct net_device *owner,
			     const struct rxe_net_hdr *h)
{
	return 2 * rxe_demux_dev_has_gid(dev, owner, h) +
	       (rcu_access_pointer(dev->ndev) == owner);
}

/*
 * True if @dev is to be preferred to @found, NULL for none so far. @best: the rank of @found, -1 at
 * first: a single device is not ranked.
 */
static bool rxe_demux_prefer(struct rxe_dev *dev, struct rxe_dev *found, int *best,
			     const struct net_device *owner, const struct rxe_net_hdr *h)
{
	int rank;

	if (!found)
		return true;
	if (*best < 0)
		*best = rxe_demux_ud_rank(found, owner, h);
	rank = rxe_demux_ud_rank(dev, owner, h);
	if (rank <= *best)
		return false;
	*best = rank;
	return true;
}

static struct rxe_ep *rxe_demux_match_ud(struct rxe_dev *dev, const struct net_device *owner,
					 u32 qpn)
{
	struct rxe_ep *ep;

	if (!rxe_demux_dev_serves(dev, owner))
		return NULL;
	ep = rxe_demux_live_ep(dev, qpn);
	return ep && ep->transport.service == ROCE_OP_UD ? ep : NULL;
}

/* The search of a GID table takes microseconds: it is done only if several devices have the QP. */
struct rxe_ep *rxe_demux_find_ud(struct sk_buff *skb, const struct rxe_net_hdr *h, u32 qpn,
				 enum rxe_counter *drop)
{
	const struct net_device *owner = rxe_demux_addr_owner(skb, h);
	struct rxe_ep *ep, *found = NULL;
	struct rxe_net_member *member;
	int best = -1;

	if (!owner) {
		*drop = RXE_CNT_DROP_ADDR;
		return NULL;
	}
	list_for_each_entry_rcu(member, rxe_net_members(dev_net(skb->dev)), net_node) {
		ep = rxe_demux_match_ud(member->dev, owner, qpn);
		if (!ep)
			continue;
		if (rxe_demux_prefer(member->dev, found ? found->flow.dev : NULL, &best, owner, h))
			found = ep;
	}
	return found;
}

struct rxe_dev *rxe_demux_find_owner(struct sk_buff *skb, const struct rxe_net_hdr *h)
{
	const struct net_device *owner = rxe_demux_addr_owner(skb, h);
	struct rxe_net_member *member;
	struct rxe_dev *found = NULL;
	int best = -1;

	if (!owner)
		return NULL;
	list_for_each_entry_rcu(member, rxe_net_members(dev_net(skb->dev)), net_node) {
		if (!rxe_demux_dev_serves(member->dev, owner))
			continue;
		if (rxe_demux_prefer(member->dev, found, &best, owner, h))
			found = member->dev;
	}
	return found;
}

bool rxe_demux_match(const struct sk_buff *skb, const void *ip, u32 qpn)
{
	bool exists;

	return rxe_demux_match_any(skb, ip, qpn, &exists);
}

bool rxe_demux_match_iif(struct sk_buff *skb, const void *ip, u32 qpn)
{
	struct rxe_dev *dev = rxe_demux_dev(skb);
	bool exists;
	struct rxe_ep *ep = dev ? rxe_demux_match_ep(dev, skb, ip, qpn, &exists) : NULL;

	return ep && rxe_path_egress_is(&ep->flow.path, skb->dev);
}
