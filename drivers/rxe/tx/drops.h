/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets that a qdisc or a driver of this host dropped instead of sending them.
 */
#ifndef RXE_TX_DROPS_H
#define RXE_TX_DROPS_H

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/types.h>

/**
 * struct rxe_tx_drops - packets of one call that were not sent
 * @pkts: number of packets
 * @congested: a queue was full (NET_XMIT_DROP, NET_XMIT_CN, -ENOBUFS)
 */
struct rxe_tx_drops {
	u32 pkts;
	bool congested;
};

/*
 * Add the @n packets of a buffer if @err is not 0. @err is the result of dev_queue_xmit(), of
 * ip_local_out(), or of netdev_start_xmit() if the driver has consumed the buffer: NET_XMIT_* or a
 * negative errno. VLAN and macvlan interfaces return the result of the qdisc of the lower one; veth
 * returns NET_XMIT_DROP if its peer has no room in a backlog or ring.
 */
static inline void rxe_tx_drops_add(struct rxe_tx_drops *drops, int err, u32 n)
{
	if (likely(!err))
		return;
	drops->pkts += n;
	drops->congested |= err > 0 || err == -ENOBUFS;
}

#endif
