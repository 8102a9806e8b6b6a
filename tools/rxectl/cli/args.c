// SPDX-License-Identifier: GPL-2.0
/* Command-line arguments: abbreviated keywords and numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/errors.h"

bool arg_is_prefix(const char *word, const char *name)
{
	return *word && !strncmp(word, name, strlen(word));
}

bool arg_is_keyword(const char *word, const char *const *keywords)
{
	for (; *keywords; keywords++)
		if (arg_is_prefix(word, *keywords))
			return true;
	return false;
}

static bool is_full_keyword(const char *word, const char *const *keywords)
{
	for (; *keywords; keywords++)
		if (!strcmp(word, *keywords))
			return true;
	return false;
}

bool arg_name_first(int argc, char **argv, const char *const *keywords)
{
	if (!argc || !arg_is_keyword(argv[0], keywords))
		return argc;
	if (argc == 1)
		return !is_full_keyword(argv[0], keywords);
	return argc % 2 && arg_is_keyword(argv[1], keywords);
}

int number_between(const struct ctx *ctx, const char *word, const char *usage, double min,
		   double max, double *number)
{
	char *end;

	*number = strtod(word, &end);
	if (end != word && !*end && isfinite(*number) && *number >= min && *number <= max)
		return 0;
	return fail(ctx, EXIT_USAGE, word, usage, "\"%s\" is not a number from %g to %g", word, min,
		    max);
}
