// SPDX-License-Identifier: GPL-2.0
/* Tests of the parser of /etc/rxe: accepted keys, complaints, arbitrary input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/conf.h"
#include "sys/netdev.h"

static unsigned int complained_line;

static void complain(const char *file, unsigned int line, const char *what, void *arg)
{
	(void)arg;
	assert_string_equal(file, "t.conf");
	assert_true(*what);
	complained_line = line;
}

/**
 * struct row - a configuration file
 * @sections: number of sections
 * @complaints: number of complaints
 * @line: line of the last complaint
 * @matches: the last section matches the interface below
 * @name: name that it gives the device
 */
static const struct row {
	const char *text;
	size_t sections;
	size_t complaints;
	unsigned int line;
	bool matches;
	const char *name;
} rows[] = {
	{ "", 0, 0, 0, false, "" },
	{ "\n# a\n; b\n \t\r\n", 0, 0, 0, false, "" },
	{ "[link]\nnetdev=ens3", 1, 0, 0, true, "" },
	{ "  [link]\r\n  netdev \t=  ens* \r\n", 1, 0, 0, true, "" },
	{ "[link]\nnetdev=ens[0-9]\nname=rxe%n", 1, 0, 0, true, "rxe3" },
	{ "[link]\nnetdev=ens\n", 1, 0, 0, false, "" },
	{ "[link]\nmac=02:AB:cd:00:00:0f\nname=r%i%n%i\n", 1, 0, 0, true, "rens33ens3" },
	{ "[link]\nmac=02:AB:cd:00:00:0f \nnetdev=eth*\n", 1, 0, 0, false, "" },
	{ "[link]\ndriver=virtio*\npath=0000:0?:03.0\n", 1, 0, 0, true, "" },
	{ "[link]\n", 1, 1, 1, false, "" },
	{ "[link]\nname=x\n[link]\nnetdev=*", 2, 1, 1, true, "" },
	{ "netdev=*\n", 0, 1, 1, false, "" },
	{ "[lin]\nnetdev=*\n", 0, 2, 2, false, "" },
	{ "[link\n", 0, 1, 1, false, "" },
	{ "[link]\nnetdev\n", 1, 2, 1, false, "" },
	{ "[link]\nnetdev=\n", 1, 1, 2, false, "" },
	{ "[link]\nnetdev=*\n=x\n", 1, 1, 3, true, "" },
	{ "[link]\nnetdev=*\ncolour=red\nmtu=9000\n", 1, 1, 3, true, "" },
	{ "[link]\nnetdev=*\nmtu=339\n", 1, 1, 3, true, "" },
	{ "[link]\nnetdev=*\nmtu=9000x\n", 1, 1, 3, true, "" },
	{ "[link]\nnetdev=*\nmtu=99999999999999999999\n", 1, 1, 3, true, "" },
	{ "[link]\nnetdev=*\nwait=-1\n", 1, 1, 3, true, "" },
	{ "[link]\nnetdev=*\nnetns=../x\n", 1, 1, 3, true, "" },
	{ "[link]\nnetdev=*\nname=rxe%d\n", 1, 1, 3, true, "" },
	{ "[link]\nnetdev=*\nname=rxe%\n", 1, 1, 3, true, "" },
	{ "[link]\nnetdev=*\nname=a/b\n", 1, 1, 3, true, "" },
	/* A section with an invalid condition matches nothing. */
	{ "[link]\nnetdev=*\nmac=02:ab:cd:00:00\n", 1, 1, 3, false, "" },
	{ "[link]\nnetdev=*\nmac=02:ab:cd:00:00:0f:\n", 1, 1, 3, false, "" },
	{ "[link]\nnetdev=*\ndriver=0123456789012345678901234567890123456789012345678901234567890123\n",
	  1, 1, 3, false, "" },
};

static const struct netdev netdev = { .driver = "virtio_net",
				      .path = "0000:00:03.0",
				      .mac = "02:ab:cd:00:00:0f" };

static void test_row(void **state)
{
	const struct row *row = *state;
	struct conf conf = { .complain = complain };
	char *text = strdup(row->text), name[NLDEV_NAME_SIZE] = "";

	complained_line = 0;
	assert_int_equal(conf_parse(&conf, "t.conf", text), 0);
	assert_int_equal(conf.n, row->sections);
	assert_int_equal(conf.complaints, row->complaints);
	assert_int_equal(complained_line, row->line);
	if (conf.n) {
		const struct conf_link *last = &conf.links[conf.n - 1];

		assert_int_equal(conf_matches(last, "ens3", &netdev), row->matches);
		conf_name(last, "ens3", name);
	}
	assert_string_equal(name, row->name);
	conf_put(&conf);
	free(text);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

static void quiet(const char *file, unsigned int line, const char *what, void *arg)
{
	(void)file;
	(void)line;
	(void)what;
	(void)arg;
}

/* Random sequences of pieces of a configuration and arbitrary bytes. */
static void parse_random(uint32_t seed)
{
	static const char *const pieces[] = { "[link]", "\n", "netdev", "mac", "name", "mtu",
					      "wait", "=", "%n", "%i", "*", "[", "9000", " ",
					      "02:ab:cd:00:00:0f", "netns" };
	struct conf conf = { .complain = quiet };
	char text[4096] = "", name[NLDEV_NAME_SIZE];
	size_t len = 0;

	while (len < 4000) {
		uint32_t what = next_random(&seed) % 20;

		if (what < 16)
			len += (size_t)sprintf(text + len, "%s", pieces[what]);
		else
			text[len++] = (char)(1 + next_random(&seed) % 255);
	}
	assert_int_equal(conf_parse(&conf, "t.conf", text), 0);
	for (size_t i = 0; i < conf.n; i++) {
		conf_matches(&conf.links[i], "ens3", &netdev);
		conf_name(&conf.links[i], "a-long-name-123", name);
		assert_in_range(strlen(name), 0, NLDEV_NAME_SIZE - 1);
	}
	conf_put(&conf);
}

static void test_random(void **state)
{
	(void)state;
	for (uint32_t seed = 0; seed < 300; seed++)
		parse_random(seed);
}

int main(void)
{
	enum { N = sizeof(rows) / sizeof(rows[0]) };
	const struct CMUnitTest others[] = { cmocka_unit_test(test_random) };
	struct CMUnitTest tests[N];
	int failed;

	for (size_t i = 0; i < N; i++)
		tests[i] = (struct CMUnitTest){ .name = rows[i].text,
						.test_func = test_row,
						.initial_state = (void *)&rows[i] };
	failed = cmocka_run_group_tests_name("texts", tests, NULL, NULL);
	failed += cmocka_run_group_tests_name("random", others, NULL, NULL);
	return failed != 0;
}
