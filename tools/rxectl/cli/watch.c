// SPDX-License-Identifier: GPL-2.0
/* Periodic sampling: interval and count of commands that repeat their output. */
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/errors.h"
#include "cli/watch.h"
#include "util/clock.h"

bool watch_is_keyword(const char *word)
{
	return arg_is_prefix(word, "interval") || arg_is_prefix(word, "count");
}

double watch_left(struct watch *watch)
{
	double now = clock_seconds();

	if (watch->next <= 0)
		watch->next = now + watch->interval;
	return watch->next > now ? watch->next - now : 0;
}

void watch_advance(struct watch *watch)
{
	double late = clock_seconds() - watch->next;

	if (late >= 0)
		watch->next += watch->interval * (1 + (unsigned int)(late / watch->interval));
}

int watch_parse(const struct ctx *ctx, int argc, char **argv, const char *usage,
		struct watch *watch)
{
	double count = 0;
	int status;

	for (int i = 0; i < argc; i += 2) {
		if (!watch_is_keyword(argv[i]))
			return fail(ctx, EXIT_USAGE, argv[i], usage, "unknown word \"%s\"",
				    argv[i]);
		if (i + 1 == argc)
			return fail(ctx, EXIT_USAGE, argv[i], usage, "missing value after "
									   "\"%s\"",
				    argv[i]);
		if (arg_is_prefix(argv[i], "interval")) {
			status = number_between(ctx, argv[i + 1], usage, 0.1, 3600,
						&watch->interval);
		} else {
			status = number_between(ctx, argv[i + 1], usage, 1, 1e9, &count);
			if (!status)
				watch->count = (unsigned int)count;
		}
		if (status)
			return status;
	}
	return 0;
}
