/* SPDX-License-Identifier: GPL-2.0 */
/* Peers to which packets exceeded the MTU of a route or link, as the module reports them. */
#ifndef RXECTL_PMTU_H
#define RXECTL_PMTU_H

#include <stdbool.h>

/**
 * struct pmtu_report - the last packet that was too big
 * @peer: address of the peer
 * @mtu: MTU of the route, or of the link of a router, bytes; 0: unknown
 */
struct pmtu_report {
	char peer[64];
	unsigned int mtu;
};

/* Read the report of @device. Return: false if there is none of the last minute, or no right. */
bool pmtu_recent(const char *device, struct pmtu_report *report);

#endif
