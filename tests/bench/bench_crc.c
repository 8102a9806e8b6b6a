// SPDX-License-Identifier: GPL-2.0
/*
 * Benchmark of the CRC implementations, on packets in the L1 cache.
 *
 *   bench_crc               print a table with the times of all that this processor can run
 *   bench_crc WAY TIMES     run one TIMES times on four packets, to count instructions
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <linux/kernel.h>
#include <roce/icrc.h>

#define PACKETS 4
#define PAYLOAD 1024u
#define MAX_LEN 4096u
#define OFFSET	28u /* of the payload in a packet: seldom aligned */
#define PAGE	4096u
#define SAMPLES 61
#define SECONDS 0.002

/*
 * The destination of a copy is 1/8 to 7/8 of a page behind its source, modulo the page size: a
 * processor assumes that a load depends on a recent store if both have the same page offset.
 */
#define BEHIND(i) (512 + PAGE / PACKETS * (i))

static u8 from[PACKETS][2 * PAGE] __aligned(PAGE), to[PACKETS][3 * PAGE] __aligned(PAGE);
static size_t to_offset; /* OFFSET for a packet, 0 for aligned memory */

static void one_by_one(u32 (*crc32)(u32, const void *, size_t), u8 (*bufs)[2 * PAGE],
		       size_t len)
{
	u32 i, crc;

	for (i = 0; i < PACKETS; i++) {
		crc = crc32(~0u, bufs[i] + OFFSET, len);
		__asm__ volatile("" ::"r"(crc));
	}
}

static void copy_one_by_one(u32 (*crc32_copy)(u32, void *, const void *, size_t), size_t len)
{
	u32 i, crc;

	for (i = 0; i < PACKETS; i++) {
		crc = crc32_copy(~0u, to[i] + BEHIND(i) + to_offset, from[i] + OFFSET, len);
		__asm__ volatile("" ::"r"(crc) : "memory");
	}
}

static void copy(size_t len)
{
	u32 i;

	for (i = 0; i < PACKETS; i++)
		memcpy(to[i] + BEHIND(i) + to_offset, from[i] + OFFSET, len);
	__asm__ volatile("" ::: "memory");
}

static void run_plain(size_t len)
{
	one_by_one(roce_crc32, from, len);
}

static void run_copy_plain(size_t len)
{
	copy_one_by_one(roce_crc32_copy, len);
}

static bool always(void)
{
	return true;
}

#ifdef __x86_64__
static void run_pclmul(size_t len)
{
	one_by_one(roce_crc32_pclmul, from, len);
}

static void run_copy_pclmul(size_t len)
{
	copy_one_by_one(roce_crc32_copy_pclmul, len);
}

static void run_vpclmul(size_t len)
{
	one_by_one(roce_crc32_vpclmul, from, len);
}

static void run_copy_vpclmul(size_t len)
{
	copy_one_by_one(roce_crc32_copy_vpclmul, len);
}

static bool has_pclmul(void)
{
	return __builtin_cpu_supports("pclmul");
}

static bool has_vpclmul(void)
{
	return __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512f");
}

static double ticks(void)
{
	return __builtin_ia32_rdtsc();
}
#else
static double ticks(void)
{
	return 0;
}
#endif

/* Each call processes four packets. */
static const struct way {
	const char *name;
	void (*run)(size_t len);
	bool (*usable)(void);
} ways[] = {
	{ "plain", run_plain, always },
	{ "copy+plain", run_copy_plain, always },
#ifdef __x86_64__
	{ "pclmul", run_pclmul, has_pclmul },
	{ "copy+pclmul", run_copy_pclmul, has_pclmul },
	{ "vpclmul", run_vpclmul, has_vpclmul },
	{ "copy+vpclmul", run_copy_vpclmul, has_vpclmul },
#endif
	{ "copy", copy, always },
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sample(const struct way *way, size_t len, double *rate, double *cycles)
{
	double start = now(), tick = ticks(), bytes = 0, end;
	u32 i;

	do {
		for (i = 0; i < 100; i++)
			way->run(len);
		bytes += 100.0 * PACKETS * len;
		end = now();
	} while (end - start < SECONDS);
	*rate = bytes / (end - start);
	*cycles = (ticks() - tick) / bytes;
}

/* Interleave the samples of all ways, so that changes of load affect all of them. */
static void print_times(size_t len)
{
	static double rate[ARRAY_SIZE(ways)][SAMPLES], cycles[ARRAY_SIZE(ways)][SAMPLES];
	u32 i, k;

	for (k = 0; k < SAMPLES; k++)
		for (i = 0; i < ARRAY_SIZE(ways); i++)
			if (ways[i].usable())
				sample(&ways[i], len, &rate[i][k], &cycles[i][k]);
	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		if (!ways[i].usable())
			continue;
		qsort(rate[i], SAMPLES, sizeof(double), by_value);
		qsort(cycles[i], SAMPLES, sizeof(double), by_value);
		printf("%-14s %6zu %9zu %10.2f %10.2f %12.3f\n", ways[i].name, len, to_offset,
		       rate[i][SAMPLES / 2] / 1e9, rate[i][SAMPLES - 1] / 1e9,
		       cycles[i][SAMPLES / 2]);
	}
}

static const struct way *way_named(const char *name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(ways); i++)
		if (!strcmp(ways[i].name, name))
			return &ways[i];
	fprintf(stderr, "bench_crc: no implementation \"%s\"\n", name);
	exit(2);
}

static int count(const char *name, long times)
{
	const struct way *way = way_named(name);

	if (!way->usable())
		return 77;
	while (times-- > 0)
		way->run(PAYLOAD);
	return 0;
}

int main(int argc, char **argv)
{
	size_t i;

	roce_crc32_init();
	for (i = 0; i < sizeof(from); i++)
		from[i / sizeof(from[0])][i % sizeof(from[0])] = rand();
	if (argc == 3)
		return count(argv[1], atol(argv[2]));
	printf("%-14s %6s %9s %10s %10s %12s\n", "four packets", "bytes", "copied to", "GB/s", "best",
	       "ticks/byte");
	for (i = PAYLOAD; i <= MAX_LEN; i *= 4) {
		to_offset = OFFSET;
		print_times(i);
		to_offset = 0;
		print_times(i);
	}
	return 0;
}
