/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What went wrong, in words for the user, handed up to whoever shows it.
 */
#ifndef RXECTL_ERRBUF_H
#define RXECTL_ERRBUF_H

#include <stdbool.h>

#define ERRBUF_SIZE 256

/* Writes to @why, ERRBUF_SIZE bytes. Return: false, for the caller to return. */
bool errbuf_set(char *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
