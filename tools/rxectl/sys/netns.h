/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network namespace: the sockets through which it is looked at.
 */
#ifndef RXECTL_NETNS_H
#define RXECTL_NETNS_H

#include <stdbool.h>
#include <stddef.h>

struct netns;
struct nlsock;
struct nl_sock;

/**
 * netns_open() - open sockets in a namespace
 * @name: as "ip netns" names it, NULL for the caller's own
 *
 * The caller's own namespace is the same afterwards. Any other needs CAP_SYS_ADMIN.
 *
 * Return: 0, -EPROTONOSUPPORT without an RDMA core in the kernel, or another -errno.
 */
int netns_open(const char *name, struct netns **ns);

/* NULL is accepted. */
void netns_close(struct netns *ns);

/* NULL for the caller's own namespace. */
const char *netns_name(const struct netns *ns);

/* Are they one namespace, whatever they were opened by? */
bool netns_same(const struct netns *a, const struct netns *b);

/**
 * netns_find_name() - what a namespace is called wherever the question is asked
 *
 * Return: its name, to be freed; "" for the one of the machine's first process, or of the container's. NULL
 * if it has no name.
 */
char *netns_find_name(const struct netns *ns);

struct nlsock *netns_rdma(const struct netns *ns);

/* A connected rtnetlink socket, and any socket to do an ioctl() on. */
struct nl_sock *netns_route(const struct netns *ns);
int netns_ioctl_fd(const struct netns *ns);

/* Opens all named namespaces that may be opened; both the array and its entries are to be freed. */
int netns_open_named(struct netns ***all, size_t *n);

#endif
