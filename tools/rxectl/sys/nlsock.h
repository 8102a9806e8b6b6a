/* SPDX-License-Identifier: GPL-2.0 */
/* RDMA netlink socket: requests, replies, extack messages. */
#ifndef RXECTL_NLSOCK_H
#define RXECTL_NLSOCK_H

#include <netlink/msg.h>

struct nlsock;

/**
 * nlsock_open() - open RDMA netlink in the calling thread's network namespace
 * @sk: receives the socket
 *
 * The kernel may load ib_core on demand.
 *
 * Return: 0, -EPROTONOSUPPORT without ib_core, or another -errno.
 */
int nlsock_open(struct nlsock **sk);

/* Close the socket; @sk may be NULL. */
void nlsock_close(struct nlsock *sk);

/**
 * nlsock_talk() - send a request and read the replies up to the last
 * @sk: RDMA netlink socket
 * @request: not consumed
 * @reply: called for each message that is a reply; may be NULL
 * @arg: for @reply
 *
 * Return: 0 or the kernel's -errno.
 */
int nlsock_talk(struct nlsock *sk, struct nl_msg *request,
		void (*reply)(struct nlmsghdr *nlh, void *arg), void *arg);

/* Return: the extack message of the last failed nlsock_talk(), or NULL. */
const char *nlsock_message(const struct nlsock *sk);

#endif
