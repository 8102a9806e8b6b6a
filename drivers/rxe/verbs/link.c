// SPDX-License-Identifier: GPL-2.0
/*
 * Links: addition, netdevice notifier and removal of RDMA devices.
 *
 * Events that move or end a link, and how they are handled:
 *
 *	interface unregistered: the notifier holds RTNL, with which ib_unregister_device() must not
 *	be called; ib_unregister_device_queued() leaves it to a work item of ib_core
 *
 *	"rdma link delete": ib_core unregisters the device
 *
 *	interface moved to another network namespace, also when its own exits and the interface
 *	returns to the initial one: the device leaves the sockets of the old namespace on
 *	NETDEV_UNREGISTER and joins those of the new one on NETDEV_REGISTER; it is removed if it
 *	cannot join
 *
 *	interface stacked upon that of the device, in another namespace, appears, moves or
 *	disappears: the device joins or leaves the sockets of that namespace (rx/netns.h)
 *
 *	module unloaded: ib_unregister_driver() unregisters all devices
 *
 * Unregistering disassociates the processes that have the device open, without waiting for them to
 * close it, and destroys their objects. ib_core then calls rxe_link_dealloc(), which drops the
 * reference to the interface.
 */
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/addrconf.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_netlink.h>

#include "ip/path.h"
#include "base/counters.h"
#include "base/device.h"
#include "ip/icrc_offload.h"
#include "verbs/link.h"
#include "verbs/verbs.h"
#include "rx/demux.h"
#include "rx/mcast.h"
#include "rx/netns.h"
#include "rx/udp_sock.h"

/* Devices between rxe_link_attach() and rxe_link_detach(). The lock nests inside RTNL. */
static LIST_HEAD(rxe_links);
static DEFINE_MUTEX(rxe_links_lock);

static struct rxe_dev *rxe_link_find(const struct net_device *ndev)
{
	struct rxe_dev *dev;

	lockdep_assert_held(&rxe_links_lock);
	list_for_each_entry(dev, &rxe_links, link_node)
		if (rcu_access_pointer(dev->ndev) == ndev)
			return dev;
	return NULL;
}

static int rxe_link_join(struct rxe_dev *dev, struct net_device *ndev)
{
	int err = rxe_netns_join(dev, ndev);

	if (err)
		netdev_err(ndev, "RoCE: cannot receive on UDP port 4791 (error %d)%s\n", err,
			   err == -EADDRINUSE ? ": another program or driver holds it" : "");
	return err;
}

static void rxe_link_set_mtu(struct rxe_dev *dev, const struct net_device *ndev)
{
	WRITE_ONCE(dev->mtu, rxe_mtu_from_netdev(READ_ONCE(ndev->mtu)));
}

/* Interfaces without a MAC address, such as tunnels, get a random GUID. */
static void rxe_link_set_guid(struct rxe_dev *dev, const struct net_device *ndev)
{
	u8 mac[ETH_ALEN];

	if (ndev->addr_len == ETH_ALEN)
		ether_addr_copy(mac, ndev->dev_addr);
	else
		eth_random_addr(mac);
	addrconf_addr_eui48((u8 *)&dev->ibdev.node_guid, mac);
}

/*
 * Attach the device to its interface before it is registered. From then on it receives packets and
 * the notifier finds it.
 */
static int rxe_link_attach(struct rxe_dev *dev, struct net_device *ndev)
{
	int err;

	rtnl_lock();
	mutex_lock(&rxe_links_lock);
	err = -ENODEV;
	if (ndev->reg_state != NETREG_REGISTERED)
		goto unlock;
	err = -EEXIST;
	if (rxe_link_find(ndev))
		goto unlock;
	err = ib_device_set_netdev(&dev->ibdev, ndev, 1);
	if (err)
		goto unlock;
	err = rxe_link_join(dev, ndev);
	if (err)
		goto unlock;

	netdev_hold(ndev, &dev->ndev_tracker, GFP_KERNEL);
	rcu_assign_pointer(dev->ndev, ndev);
	rxe_link_set_guid(dev, ndev);
	rxe_link_set_mtu(dev, ndev);
	rxe_hw_icrc_update(dev, ndev);
	dev->port_state = ib_get_curr_port_state(ndev);
	list_add_tail(&dev->link_node, &rxe_links);
unlock:
	mutex_unlock(&rxe_links_lock);
	rtnl_unlock();
	return err;
}

static void rxe_link_detach(struct rxe_dev *dev)
{
	struct net_device *ndev = rcu_dereference_protected(dev->ndev, true);

	mutex_lock(&rxe_links_lock);
	list_del_init(&dev->link_node);
	RCU_INIT_POINTER(dev->ndev, NULL);
	rxe_hw_icrc_forget(dev);
	/* Waits for an RCU grace period: no reader of dev->ndev is left. */
	rxe_netns_leave(dev);
	mutex_unlock(&rxe_links_lock);
	netdev_put(ndev, &dev->ndev_tracker);
}

/*
 * Called by ib_dealloc_device(): at the end of unregistering, and for a device that was never
 * registered.
 */
static void rxe_link_dealloc(struct ib_device *ibdev)
{
	struct rxe_dev *dev = to_rxe_dev(ibdev);

	rxe_link_detach(dev);
	rxe_dev_release(dev);
}

/* Added to the operations that rxe_dev_alloc() sets. */
static const struct ib_device_ops rxe_link_dev_ops = {
	.dealloc_driver = rxe_link_dealloc,
};

/*
 * Remove a link from within the notifier. ib_device_try_get() fails while the device is being
 * unregistered, and before it is registered; in the latter case rxe_link_recheck() removes it.
 */
static void rxe_link_remove(struct rxe_dev *dev)
{
	if (!ib_device_try_get(&dev->ibdev))
		return;
	ib_unregister_device_queued(&dev->ibdev);
	ib_device_put(&dev->ibdev);
}

/*
 * Remove the link if, during ib_register_device(), the interface was unregistered or the device
 * could not join the namespace that the interface moved to.
 */
static void rxe_link_recheck(struct net_device *ndev)
{
	struct rxe_dev *dev;

	rtnl_lock();
	mutex_lock(&rxe_links_lock);
	dev = rxe_link_find(ndev);
	if (dev && (ndev->reg_state != NETREG_REGISTERED || !dev->net))
		rxe_link_remove(dev);
	mutex_unlock(&rxe_links_lock);
	rtnl_unlock();
}

/*
 * IP over InfiniBand carries IP, but ib_core takes its addresses for GIDs of the adapter below. The
 * others do not carry IP.
 */
static bool rxe_link_type_ok(const struct net_device *ndev)
{
	switch (ndev->type) {
	case ARPHRD_INFINIBAND:
	case ARPHRD_CAN:
	case ARPHRD_NETLINK:
	case ARPHRD_VSOCKMON:
	case ARPHRD_IEEE80211:
	case ARPHRD_IEEE80211_PRISM:
	case ARPHRD_IEEE80211_RADIOTAP:
	case ARPHRD_IEEE802154:
	case ARPHRD_IEEE802154_MONITOR:
		return false;
	default:
		return true;
	}
}

static int rxe_newlink(const char *name, struct net_device *ndev)
{
	struct rxe_dev *dev;
	int err;

	if (!rxe_link_type_ok(ndev))
		return -EPROTONOSUPPORT;
	/*
	 * Refused, as by the in-tree driver: the device on its parent has the GIDs of a VLAN
	 * interface (ib_core). newlink() has no extended ACK for the reason; rxectl prints it.
	 */
	if (is_vlan_dev(ndev))
		return -EPERM;
	dev = rxe_dev_alloc(dev_net(ndev));
	if (!dev)
		return -ENOMEM;
	ib_set_device_ops(&dev->ibdev, &rxe_link_dev_ops);
	err = rxe_link_attach(dev, ndev);
	if (err)
		goto err_dealloc;
	ib_mark_name_assigned_by_user(&dev->ibdev);
	err = ib_register_device(&dev->ibdev, name, NULL);
	if (err)
		goto err_dealloc;
	/* From here on the device may be unregistered and freed concurrently: @dev is not used. */
	rxe_link_recheck(ndev);
	return 0;

err_dealloc:
	ib_dealloc_device(&dev->ibdev);
	return err;
}

/* Whether ib_core dispatches the port events itself: newer versions do, except for LAG. */
static bool rxe_link_core_reports(const struct net_device *ndev)
{
	return RXE_CORE_PORT_EVENTS && !netif_is_lag_master(ndev) && !netif_is_lag_port(ndev);
}

static void rxe_link_report_state(struct rxe_dev *dev)
{
	struct ib_event event = {
		.device = &dev->ibdev,
		.element.port_num = 1,
		.event = dev->port_state == IB_PORT_ACTIVE ? IB_EVENT_PORT_ACTIVE :
							     IB_EVENT_PORT_ERR,
	};

	if (!ib_device_try_get(&dev->ibdev))
		return;
	ib_dispatch_event(&event);
	ib_device_put(&dev->ibdev);
}

static void rxe_link_state_changed(struct rxe_dev *dev, struct net_device *ndev)
{
	enum ib_port_state state = ib_get_curr_port_state(ndev);

	if (state == dev->port_state)
		return;
	dev->port_state = state;
	if (state != IB_PORT_ACTIVE)
		rxe_count(dev, RXE_CNT_LINK_DOWNED, 1);
	if (!rxe_link_core_reports(ndev))
		rxe_link_report_state(dev);
}

/* NETDEV_UNREGISTER. An interface that moves to another namespace stays NETREG_REGISTERED. */
static void rxe_link_unregistered(struct rxe_dev *dev, struct net_device *ndev)
{
	if (ndev->reg_state == NETREG_REGISTERED) {
		rxe_netns_suspend(dev, ndev);
		rxe_mcast_left(dev);
	} else {
		rxe_link_remove(dev);
	}
}

/* NETDEV_REGISTER, after a move to another namespace: dev->net is NULL then. */
static void rxe_link_moved(struct rxe_dev *dev, struct net_device *ndev)
{
	if (dev->net)
		return;
	if (rxe_link_join(dev, ndev)) {
		rxe_link_remove(dev);
		return;
	}
	rxe_mcast_rejoin(dev);
}

static void rxe_link_handle(struct rxe_dev *dev, struct net_device *ndev, unsigned long event)
{
	switch (event) {
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
		rxe_link_state_changed(dev, ndev);
		break;
	case NETDEV_CHANGEMTU:
		rxe_link_set_mtu(dev, ndev);
		rxe_mcast_mtu_changed(dev);
		break;
	case NETDEV_UNREGISTER:
		rxe_link_unregistered(dev, ndev);
		break;
	case NETDEV_REGISTER:
		rxe_link_moved(dev, ndev);
		break;
	}
}

/* An interface in a stack upon @dev's has come, moves to another namespace, or goes. */
static void rxe_link_stack_changed(struct rxe_dev *dev, struct net_device *ndev,
				   unsigned long event)
{
	struct net_device *own = rtnl_dereference(dev->ndev);
	bool serves;

	rcu_read_lock();
	serves = rxe_demux_dev_serves(dev, ndev);
	rcu_read_unlock();
	if (serves)
		rxe_netns_update(dev, own, event == NETDEV_UNREGISTER ? ndev : NULL);
}

/*
 * The namespaces of stacked interfaces, such as those of pods. NETDEV_CHANGEUPPER is the event of
 * the lower interface; an interface that is deleted has caused it before NETDEV_UNREGISTER.
 */
static void rxe_link_stack_event(struct net_device *ndev, unsigned long event)
{
	struct rxe_dev *dev;

	if (event != NETDEV_CHANGEUPPER && event != NETDEV_REGISTER && event != NETDEV_UNREGISTER)
		return;
	list_for_each_entry(dev, &rxe_links, link_node)
		if (event == NETDEV_CHANGEUPPER || rcu_access_pointer(dev->ndev) != ndev)
			rxe_link_stack_changed(dev, ndev, event);
}

/* The VRFs of a namespace have sockets of their own. */
static void rxe_link_vrf_event(struct net_device *ndev, unsigned long event)
{
	if (!netif_is_l3_master(ndev))
		return;
	if (event == NETDEV_REGISTER)
		rxe_sock_vrf_added(ndev);
	else if (event == NETDEV_UNREGISTER)
		rxe_sock_vrf_removed(ndev);
}

/*
 * Address changes need no handling: ib_core maintains the GIDs. Nor do name changes: the name is
 * looked up when it is shown. Context: RTNL held.
 */
static int rxe_link_event(struct notifier_block *nb, unsigned long event, void *info)
{
	struct net_device *ndev = netdev_notifier_info_to_dev(info);
	struct rxe_dev *dev;

	rxe_link_vrf_event(ndev, event);
	mutex_lock(&rxe_links_lock);
	rxe_link_stack_event(ndev, event);
	dev = rxe_link_find(ndev);
	if (dev) {
		rxe_link_handle(dev, ndev, event);
		/*
		 * Private flags of an adapter have no event, but setting them usually causes
		 * another one: NETDEV_UP or NETDEV_FEAT_CHANGE.
		 */
		rxe_hw_icrc_update(dev, ndev);
	}
	mutex_unlock(&rxe_links_lock);
	return NOTIFY_DONE;
}

static struct notifier_block rxe_link_notifier = {
	.notifier_call = rxe_link_event,
};

static struct rdma_link_ops rxe_link_ops = {
	.type = "rxe",
	.newlink = rxe_newlink,
};

int rxe_link_init(void)
{
	int err = register_netdevice_notifier(&rxe_link_notifier);

	if (!err)
		rdma_link_register(&rxe_link_ops);
	return err;
}

void rxe_link_exit(void)
{
	rdma_link_unregister(&rxe_link_ops);
	/* Returns when all devices are unregistered, also those queued by the notifier. */
	ib_unregister_driver(RDMA_DRIVER_RXE);
	unregister_netdevice_notifier(&rxe_link_notifier);
}
