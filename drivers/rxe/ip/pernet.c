// SPDX-License-Identifier: GPL-2.0
/*
 * Per network namespace state (pernet).
 *
 * Order of teardown of a namespace: its interfaces are unregistered first. With each of them the
 * netdev notifier starts to remove the device, which leaves the list here once it is unused. That
 * may still be in progress when the pernet exit functions run, and ours is among the first of them.
 * It waits for the list to become empty, so neither sockets nor routes cached by endpoints outlive
 * the namespace.
 */
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/rculist.h>
#include <linux/wait.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "base/device.h"
#include "ip/pernet.h"

static unsigned int rxe_net_id;

/* One mutex for all namespaces, because it must outlive each of them; attaching is rare. */
static DEFINE_MUTEX(rxe_net_mutex);
static DECLARE_WAIT_QUEUE_HEAD(rxe_net_empty);

struct rxe_net *rxe_net(struct net *net)
{
	return net_generic(net, rxe_net_id);
}

struct list_head *rxe_net_devs(struct net *net)
{
	return &rxe_net(net)->devs;
}

int rxe_net_attach(struct net *net, struct rxe_dev *dev, int (*open)(struct net *net))
{
	struct rxe_net *rn = rxe_net(net);
	int err = 0;

	mutex_lock(&rxe_net_mutex);
	if (list_empty(&rn->devs))
		err = open(net);
	if (!err) {
		WRITE_ONCE(dev->net, net);
		list_add_tail_rcu(&dev->net_node, &rn->devs);
	}
	mutex_unlock(&rxe_net_mutex);
	return err;
}

void rxe_net_detach(struct net *net, struct rxe_dev *dev, void (*close)(struct net *net))
{
	mutex_lock(&rxe_net_mutex);
	list_del_rcu(&dev->net_node);
	if (list_empty(&rxe_net(net)->devs))
		close(net);
	wake_up_all(&rxe_net_empty);
	mutex_unlock(&rxe_net_mutex);
	synchronize_net();
}

void rxe_net_update(struct net_device *ndev,
		    void (*update)(struct net *net, struct net_device *ndev))
{
	struct net *net = dev_net(ndev);

	mutex_lock(&rxe_net_mutex);
	if (!list_empty(&rxe_net(net)->devs))
		update(net, ndev);
	mutex_unlock(&rxe_net_mutex);
}

static int __net_init rxe_net_init_net(struct net *net)
{
	INIT_LIST_HEAD(&rxe_net(net)->devs);
	INIT_LIST_HEAD(&rxe_net(net)->vrfs);
	return 0;
}

static void __net_exit rxe_net_exit_net(struct net *net)
{
	wait_event(rxe_net_empty, list_empty(&rxe_net(net)->devs));
	/* rxe_net_detach() may still be in close() for the last device. */
	mutex_lock(&rxe_net_mutex);
	mutex_unlock(&rxe_net_mutex);
}

static struct pernet_operations rxe_net_ops = {
	.init = rxe_net_init_net,
	.exit = rxe_net_exit_net,
	.id = &rxe_net_id,
	.size = sizeof(struct rxe_net),
};

int rxe_net_init(void)
{
	return register_pernet_subsys(&rxe_net_ops);
}

void rxe_net_exit(void)
{
	unregister_pernet_subsys(&rxe_net_ops);
}
