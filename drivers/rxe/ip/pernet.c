// SPDX-License-Identifier: GPL-2.0
/*
 * Per network namespace state (pernet).
 *
 * Neither sockets nor routes nor endpoints hold a reference to a namespace: they would keep it
 * alive. Instead, its exit waits until it has no members. Order of its teardown: its interfaces are
 * unregistered first.
 *
 *	The interface of a device: the netdev notifier starts to remove the device, which leaves the
 *	namespace once it is unused. That may still be in progress when the pernet exit functions
 *	run, and ours is among the first of them.
 *
 *	An interface stacked upon that of a device in another namespace: the device leaves within
 *	the notifier, and lives on.
 *
 * A device that leaves is removed from the list and takes the namespace from its paths. The sockets
 * are closed after the last member. Then it waits for the readers of all these.
 */
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/rculist.h>
#include <linux/slab.h>
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

struct list_head *rxe_net_members(struct net *net)
{
	return &rxe_net(net)->members;
}

struct rxe_net_member *rxe_net_find(struct net *net, const struct rxe_dev *dev)
{
	struct rxe_net_member *member;

	list_for_each_entry_rcu(member, rxe_net_members(net), net_node,
				lockdep_is_held(&rxe_net_mutex))
		if (member->dev == dev)
			return member;
	return NULL;
}

static int rxe_net_add(struct net *net, struct rxe_dev *dev, int (*open)(struct net *net))
{
	struct rxe_net_member *member;
	int err = 0;

	member = kzalloc(sizeof(*member), GFP_KERNEL);
	if (!member)
		return -ENOMEM;
	if (list_empty(rxe_net_members(net)))
		err = open(net);
	if (err) {
		kfree(member);
		return err;
	}
	member->dev = dev;
	member->net = net;
	member->wanted = true;
	list_add(&member->dev_node, &dev->nets);
	list_add_tail_rcu(&member->net_node, rxe_net_members(net));
	return 0;
}

int rxe_net_join(struct net *net, struct rxe_dev *dev, int (*open)(struct net *net))
{
	struct rxe_net_member *member;
	int err = 0;

	mutex_lock(&rxe_net_mutex);
	member = rxe_net_find(net, dev);
	if (member)
		member->wanted = true;
	else
		err = rxe_net_add(net, dev, open);
	mutex_unlock(&rxe_net_mutex);
	return err;
}

/* Hides the unwanted memberships of @dev from readers, and moves them to @gone. */
static void rxe_net_hide_unwanted(struct rxe_dev *dev, struct list_head *gone)
{
	struct rxe_net_member *member, *next;

	list_for_each_entry_safe(member, next, &dev->nets, dev_node) {
		if (member->wanted)
			continue;
		list_del_rcu(&member->net_node);
		list_move(&member->dev_node, gone);
	}
}

/*
 * One grace period for all namespaces in @gone: it ends the readers of the lists, of the routes and
 * of the sockets, whose handlers are code of this module.
 */
static void rxe_net_close(struct list_head *gone, void (*close)(struct net *net))
{
	struct rxe_net_member *member, *next;

	list_for_each_entry(member, gone, dev_node)
		if (list_empty(rxe_net_members(member->net)))
			close(member->net);
	synchronize_net();
	list_for_each_entry_safe(member, next, gone, dev_node)
		kfree(member);
	wake_up_all(&rxe_net_empty);
}

bool rxe_net_leave(struct rxe_dev *dev, void (*forget)(struct rxe_dev *dev),
		   void (*close)(struct net *net))
{
	LIST_HEAD(gone);
	bool any;

	mutex_lock(&rxe_net_mutex);
	rxe_net_hide_unwanted(dev, &gone);
	any = !list_empty(&gone);
	if (any) {
		/*
		 * Pairs with smp_mb() in rxe_create_qp(): either @forget finds its endpoint, or
		 * rxe_path_set() finds no membership.
		 */
		smp_mb();
		forget(dev);
		rxe_net_close(&gone, close);
	}
	mutex_unlock(&rxe_net_mutex);
	return any;
}

void rxe_net_update(struct net_device *ndev,
		    void (*update)(struct net *net, struct net_device *ndev))
{
	struct net *net = dev_net(ndev);

	mutex_lock(&rxe_net_mutex);
	if (!list_empty(rxe_net_members(net)))
		update(net, ndev);
	mutex_unlock(&rxe_net_mutex);
}

static int __net_init rxe_net_init_net(struct net *net)
{
	INIT_LIST_HEAD(rxe_net_members(net));
	INIT_LIST_HEAD(&rxe_net(net)->vrfs);
	return 0;
}

static void __net_exit rxe_net_exit_net(struct net *net)
{
	wait_event(rxe_net_empty, list_empty(rxe_net_members(net)));
	/* rxe_net_leave() may not be through with the last member yet. */
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
