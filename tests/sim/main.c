// SPDX-License-Identifier: GPL-2.0
/*
 * Command line of the simulator: run one seed, a list or a range of seeds, in --jobs processes.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/kernel.h>
#include <roce/icrc.h>

#include "loss_bench.h"
#include "sim.h"
#include "unreliable.h"
#include "workload.h"

/**
 * struct options - command-line options
 * @first: first seed
 * @seeds: number of seeds
 * @packets: approximate packets per seed
 * @jobs: number of processes
 * @list: file of seeds to run before the range, or NULL
 * @verbose: trace every packet
 * @unreliable: simulate UC and UD instead of RC
 * @bench: run the loss recovery benchmark instead
 */
struct options {
	u64 first;
	u64 seeds;
	u32 packets;
	u32 jobs;
	const char *list;
	bool verbose;
	bool unreliable;
	bool bench;
};

/* The seed that runs, "first", and its options. */
static struct options current;

/* Results of one process. */
struct report {
	struct stats stats;
	u64 failures;
};

static void add_u64s(void *to, const void *from, size_t len)
{
	const u64 *f = from;
	u64 *t = to;
	size_t i;

	for (i = 0; i < len / sizeof(u64); i++)
		t[i] += f[i];
}

static bool ends_well(struct sim *sim, const struct options *opt)
{
	if (setjmp(sim->failed))
		return false;
	if (opt->unreliable)
		unreliable_run(sim, opt->packets);
	else
		workload_run(sim, opt->packets);
	return true;
}

static void print_failure(const char *why)
{
	printf("seed %llu FAILED: %s\n  replay with: tests/sim/sim --seed %llu --packets %u%s -v\n",
	       current.first, why, current.first, current.packets,
	       current.unreliable ? " --unreliable" : "");
	fflush(stdout);
}

/* Sanitizers raise SIGABRT, so that their reports have a seed. */
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
	return "abort_on_error=1";
}

const char *__ubsan_default_options(void)
{
	return "abort_on_error=1";
}

static void on_crash(int sig)
{
	print_failure(strsignal(sig));
	signal(sig, SIG_DFL);
	raise(sig);
}

static void run_seed(const struct options *opt, u64 seed, struct report *report)
{
	static struct sim sim;
	bool ok;

	current = *opt;
	current.first = seed;
	sim_init(&sim, seed, opt->verbose);
	ok = ends_well(&sim, opt);
	sim.stats.seeds = 1;
	sim.stats.ns = sim.now;
	sim.stats.link = sim.link.stats;
	add_u64s(&report->stats, &sim.stats, sizeof(sim.stats));
	if (opt->unreliable)
		unreliable_destroy(&sim);
	else
		workload_destroy(&sim);
	sim_destroy(&sim);
	if (ok)
		return;
	report->failures++;
	print_failure(sim.why);
}

static void run_list(const struct options *opt, u32 job, struct report *report)
{
	char line[256];
	u64 n = 0;
	FILE *f;

	f = fopen(opt->list, "r");
	if (!f) {
		fprintf(stderr, "sim: %s: %s\n", opt->list, strerror(errno));
		exit(2);
	}
	while (fgets(line, sizeof(line), f)) {
		struct options one = *opt;
		unsigned long long seed;

		if (sscanf(line, "%llu %u", &seed, &one.packets) < 1)
			continue;
		if (n++ % opt->jobs == job)
			run_seed(&one, seed, report);
	}
	fclose(f);
}

static void run_share(const struct options *opt, u32 job, struct report *report)
{
	u64 i;

	if (opt->list)
		run_list(opt, job, report);
	for (i = job; i < opt->seeds; i += opt->jobs)
		run_seed(opt, opt->first + i, report);
}

static void spawn(const struct options *opt, u32 job, int fd)
{
	struct report report = { 0 };

	run_share(opt, job, &report);
	if (write(fd, &report, sizeof(report)) != sizeof(report))
		_exit(2);
	fflush(stdout);
	exit(0);
}

/* Run all seeds in several processes; a process that dies counts as a failure. */
static void run_all(const struct options *opt, struct report *sum)
{
	int fds[2], status;
	struct report one;
	u32 job;

	if (opt->jobs == 1) {
		run_share(opt, 0, sum);
		return;
	}
	if (pipe(fds)) {
		perror("sim: pipe");
		exit(2);
	}
	fflush(stdout);
	for (job = 0; job < opt->jobs; job++) {
		pid_t pid = fork();

		if (pid < 0) {
			perror("sim: fork");
			exit(2);
		}
		if (!pid)
			spawn(opt, job, fds[1]);
	}
	close(fds[1]);
	while (read(fds[0], &one, sizeof(one)) == sizeof(one))
		add_u64s(sum, &one, sizeof(one));
	while (wait(&status) > 0)
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			sum->failures++;
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void row(const char *name, u64 n)
{
	printf("  %-36s %14llu\n", name, n);
}

static void print_report(const struct report *r, double wall)
{
	const struct stats *s = &r->stats;
	u32 i;

	printf("%llu seeds, %llu connections, %llu packets, %.1f s of virtual time in %.1f s: %.0f packets/s\n",
	       s->seeds, s->lives, s->link.sent, s->ns / 1e9, wall, s->link.sent / wall);
	printf("link\n");
	row("packets sent", s->link.sent);
	row("bytes sent", s->link.bytes);
	row("lost", s->link.lost);
	row("duplicated", s->link.duplicated);
	row("reordered", s->link.reordered);
	row("corrupted", s->link.corrupted);
	row("dropped for their ICRC", s->bad_icrc);
	row("paths without GSO", s->gso_fallbacks);
	printf("work requests\n");
	row("completed", s->wrs);
	row("bytes of these", s->bytes);
	row("flushed, receives included", s->flushed);
	row("SQ drained", s->drains);
	for (i = 0; i < ARRAY_SIZE(s->failed); i++)
		if (s->failed[i])
			printf("  failed: %-28s %14llu\n", trace_status(i), s->failed[i]);
	printf("recovery\n");
	row("rewinds by NAK or hole", s->counts[ROCE_COUNT_REWIND] - s->counts[ROCE_COUNT_TIMEOUT]);
	for (i = 0; i < ROCE_COUNTS; i++)
		row(trace_count_name(i), s->counts[i]);
}

static void usage(FILE *to)
{
	fputs("Usage: sim [OPTION]...\n"
	      "Run connections of the transport over a bad link, in virtual time.\n\n"
	      "  -s, --seed N      run seed N alone\n"
	      "  -f, --first N     first seed of a range (1)\n"
	      "  -n, --seeds N     number of seeds (100)\n"
	      "  -p, --packets N   packets of each, about (4000)\n"
	      "  -j, --jobs N      processes (1)\n"
	      "  -l, --list FILE   run the seeds in FILE first, one a line: SEED [PACKETS]\n"
	      "  -u, --unreliable  unreliable connections and datagrams in place of reliable ones\n"
	      "  -v, --verbose     print every packet\n"
	      "  -b, --bench       measure how fast losses are repaired\n"
	      "  -h, --help        print this\n",
	      to);
}

static u64 number(const char *arg)
{
	char *end;
	u64 n;

	errno = 0;
	n = strtoull(arg, &end, 0);
	if (errno || end == arg || *end) {
		fprintf(stderr, "sim: \"%s\" is not a number\n", arg);
		exit(2);
	}
	return n;
}

static struct options parse(int argc, char **argv)
{
	static const struct option longopts[] = { { "seed", required_argument, NULL, 's' },
						  { "first", required_argument, NULL, 'f' },
						  { "seeds", required_argument, NULL, 'n' },
						  { "packets", required_argument, NULL, 'p' },
						  { "jobs", required_argument, NULL, 'j' },
						  { "list", required_argument, NULL, 'l' },
						  { "unreliable", no_argument, NULL, 'u' },
						  { "verbose", no_argument, NULL, 'v' },
						  { "bench", no_argument, NULL, 'b' },
						  { "help", no_argument, NULL, 'h' },
						  { 0 } };
	struct options opt = { .first = 1, .seeds = 100, .packets = 4000, .jobs = 1 };
	int c;

	while ((c = getopt_long(argc, argv, "s:f:n:p:j:l:uvbh", longopts, NULL)) != -1) {
		switch (c) {
		case 's':
			opt.first = number(optarg);
			opt.seeds = 1;
			break;
		case 'f':
			opt.first = number(optarg);
			break;
		case 'n':
			opt.seeds = number(optarg);
			break;
		case 'p':
			opt.packets = max(number(optarg), 1ull);
			break;
		case 'j':
			opt.jobs = max(number(optarg), 1ull);
			break;
		case 'l':
			opt.list = optarg;
			break;
		case 'u':
			opt.unreliable = true;
			break;
		case 'v':
			opt.verbose = true;
			break;
		case 'b':
			opt.bench = true;
			break;
		case 'h':
			usage(stdout);
			exit(0);
		default:
			usage(stderr);
			exit(2);
		}
	}
	return opt;
}

int main(int argc, char **argv)
{
	struct options opt = parse(argc, argv);
	struct report report = { 0 };
	double start = seconds();

	signal(SIGFPE, on_crash);
	signal(SIGSEGV, on_crash);
	signal(SIGABRT, on_crash);
	roce_crc32_init();
	if (opt.bench)
		return bench_run();
	run_all(&opt, &report);
	print_report(&report, max(seconds() - start, 1e-3));
	if (report.failures)
		printf("%llu FAILED\n", report.failures);
	return report.failures ? 1 : 0;
}
