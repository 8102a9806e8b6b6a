/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why the kernel refused a link: it gives an errno, this finds the reason.
 */
#ifndef RXECTL_DIAGNOSE_H
#define RXECTL_DIAGNOSE_H

struct ctx;
struct netns;

/**
 * struct refusal - a link that was asked for and refused
 * @ns: the caller's network namespace
 * @name: wanted name of the RDMA device
 * @netdev: wanted interface
 * @err: the kernel's -errno
 */
struct refusal {
	struct netns *ns;
	const char *name;
	const char *netdev;
	int err;
};

/* Reports the reason and what mends it; returns the exit status. */
int refusal_report(const struct ctx *ctx, const struct refusal *r);

#endif
