/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One RDMA netlink socket: a request out, replies in, and what the kernel says on failure.
 */
#ifndef RXECTL_NLSOCK_H
#define RXECTL_NLSOCK_H

#include <netlink/msg.h>

struct nlsock;

/**
 * nlsock_open() - open RDMA netlink in the calling thread's network namespace
 *
 * The kernel loads its RDMA core on the way, if it can.
 *
 * Return: 0, -EPROTONOSUPPORT without an RDMA core, or another -errno.
 */
int nlsock_open(struct nlsock **sk);

/* NULL is accepted. */
void nlsock_close(struct nlsock *sk);

/**
 * nlsock_talk() - send a request and wait for its end
 * @request: not consumed
 * @reply: called for each message that is an answer; NULL when none is of interest
 * @arg: for @reply
 *
 * Return: 0 or the kernel's -errno.
 */
int nlsock_talk(struct nlsock *sk, struct nl_msg *request,
		void (*reply)(struct nlmsghdr *nlh, void *arg), void *arg);

/* The kernel's own words on the last failed nlsock_talk(), or NULL. */
const char *nlsock_message(const struct nlsock *sk);

#endif
