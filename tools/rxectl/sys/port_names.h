/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of port states, of types and states of QPs, and of the owners of verbs objects, as the
 * "rdma" command and ibv_devinfo print them.
 */
#ifndef RXECTL_PORT_NAMES_H
#define RXECTL_PORT_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct nlattr;

/* Return: the name of an enumerator, "UNKNOWN" outside the range. */
const char *port_state(uint8_t state);
const char *port_phys_state(uint8_t state);
const char *resource_qp_type(uint8_t type);
const char *resource_qp_state(uint8_t state);

/**
 * resource_owner() - name the owner of a verbs object
 * @tb: attributes of the object, indexed by RDMA_NLDEV_ATTR_*
 * @owner: the command of the owning process as /proc shows it, or the kernel module that created
 *	the object in brackets; "" if neither is known
 * @size: of @owner, bytes
 */
void resource_owner(struct nlattr **tb, char *owner, size_t size);

#endif
