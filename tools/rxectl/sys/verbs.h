/* SPDX-License-Identifier: GPL-2.0 */
/* Properties of RDMA devices that only libibverbs reports. */
#ifndef RXECTL_VERBS_H
#define RXECTL_VERBS_H

/**
 * verbs_active_mtu() - query the active path MTU of port 1
 * @name: of the RDMA device
 *
 * Return: bytes; 0 if the device cannot be opened (no provider, no device node, no permission).
 */
unsigned int verbs_active_mtu(const char *name);

#endif
