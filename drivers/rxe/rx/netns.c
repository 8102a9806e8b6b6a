// SPDX-License-Identifier: GPL-2.0
/*
 * Network namespaces of a device: which it has to be a member of, and its paths in them.
 */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>
#include <rdma/ib_verbs.h>

#include "base/device.h"
#include "ip/dest.h"
#include "ip/path.h"
#include "ip/pernet.h"
#include "qp/ep.h"
#include "rx/netns.h"
#include "rx/udp_sock.h"

static void rxe_netns_for_each_path(struct rxe_dev *dev,
				    void (*act)(struct rxe_path *path, const void *arg),
				    const void *arg)
{
	struct rxe_ep *ep;
	unsigned long qpn;

	rcu_read_lock();
	xa_for_each(&dev->eps, qpn, ep) {
		spin_lock_bh(&ep->lock);
		act(&ep->flow.path, arg);
		spin_unlock_bh(&ep->lock);
	}
	rcu_read_unlock();
	rxe_dests_for_each_path(dev, act, arg);
}

static void rxe_netns_forget_path(struct rxe_path *path, const void *arg)
{
	rxe_path_forget(path, arg);
}

static void rxe_netns_forget_paths(struct rxe_dev *dev)
{
	rxe_netns_for_each_path(dev, rxe_netns_forget_path, dev);
}

static bool rxe_netns_leave_unwanted(struct rxe_dev *dev)
{
	return rxe_net_leave(dev, rxe_netns_forget_paths, rxe_sock_close_net);
}

/**
 * struct rxe_netns_search - search for the namespaces of stacked interfaces
 * @dev: device
 * @leaving: interface that leaves its namespace, or NULL
 */
struct rxe_netns_search {
	struct rxe_dev *dev;
	const struct net_device *leaving;
};

/* In the exclusive mode of the RDMA subsystem, programs of other namespaces cannot open @dev. */
static int rxe_netns_want_upper(struct net_device *upper, struct netdev_nested_priv *priv)
{
	const struct rxe_netns_search *search = priv->data;
	struct net *net = dev_net(upper);
	int err;

	if (upper == search->leaving ||
	    (net != search->dev->net && !rdma_dev_access_netns(&search->dev->ibdev, net)))
		return 0;
	err = rxe_net_join(net, search->dev, rxe_sock_open_net);
	if (err && net_ratelimit())
		netdev_warn(upper, "RoCE: %s cannot receive on UDP port 4791 here (error %d)%s\n",
			    dev_name(&search->dev->ibdev.dev), err,
			    err == -EADDRINUSE ? ": another program or driver holds it" : "");
	return 0;
}

/* RTNL keeps the stacked interfaces, so the walk may sleep. */
static void rxe_netns_want_uppers(struct rxe_dev *dev, struct net_device *ndev,
				  const struct net_device *leaving)
{
	struct rxe_netns_search search = { .dev = dev, .leaving = leaving };
	struct netdev_nested_priv priv = { .data = &search };

	ASSERT_RTNL();
	netdev_walk_all_upper_dev_rcu(ndev, rxe_netns_want_upper, &priv);
}

void rxe_netns_update(struct rxe_dev *dev, struct net_device *ndev,
		      const struct net_device *leaving)
{
	struct rxe_net_member *member;

	list_for_each_entry(member, &dev->nets, dev_node)
		member->wanted = member->net == dev->net;
	rxe_netns_want_uppers(dev, ndev, leaving);
	rxe_netns_leave_unwanted(dev);
}

/**
 * struct rxe_netns_move - move of a device's interface
 * @net: namespace that it leaves or has joined
 * @old: index in the namespace that it left
 * @ifindex: index in @net
 */
struct rxe_netns_move {
	struct net *net;
	int old;
	int ifindex;
};

static void rxe_netns_resume_path(struct rxe_path *path, const void *arg)
{
	const struct rxe_netns_move *move = arg;

	rxe_path_resume(path, move->old, move->net, move->ifindex);
}

static void rxe_netns_suspend_path(struct rxe_path *path, const void *arg)
{
	const struct rxe_netns_move *move = arg;

	rxe_path_suspend(path, move->net, move->ifindex);
}

int rxe_netns_join(struct rxe_dev *dev, struct net_device *ndev)
{
	struct rxe_netns_move move = {
		.net = dev_net(ndev),
		.old = dev->old_ifindex,
		.ifindex = ndev->ifindex,
	};
	int err;

	err = rxe_net_join(move.net, dev, rxe_sock_open_net);
	if (err)
		return err;
	WRITE_ONCE(dev->net, move.net);
	if (move.old)
		rxe_netns_for_each_path(dev, rxe_netns_resume_path, &move);
	rxe_netns_want_uppers(dev, ndev, NULL);
	return 0;
}

void rxe_netns_suspend(struct rxe_dev *dev, struct net_device *ndev)
{
	struct rxe_netns_move move = { .net = dev->net, .ifindex = ndev->ifindex };

	dev->old_ifindex = ndev->ifindex;
	WRITE_ONCE(dev->net, NULL);
	rxe_netns_for_each_path(dev, rxe_netns_suspend_path, &move);
	rxe_netns_update(dev, ndev, ndev);
}

void rxe_netns_leave(struct rxe_dev *dev)
{
	struct rxe_net_member *member;

	WRITE_ONCE(dev->net, NULL);
	list_for_each_entry(member, &dev->nets, dev_node)
		member->wanted = false;
	if (!rxe_netns_leave_unwanted(dev))
		synchronize_net();
}
