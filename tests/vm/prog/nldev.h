/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links by RDMA netlink, so that a program can add and delete them in its own task.
 */
#ifndef TEST_NLDEV_H
#define TEST_NLDEV_H

#include <stdbool.h>

/* Open the socket; exit on failure. */
void nldev_open(void);

/* As "rdma link add @name type rxe netdev @netdev". Return: true on success, else errno is set. */
bool nldev_newlink(const char *name, const char *netdev);

/* As "rdma link del @name". */
bool nldev_dellink(const char *name);

#endif
