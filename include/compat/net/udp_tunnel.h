/* SPDX-License-Identifier: GPL-2.0 */
/*
 * UDP tunnel sockets: older kernels take a struct socket, and wait for an RCU grace period when
 * they release one. Newer ones take a struct sock and leave the wait to the caller.
 */
#ifndef COMPAT_NET_UDP_TUNNEL_H
#define COMPAT_NET_UDP_TUNNEL_H

#include_next <net/udp_tunnel.h>

#ifndef RXE_HAVE_UDP_TUNNEL_SK
static inline void rxe_setup_udp_tunnel_sock(struct net *net, struct sock *sk,
					     struct udp_tunnel_sock_cfg *cfg)
{
	setup_udp_tunnel_sock(net, sk->sk_socket, cfg);
}

static inline void rxe_udp_tunnel_sock_release(struct sock *sk)
{
	udp_tunnel_sock_release(sk->sk_socket);
}

#define setup_udp_tunnel_sock	rxe_setup_udp_tunnel_sock
#define udp_tunnel_sock_release rxe_udp_tunnel_sock_release
#endif

#endif
