// SPDX-License-Identifier: GPL-2.0
/*
 * Command line: runs rows of the table, prints each measured value beside its goal, and fails if
 * a row misses one.
 */
#include <getopt.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/kernel.h>

#include "row.h"
#include "self_check.h"

/**
 * struct options - the command line
 * @row: rows to run
 * @seed: of the first run
 * @csv: one line for each goal, separated by commas
 * @all: print all metrics
 */
struct options {
	regex_t row;
	u64 seed;
	bool csv;
	bool all;
};

static const char usage[] =
	"usage: shared [--row REGEX] [--seed N] [--csv] [--all] [--list] [--self-check]\n"
	"  --row REGEX   run the rows whose name matches the extended regular expression\n"
	"  --seed N      of all randomness; 1 if not given\n"
	"  --csv         print name,metric,value,at least,at most,verdict\n"
	"  --all         print all metrics of each row\n"
	"  --list        print the names of the rows\n"
	"  --self-check  check the model instead: TCP alone, disciplines, conservation of packets\n";

static void print_bound(char *buf, size_t size, const struct goal *g)
{
	if (g->at_least && g->at_most)
		snprintf(buf, size, "%g to %g", g->at_least, g->at_most);
	else if (g->at_least)
		snprintf(buf, size, ">= %g", g->at_least);
	else
		snprintf(buf, size, "<= %g", g->at_most);
}

static void print_goal(const struct options *o, const struct row *row, const struct goal *g,
		       const struct result *res)
{
	const char *verdict = goal_reached(g, res) ? "ok" : "MISSED";
	double v = res->value[g->metric];
	char bound[32];

	if (o->csv) {
		printf("\"%s\",%s,%.6g,%g,%g,%s\n", row->name, metric_name(g->metric), v,
		       g->at_least, g->at_most, verdict);
		return;
	}
	print_bound(bound, sizeof(bound), g);
	printf("    %-16s %12.2f   %-10s %s\n", metric_name(g->metric), v, bound, verdict);
}

static void print_all(const struct result *res)
{
	enum metric m;

	printf("   ");
	for (m = M_NONE + 1; m < METRICS; m++)
		if (res->value[m])
			printf(" %s %.4g;", metric_name(m), res->value[m]);
	printf("\n");
}

/* The columns that all rows have. */
static void print_summary(const struct row *row, const struct result *res)
{
	const double *v = res->value;
	char share[16] = "-";

	if (row->tcps)
		snprintf(share, sizeof(share), "%.3g", v[M_SHARE]);
	printf("%-38s %7.2f %6.2f %5.2f %6s %7.2f %7.2f %8.2f %9.0f %4.0f\n", row->name,
	       v[M_GOODPUT], v[M_DROPS], v[M_JAIN], share, v[M_DELAY], v[M_P99], v[M_STANDING],
	       v[M_RESENT_PKTS], v[M_DEAD]);
}

static void print_head(void)
{
	printf("%-38s %7s %6s %5s %6s %7s %7s %8s %9s %4s\n", "", "goodput", "drops", "Jain",
	       "share", "delay", "p99", "standing", "resent", "dead");
	printf("%-38s %7s %6s %5s %6s %7s %7s %8s %9s %4s\n", "row", "%", "%", "", "to TCP", "ms",
	       "ms", "ms", "packets", "QPs");
}

static bool run_row(const struct options *o, const struct row *row)
{
	const struct goal *g;
	struct result res;
	bool ok = true;

	row_run(row, o->seed, &res);
	if (!o->csv)
		print_summary(row, &res);
	for (g = row->goals; g < row->goals + GOALS && g->metric; g++) {
		print_goal(o, row, g, &res);
		ok &= goal_reached(g, &res);
	}
	if (o->all)
		print_all(&res);
	fflush(stdout);
	return ok;
}

static int run_rows(const struct options *o)
{
	u32 i, ran = 0, missed = 0;

	if (!o->csv)
		print_head();
	for (i = 0; i < nrows; i++) {
		if (regexec(&o->row, rows[i].name, 0, NULL, 0))
			continue;
		ran++;
		missed += !run_row(o, &rows[i]);
	}
	if (!o->csv)
		printf("%u rows, %u missed their goals\n", ran, missed);
	return missed || !ran;
}

static int list_rows(void)
{
	u32 i;

	for (i = 0; i < nrows; i++)
		printf("%s\n", rows[i].name);
	return 0;
}

static void __attribute__((noreturn)) fail(const char *text)
{
	fputs(text, stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "row", required_argument, NULL, 'r' },  { "seed", required_argument, NULL, 's' },
		{ "csv", no_argument, NULL, 'c' },	  { "all", no_argument, NULL, 'a' },
		{ "list", no_argument, NULL, 'l' },	  { "self-check", no_argument, NULL, 'k' },
		{ "help", no_argument, NULL, 'h' },	  {},
	};
	struct options o = { .seed = 1 };
	const char *row = "";
	int c;

	while ((c = getopt_long(argc, argv, "h", longopts, NULL)) != -1) {
		switch (c) {
		case 'r':
			row = optarg;
			break;
		case 's':
			o.seed = strtoull(optarg, NULL, 0);
			break;
		case 'c':
			o.csv = true;
			break;
		case 'a':
			o.all = true;
			break;
		case 'l':
			return list_rows();
		case 'k':
			return self_check() ? 0 : 1;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fail(usage);
		}
	}
	if (regcomp(&o.row, row, REG_EXTENDED | REG_NOSUB))
		fail("shared: --row takes an extended regular expression\n");
	c = run_rows(&o);
	regfree(&o.row);
	return c;
}
