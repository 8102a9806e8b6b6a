/* SPDX-License-Identifier: GPL-2.0 */
/* sock_set_reuseport() for older kernels. */
#ifndef COMPAT_NET_SOCK_H
#define COMPAT_NET_SOCK_H

#include_next <net/sock.h>

#ifndef RXE_HAVE_SOCK_SET_REUSEPORT
static inline void sock_set_reuseport(struct sock *sk)
{
	lock_sock(sk);
	sk->sk_reuseport = true;
	release_sock(sk);
}
#endif

#endif
