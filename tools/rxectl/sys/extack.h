/* SPDX-License-Identifier: GPL-2.0 */
/* Extended acknowledgement (extack) of netlink. */
#ifndef RXECTL_EXTACK_H
#define RXECTL_EXTACK_H

#include <linux/netlink.h>
#include <stddef.h>

/**
 * extack_copy() - copy the message text of a netlink error
 * @nlh: a complete message of type NLMSG_ERROR
 * @text: receives the text, truncated to @size bytes with the NUL; "" if the message has no text
 * @size: of @text, bytes
 */
void extack_copy(const struct nlmsghdr *nlh, char *text, size_t size);

#endif
