// SPDX-License-Identifier: GPL-2.0
/* Peers to which packets exceeded the MTU of a route or link: attribute pmtu_exceeded in sysfs. */
#include <stdio.h>

#include "sys/pmtu.h"
#include "util/files.h"

#define RECENT_SECONDS 60

bool pmtu_recent(const char *device, struct pmtu_report *report)
{
	unsigned int age;
	char line[128];

	return file_line(line, sizeof(line), "/sys/class/infiniband/%s/pmtu_exceeded", device) &&
	       sscanf(line, "%63s MTU %u, %u s ago", report->peer, &report->mtu, &age) == 3 &&
	       age <= RECENT_SECONDS;
}
