/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Error buffer: the reason of a failure as text, filled by the failing function and printed by its
 * caller.
 */
#ifndef RXECTL_ERRBUF_H
#define RXECTL_ERRBUF_H

#include <stdbool.h>

#define ERRBUF_SIZE 256

/* Format a reason into @why (ERRBUF_SIZE bytes). Return: false, for the caller to return. */
bool errbuf_set(char *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
