/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands that only look: a table with rows for each rxe device.
 */
#ifndef RXECTL_SHOW_H
#define RXECTL_SHOW_H

#include "cli/output.h"
#include "link/links.h"

/* Adds a device's rows. */
typedef void (*show_fn)(struct json_object *rows, const struct links *links,
			const struct rxe_link *link);

/**
 * show_links() - print a table of all rxe devices, or of the one that is named
 * @argc: words of the command line: none, or the name of a device
 * @usage: the command, for the error about a word too many
 *
 * Return: the exit status.
 */
int show_links(const struct ctx *ctx, int argc, char **argv, const char *usage,
	       const struct column *columns, show_fn add);

#endif
