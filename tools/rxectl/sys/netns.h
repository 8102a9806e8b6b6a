/* SPDX-License-Identifier: GPL-2.0 */
/* Network namespace: sockets opened in it. */
#ifndef RXECTL_NETNS_H
#define RXECTL_NETNS_H

#include <stdbool.h>
#include <stddef.h>

struct netns;
struct nlsock;
struct nl_sock;

/**
 * netns_open() - open sockets in a network namespace
 * @name: as in "ip netns"; NULL for the caller's namespace
 * @ns: receives the sockets; close with netns_close()
 *
 * The caller's namespace is unchanged on return. Other namespaces need CAP_SYS_ADMIN.
 *
 * Return: 0, -EPROTONOSUPPORT without ib_core, or another -errno.
 */
int netns_open(const char *name, struct netns **ns);

/* Open the sockets in the caller's namespace that need no RDMA subsystem. Return: 0 or -errno. */
int netns_open_without_rdma(struct netns **ns);

/**
 * netns_enter() - move the process into a named network namespace, for good
 * @name: as in "ip netns"
 *
 * /sys shows the interfaces of that namespace afterwards. Needs CAP_SYS_ADMIN.
 *
 * Return: 0 or -errno; -ENOENT if no namespace has that name.
 */
int netns_enter(const char *name);

/* Close the sockets; @ns may be NULL. */
void netns_close(struct netns *ns);

/* Return: the name; NULL for the caller's namespace. */
const char *netns_name(const struct netns *ns);

/* Return: true if both are the same namespace. */
bool netns_same(const struct netns *a, const struct netns *b);

/**
 * netns_find_name() - find the name of a namespace
 *
 * Return: the name, to be freed; "" for the namespace of process 1 (of the host, or of the
 * container); NULL if it has no name.
 */
char *netns_find_name(const struct netns *ns);

struct nlsock *netns_rdma(const struct netns *ns);

/* A connected rtnetlink socket, and a socket for ioctl(). */
struct nl_sock *netns_route(const struct netns *ns);
int netns_ioctl_fd(const struct netns *ns);

/*
 * Open all named namespaces that the caller can enter; free the array and close its elements.
 * Return: 0 or -errno.
 */
int netns_open_named(struct netns ***all, size_t *n);

#endif
