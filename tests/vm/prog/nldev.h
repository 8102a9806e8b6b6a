/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links, counters and numbers of objects by RDMA netlink, so that a program requests them in its
 * own task.
 */
#ifndef TEST_NLDEV_H
#define TEST_NLDEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open the socket; exit on failure. */
void nldev_open(void);

/* The index of a device, or -1. */
int nldev_index(const char *name);

/* As "rdma link add @name type rxe netdev @netdev". Return: true on success, else errno is set. */
bool nldev_newlink(const char *name, const char *netdev);

/* As "rdma link del @name". */
bool nldev_dellink(const char *name);

/*
 * As "rdma resource show DEVICE": copy the reply, which counts the objects of each kind. Return: its
 * length, at most @size bytes. Exit on failure.
 */
size_t nldev_resources(uint32_t index, void *summary, size_t size);

/*
 * As "rdma statistic qp bind link DEVICE/1 lqpn @qpn", which makes a counter and sets *@id.
 * Return: true on success, else errno is set.
 */
bool nldev_bind_counter(uint32_t index, uint32_t qpn, uint32_t *id);

/* As "rdma statistic qp unbind link DEVICE/1 cntn @id lqpn @qpn". */
bool nldev_unbind_counter(uint32_t index, uint32_t qpn, uint32_t id);

#endif
