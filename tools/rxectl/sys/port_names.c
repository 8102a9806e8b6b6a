// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "sys/port_names.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* IBTA 14.2.5.6, PortInfo: PortState and PortPhysicalState. */
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

const char *port_state(uint8_t state)
{
	return state < ARRAY_SIZE(states) ? states[state] : "UNKNOWN";
}

const char *port_phys_state(uint8_t state)
{
	return state < ARRAY_SIZE(phys_states) ? phys_states[state] : "UNKNOWN";
}
