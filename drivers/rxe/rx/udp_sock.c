// SPDX-License-Identifier: GPL-2.0
/*
 * UDP sockets for port 4791, with the encap_rcv and GRO handlers of the receive path.
 */
#include <linux/xarray.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include <net/udp_tunnel.h>
#include <roce/wire.h>

#include "base/device.h"
#include "ip/dest.h"
#include "ip/path.h"
#include "ip/pernet.h"
#include "qp/ep.h"
#include "rx/gro.h"
#include "rx/nf_hook.h"
#include "rx/receive.h"
#include "rx/udp_sock.h"

/*
 * Over IPv6, too, a UDP checksum of zero is accepted (RFC 6936): adapters send it, and the ICRC
 * protects every packet. use_udp6_rx_checksums is left unset for this.
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

/* Returns true for the errors of a kernel without IPv6, or with ipv6.disable=1. */
static bool rxe_no_ipv6(int err)
{
	return err == -EAFNOSUPPORT || err == -EPFNOSUPPORT;
}

static int rxe_sock_open_net(struct net *net)
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
	err = rxe_nf_hook_register(net);
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

static void rxe_sock_close_net(struct net *net)
{
	struct rxe_net *rn = rxe_net(net);

	rxe_nf_hook_unregister(net);
	rxe_sock_close(rn->sock6);
	rxe_sock_close(rn->sock4);
	rn->sock6 = NULL;
	rn->sock4 = NULL;
}

int rxe_sock_attach(struct net *net, struct rxe_dev *dev)
{
	return rxe_net_attach(net, dev, rxe_sock_open_net);
}

/* A cached route must not outlive its namespace. */
static void rxe_sock_drop_routes(struct rxe_dev *dev)
{
	struct rxe_ep *ep;
	unsigned long qpn;

	rcu_read_lock();
	xa_for_each(&dev->eps, qpn, ep) {
		spin_lock_bh(&ep->lock);
		rxe_path_release(&ep->flow.path);
		spin_unlock_bh(&ep->lock);
	}
	rcu_read_unlock();
	rxe_dests_drop_routes(dev);
}

void rxe_sock_detach(struct rxe_dev *dev)
{
	struct net *net = dev->net;

	if (!net)
		return;
	/* A lookup under an endpoint's lock that follows rxe_sock_drop_routes() sees the NULL. */
	WRITE_ONCE(dev->net, NULL);
	rxe_sock_drop_routes(dev);
	rxe_net_detach(net, dev, rxe_sock_close_net);
}
