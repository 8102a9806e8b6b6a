/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Netlink's extended acknowledgement.
 */
#ifndef RXECTL_EXTACK_H
#define RXECTL_EXTACK_H

#include <linux/netlink.h>
#include <stddef.h>

/**
 * extack_copy() - the kernel's own words in an error message
 * @nlh: a whole message of type NLMSG_ERROR
 * @text: receives them, cut to @size bytes and ended; empty if there are none
 */
void extack_copy(const struct nlmsghdr *nlh, char *text, size_t size);

#endif
