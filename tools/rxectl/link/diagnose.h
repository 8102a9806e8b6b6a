/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why the kernel refused a link: it gives an errno, this finds the reason.
 */
#ifndef RXECTL_DIAGNOSE_H
#define RXECTL_DIAGNOSE_H

struct ctx;
struct netns;

/**
 * struct link_refusal - a link that was asked for and refused
 * @ns: the caller's network namespace
 * @name: wanted name of the RDMA device
 * @netdev: wanted interface
 * @err: the kernel's -errno
 */
struct link_refusal {
	struct netns *ns;
	const char *name;
	const char *netdev;
	int err;
};

/* Reports the reason and what mends it; returns the exit status. */
int link_diagnose(const struct ctx *ctx, const struct link_refusal *r);

#endif
