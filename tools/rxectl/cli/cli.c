// SPDX-License-Identifier: GPL-2.0
/* Command-line parser: options, then OBJECT [COMMAND] [ARGUMENTS], looked up in tables. */
#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/errors.h"
#include "sys/netns.h"
#include "util/terminal.h"

#ifndef RXECTL_VERSION
#error "RXECTL_VERSION comes from the Makefile"
#endif

struct request {
	bool help;
	bool version;
	const char *bad_option;
	bool no_value;
	const char *bad_color;
	const char *netns;
};

/* FIRST_OPT + n is the long option of bit n in struct ctx @options. */
enum { FIRST_OPT = 256 };

static const struct option long_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "pretty", no_argument, NULL, 'p' },
	{ "netns", required_argument, NULL, 'n' },
	{ "color", required_argument, NULL, 'c' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ "if-missing", no_argument, NULL, FIRST_OPT + 0 },
	{ "rate", no_argument, NULL, FIRST_OPT + 1 },
	{ "mask", no_argument, NULL, FIRST_OPT + 2 },
	{ "dry-run", no_argument, NULL, FIRST_OPT + 3 },
	{ "revert", no_argument, NULL, FIRST_OPT + 4 },
	{ "force", no_argument, NULL, FIRST_OPT + 5 },
	{ "if-exists", no_argument, NULL, FIRST_OPT + 6 },
	{ "watch", no_argument, NULL, FIRST_OPT + 7 },
	{ "format", required_argument, NULL, FIRST_OPT + 8 },
	{ "check", no_argument, NULL, FIRST_OPT + 9 },
	{ "root", required_argument, NULL, FIRST_OPT + 10 },
	{ "late", no_argument, NULL, FIRST_OPT + 11 },
	{ 0 },
};

/* The option that getopt_long() rejected: a long option, or one letter of a group. */
static const char *bad_word(char **argv)
{
	static char letter[3] = "-";

	if (!optopt || !strncmp(argv[optind - 1], "--", 2))
		return argv[optind - 1];
	letter[1] = (char)optopt;
	return letter;
}

static void parse_color(struct ctx *ctx, const char *when, struct request *rq)
{
	if (!strcmp(when, "always"))
		ctx->color = COLOR_ALWAYS;
	else if (!strcmp(when, "never"))
		ctx->color = COLOR_NEVER;
	else if (!strcmp(when, "auto"))
		ctx->color = COLOR_AUTO;
	else
		rq->bad_color = when;
}

/*
 * Options are accepted before and after the object. All are parsed before the first bad one is
 * reported, so that "-j" applies to the error wherever it stands.
 */
static void parse_options(struct ctx *ctx, int argc, char **argv, struct request *rq)
{
	int opt;

	optind = 0; /* 0 makes glibc reset its state */
	opterr = 0;
	while ((opt = getopt_long(argc, argv, ":jphVn:c:", long_options, NULL)) != -1) {
		switch (opt) {
		case 'j':
			ctx->json = true;
			break;
		case 'p':
			ctx->pretty = true;
			break;
		case 'n':
			rq->netns = optarg;
			break;
		case 'c':
			parse_color(ctx, optarg, rq);
			break;
		case 'h':
			rq->help = true;
			break;
		case 'V':
			rq->version = true;
			break;
		case FIRST_OPT ... FIRST_OPT + 31:
			ctx->options |= 1U << (opt - FIRST_OPT);
			if (1 << (opt - FIRST_OPT) == OPT_FORMAT)
				ctx->format = optarg;
			if (1 << (opt - FIRST_OPT) == OPT_ROOT)
				ctx->root = optarg;
			break;
		default:
			if (rq->bad_option)
				break;
			rq->bad_option = bad_word(argv);
			rq->no_value = opt == ':';
		}
	}
}

static void help_options(FILE *f)
{
	fputs("\nOptions:\n"
	      "  -j, --json      print results and errors as JSON\n"
	      "  -p, --pretty    with -j: indent the JSON\n"
	      "  -n, --netns NETNS\n"
	      "                  run in the network namespace NETNS\n"
	      "  -c, --color WHEN\n"
	      "                  print colors: auto (the default), always or never\n"
	      "  -h, --help      print this help; after an object, help on that object, as\n"
	      "                  \"rxectl help OBJECT\" does\n"
	      "  -V, --version   print the version\n"
	      "  --if-missing, --if-exists, --rate, --watch, --mask, --dry-run,\n"
	      "  --revert, --force, --format FORMAT, --check, --root DIR, --late\n"
	      "                  for the commands whose help names them\n",
	      f);
}

/* Print a text that is indented by six blanks, and wrapped before column 80. */
static void print_wrapped(FILE *f, const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (column && column + 1 + len <= 80)
			column += (size_t)fprintf(f, " %.*s", (int)len, text);
		else
			column = (size_t)fprintf(f, "%s      %.*s", column ? "\n" : "", (int)len, text) -
				 (column != 0);
		text += len + strspn(text + len, " ");
	}
	fputc('\n', f);
}

static void help_program(FILE *f, const struct object *const *objects)
{
	static const char *const headings[GROUPS] = {
		[GROUP_LINKS] = "Links", [GROUP_LOOK] = "Look",	    [GROUP_SET_UP] = "Set up",
		[GROUP_TEST] = "Test",	 [GROUP_REPORT] = "Report",
	};

	fputs("Usage: rxectl [OPTIONS] OBJECT [COMMAND] [ARGUMENTS]\n"
	      "\nAdd, show and remove software RDMA devices on network interfaces.\n",
	      f);
	for (int group = 0; group < GROUPS; group++) {
		fprintf(f, "\n%s:\n", headings[group]);
		for (const struct object *const *o = objects; *o; o++)
			if ((int)(*o)->group == group)
				fprintf(f, "  %-9s %s\n", (*o)->name, (*o)->summary);
	}
	help_options(f);
	fputs("\nObjects and commands can be abbreviated as long as they are unambiguous.\n", f);
}

static void help_object(FILE *f, const struct object *o)
{
	fprintf(f, "%s: %s\n\nUsage:\n", o->name, o->summary);
	for (const struct command *c = o->commands; c->name; c++) {
		fprintf(f, "  rxectl %s %s%s%s%s%s\n", o->name, c == o->fallback ? "[" : "", c->name,
			c == o->fallback ? "]" : "", *c->args ? " " : "", c->args);
		print_wrapped(f, c->summary);
	}
	help_options(f);
	fprintf(f, "\nExamples:\n%s", o->examples);
}

/*
 * find_name() - look up a full or abbreviated name
 * @word: the name, or an unambiguous prefix of it
 * @name: returns the name at an index, NULL after the last
 * @table: for @name
 *
 * Return: the index, -1 if no name matches, -2 if several do.
 */
static int find_name(const char *word, const char *(*name)(const void *table, int i),
		     const void *table)
{
	const char *candidate;
	int found = -1;

	for (int i = 0; (candidate = name(table, i)); i++) {
		if (!strcmp(word, candidate))
			return i;
		if (arg_is_prefix(word, candidate))
			found = found == -1 ? i : -2;
	}
	return found;
}

static const char *object_name(const void *table, int i)
{
	const struct object *const *all = table;

	return all[i] ? all[i]->name : NULL;
}

static const char *command_name(const void *table, int i)
{
	const struct command *commands = table;

	return commands[i].name;
}

/* "list" and "ls" are taken for "show", as by other commands. */
static const char *command_word(const struct object *o, const char *word)
{
	if (strcmp(word, "list") && strcmp(word, "ls"))
		return word;
	for (const struct command *c = o->commands; c->name; c++)
		if (!strcmp(c->name, "show"))
			return c->name;
	return word;
}

/* Write "it may be a, b or c": all names that start with @word. */
static void list_candidates(const char *word, const char *(*name)(const void *table, int i),
			    const void *table, char *text, size_t size)
{
	const char *candidate, *last = NULL;
	size_t n = (size_t)snprintf(text, size, "it may be");
	bool first = true;

	for (int i = 0; (candidate = name(table, i)); i++) {
		if (!arg_is_prefix(word, candidate))
			continue;
		if (last && n < size) {
			n += (size_t)snprintf(text + n, size - n, "%s %s", first ? "" : ",", last);
			first = false;
		}
		last = candidate;
	}
	if (last && n < size)
		snprintf(text + n, size - n, " or %s", last);
}

static const char *option_name(unsigned int options)
{
	for (const struct option *o = long_options; o->name; o++)
		if (o->val >= FIRST_OPT && options & (1U << (o->val - FIRST_OPT)))
			return o->name;
	return "?";
}

static int run_command(struct ctx *ctx, const struct object *o, const struct command *c, int argc,
		       char **argv)
{
	unsigned int strange = ctx->options & ~c->options;
	char option[32], remedy[64];

	if (!strange)
		return c->run(ctx, argc, argv);
	snprintf(option, sizeof(option), "--%s", option_name(strange));
	snprintf(remedy, sizeof(remedy), "rxectl %s --help shows its use", o->name);
	return fail(ctx, EXIT_USAGE, option, remedy, "\"%s %s\" takes no option \"%s\"", o->name,
		    c->name, option);
}

static int run_object(struct ctx *ctx, const struct object *o, int argc, char **argv)
{
	char remedy[256];
	int i;

	if (!argc)
		return run_command(ctx, o, o->fallback, 0, argv);
	if (!strcmp(argv[0], "help")) {
		help_object(ctx->out, o);
		return 0;
	}

	i = find_name(command_word(o, argv[0]), command_name, o->commands);
	if (i >= 0)
		return run_command(ctx, o, &o->commands[i], argc - 1, argv + 1);
	if (i == -2) {
		list_candidates(argv[0], command_name, o->commands, remedy, sizeof(remedy));
		return fail(ctx, EXIT_USAGE, argv[0], remedy,
			    "\"%s\" is an ambiguous command of \"%s\"", argv[0], o->name);
	}
	ctx->implied = true;
	return run_command(ctx, o, o->fallback, argc, argv);
}

static int run(struct ctx *ctx, const struct object *const *objects, const struct request *rq,
	       int argc, char **argv)
{
	char remedy[256] = "rxectl --help lists the objects";
	const struct object *o;
	bool help;
	int i;

	if (!argc && rq->help) {
		help_program(ctx->out, objects);
		return 0;
	}
	if (!argc) {
		if (ctx->json)
			return fail(ctx, EXIT_USAGE, NULL, "rxectl --help lists the objects",
				    "no object given");
		help_program(ctx->err, objects);
		return EXIT_USAGE;
	}
	help = rq->help || !strcmp(argv[0], "help");
	if (argc == 1 && !strcmp(argv[0], "help")) {
		help_program(ctx->out, objects);
		return 0;
	}
	if (!strcmp(argv[0], "help"))
		argv++;

	i = find_name(argv[0], object_name, objects);
	if (i == -2)
		list_candidates(argv[0], object_name, objects, remedy, sizeof(remedy));
	if (i < 0)
		return fail(ctx, EXIT_USAGE, argv[0], remedy,
			    i == -2 ? "\"%s\" is an ambiguous object" : "unknown object \"%s\"",
			    argv[0]);
	o = objects[i];
	if (help) {
		help_object(ctx->out, o);
		return 0;
	}
	return run_object(ctx, o, argc - 1, argv + 1);
}

/* Errors in the options, and the effect of those that have one before the command runs. */
static int apply_options(const struct ctx *ctx, const struct request *rq)
{
	int err;

	if (rq->bad_option)
		return fail(ctx, EXIT_USAGE, rq->bad_option, "rxectl --help lists the options",
			    rq->no_value ? "missing value after \"%s\"" : "unknown option \"%s\"",
			    rq->bad_option);
	if (rq->bad_color)
		return fail(ctx, EXIT_USAGE, rq->bad_color, "give auto, always or never",
			    "\"%s\" is not a time to print colors", rq->bad_color);
	err = rq->netns && !rq->help && !rq->version ? netns_enter(rq->netns) : 0;
	if (!err)
		return 0;
	if (err == -ENOENT)
		return fail(ctx, EXIT_RUNTIME, rq->netns, "ip netns lists them",
			    "no network namespace \"%s\"", rq->netns);
	if (err == -EPERM || err == -EACCES)
		return fail(ctx, EXIT_RUNTIME, rq->netns, "run it as root",
			    "cannot enter network namespace \"%s\": needs CAP_SYS_ADMIN", rq->netns);
	return fail(ctx, EXIT_RUNTIME, rq->netns, NULL, "cannot enter network namespace \"%s\": %s",
		    rq->netns, strerror(-err));
}

int cli_run(const struct object *const *objects, int argc, char **argv, FILE *out, FILE *err)
{
	struct ctx ctx = { .out = out, .err = err };
	struct request rq = { 0 };
	int status = 0;

	parse_options(&ctx, argc, argv, &rq);
	ctx.width = terminal_width(out);
	status = apply_options(&ctx, &rq);
	if (status)
		return status;
	if (rq.version)
		fprintf(out, "rxectl %s\n", RXECTL_VERSION);
	else
		status = run(&ctx, objects, &rq, argc - optind, argv + optind);

	if ((fflush(out) || ferror(out)) && !status)
		status = fail(&ctx, EXIT_RUNTIME, NULL, "check for a full disk or a closed pipe",
			      "cannot write the output");
	return status;
}
