// SPDX-License-Identifier: GPL-2.0
/* The manual and the completion cover the commands, keys and counters of the program. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/commands.h"
#include "cmd/stats.h"
#include "config/conf.h"

/*
 * Return: the text of a file without quotes, backslashes, font escapes and macros, with single
 * blanks; to be freed.
 */
static char *read_plain(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	bool blank = true, start = true;
	size_t n = 0;
	FILE *out;
	int c;

	assert_non_null(f);
	out = open_memstream(&text, &n);
	while ((c = fgetc(f)) != EOF) {
		if (start && c == '.')
			while (c != EOF && !isspace(c))
				c = fgetc(f);
		start = c == '\n';
		if (c == '\\') {
			c = fgetc(f);
			if (c == 'f') {
				fgetc(f);
				continue;
			}
		}
		if (c == '"')
			continue;
		if (!isspace(c))
			fputc(c, out);
		else if (!blank)
			fputc(' ', out);
		blank = isspace(c);
	}
	fclose(f);
	fclose(out);
	return text;
}

static void assert_mentions(const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("\"%s\" is missing", wanted);
}

/* Return: the manual page of an object, to be freed. Objects may share a page. */
static char *read_page(const char *object)
{
	char path[512], other[64];
	char *text;

	snprintf(path, sizeof(path), MANUALS "/rxectl-%s.8", object);
	text = read_plain(path);
	if (sscanf(text, "man8/%63s", other) != 1)
		return text;
	free(text);
	snprintf(path, sizeof(path), MANUALS "/%s", other);
	return read_plain(path);
}

/* Each object has a manual page with all of its commands, and rxectl(8) refers to it. */
static void test_manual(void **state)
{
	char *first = read_plain(MANUALS "/rxectl.8");
	char wanted[256];

	(void)state;
	for (const struct object *const *o = objects; *o; o++) {
		char *page = read_page((*o)->name);

		snprintf(wanted, sizeof(wanted), "rxectl-%s (8)", (*o)->name);
		assert_mentions(first, wanted);
		assert_mentions(page, "EXAMPLES");
		for (const struct command *c = (*o)->commands; c->name; c++) {
			bool fallback = c == (*o)->fallback;

			snprintf(wanted, sizeof(wanted), "rxectl %s %s%s%s %s", (*o)->name,
				 fallback ? "[" : "", c->name, fallback ? "]" : "", c->args);
			assert_mentions(page, wanted);
		}
		free(page);
	}
	free(first);
}

static void strip_quotes(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (*text != '"')
			*to++ = *text;
	*to = '\0';
}

/* Each example of the help is in the manual page of the object. */
static void test_examples(void **state)
{
	(void)state;
	for (const struct object *const *o = objects; *o; o++) {
		char *examples = strdup((*o)->examples), *page = read_page((*o)->name);

		strip_quotes(examples);
		for (char *line = strtok(examples, "\n"); line; line = strtok(NULL, "\n"))
			assert_mentions(page, line + 2);
		free(examples);
		free(page);
	}
}

static void test_completion(void **state)
{
	char *completion = read_plain(COMPLETION);
	char wanted[64];

	(void)state;
	for (const struct object *const *o = objects; *o; o++) {
		snprintf(wanted, sizeof(wanted), "[%s]=", (*o)->name);
		assert_mentions(completion, wanted);
		for (const struct command *c = (*o)->commands; c->name; c++)
			assert_mentions(strstr(completion, wanted), c->name);
	}
	free(completion);
}

/* The completions of fish and zsh list all objects. */
static void test_other_shells(void **state)
{
	static const char *const paths[] = { COMPLETION_FISH, COMPLETION_ZSH };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char *completion = read_plain(paths[i]);
		char wanted[64];

		for (const struct object *const *o = objects; *o; o++) {
			snprintf(wanted, sizeof(wanted), " %s ", (*o)->name);
			if (!strstr(completion, wanted)) {
				snprintf(wanted, sizeof(wanted), "(%s ", (*o)->name);
				assert_mentions(completion, wanted);
			}
		}
		free(completion);
	}
}

static void ignore(const char *file, unsigned int line, const char *what, void *arg)
{
	(void)file;
	(void)line;
	(void)what;
	(void)arg;
}

/* Each key of the parser is in rxe.conf(5). */
static void test_keys(void **state)
{
	static const char *const keys[] = { "netdev", "mac",   "driver", "path",
					    "name",   "netns", "mtu",	 "wait", "profile" };
	char *manual = read_plain(CONF_MANUAL);
	struct conf conf = { .complain = ignore };

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		char text[64];

		snprintf(text, sizeof(text), "[link]\nnetdev=*\n%s=1\n", keys[i]);
		conf_parse(&conf, "x", text);
		assert_mentions(manual, keys[i]);
	}
	/* The value 1 is invalid for three keys: mac, mtu and profile. */
	assert_int_equal(conf.complaints, 3);
	conf_put(&conf);
	free(manual);
}

static bool has_meaning(const char *counter)
{
	for (const struct meaning *m = stats_meanings; m->counter; m++)
		if (!strcmp(m->counter, counter))
			return true;
	return false;
}

/* Read the next row of the driver's table of counters; false at its end. */
static bool read_counter(FILE *f, char counter[64])
{
	char line[256];

	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "\t%*[A-Z](%*[A-Z_], \"%63[a-z_0-9]\"", counter) == 1)
			return true;
	return false;
}

/* rxectl has a meaning for each counter of the driver, and for no other. */
static void test_counters(void **state)
{
	FILE *f = fopen(COUNTERS, "r");
	int counters = 0, meanings = 0;
	char counter[64];

	(void)state;
	assert_non_null(f);
	for (; read_counter(f, counter); counters++)
		if (!has_meaning(counter))
			fail_msg("\"%s\" has no meaning", counter);
	fclose(f);
	for (const struct meaning *m = stats_meanings; m->counter; m++)
		meanings++;
	assert_in_range(counters, 17, 200);
	assert_int_equal(meanings, counters);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_manual),
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_completion),
		cmocka_unit_test(test_other_shells),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests_name("manual and completion", tests, NULL, NULL);
}
