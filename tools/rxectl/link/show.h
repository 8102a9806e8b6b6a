/* SPDX-License-Identifier: GPL-2.0 */
/* Table of links, for commands that only show. */
#ifndef RXECTL_SHOW_H
#define RXECTL_SHOW_H

#include "cli/output.h"
#include "link/links.h"

/* Appends the rows of one device. */
typedef void (*show_fn)(struct json_object *rows, const struct links *links,
			const struct rxe_link *link);

/**
 * show_links() - print a table of all rxe devices, or of one
 * @ctx: output stream and format
 * @argc: 0, or 1 with the name of a device in @argv
 * @argv: arguments
 * @usage: printed if there are more arguments
 * @columns: of the table
 * @add: called for each device
 *
 * Return: the exit status.
 */
int show_links(const struct ctx *ctx, int argc, char **argv, const char *usage,
	       const struct column *columns, show_fn add);

#endif
