// SPDX-License-Identifier: GPL-2.0
/* Names of states and types of ports, QPs and verbs objects. */
#include <inttypes.h>
#include <netlink/attr.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>

#include "sys/port_names.h"
#include "util/files.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* PortState and PortPhysicalState of PortInfo (IBTA 14.2.5.6). */
static const char *const states[] = { "NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER" };
static const char *const phys_states[] = {
	"NOP",
	"SLEEP",
	"POLLING",
	"DISABLED",
	"PORT_CONFIGURATION_TRAINING",
	"LINK_UP",
	"LINK_ERROR_RECOVER",
	"PHY_TEST",
};

/* QP states (IBTA 10.3.1). */
static const char *const qp_states[] = { "RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR" };

/* SMI and GSI (IBTA 3.9.2 to 3.9.5) exist only inside the kernel and have no uAPI constant. */
static const char *const qp_types[] = {
	"SMI",
	"GSI",
	[IB_UVERBS_QPT_RC] = "RC",
	[IB_UVERBS_QPT_UC] = "UC",
	[IB_UVERBS_QPT_UD] = "UD",
	[IB_UVERBS_QPT_RAW_PACKET] = "RAW_PACKET",
};

const char *port_state(uint8_t state)
{
	return state < ARRAY_SIZE(states) ? states[state] : "UNKNOWN";
}

const char *port_phys_state(uint8_t state)
{
	return state < ARRAY_SIZE(phys_states) ? phys_states[state] : "UNKNOWN";
}

const char *resource_qp_state(uint8_t state)
{
	return state < ARRAY_SIZE(qp_states) ? qp_states[state] : "UNKNOWN";
}

const char *resource_qp_type(uint8_t type)
{
	return type < ARRAY_SIZE(qp_types) && qp_types[type] ? qp_types[type] : "UNKNOWN";
}

void resource_owner(struct nlattr **tb, char *owner, size_t size)
{
	struct nlattr *pid = tb[RDMA_NLDEV_ATTR_RES_PID];
	struct nlattr *kernel = tb[RDMA_NLDEV_ATTR_RES_KERN_NAME];

	*owner = '\0';
	if (pid)
		file_line(owner, size, "/proc/%" PRIu32 "/comm", nla_get_u32(pid));
	if (kernel)
		snprintf(owner, size, "[%.*s]", (int)size - 3, nla_get_string(kernel));
}
