// SPDX-License-Identifier: GPL-2.0
/*
 * Paths: addresses of a connection or destination, IPv4 and IPv6 route lookup, path MTU.
 */
#include <linux/if_arp.h>
#include <linux/inetdevice.h>
#include <linux/ip.h>
#include <linux/nsproxy.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <net/flow.h>
#include <net/geneve.h>
#include <net/gre.h>
#include <net/inet_dscp.h>
#include <net/ip6_fib.h>
#include <net/ip6_route.h>
#include <net/ipv6.h>
#include <net/l3mdev.h>
#include <net/net_namespace.h>
#include <net/route.h>
#include <net/vxlan.h>
#include <rdma/ib_addr.h>
#include <rdma/ib_cache.h>
#include <roce/wire.h>

#include "base/counters.h"
#include "base/device.h"
#include "ip/path.h"
#include "ip/pernet.h"

/* IPv6 and UDP header, the longest transport headers of a packet with payload, ICRC; bytes. */
#define RXE_MTU_OVERHEAD                                                                           \
	(40 + 8 + sizeof(struct roce_bth) + sizeof(struct roce_reth) + sizeof(struct roce_immdt) + \
	 ROCE_ICRC_LEN)

u32 rxe_mtu_from_netdev(u32 mtu)
{
	u32 roce = ROCE_MAX_MTU;

	while (roce >= ROCE_MIN_MTU && roce + RXE_MTU_OVERHEAD > mtu)
		roce /= 2;
	return roce >= ROCE_MIN_MTU ? roce : 0;
}

/*
 * The device may leave the namespace at any time. It does so under the locks of all paths, and the
 * caller holds that of the path.
 */
static int rxe_path_check_member(const struct ib_gid_attr *attr, const struct net_device *ndev)
{
	struct rxe_dev *dev = to_rxe_dev(attr->device);
	struct net *net = dev_net(ndev);

	if (net == READ_ONCE(dev->net) || rxe_net_find(net, dev))
		return 0;
	ibdev_warn_ratelimited(attr->device,
			       "GID %d (%pI6c) refused: cannot receive in the namespace of %s\n",
			       attr->index, attr->gid.raw, ndev->name);
	return -ENETUNREACH;
}

static void rxe_path_set_addresses(struct rxe_path *path, const union ib_gid *sgid,
				   const union ib_gid *dgid)
{
	if (path->v6) {
		memcpy(&path->ip6.saddr, sgid->raw, sizeof(path->ip6.saddr));
		memcpy(&path->ip6.daddr, dgid->raw, sizeof(path->ip6.daddr));
	} else {
		memcpy(&path->v4.saddr, sgid->raw + 12, sizeof(path->v4.saddr));
		memcpy(&path->v4.daddr, dgid->raw + 12, sizeof(path->v4.daddr));
	}
}

static bool rxe_gid_is_v4(const union ib_gid *gid)
{
	return ipv6_addr_v4mapped((const struct in6_addr *)gid);
}

static bool rxe_path_is_mcast(const struct rxe_path *path)
{
	return path->v6 ? ipv6_addr_is_multicast(&path->ip6.daddr) :
			  ipv4_is_multicast(path->v4.daddr);
}

/* The kernel's defaults: IP_MULTICAST_TTL is 1, so multicast stays on the link. */
static u8 rxe_path_default_hops(const struct rxe_path *path)
{
	return rxe_path_is_mcast(path) ? 1 : IPDEFTTL;
}

static void rxe_path_set_netdev(struct rxe_path *path, const struct net_device *ndev)
{
	rxe_path_release(path);
	WRITE_ONCE(path->net, dev_net(ndev));
	WRITE_ONCE(path->oif, ndev->ifindex);
}

static int rxe_path_set_source(struct rxe_path *path, const struct ib_gid_attr *attr)
{
	struct net_device *ndev;
	int err;

	rcu_read_lock();
	ndev = rdma_read_gid_attr_ndev_rcu(attr);
	err = IS_ERR(ndev) ? -ENODEV : rxe_path_check_member(attr, ndev);
	if (!err)
		rxe_path_set_netdev(path, ndev);
	rcu_read_unlock();
	return err;
}

static bool rxe_path_lacks_gso(const struct rxe_dev *dev, __be32 daddr)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(dev->no_gso); i++)
		if (READ_ONCE(dev->no_gso[i]) == daddr)
			return true;
	return false;
}

/* The entries are for later connections and datagrams only. The oldest entry is replaced. */
void rxe_path_forgo_gso(struct rxe_dev *dev, struct rxe_path *path)
{
	u32 i;

	path->no_gso = true;
	if (rxe_path_lacks_gso(dev, path->v4.daddr))
		return;
	i = (u32)atomic_inc_return(&dev->no_gso_next) % ARRAY_SIZE(dev->no_gso);
	WRITE_ONCE(dev->no_gso[i], path->v4.daddr);
	rxe_count(dev, RXE_CNT_GSO_FALLBACK, 1);
	if (path->tunnel)
		ibdev_info(&dev->ibdev,
			   "%pI4 is reached through a tunnel, in which adapters may not count up the IPv4 identification: each packet is sent in a buffer of its own\n",
			   &path->v4.daddr);
	else
		ibdev_warn(&dev->ibdev,
			   "%pI4 drops all but the first packet of each segmented buffer: an adapter, or the host of this virtual machine, does not count up the IPv4 identification. From now on each packet is sent in a buffer of its own\n",
			   &path->v4.daddr);
}

int rxe_path_set(struct rxe_path *path, const struct rdma_ah_attr *attr, u32 qpn, u32 dest_qpn)
{
	const struct ib_global_route *grh = rdma_ah_read_grh(attr);
	int err;

	if (!(rdma_ah_get_ah_flags(attr) & IB_AH_GRH) || !grh->sgid_attr ||
	    rxe_gid_is_v4(&grh->sgid_attr->gid) != rxe_gid_is_v4(&grh->dgid))
		return -EINVAL;
	err = rxe_path_set_source(path, grh->sgid_attr);
	if (err)
		return err;

	path->v6 = !rxe_gid_is_v4(&grh->dgid);
	rxe_path_set_addresses(path, &grh->sgid_attr->gid, &grh->dgid);
	path->sport = htons(rdma_get_udp_sport(grh->flow_label, qpn, dest_qpn));
	path->ip_id = get_random_u16();
	path->tclass = grh->traffic_class;
	path->hop_limit = grh->hop_limit ?: rxe_path_default_hops(path);
	path->flow_label = grh->flow_label & IB_GRH_FLOWLABEL_MASK;
	path->no_gso = !path->v6 && rxe_path_lacks_gso(to_rxe_dev(grh->sgid_attr->device),
						       path->v4.daddr);
	return 0;
}

void rxe_path_release(struct rxe_path *path)
{
	struct dst_entry *dst = path->dst;

	/* rxe_path_egress_is() may still use it: it is freed after an RCU grace period. */
	WRITE_ONCE(path->dst, NULL);
	dst_release(dst);
}

void rxe_path_close(struct rxe_path *path)
{
	rxe_path_release(path);
	WRITE_ONCE(path->net, NULL);
	WRITE_ONCE(path->oif, 0);
}

void rxe_path_forget(struct rxe_path *path, const struct rxe_dev *dev)
{
	if (path->net && !rxe_net_find(path->net, dev))
		rxe_path_close(path);
}

/* @path->oif remains: rxe_path_resume() knows the path by it. */
void rxe_path_suspend(struct rxe_path *path, const struct net *net, int ifindex)
{
	if (path->net != net || path->oif != ifindex)
		return;
	rxe_path_release(path);
	WRITE_ONCE(path->net, NULL);
}

void rxe_path_resume(struct rxe_path *path, int old, struct net *net, int ifindex)
{
	if (path->net || path->oif != old)
		return;
	WRITE_ONCE(path->net, net);
	WRITE_ONCE(path->oif, ifindex);
}

static bool rxe_path_may_enter(const struct net *net)
{
	return net_eq(net, current->nsproxy->net_ns) || ns_capable(net->user_ns, CAP_SYS_ADMIN);
}

bool rxe_path_may_use(const struct rdma_ah_attr *attr)
{
	const struct ib_gid_attr *sgid_attr = attr->grh.sgid_attr;
	struct net_device *ndev;
	bool may = true;

	/* rxe_path_set() refuses an address without a GRH. */
	if (!sgid_attr)
		return true;
	rcu_read_lock();
	ndev = rdma_read_gid_attr_ndev_rcu(sgid_attr);
	if (!IS_ERR(ndev))
		may = dev_net(ndev) == READ_ONCE(to_rxe_dev(sgid_attr->device)->net) ||
		      rxe_path_may_enter(dev_net(ndev));
	rcu_read_unlock();
	if (!may)
		ibdev_warn_ratelimited(sgid_attr->device,
				       "GID %d (%pI6c) refused: %s (%d) is of another namespace\n",
				       sgid_attr->index, sgid_attr->gid.raw, current->comm,
				       task_pid_nr(current));
	return may;
}

/*
 * Local addresses are reached over the loopback interface, or over the master in a VRF, whichever
 * interface holds them. So the lookup is not bound to @path->oif for them.
 */
static int rxe_path_v4_oif(const struct rxe_path *path)
{
	struct net_device *ndev = dev_get_by_index_rcu(path->net, path->oif);

	if (inet_addr_type_dev_table(path->net, ndev, path->v4.daddr) != RTN_LOCAL)
		return path->oif;
	return l3mdev_master_ifindex_by_index(path->net, path->oif);
}

static struct dst_entry *rxe_path_lookup_v4(const struct rxe_path *path)
{
	struct flowi4 fl4 = {
		.flowi4_oif = rxe_path_v4_oif(path),
		.flowi4_proto = IPPROTO_UDP,
		.saddr = path->v4.saddr,
		.daddr = path->v4.daddr,
		.fl4_sport = path->sport,
		.fl4_dport = htons(ROCE_UDP_PORT),
	};
	struct rtable *rt;

	rxe_flowi4_set_dscp(&fl4, inet_dsfield_to_dscp(path->tclass));
	rt = ip_route_output_key(path->net, &fl4);
	return IS_ERR(rt) ? NULL : &rt->dst;
}

/* flowi6_oif is mandatory for addresses of link scope only; for others it is a preference. */
static struct dst_entry *rxe_path_lookup_v6(struct rxe_path *path)
{
	struct flowi6 fl6 = {
		.flowi6_oif = path->oif,
		.flowi6_proto = IPPROTO_UDP,
		.flowlabel = ip6_make_flowinfo(path->tclass, htonl(path->flow_label)),
		.saddr = path->ip6.saddr,
		.daddr = path->ip6.daddr,
		.fl6_sport = path->sport,
		.fl6_dport = htons(ROCE_UDP_PORT),
	};
	struct dst_entry *dst;

	/* With ipv6.disable=1, older kernels have no IPv6 routing table. */
	if (!ipv6_mod_enabled())
		return NULL;
	dst = ip6_dst_lookup_flow(path->net, NULL, &fl6, NULL);
	if (IS_ERR(dst))
		return NULL;
	WRITE_ONCE(path->cookie, rt6_get_cookie(dst_rt6_info(dst)));
	return dst;
}

/*
 * Two kinds of routes do not expire when they should, so they are looked up for each use. The route
 * to an IPv4 multicast group decides whether members on this host get a copy: it expires when the
 * first member joins, but not when a membership changes from some sources to all. A route on which
 * IPsec holds packets until there is an SA (DST_XFRM_QUEUE) stays valid when the SA comes.
 */
static bool rxe_path_dst_valid(const struct rxe_path *path)
{
	return path->dst && (path->v6 || !rxe_path_is_mcast(path)) &&
	       !(path->dst->flags & DST_XFRM_QUEUE) && dst_check(path->dst, path->cookie);
}

/* Tunnels whose packets an adapter may segment (NETIF_F_GSO_ENCAP_ALL). */
static bool rxe_netdev_is_tunnel(const struct net_device *ndev)
{
	switch (ndev->type) {
	case ARPHRD_TUNNEL:
	case ARPHRD_TUNNEL6:
	case ARPHRD_SIT:
	case ARPHRD_IPGRE:
	case ARPHRD_IP6GRE:
		return true;
	default:
		return netif_is_vxlan(ndev) || netif_is_geneve(ndev) || netif_is_gretap(ndev) ||
		       netif_is_ip6gretap(ndev);
	}
}

struct dst_entry *rxe_path_dst(struct rxe_path *path)
{
	struct dst_entry *dst = NULL;

	if (rxe_path_dst_valid(path))
		return path->dst;
	rxe_path_release(path);
	if (path->net)
		dst = path->v6 ? rxe_path_lookup_v6(path) : rxe_path_lookup_v4(path);
	path->tunnel = dst && !path->v6 && rxe_netdev_is_tunnel(dst_dev(dst));
	/* After path->cookie. Pairs with smp_load_acquire() in rxe_path_egress_is(). */
	smp_store_release(&path->dst, dst);
	return dst;
}

bool rxe_path_matches(const struct rxe_path *path, const void *ip)
{
	const struct ipv6hdr *ip6 = ip;
	const struct iphdr *ip4 = ip;

	if (ip4->version == 4)
		return !path->v6 && ip4->saddr == path->v4.daddr && ip4->daddr == path->v4.saddr;
	return path->v6 && ipv6_addr_equal(&ip6->saddr, &path->ip6.daddr) &&
	       ipv6_addr_equal(&ip6->daddr, &path->ip6.saddr);
}

bool rxe_path_egress_is(const struct rxe_path *path, const struct net_device *ndev)
{
	struct dst_entry *dst = smp_load_acquire(&path->dst);

	return dst && dst_dev(dst) == ndev && !dst->error &&
	       dst_check(dst, READ_ONCE(path->cookie));
}
