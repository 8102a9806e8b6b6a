/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What only verbs tell about an RDMA device.
 */
#ifndef RXECTL_VERBS_H
#define RXECTL_VERBS_H

/**
 * verbs_active_mtu() - RoCE path MTU that the first port uses
 *
 * Return: bytes, or 0 if the device cannot be asked (no provider, no /dev/infiniband, no right).
 */
unsigned int verbs_active_mtu(const char *name);

#endif
