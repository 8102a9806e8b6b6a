// SPDX-License-Identifier: GPL-2.0
/*
 * Order at the end of a namespace: its interfaces are unregistered first, and
 * with each of them, by the netdev notifier, its device, which leaves here when
 * nothing uses it any more. That may still be going on when the namespace's
 * subsystems are taken down, of which this one is among the first: it waits, so
 * that sockets and the routes that endpoints have cached never outlive what they
 * point into.
 */
#include <linux/rculist.h>
#include <linux/wait.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <net/sock.h>
#include <net/udp_tunnel.h>
#include <roce/wire.h>

#include "ip/dest.h"
#include "base/device.h"
#include "qp/ep.h"
#include "rx/gro.h"
#include "rx/nf_hook.h"
#include "rx/receive.h"
#include "rx/udp_sock.h"

/**
 * struct rxe_net - what a network namespace has for its devices
 * @devs: devices; written under rxe_net_mutex, read under RCU
 * @sock4: IPv4 socket; there while @devs is not empty
 * @sock6: IPv6 socket, or NULL where the system has no IPv6
 */
struct rxe_net {
	struct list_head devs;
	struct socket *sock4;
	struct socket *sock6;
};

static unsigned int rxe_net_id;

/* Joining and leaving are rare: one mutex, which outlives every namespace. */
static DEFINE_MUTEX(rxe_net_mutex);
static DECLARE_WAIT_QUEUE_HEAD(rxe_net_empty);

static struct rxe_net *rxe_net(struct net *net)
{
	return net_generic(net, rxe_net_id);
}

/*
 * A checksum of zero is accepted over IPv6 as well (RFC 6936): adapters send it,
 * and every packet has its ICRC.
 */
static struct socket *rxe_sock_open(struct net *net, u8 family)
{
	struct udp_port_cfg port = {
		.family = family,
		.local_udp_port = htons(ROCE_UDP_PORT),
		.ipv6_v6only = family == AF_INET6,
	};
	struct udp_tunnel_sock_cfg tunnel = {
		.encap_type = 1,
		.encap_rcv = rxe_rcv_udp,
		.gro_receive = rxe_gro_receive,
		.gro_complete = rxe_gro_complete,
	};
	struct socket *sock;
	int err;

	err = udp_sock_create(net, &port, &sock);
	if (err)
		return ERR_PTR(err);
	setup_udp_tunnel_sock(net, sock->sk, &tunnel);
	return sock;
}

static void rxe_sock_close(struct socket *sock)
{
	if (sock)
		udp_tunnel_sock_release(sock->sk);
}

/* The kernel may be without IPv6, or have it switched off at boot. */
static bool rxe_no_ipv6(int err)
{
	return err == -EAFNOSUPPORT || err == -EPFNOSUPPORT;
}

static int rxe_net_open(struct net *net)
{
	struct socket *sock4, *sock6;
	int err;

	sock4 = rxe_sock_open(net, AF_INET);
	if (IS_ERR(sock4))
		return PTR_ERR(sock4);
	sock6 = rxe_sock_open(net, AF_INET6);
	if (IS_ERR(sock6)) {
		err = PTR_ERR(sock6);
		if (!rxe_no_ipv6(err))
			goto err_close_sock4;
		sock6 = NULL;
	}
	err = rxe_hook_register(net);
	if (err)
		goto err_close_sock6;
	rxe_net(net)->sock4 = sock4;
	rxe_net(net)->sock6 = sock6;
	return 0;

err_close_sock6:
	rxe_sock_close(sock6);
err_close_sock4:
	rxe_sock_close(sock4);
	return err;
}

static void rxe_net_close(struct net *net)
{
	struct rxe_net *rn = rxe_net(net);

	rxe_hook_unregister(net);
	rxe_sock_close(rn->sock6);
	rxe_sock_close(rn->sock4);
	rn->sock6 = NULL;
	rn->sock4 = NULL;
}

int rxe_net_attach(struct net *net, struct rxe_dev *dev)
{
	struct rxe_net *rn = rxe_net(net);
	int err = 0;

	mutex_lock(&rxe_net_mutex);
	if (list_empty(&rn->devs))
		err = rxe_net_open(net);
	if (!err) {
		WRITE_ONCE(dev->net, net);
		list_add_tail_rcu(&dev->net_node, &rn->devs);
	}
	mutex_unlock(&rxe_net_mutex);
	return err;
}

/* A route must not outlive the namespace that it is a part of. */
static void rxe_sock_forget_routes(struct rxe_dev *dev)
{
	struct rxe_ep *ep;
	unsigned long qpn;

	rcu_read_lock();
	xa_for_each(&dev->eps, qpn, ep) {
		spin_lock_bh(&ep->lock);
		rxe_path_release(&ep->path);
		spin_unlock_bh(&ep->lock);
	}
	rcu_read_unlock();
}

void rxe_sock_leave(struct rxe_dev *dev)
{
	struct net *net = dev->net;

	if (!net)
		return;
	/* Whoever takes an endpoint's lock after us looks no more routes up. */
	WRITE_ONCE(dev->net, NULL);
	rxe_sock_forget_routes(dev);
	rxe_dests_drop_routes(dev);

	mutex_lock(&rxe_net_mutex);
	list_del_rcu(&dev->net_node);
	if (list_empty(&rxe_net(net)->devs))
		rxe_net_close(net);
	wake_up_all(&rxe_net_empty);
	mutex_unlock(&rxe_net_mutex);
	/* Receivers may still hold the device, or be inside of the hook or encap_rcv. */
	synchronize_net();
}

struct list_head *rxe_net_devs(struct net *net)
{
	return &rxe_net(net)->devs;
}

static int __net_init rxe_net_init(struct net *net)
{
	INIT_LIST_HEAD(&rxe_net(net)->devs);
	return 0;
}

static void __net_exit rxe_net_exit(struct net *net)
{
	wait_event(rxe_net_empty, list_empty(&rxe_net(net)->devs));
	/* The last one to leave may still be closing the sockets. */
	mutex_lock(&rxe_net_mutex);
	mutex_unlock(&rxe_net_mutex);
}

static struct pernet_operations rxe_net_ops = {
	.init = rxe_net_init,
	.exit = rxe_net_exit,
	.id = &rxe_net_id,
	.size = sizeof(struct rxe_net),
};

int rxe_sock_init(void)
{
	return register_pernet_subsys(&rxe_net_ops);
}

void rxe_sock_exit(void)
{
	unregister_pernet_subsys(&rxe_net_ops);
}
