// SPDX-License-Identifier: GPL-2.0
/* Host: modules, capabilities, limits, other programs. */
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/host.h"

bool host_module_loaded(void)
{
	return !access("/sys/module/rdma_rxe", F_OK);
}

static bool capable(int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return !syscall(SYS_capget, &header, data) &&
	       (data[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability));
}

bool host_net_admin(void)
{
	return capable(CAP_NET_ADMIN);
}

bool host_can_use(const char *dir, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return !access(path, R_OK | W_OK);
}

bool host_ipc_lock(void)
{
	return capable(CAP_IPC_LOCK);
}

unsigned long host_memlock(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return ULONG_MAX;
	return limit.rlim_cur;
}

static char *read_all(FILE *f)
{
	char *text = NULL, part[4096];
	size_t n, len = 0;
	FILE *all = open_memstream(&text, &len);

	while (all && (n = fread(part, 1, sizeof(part), f)))
		fwrite(part, 1, n, all);
	if (all)
		fclose(all);
	return text;
}

char *host_run(const char *command)
{
	char line[256], *text;
	FILE *f;

	snprintf(line, sizeof(line), "PATH=$PATH:/usr/sbin:/sbin; exec %s 2>/dev/null </dev/null",
		 command);
	f = popen(line, "re");
	if (!f)
		return NULL;
	text = read_all(f);
	if (pclose(f)) {
		free(text);
		text = NULL;
	}
	return text;
}

bool host_has_module(const char *name)
{
	char command[64], *file;
	bool found;

	snprintf(command, sizeof(command), "modinfo -n %.32s", name);
	file = host_run(command);
	found = file && *file;
	free(file);
	return found;
}

const char *host_load_remedy(void)
{
	return host_has_module("rdma_rxe") ? "modprobe rdma_rxe" :
					     "this kernel has none: install rdma-rxe-dkms";
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
