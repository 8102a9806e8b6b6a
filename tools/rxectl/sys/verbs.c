// SPDX-License-Identifier: GPL-2.0
/* Properties of RDMA devices, by libibverbs. */
#include <infiniband/verbs.h>
#include <string.h>

#include "sys/verbs.h"

static unsigned int query_mtu(struct ibv_device *device)
{
	struct ibv_context *context = ibv_open_device(device);
	struct ibv_port_attr port;
	unsigned int mtu = 0;

	if (!context)
		return 0;
	if (!ibv_query_port(context, 1, &port) && port.active_mtu >= IBV_MTU_256)
		mtu = 128U << port.active_mtu; /* IBV_MTU_256 is 1 */
	ibv_close_device(context);
	return mtu;
}

unsigned int verbs_active_mtu(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	unsigned int mtu = 0;

	for (struct ibv_device **d = list; d && *d && !mtu; d++)
		if (!strcmp(ibv_get_device_name(*d), name))
			mtu = query_mtu(*d);
	if (list)
		ibv_free_device_list(list);
	return mtu;
}
