// SPDX-License-Identifier: GPL-2.0
/*
 * UDP sockets for port 4791, with the encap_rcv and GRO handlers of the receive path.
 */
#include <linux/cred.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/udp.h>
#include <net/ipv6.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include <net/udp_tunnel.h>
#include <roce/wire.h>

#include "ip/pernet.h"
#include "rx/gro.h"
#include "rx/icmp.h"
#include "rx/nf_hook.h"
#include "rx/receive.h"
#include "rx/udp_sock.h"

/**
 * struct rxe_vrf - the sockets of a VRF
 * @node: entry in rxe_net.vrfs
 * @ifindex: index of the l3 master
 * @socks: sockets, bound to the l3 master
 */
struct rxe_vrf {
	struct list_head node;
	int ifindex;
	struct rxe_sock_pair socks;
};

static void rxe_sock_close(struct socket *sock)
{
	if (sock)
		udp_tunnel_sock_release(sock->sk);
}

/*
 * Sockets that share a port need one owner. It must not depend on the process that adds the link or
 * the VRF.
 */
static int rxe_sock_create(struct net *net, u8 family, struct socket **sock)
{
	struct cred *cred = prepare_kernel_cred(&init_task);
	const struct cred *old;
	int err;

	if (!cred)
		return -ENOMEM;
	old = override_creds(cred);
	err = sock_create_kern(net, family, SOCK_DGRAM, 0, sock);
	revert_creds(old);
	put_cred(cred);
	/* Without memory for a socket, "Too many open files in system", which it is not. */
	return err == -ENFILE ? -ENOMEM : err;
}

static int rxe_sock_bind_port(struct socket *sock, u8 family)
{
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(ROCE_UDP_PORT) };
	struct sockaddr_in in4 = { .sin_family = AF_INET, .sin_port = htons(ROCE_UDP_PORT) };

	if (family == AF_INET6)
		return kernel_bind(sock, (void *)&in6, sizeof(in6));
	return kernel_bind(sock, (void *)&in4, sizeof(in4));
}

static void rxe_sock_end_reuse(struct sock *sk)
{
	lock_sock(sk);
	sk->sk_reuseport = false;
	release_sock(sk);
}

/*
 * A socket that is bound to an interface takes its packets from one that is not. Nevertheless, two
 * such sockets of one port conflict unless both have SO_REUSEPORT. It is set for this moment only,
 * so that later no other program can bind to the port, and then only root could.
 */
static int rxe_sock_bind(struct socket *sock, u8 family, int ifindex, struct socket *unbound)
{
	int err;

	if (!unbound)
		return rxe_sock_bind_port(sock, family);
	err = sock_bindtoindex(sock->sk, ifindex, true);
	if (err)
		return err;
	sock_set_reuseport(unbound->sk);
	sock_set_reuseport(sock->sk);
	err = rxe_sock_bind_port(sock, family);
	rxe_sock_end_reuse(sock->sk);
	rxe_sock_end_reuse(unbound->sk);
	return err;
}

/*
 * Opens a socket: with @unbound, the one of the default VRF, it is bound to interface @ifindex.
 * Over IPv6, too, a UDP checksum of zero is accepted (RFC 6936): adapters send it, and the ICRC
 * protects every packet.
 */
static struct socket *rxe_sock_open(struct net *net, u8 family, int ifindex,
				    struct socket *unbound)
{
	struct udp_tunnel_sock_cfg tunnel = {
		.encap_type = 1,
		.encap_rcv = rxe_rx_udp,
		.encap_err_lookup = rxe_icmp_err,
		.gro_receive = rxe_gro_receive,
		.gro_complete = rxe_gro_complete,
	};
	struct socket *sock;
	int err;

	err = rxe_sock_create(net, family, &sock);
	if (err)
		return ERR_PTR(err);
	if (family == AF_INET6) {
		ip6_sock_set_v6only(sock->sk);
		udp_set_no_check6_rx(sock->sk, true);
	}
	err = rxe_sock_bind(sock, family, ifindex, unbound);
	if (err) {
		sock_release(sock);
		return ERR_PTR(err);
	}
	setup_udp_tunnel_sock(net, sock->sk, &tunnel);
	return sock;
}

/* Returns true for the errors of a kernel without IPv6, or with ipv6.disable=1. */
static bool rxe_no_ipv6(int err)
{
	return err == -EAFNOSUPPORT || err == -EPFNOSUPPORT;
}

static void rxe_sock_close_pair(struct rxe_sock_pair *socks)
{
	rxe_sock_close(socks->v6);
	rxe_sock_close(socks->v4);
	socks->v6 = NULL;
	socks->v4 = NULL;
}

static int rxe_sock_open_pair(struct net *net, struct rxe_sock_pair *socks)
{
	struct socket *v4, *v6;

	v4 = rxe_sock_open(net, AF_INET, 0, NULL);
	if (IS_ERR(v4))
		return PTR_ERR(v4);
	v6 = rxe_sock_open(net, AF_INET6, 0, NULL);
	if (IS_ERR(v6) && !rxe_no_ipv6(PTR_ERR(v6))) {
		rxe_sock_close(v4);
		return PTR_ERR(v6);
	}
	socks->v4 = v4;
	socks->v6 = IS_ERR(v6) ? NULL : v6;
	return 0;
}

static int rxe_vrf_open(struct net *net, int ifindex, struct rxe_sock_pair *socks)
{
	const struct rxe_sock_pair *unbound = &rxe_net(net)->socks;
	struct socket *v4, *v6 = NULL;

	v4 = rxe_sock_open(net, AF_INET, ifindex, unbound->v4);
	if (IS_ERR(v4))
		return PTR_ERR(v4);
	if (unbound->v6)
		v6 = rxe_sock_open(net, AF_INET6, ifindex, unbound->v6);
	if (IS_ERR(v6)) {
		rxe_sock_close(v4);
		return PTR_ERR(v6);
	}
	socks->v4 = v4;
	socks->v6 = v6;
	return 0;
}

/*
 * With net.ipv4.udp_l3mdev_accept=0, the default, packets to an interface in a VRF reach only
 * sockets that are bound to the VRF or to the interface.
 */
static void rxe_vrf_add(struct net *net, struct net_device *ndev)
{
	struct rxe_vrf *vrf = kzalloc(sizeof(*vrf), GFP_KERNEL);
	int err = -ENOMEM;

	if (vrf)
		err = rxe_vrf_open(net, ndev->ifindex, &vrf->socks);
	if (err) {
		netdev_err(ndev, "RoCE: cannot receive in this VRF (error %d)\n", err);
		kfree(vrf);
		return;
	}
	vrf->ifindex = ndev->ifindex;
	list_add(&vrf->node, &rxe_net(net)->vrfs);
}

static void rxe_vrf_free(struct rxe_vrf *vrf)
{
	list_del(&vrf->node);
	rxe_sock_close_pair(&vrf->socks);
	kfree(vrf);
}

static void rxe_vrf_remove(struct net *net, struct net_device *ndev)
{
	struct rxe_vrf *vrf, *next;

	list_for_each_entry_safe(vrf, next, &rxe_net(net)->vrfs, node)
		if (vrf->ifindex == ndev->ifindex)
			rxe_vrf_free(vrf);
}

void rxe_sock_vrf_added(struct net_device *ndev)
{
	rxe_net_update(ndev, rxe_vrf_add);
}

void rxe_sock_vrf_removed(struct net_device *ndev)
{
	rxe_net_update(ndev, rxe_vrf_remove);
}

int rxe_sock_open_net(struct net *net)
{
	struct rxe_sock_pair *socks = &rxe_net(net)->socks;
	struct net_device *ndev;
	int err;

	err = rxe_sock_open_pair(net, socks);
	if (err)
		return err;
	err = rxe_nf_hook_register(net);
	if (err) {
		rxe_sock_close_pair(socks);
		return err;
	}
	for_each_netdev(net, ndev) if (netif_is_l3_master(ndev)) rxe_vrf_add(net, ndev);
	return 0;
}

void rxe_sock_close_net(struct net *net)
{
	struct rxe_net *rn = rxe_net(net);
	struct rxe_vrf *vrf, *next;

	list_for_each_entry_safe(vrf, next, &rn->vrfs, node)
		rxe_vrf_free(vrf);
	rxe_nf_hook_unregister(net);
	rxe_sock_close_pair(&rn->socks);
}
