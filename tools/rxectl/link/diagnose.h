/* SPDX-License-Identifier: GPL-2.0 */
/* Diagnosis of a refused link: derives the reason from the kernel's errno. */
#ifndef RXECTL_DIAGNOSE_H
#define RXECTL_DIAGNOSE_H

struct ctx;
struct netns;

/**
 * struct link_refusal - a refused link
 * @ns: network namespace of the caller
 * @name: requested name of the RDMA device
 * @netdev: requested interface
 * @err: the kernel's -errno
 */
struct link_refusal {
	struct netns *ns;
	const char *name;
	const char *netdev;
	int err;
};

/* Report the reason and a remedy. Return: the exit status. */
int link_diagnose(const struct ctx *ctx, const struct link_refusal *r);

#endif
