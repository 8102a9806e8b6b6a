/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of an interface's MTU is left for payload.
 */
#ifndef RXECTL_MTU_H
#define RXECTL_MTU_H

/* IPv6, UDP, the longest transport headers of a packet with payload, ICRC: as the driver counts. */
#define MTU_OVERHEAD 84U

#define MTU_MIN 256U
#define MTU_MAX 4096U

/* The largest path MTU that fits; 0 if none does. */
unsigned int mtu_fitting(unsigned int netdev_mtu);

#endif
