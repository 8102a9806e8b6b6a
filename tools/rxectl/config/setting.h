/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Settings of the system and of an interface, each a name and a value in words:
 *
 *	net.core.rmem_max	sysctl
 *	rdma_rxe.use_sg		parameter of the module
 *	mtu			of the interface
 *	queues			of the interface: "rx 4 tx 4" or "combined 4"
 *	queue-limit		least limit of bytes in its transmit queues: "0", or "0,0,9" by queue
 *	flag.roce-opt		private flag of its driver: "on" or "off"
 */
#ifndef RXECTL_SETTING_H
#define RXECTL_SETTING_H

#include <stdbool.h>

#define SETTING_VALUE 512

struct netns;

/* Is it one of the whole system rather than of an interface? */
bool setting_is_shared(const char *name);

/* Whether it exists here; @value: as it is now. */
bool setting_read(const struct netns *ns, const char *netdev, const char *name,
		  char value[SETTING_VALUE]);

/*
 * setting_aim() - turn what is wished for into a value that can be had
 * @wish: the value; of queues the number, of which an interface may have fewer
 * @value: as it is now; becomes what to write. Sysctls only grow.
 */
void setting_aim(const struct netns *ns, const char *netdev, const char *name, const char *wish,
		 char value[SETTING_VALUE]);

/*
 * setting_write() - set a value that setting_read() or setting_aim() gave
 *
 * An interface whose driver insists on it is down for a moment. Its IPv6 addresses stay.
 *
 * Return: 0 or -errno.
 */
int setting_write(const struct netns *ns, const char *netdev, const char *name,
		  const char *value);

#endif
