// SPDX-License-Identifier: GPL-2.0
/* Table of links. */
#include <json-c/json.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "link/show.h"

int show_links(const struct ctx *ctx, int argc, char **argv, const char *usage,
	       const struct column *columns, show_fn add)
{
	struct json_object *rows;
	struct links links;
	int status;

	/* Without a command, the first word may be the wrong one: look for its device first. */
	if (argc > 1 && !ctx->implied)
		return fail(ctx, EXIT_USAGE, argv[1], usage, "unknown word \"%s\"", argv[1]);
	status = links_get(ctx, argc ? argv[0] : NULL, &links);
	if (!status && argc > 1) {
		status = fail(ctx, EXIT_USAGE, argv[1], usage, "unknown word \"%s\"", argv[1]);
	} else if (!status) {
		rows = json_object_new_array();
		for (size_t i = 0; i < links.n; i++)
			add(rows, &links, &links.links[i]);
		output_rows(ctx, columns, rows);
		json_object_put(rows);
		if (!links.n)
			links_hint_none(ctx);
	}
	links_put(&links);
	return status;
}
