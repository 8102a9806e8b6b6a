// SPDX-License-Identifier: GPL-2.0
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host.h"

bool host_module_loaded(void)
{
	return !access("/sys/module/rdma_rxe", F_OK);
}

bool host_net_admin(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return !syscall(SYS_capget, &header, data) &&
	       (data[CAP_TO_INDEX(CAP_NET_ADMIN)].effective & CAP_TO_MASK(CAP_NET_ADMIN));
}

bool host_rdma_parent(const char *name, char *parent, size_t size)
{
	char path[128];
	bool found;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/parent", name);
	f = fopen(path, "re");
	if (!f)
		return false;
	found = fgets(parent, (int)size, f);
	fclose(f);
	if (found)
		parent[strcspn(parent, "\n")] = '\0';
	return found;
}
