// SPDX-License-Identifier: GPL-2.0
/*
 * Demultiplexing of received packets: the search for the device and the endpoint.
 */
#include <linux/inetdevice.h>
#include <linux/netdevice.h>
#include <linux/rculist.h>
#include <linux/skbuff.h>
#include <net/addrconf.h>
#include <rdma/ib_cache.h>

#include "base/device.h"
#include "ip/net_hdr.h"
#include "ip/path.h"
#include "ip/pernet.h"
#include "qp/ep.h"
#include "rx/demux.h"

struct rxe_dev *rxe_demux_dev(const struct sk_buff *skb)
{
	struct rxe_dev *dev;

	list_for_each_entry_rcu(dev, rxe_net_devs(dev_net(skb->dev)), net_node)
		if (rcu_access_pointer(dev->ndev) == skb->dev)
			return dev;
	return NULL;
}

bool rxe_demux_dev_serves(struct rxe_dev *dev, const struct net_device *ndev)
{
	struct net_device *own = rcu_dereference(dev->ndev);

	return own &&
	       (own == ndev || netdev_has_upper_dev_all_rcu(own, (struct net_device *)ndev));
}

/* @exists is set if the device has a QP of that number, whatever its addresses are. */
static struct rxe_ep *rxe_demux_match_ep(struct rxe_dev *dev, const void *ip, u32 qpn, bool *exists)
{
	struct rxe_ep *ep = rxe_ep_find(dev, qpn);

	if (!ep)
		return NULL;
	*exists = true;
	return rxe_path_matches(&ep->flow.path, ip) ? ep : NULL;
}

static struct rxe_ep *rxe_demux_match_any(struct net *net, const void *ip, u32 qpn, bool *exists)
{
	struct rxe_dev *dev;
	struct rxe_ep *ep;

	list_for_each_entry_rcu(dev, rxe_net_devs(net), net_node) {
		ep = rxe_demux_match_ep(dev, ip, qpn, exists);
		if (ep)
			return ep;
	}
	return NULL;
}

struct rxe_ep *rxe_demux_find(struct net *net, struct rxe_dev *dev, const void *ip, u32 qpn,
			      enum rxe_counter *drop)
{
	bool exists = false;
	struct rxe_ep *ep;

	ep = dev ? rxe_demux_match_ep(dev, ip, qpn, &exists) : NULL;
	ep = ep ?: rxe_demux_match_any(net, ip, qpn, &exists);
	if (!ep && exists)
		*drop = RXE_CNT_DROP_ADDR;
	return ep;
}

/* Several interfaces may have the same link-local address: prefer the ingress interface. */
static const struct net_device *rxe_demux_addr_owner(const struct sk_buff *skb,
						     const struct rxe_net_hdr *h)
{
	struct net *net = dev_net(skb->dev);

	if (!h->v6)
		return __ip_dev_find(net, h->ip4.daddr, false);
	return ipv6_dev_find(net, &h->ip6.daddr, skb->dev) ?:
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

static struct rxe_ep *rxe_demux_match_ud(struct rxe_dev *dev, const struct net_device *owner,
					 u32 qpn)
{
	struct rxe_ep *ep;

	if (!rxe_demux_dev_serves(dev, owner))
		return NULL;
	ep = rxe_ep_find(dev, qpn);
	return ep && ep->core.service == ROCE_OP_UD ? ep : NULL;
}

/* The search of a GID table takes microseconds: it is done only if several devices have the QP. */
struct rxe_ep *rxe_demux_find_ud(const struct sk_buff *skb, const struct rxe_net_hdr *h, u32 qpn,
				 enum rxe_counter *drop)
{
	const struct net_device *owner = rxe_demux_addr_owner(skb, h);
	struct rxe_ep *ep, *found = NULL;
	struct rxe_dev *dev;
	int rank, best = -1;

	if (!owner) {
		*drop = RXE_CNT_DROP_ADDR;
		return NULL;
	}
	list_for_each_entry_rcu(dev, rxe_net_devs(dev_net(skb->dev)), net_node) {
		ep = rxe_demux_match_ud(dev, owner, qpn);
		if (!ep)
			continue;
		if (!found) {
			found = ep;
			continue;
		}
		if (best < 0)
			best = rxe_demux_ud_rank(found->flow.dev, owner, h);
		rank = rxe_demux_ud_rank(dev, owner, h);
		if (rank > best) {
			best = rank;
			found = ep;
		}
	}
	return found;
}

bool rxe_demux_match(struct net *net, const void *ip, u32 qpn)
{
	bool exists;

	return rxe_demux_match_any(net, ip, qpn, &exists);
}

bool rxe_demux_match_iif(const struct sk_buff *skb, const void *ip, u32 qpn)
{
	struct rxe_dev *dev = rxe_demux_dev(skb);
	bool exists;
	struct rxe_ep *ep = dev ? rxe_demux_match_ep(dev, ip, qpn, &exists) : NULL;

	return ep && rxe_path_egress_is(&ep->flow.path, skb->dev);
}
