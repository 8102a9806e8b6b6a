/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words for what the kernel says of verbs objects.
 */
#ifndef RXECTL_RESOURCE_H
#define RXECTL_RESOURCE_H

#include <stddef.h>
#include <stdint.h>

struct nlattr;

/* "UNKNOWN" for what is not known. */
const char *resource_qp_type(uint8_t type);
const char *resource_qp_state(uint8_t state);

/*
 * Of an object that a program has the command, as the kernel keeps it; of the kernel's the part
 * that made it, in brackets; "" if neither is known. @tb: by RDMA_NLDEV_ATTR_*.
 */
void resource_owner(struct nlattr **tb, char *owner, size_t size);

#endif
