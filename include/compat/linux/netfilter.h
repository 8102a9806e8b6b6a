/* SPDX-License-Identifier: GPL-2.0 */
/* What registered a netfilter hook. */
#ifndef COMPAT_LINUX_NETFILTER_H
#define COMPAT_LINUX_NETFILTER_H

#include_next <linux/netfilter.h>

/* True for the hook of a module, false for one of nftables or BPF. Those alone use @priv. */
static inline bool rxe_nf_hook_is_plain(const struct nf_hook_ops *ops)
{
#ifdef RXE_HAVE_HOOK_OPS_TYPE
	return ops->hook_ops_type == NF_HOOK_OP_UNDEFINED;
#else
	return !ops->priv;
#endif
}

#endif
