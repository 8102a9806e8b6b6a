// SPDX-License-Identifier: GPL-2.0
/*
 * Bounded explorer: every fate of the first packets and every order of timers and arrivals, for
 * pairs of requests.
 *
 * A run posts two requests. At each of its first --packets packets it decides what the wire does
 * with it, and up to --swaps times it lets a timer and an arrival happen in the order opposite to
 * their times: the timer is early, or late. The rest of the run has no decision. All runs are
 * explored depth first; a run ends where it reaches a state that another has been in.
 *
 * The oracles of the simulator check each run: each request is executed exactly once and in order,
 * completes after it has been executed, and no other byte of memory changes. Each run must end
 * within MAX_STEPS events and MAX_TIME of virtual time, with all requests completed.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <roce/icrc.h>
#include <sys/wait.h>
#include <unistd.h>

#include "path.h"
#include "wire.h"
#include "world.h"

#define MAX_STEPS 20000u
#define MAX_TIME  (100 * SEC)

/**
 * struct options - command line
 * @packets: packets with a choice of fates
 * @swaps: times that a timer and an arrival may happen in the wrong order
 * @jobs: processes
 * @first: kind of the first request, or NULL for all
 * @second: kind of the second request, or NULL for all
 * @path: decisions of one run to be shown, or NULL
 */
struct options {
	u32 packets;
	u32 swaps;
	u32 jobs;
	const char *first;
	const char *second;
	const char *path;
};

/* Numbers of one or more pairs. */
struct totals {
	u64 pairs;
	u64 states;
	u64 runs;
	u64 failures;
};

/**
 * struct search - the exploration of one pair
 * @packets: decisions about packets left in this run
 * @swaps: decisions about the order of events left in this run
 */
struct search {
	struct sim *sim;
	const struct options *opt;
	struct path path;
	u32 packets;
	u32 swaps;
	bool show;
};

static void describe_frame(const struct search *s, const struct frame *f, enum fate fate)
{
	if (s->show)
		printf("  packet of host %u, opcode %#x: %s\n", f->src, f->bytes[f->bth],
		       fate_names[fate]);
}

/* Return: the alternative, or -1 if the run ends here. */
static int decide(struct search *s, u32 n)
{
	u64 budget = s->packets | (u64)s->swaps << 8;
	int choice = path_choose(&s->path, n, world_hash(s->sim, budget));

	if (choice == PATH_UNSTABLE)
		sim_fail(s->sim, "the same decisions lead to another state");
	if (choice == PATH_TOO_LONG)
		sim_fail(s->sim, "more than %u decisions", PATH_MAX_LEN);
	return choice;
}

/* Return: false if the run ends here. */
static bool decide_fate(struct search *s)
{
	int fate = FATE_DELIVERED;

	if (s->packets) {
		fate = decide(s, FATES);
		if (fate < 0)
			return false;
		s->packets--;
	}
	describe_frame(s, wire_undecided(), fate);
	wire_decide(&s->sim->link, s->sim->now, fate);
	return true;
}

static struct host *next_host(struct sim *sim, u64 *at)
{
	u64 a = host_next_at(&sim->host[0]), b = host_next_at(&sim->host[1]);

	*at = min(a, b);
	return a <= b ? &sim->host[0] : &sim->host[1];
}

static void arrive(struct sim *sim)
{
	struct frame *f;

	sim->now = max(sim->now, link_next_at(&sim->link));
	f = link_pop(&sim->link);
	host_arrive(&sim->host[f->dst], f);
}

static void run_host(struct sim *sim, struct host *h, u64 at)
{
	sim->now = max(sim->now, at);
	host_run(h);
	world_check(h);
}

/* Return: false if the run ends here, explored or complete (@done). */
static bool step(struct search *s, bool *done)
{
	struct sim *sim = s->sim;
	u64 at, arrival = link_next_at(&sim->link);
	struct host *h = next_host(sim, &at);
	bool swapped = false;
	int choice;

	if (at <= sim->now) {
		run_host(sim, h, at);
		return true;
	}
	if (wire_undecided())
		return decide_fate(s);
	if (at == ROCE_NEVER && arrival == ROCE_NEVER) {
		*done = true;
		return false;
	}
	if (at != ROCE_NEVER && arrival != ROCE_NEVER && s->swaps) {
		choice = decide(s, 2);
		if (choice < 0)
			return false;
		swapped = choice;
		s->swaps -= choice;
	}
	if (s->show && swapped)
		printf("  the timer of host %u is %s\n", h->id, arrival <= at ? "early" : "late");
	if ((arrival <= at) != swapped)
		arrive(sim);
	else
		run_host(sim, h, at);
	return true;
}

static void live(struct search *s, const struct kind *first, const struct kind *second)
{
	struct sim *sim = s->sim;
	bool done = false;
	u32 steps = 0;
	u64 start;

	s->packets = s->opt->packets;
	s->swaps = s->opt->swaps;
	world_begin(sim, first, second);
	start = sim->now;
	while (step(s, &done)) {
		if (++steps == MAX_STEPS)
			sim_fail(sim, "no end after %u events", MAX_STEPS);
		if (sim->now > start + MAX_TIME)
			sim_fail(sim, "no end after %llu s", MAX_TIME / SEC);
	}
	if (done)
		world_end(sim);
}

/* Return: false if a check has failed. */
static bool run(struct search *s, const struct kind *first, const struct kind *second)
{
	if (setjmp(s->sim->failed))
		return false;
	live(s, first, second);
	return true;
}

static void print_path(const struct path *p)
{
	u32 i;

	for (i = 0; i < p->len; i++)
		printf("%s%u", i ? "," : "", p->taken[i]);
}

static void report_failure(const struct search *s, const struct kind *first,
			   const struct kind *second)
{
	printf("%s, %s: FAILED: %s\n  replay with: explore --packets %u --swaps %u --first %s --second %s --path ",
	       first->name, second->name, s->sim->why, s->opt->packets, s->opt->swaps, first->name,
	       second->name);
	print_path(&s->path);
	printf("\n");
	fflush(stdout);
}

static void explore_pair(struct search *s, const struct kind *first, const struct kind *second,
			 struct totals *totals)
{
	u64 runs = 0;
	bool ok;

	path_forget();
	memset(&s->path, 0, sizeof(s->path));
	do {
		ok = run(s, first, second);
		runs++;
	} while (ok && path_next(&s->path));
	totals->pairs++;
	totals->states += path_states();
	totals->runs += runs;
	if (!ok) {
		totals->failures++;
		report_failure(s, first, second);
		return;
	}
	printf("%-14s %-14s %10llu states %10llu runs\n", first->name, second->name, path_states(),
	       runs);
	fflush(stdout);
}

static bool wanted(const char *name, const struct kind *kind)
{
	return !name || !strcmp(name, kind->name);
}

/* Every @opt->jobs-th pair, from @job on, until one fails. */
static void explore_share(const struct options *opt, u32 job, struct totals *totals)
{
	static struct search search;
	u32 i;

	search.sim = world_create();
	search.opt = opt;
	for (i = job; i < nkinds * nkinds && !totals->failures; i += opt->jobs)
		if (wanted(opt->first, &kinds[i / nkinds]) &&
		    wanted(opt->second, &kinds[i % nkinds]))
			explore_pair(&search, &kinds[i / nkinds], &kinds[i % nkinds], totals);
}

static const struct kind *kind_of(const char *name)
{
	u32 i;

	for (i = 0; name && i < nkinds; i++)
		if (!strcmp(name, kinds[i].name))
			return &kinds[i];
	fprintf(stderr, "explore: --path needs --first and --second, each a kind of request\n");
	exit(2);
}

/* Show one run, packet by packet. */
static bool show_path(const struct options *opt)
{
	static struct search s;
	char *text = strdup(opt->path), *word;

	s.sim = world_create();
	s.sim->verbose = true;
	s.opt = opt;
	s.show = true;
	for (word = strtok(text, ","); word && s.path.len < PATH_MAX_LEN; word = strtok(NULL, ","))
		s.path.taken[s.path.len++] = atoi(word);
	s.path.given = true;
	free(text);
	if (run(&s, kind_of(opt->first), kind_of(opt->second)))
		return true;
	printf("FAILED: %s\n", s.sim->why);
	return false;
}

static void add(struct totals *sum, const struct totals *t)
{
	sum->pairs += t->pairs;
	sum->states += t->states;
	sum->runs += t->runs;
	sum->failures += t->failures;
}

/* In several processes; one that dies counts as a failure. */
static void explore_all(const struct options *opt, struct totals *sum)
{
	struct totals one;
	int fds[2], status;
	u32 job;

	if (pipe(fds)) {
		perror("explore: pipe");
		exit(2);
	}
	for (job = 0; job < opt->jobs; job++) {
		pid_t pid = fork();

		if (pid < 0) {
			perror("explore: fork");
			exit(2);
		}
		if (pid)
			continue;
		memset(&one, 0, sizeof(one));
		explore_share(opt, job, &one);
		if (write(fds[1], &one, sizeof(one)) != sizeof(one))
			_exit(2);
		_exit(0);
	}
	close(fds[1]);
	while (read(fds[0], &one, sizeof(one)) == sizeof(one))
		add(sum, &one);
	while (wait(&status) > 0)
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			sum->failures++;
}

static const char usage[] =
	"usage: explore [OPTIONS]\n"
	"\n"
	"  --packets N   packets that are delivered, lost, doubled or reordered (default: 4)\n"
	"  --swaps N     timers that are early or late, in one run (default: 1)\n"
	"  --first KIND  only pairs that begin with this request\n"
	"  --second KIND only pairs that end with this request\n"
	"  --jobs N      processes (default: 1)\n"
	"  --path LIST   show one run, given the decisions that a failure has printed\n";

static void parse(int argc, char **argv, struct options *opt)
{
	static const struct option options[] = {
		{ "packets", required_argument, NULL, 'p' },
		{ "swaps", required_argument, NULL, 's' },
		{ "first", required_argument, NULL, '1' },
		{ "second", required_argument, NULL, '2' },
		{ "jobs", required_argument, NULL, 'j' },
		{ "path", required_argument, NULL, 'P' },
		{ "help", no_argument, NULL, 'h' },
		{},
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'p':
			opt->packets = atoi(optarg);
			break;
		case 's':
			opt->swaps = atoi(optarg);
			break;
		case '1':
			opt->first = optarg;
			break;
		case '2':
			opt->second = optarg;
			break;
		case 'j':
			opt->jobs = max(atoi(optarg), 1);
			break;
		case 'P':
			opt->path = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			fputs(usage, stderr);
			exit(2);
		}
}

int main(int argc, char **argv)
{
	struct options opt = { .packets = 4, .swaps = 1, .jobs = 1 };
	struct totals sum = {};

	parse(argc, argv, &opt);
	roce_crc32_init();
	if (opt.path)
		return !show_path(&opt);
	explore_all(&opt, &sum);
	printf("%llu pairs, first %u packets, %u swaps: %llu states, %llu runs, %llu failures\n",
	       sum.pairs, opt.packets, opt.swaps, sum.states, sum.runs, sum.failures);
	return sum.failures || !sum.pairs;
}
