/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Errors: what is wrong, with the bad word quoted, and what mends it.
 */
#ifndef RXECTL_ERRORS_H
#define RXECTL_ERRORS_H

#include "cli/cli.h"

/**
 * fail() - report an error
 * @ctx: says where to, and whether as text or JSON
 * @status: the exit status
 * @word: the word of the command line that is at fault, or NULL
 * @remedy: what mends it, or NULL
 * @fmt: what is wrong, without the remedy; no newline
 *
 * Return: @status.
 */
int fail(const struct ctx *ctx, int status, const char *word, const char *remedy, const char *fmt,
	 ...) __attribute__((format(printf, 5, 6)));

/* A hint that is no error: on the error stream, in text mode only. */
void err_hint(const struct ctx *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reports that the kernel's RDMA netlink could not be opened, with -errno @err. */
int fail_no_rdma(const struct ctx *ctx, int err);

/* Reports that @name is not the name of an RDMA device, as all who look one up say it. */
int fail_no_device(const struct ctx *ctx, const char *name);

/**
 * fail_refused() - report what the kernel refused
 * @word: the word of the command line that it is about
 * @kernel: the kernel's own words, or NULL
 * @err: -errno
 * @fmt: what was tried ("cannot remove \"rxe0\"")
 *
 * Return: the exit status.
 */
int fail_refused(const struct ctx *ctx, const char *word, const char *kernel, int err,
		 const char *fmt, ...) __attribute__((format(printf, 5, 6)));

#endif
