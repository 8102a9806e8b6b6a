/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Path MTU that fits an interface's MTU.
 */
#ifndef RXECTL_MTU_CALC_H
#define RXECTL_MTU_CALC_H

/*
 * Bytes of headers in front of and behind the payload, as the driver reserves them: IPv6, UDP, the
 * longest transport headers of a packet with payload, ICRC.
 */
#define MTU_OVERHEAD 84U

/* Least and greatest path MTU, bytes (IBTA 9.7.4.1). */
#define MTU_MIN 256U
#define MTU_MAX 4096U

/* Return: the largest path MTU that fits @netdev_mtu (bytes), 0 if none does. */
unsigned int mtu_fitting(unsigned int netdev_mtu);

#endif
