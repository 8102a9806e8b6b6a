/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command line: objects, their commands, and what every command is given.
 */
#ifndef RXECTL_CLI_H
#define RXECTL_CLI_H

#include <stdbool.h>
#include <stdio.h>

/* Exit status; success is 0. The last two are what "doctor" found. */
enum { EXIT_RUNTIME = 1, EXIT_USAGE = 2, EXIT_WARNING = 3, EXIT_ERROR = 4 };

/* Options that only some commands take. */
enum {
	OPT_IF_MISSING = 1 << 0,
	OPT_RATE = 1 << 1,
	OPT_MASK = 1 << 2,
	OPT_DRY_RUN = 1 << 3,
	OPT_REVERT = 1 << 4,
};

/**
 * struct ctx - one run of the program
 * @out: results
 * @err: errors and hints
 * @json: results and errors are JSON
 * @pretty: JSON is indented
 * @options: OPT_*
 * @implied: the command was left out: its first argument might have been meant as one
 */
struct ctx {
	FILE *out;
	FILE *err;
	bool json;
	bool pretty;
	unsigned int options;
	bool implied;
};

/**
 * struct command - what can be done with an object
 * @name: full name; any unambiguous beginning of it is accepted
 * @args: arguments, as help shows them
 * @summary: one line
 * @run: takes the arguments after the command's name; returns the exit status
 * @options: OPT_* that it takes
 */
struct command {
	const char *name;
	const char *args;
	const char *summary;
	int (*run)(struct ctx *ctx, int argc, char **argv);
	unsigned int options;
};

/**
 * struct object - first word of a command line
 * @name: full name; any unambiguous beginning of it is accepted
 * @summary: one line
 * @examples: lines for help, each indented by two spaces and ended by a newline
 * @fallback: the command that is run when none is named
 * @commands: ended by an entry without a name
 */
struct object {
	const char *name;
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
