/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Error messages: a line "error:" with the reason and the offending word in quotes, and a line "hint:"
 * with a remedy.
 */
#ifndef RXECTL_ERRORS_H
#define RXECTL_ERRORS_H

#include "cli/cli.h"

/**
 * fail() - report an error as text or JSON
 * @ctx: output stream and format
 * @status: the exit status
 * @word: the offending word of the command line, or NULL
 * @remedy: how to fix it, or NULL
 * @fmt: the reason, without remedy and newline
 *
 * Return: @status.
 */
int fail(const struct ctx *ctx, int status, const char *word, const char *remedy, const char *fmt,
	 ...) __attribute__((format(printf, 5, 6)));

/* Print a hint to the error stream; nothing in JSON mode. */
void err_hint(const struct ctx *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Report that RDMA netlink cannot be opened; @err is -errno. Return: the exit status. */
int fail_no_rdma(const struct ctx *ctx, int err);

/* Report that no RDMA device is named @name. Return: the exit status. */
int fail_no_device(const struct ctx *ctx, const char *name);

/**
 * fail_refused() - report a request that the kernel refused
 * @ctx: output stream and format
 * @word: the word of the command line that it is about
 * @kernel: the kernel's extack message, or NULL
 * @err: -errno
 * @fmt: the failed action ("cannot remove \"rxe0\"")
 *
 * Return: the exit status.
 */
int fail_refused(const struct ctx *ctx, const char *word, const char *kernel, int err,
		 const char *fmt, ...) __attribute__((format(printf, 5, 6)));

#endif
