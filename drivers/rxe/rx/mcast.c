// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast groups: attach and detach of UD QPs, and IGMP and MLD membership of the interface.
 */
#include <linux/igmp.h>
#include <linux/inetdevice.h>
#include <linux/rhashtable.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/addrconf.h>
#include <net/ipv6.h>

#include "base/device.h"
#include "qp/ep.h"
#include "rx/mcast.h"
#include "qp/qp.h"

static const struct rhashtable_params rxe_mcast_params = {
	.key_len = sizeof(union ib_gid),
	.key_offset = offsetof(struct rxe_group, gid),
	.head_offset = offsetof(struct rxe_group, node),
	.automatic_shrinking = true,
};

int rxe_mcast_init(struct rxe_dev *dev)
{
	return rhashtable_init(&dev->groups, &rxe_mcast_params);
}

void rxe_mcast_exit(struct rxe_dev *dev)
{
	WARN_ON(atomic_read(&dev->groups.nelems));
	rhashtable_destroy(&dev->groups);
}

static bool rxe_gid_v4(const union ib_gid *gid, __be32 *addr)
{
	const struct in6_addr *in6 = (const struct in6_addr *)gid->raw;

	*addr = in6->s6_addr32[3];
	return ipv6_addr_v4mapped(in6);
}

static bool rxe_gid_is_mcast(const union ib_gid *gid)
{
	__be32 v4;

	return rxe_gid_v4(gid, &v4) ? ipv4_is_multicast(v4) :
				      ipv6_addr_is_multicast((const struct in6_addr *)gid->raw);
}

static bool rxe_mcast_is_member_v4(const struct in_device *in_dev, __be32 addr)
{
	const struct ip_mc_list *im;

	for (im = rtnl_dereference(in_dev->mc_list); im; im = rtnl_dereference(im->next_rcu))
		if (im->multiaddr == addr)
			return true;
	return false;
}

/* ip_mc_inc_group() does not report a failed allocation, but then the interface is not a member. */
static int rxe_mcast_join_v4(struct net_device *ndev, __be32 addr)
{
	struct in_device *in_dev = __in_dev_get_rtnl(ndev);

	if (!in_dev)
		return -ENODEV;
	ip_mc_inc_group(in_dev, addr);
	return rxe_mcast_is_member_v4(in_dev, addr) ? 0 : -ENOMEM;
}

static void rxe_mcast_leave_v4(struct net_device *ndev, __be32 addr)
{
	struct in_device *in_dev = __in_dev_get_rtnl(ndev);

	if (in_dev)
		ip_mc_dec_group(in_dev, addr);
}

static int rxe_mcast_join(struct rxe_dev *dev, struct rxe_group *group)
{
	struct net_device *ndev = rtnl_dereference(dev->ndev);
	__be32 v4;
	int err;

	if (!ndev || !dev->net)
		return -ENODEV;
	if (rxe_gid_v4(&group->gid, &v4))
		err = rxe_mcast_join_v4(ndev, v4);
	else
		err = ipv6_dev_mc_inc(ndev, (struct in6_addr *)group->gid.raw);
	group->joined = !err;
	return err;
}

static void rxe_mcast_leave(struct rxe_dev *dev, struct rxe_group *group)
{
	struct net_device *ndev = rtnl_dereference(dev->ndev);
	__be32 v4;

	if (!group->joined || !ndev)
		return;
	if (rxe_gid_v4(&group->gid, &v4))
		rxe_mcast_leave_v4(ndev, v4);
	else
		ipv6_dev_mc_dec(ndev, (struct in6_addr *)group->gid.raw);
	group->joined = false;
}

struct rxe_group *rxe_mcast_find(struct rxe_dev *dev, const union ib_gid *gid)
{
	return rhashtable_lookup(&dev->groups, gid, rxe_mcast_params);
}

/* RTNL keeps the group alive: groups are created and destroyed under it. */
static struct rxe_group *rxe_mcast_find_rtnl(struct rxe_dev *dev, const union ib_gid *gid)
{
	ASSERT_RTNL();
	return rhashtable_lookup_fast(&dev->groups, gid, rxe_mcast_params);
}

static struct rxe_group *rxe_mcast_create(struct rxe_dev *dev, const union ib_gid *gid)
{
	struct rxe_group *group;
	int err;

	if (atomic_read(&dev->groups.nelems) >= RXE_MAX_MCAST_GRP)
		return ERR_PTR(-ENOSPC);
	group = kzalloc(sizeof(*group), GFP_KERNEL_ACCOUNT);
	if (!group)
		return ERR_PTR(-ENOMEM);
	group->gid = *gid;
	err = rxe_mcast_join(dev, group);
	if (err)
		goto err_free;
	err = rhashtable_insert_fast(&dev->groups, &group->node, rxe_mcast_params);
	if (err)
		goto err_leave;
	return group;

err_leave:
	rxe_mcast_leave(dev, group);
err_free:
	kfree(group);
	return ERR_PTR(err);
}

static void rxe_mcast_destroy(struct rxe_dev *dev, struct rxe_group *group)
{
	rhashtable_remove_fast(&dev->groups, &group->node, rxe_mcast_params);
	rxe_mcast_leave(dev, group);
	kfree_rcu(group, rcu);
}

/* Returns the index in @group->eps of @ep, or of a free slot if @ep is NULL; -ENOENT if none. */
static int rxe_mcast_slot(const struct rxe_group *group, const struct rxe_ep *ep)
{
	int i;

	for (i = 0; i < RXE_MAX_MCAST_QPS; i++)
		if (rcu_access_pointer(group->eps[i]) == ep)
			return i;
	return -ENOENT;
}

static int rxe_mcast_add_member(struct rxe_group *group, struct rxe_ep *ep)
{
	int slot = rxe_mcast_slot(group, ep);

	if (slot < 0) {
		slot = rxe_mcast_slot(group, NULL);
		if (slot < 0)
			return -ENOSPC;
		rcu_assign_pointer(group->eps[slot], ep);
		group->members++;
	}
	group->attached[slot]++;
	return 0;
}

static int rxe_mcast_del_member(struct rxe_group *group, struct rxe_ep *ep)
{
	int slot = rxe_mcast_slot(group, ep);

	if (slot < 0)
		return -EINVAL;
	if (--group->attached[slot])
		return 0;
	RCU_INIT_POINTER(group->eps[slot], NULL);
	group->members--;
	return 0;
}

int rxe_attach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid)
{
	struct rxe_dev *dev = to_rxe_dev(ibqp->device);
	struct rxe_group *group;
	int err;

	if (!rxe_gid_is_mcast(gid)) {
		ibdev_dbg(&dev->ibdev, "%pI6c is not a multicast address\n", gid->raw);
		return -EINVAL;
	}
	rtnl_lock();
	group = rxe_mcast_find_rtnl(dev, gid) ?: rxe_mcast_create(dev, gid);
	err = PTR_ERR_OR_ZERO(group);
	if (!err) {
		err = rxe_mcast_add_member(group, to_rxe_qp(ibqp)->ep);
		if (!group->members)
			rxe_mcast_destroy(dev, group);
	}
	rtnl_unlock();
	if (err)
		ibdev_dbg(&dev->ibdev, "QP %u cannot be attached to group %pI6c (error %d)\n",
			  ibqp->qp_num, gid->raw, err);
	return err;
}

int rxe_detach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid)
{
	struct rxe_dev *dev = to_rxe_dev(ibqp->device);
	struct rxe_group *group;
	int err = -EINVAL;

	rtnl_lock();
	group = rxe_mcast_find_rtnl(dev, gid);
	if (group) {
		err = rxe_mcast_del_member(group, to_rxe_qp(ibqp)->ep);
		if (!group->members)
			rxe_mcast_destroy(dev, group);
	}
	rtnl_unlock();
	return err;
}

static void rxe_mcast_for_each(struct rxe_dev *dev,
			       void (*act)(struct rxe_dev *dev, struct rxe_group *group))
{
	struct rhashtable_iter iter;
	struct rxe_group *group;

	ASSERT_RTNL();
	rhashtable_walk_enter(&dev->groups, &iter);
	rhashtable_walk_start(&iter);
	while ((group = rhashtable_walk_next(&iter))) {
		/* -EAGAIN: a resize restarted the walk. @act is idempotent, so repeats are safe. */
		if (IS_ERR(group))
			continue;
		rhashtable_walk_stop(&iter);
		act(dev, group);
		rhashtable_walk_start(&iter);
	}
	rhashtable_walk_stop(&iter);
	rhashtable_walk_exit(&iter);
}

/* Does not leave the group: the IP stack has dropped all memberships of the interface. */
static void rxe_mcast_forget(struct rxe_dev *dev, struct rxe_group *group)
{
	group->joined = false;
}

void rxe_mcast_left(struct rxe_dev *dev)
{
	rxe_mcast_for_each(dev, rxe_mcast_forget);
}

static void rxe_mcast_join_again(struct rxe_dev *dev, struct rxe_group *group)
{
	if (!group->joined && rxe_mcast_join(dev, group))
		ibdev_warn(&dev->ibdev, "group %pI6c could not be joined again\n",
			   group->gid.raw);
}

void rxe_mcast_rejoin(struct rxe_dev *dev)
{
	rxe_mcast_for_each(dev, rxe_mcast_join_again);
}

static bool rxe_mcast_has_ip(struct net_device *ndev, const union ib_gid *gid)
{
	__be32 v4;

	return rxe_gid_v4(gid, &v4) ? !!__in_dev_get_rtnl(ndev) : !!__in6_dev_get(ndev);
}

static void rxe_mcast_recheck(struct rxe_dev *dev, struct rxe_group *group)
{
	struct net_device *ndev = rtnl_dereference(dev->ndev);

	if (ndev && rxe_mcast_has_ip(ndev, &group->gid))
		rxe_mcast_join_again(dev, group);
	else
		rxe_mcast_forget(dev, group);
}

void rxe_mcast_mtu_changed(struct rxe_dev *dev)
{
	rxe_mcast_for_each(dev, rxe_mcast_recheck);
}
