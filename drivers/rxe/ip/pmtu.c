// SPDX-License-Identifier: GPL-2.0
/*
 * Path MTU (PMTU): log, counter and attribute of packets that exceed the MTU of a route or link.
 */
#include <linux/inet.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>
#include <net/dst.h>
#include <net/ipv6.h>
#include <rdma/ib_verbs.h>
#include <roce/wire.h>

#include "base/counters.h"
#include "base/device.h"
#include "ip/path.h"
#include "ip/pmtu.h"

/* UDP header, the longest transport headers of a packet with payload, ICRC; bytes. */
#define RXE_PMTU_OVERHEAD                                                                     \
	(8 + sizeof(struct roce_bth) + sizeof(struct roce_reth) + sizeof(struct roce_immdt) + \
	 ROCE_ICRC_LEN)

static void rxe_pmtu_print(char text[INET6_ADDRSTRLEN], const struct in6_addr *addr)
{
	if (ipv6_addr_v4mapped(addr))
		snprintf(text, INET6_ADDRSTRLEN, "%pI4", &addr->s6_addr32[3]);
	else
		snprintf(text, INET6_ADDRSTRLEN, "%pI6c", addr);
}

/*
 * Returns true if the peer is not among the last ones with this MTU. It replaces the oldest one. If
 * another CPU notes a peer at that moment, nothing is noted: ICMP errors may be a flood, and a peer
 * whose packets are too big is noted with the next one.
 */
static bool rxe_pmtu_note(struct rxe_pmtu *pmtu, const struct in6_addr *daddr, u32 mtu)
{
	bool known = false;
	u32 i;

	if (!spin_trylock(&pmtu->lock))
		return false;
	for (i = 0; i < RXE_PMTU_PEERS && !known; i++) {
		known = ipv6_addr_equal(&pmtu->peer[i].daddr, daddr) && pmtu->peer[i].mtu == mtu;
		if (known)
			pmtu->last = i;
	}
	if (!known) {
		pmtu->last = pmtu->next++ % RXE_PMTU_PEERS;
		pmtu->peer[pmtu->last].daddr = *daddr;
		pmtu->peer[pmtu->last].mtu = mtu;
	}
	pmtu->seconds = ktime_get_seconds();
	spin_unlock(&pmtu->lock);
	return !known;
}

static void rxe_pmtu_peer(const struct rxe_path *path, struct in6_addr *daddr)
{
	if (path->v6)
		*daddr = path->ip6.daddr;
	else
		ipv6_addr_set_v4mapped(path->v4.daddr, daddr);
}

void rxe_pmtu_too_big(struct rxe_dev *dev, const struct rxe_path *path, u32 len, u32 mtu)
{
	char text[INET6_ADDRSTRLEN];
	struct in6_addr daddr;

	rxe_pmtu_peer(path, &daddr);
	if (!rxe_pmtu_note(&dev->pmtu, &daddr, mtu))
		return;
	rxe_pmtu_print(text, &daddr);
	ibdev_warn_ratelimited(
		&dev->ibdev,
		"%s: IP packets of %u bytes exceed the MTU %u of the route, and are dropped: use a smaller path MTU\n",
		text, len, mtu);
}

/* Such reports may be forged, so that the rate of the log is limited as well. */
void rxe_pmtu_reported(struct rxe_dev *dev, const struct in6_addr *daddr, u32 len, u32 mtu)
{
	char text[INET6_ADDRSTRLEN];

	rxe_count(dev, RXE_CNT_RCVD_TOO_BIG, 1);
	if (!rxe_pmtu_note(&dev->pmtu, daddr, mtu))
		return;
	rxe_pmtu_print(text, daddr);
	ibdev_warn_ratelimited(
		&dev->ibdev,
		"%s: a router on the way drops IP packets of %u bytes, which exceed the MTU %u of its next link: use a smaller path MTU\n",
		text, len, mtu);
}

u32 rxe_pmtu_fits(struct rxe_path *path, u32 path_mtu)
{
	u32 len = path_mtu + RXE_PMTU_OVERHEAD +
		  (path->v6 ? sizeof(struct ipv6hdr) : sizeof(struct iphdr));
	struct dst_entry *dst = rxe_path_dst(path);
	u32 mtu = dst ? dst_mtu(dst) : len;

	return mtu < len ? mtu : 0;
}

ssize_t rxe_pmtu_show(struct rxe_dev *dev, char *buf)
{
	struct rxe_pmtu *pmtu = &dev->pmtu;
	char text[INET6_ADDRSTRLEN];
	struct in6_addr daddr;
	u32 mtu;
	u64 age;

	spin_lock_bh(&pmtu->lock);
	daddr = pmtu->peer[pmtu->last].daddr;
	mtu = pmtu->peer[pmtu->last].mtu;
	age = ktime_get_seconds() - pmtu->seconds;
	spin_unlock_bh(&pmtu->lock);
	if (ipv6_addr_any(&daddr))
		return sysfs_emit(buf, "none\n");
	rxe_pmtu_print(text, &daddr);
	return sysfs_emit(buf, "%s MTU %u, %llu s ago\n", text, mtu, age);
}
