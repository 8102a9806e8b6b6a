/* SPDX-License-Identifier: GPL-2.0 */
/* Command line: types of objects and commands, context of a run, exit statuses. */
#ifndef RXECTL_CLI_H
#define RXECTL_CLI_H

#include <stdbool.h>
#include <stdio.h>

/* Exit statuses other than 0. The last two report the worst finding of "rxectl doctor". */
enum { EXIT_RUNTIME = 1, EXIT_USAGE = 2, EXIT_WARNING = 3, EXIT_ERROR = 4 };

/* Options that only some commands accept. */
enum {
	OPT_IF_MISSING = 1 << 0,
	OPT_RATE = 1 << 1,
	OPT_MASK = 1 << 2,
	OPT_DRY_RUN = 1 << 3,
	OPT_REVERT = 1 << 4,
	OPT_FORCE = 1 << 5,
	OPT_IF_EXISTS = 1 << 6,
	OPT_WATCH = 1 << 7,
	OPT_FORMAT = 1 << 8,
	OPT_CHECK = 1 << 9,
	OPT_ROOT = 1 << 10,
	OPT_LATE = 1 << 11,
};

/* When to print colors: if the output is a terminal and NO_COLOR is not set, always or never. */
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/**
 * struct ctx - context of one run of the program
 * @out: receives results
 * @err: receives errors and hints
 * @json: print results and errors as JSON
 * @pretty: indent JSON
 * @color: COLOR_*
 * @format: value of OPT_FORMAT
 * @root: value of OPT_ROOT
 * @width: columns that tables should fit in; 0 for no limit
 * @options: OPT_* given
 * @implied: no command was named, so that the first argument may be a misspelled one
 */
struct ctx {
	FILE *out;
	FILE *err;
	bool json;
	bool pretty;
	enum color color;
	const char *format;
	const char *root;
	unsigned int width;
	unsigned int options;
	bool implied;
};

/**
 * struct command - a command of an object
 * @name: full name; unambiguous prefixes are accepted
 * @args: arguments as help shows them
 * @summary: one line for help
 * @run: runs the command with the arguments after its name; returns the exit status
 * @options: OPT_* that it accepts
 */
struct command {
	const char *name;
	const char *args;
	const char *summary;
	int (*run)(struct ctx *ctx, int argc, char **argv);
	unsigned int options;
};

/* Groups of objects in the help of the program, in its order. */
enum group { GROUP_LINKS, GROUP_LOOK, GROUP_SET_UP, GROUP_TEST, GROUP_REPORT, GROUPS };

/**
 * struct object - an object, the first word of a command line
 * @name: full name; unambiguous prefixes are accepted
 * @group: heading below which the help lists it
 * @summary: one line for help
 * @examples: lines for help, each indented by two spaces and ended by a newline
 * @fallback: command that runs if none is named
 * @commands: array that ends with an entry without a name
 */
struct object {
	const char *name;
	enum group group;
	const char *summary;
	const char *examples;
	const struct command *fallback;
	const struct command *commands;
};

/**
 * cli_run() - run one command line
 * @objects: all objects; NULL ends the array
 * @argc: number of elements of @argv
 * @argv: the program's name, options, and [OBJECT [COMMAND] [ARGUMENTS]]
 * @out: receives results
 * @err: receives errors and hints
 *
 * Return: the exit status.
 */
int cli_run(const struct object *const *objects, int argc, char **argv, FILE *out, FILE *err);

#endif
