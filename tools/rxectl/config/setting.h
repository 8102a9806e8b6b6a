/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Settings of the system and of an interface, as pairs of name and value:
 *
 *	net.core.rmem_max	sysctl
 *	rdma_rxe.use_sg		module parameter
 *	mtu			MTU of the interface
 *	queues			channels of the interface: "rx 4 tx 4" or "combined 4"
 *	queue-limit		byte queue limit (limit_min) of its transmit queues: "0", or "0,0,9" by queue
 *	flag.roce-opt		private flag of its driver: "on" or "off"
 */
#ifndef RXECTL_SETTING_H
#define RXECTL_SETTING_H

#include <stdbool.h>

#define SETTING_VALUE 512

struct netns;

/* Return: true if the setting is one of the whole system, not of an interface. */
bool setting_is_shared(const char *name);

/* Read the current value. Return: true if the setting exists. */
bool setting_read(const struct netns *ns, const char *netdev, const char *name,
		  char value[SETTING_VALUE]);

/**
 * setting_aim() - compute the value to write
 * @ns: network namespace of the interface
 * @netdev: the interface
 * @name: of the setting
 * @wish: wanted value; for queues their number, which is limited to the maximum of the interface
 * @value: the current value; receives the value to write. Sysctls are never reduced.
 */
void setting_aim(const struct netns *ns, const char *netdev, const char *name, const char *wish,
		 char value[SETTING_VALUE]);

/**
 * setting_write() - write a value returned by setting_read() or setting_aim()
 * @ns: network namespace of the interface
 * @netdev: the interface
 * @name: of the setting
 * @value: the value
 *
 * If the driver requires it, the interface is taken down during the change. IPv6 addresses and
 * routes are preserved.
 *
 * Return: 0 or -errno.
 */
int setting_write(const struct netns *ns, const char *netdev, const char *name,
		  const char *value);

#endif
