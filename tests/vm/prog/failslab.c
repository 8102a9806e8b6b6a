// SPDX-License-Identifier: GPL-2.0
/*
 * Call every verb with its first, second, ... kernel allocation failing, until none is left: it
 * must return an error of memory, leave the numbers of objects and pinned pages as they were, and
 * work when it is called again. The kernel's settings choose what else fails: copies from and to
 * the program, allocations of pages.
 *
 *	failslab DEVICE_A GID_INDEX DEVICE_B GID_INDEX [LOG]
 *
 * The interface of DEVICE_A is in the network namespace "a". The kernel's messages are appended to
 * LOG.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault_rows.h"
#include "nldev.h"

#define BUF    (4u << 20)
#define MAX_NTH 1000

/* Not 0: only calls below functions of the module fail. */
#define FILTER "/sys/kernel/debug/failslab/require-start"

static int nth_fd, kmsg_fd, log_fd = -1, index_a;
static bool only_module;
static unsigned int injected, injected_before;
static const char *current;

void fault_arm(int nth)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", nth);

	if (pwrite(nth_fd, text, len, 0) != len)
		die("fail-nth: %m");
}

bool fault_disarm(void)
{
	char text[16] = "";

	if (pread(nth_fd, text, sizeof(text) - 1, 0) <= 0)
		die("fail-nth: %m");
	fault_arm(0);
	return !atoi(text);
}

/* The kernel keeps the messages of some failures only. */
static void save_messages(void)
{
	char message[8192];
	ssize_t len;

	if (log_fd < 0)
		return;
	while ((len = read(kmsg_fd, message, sizeof(message))) > 0)
		if (write(log_fd, message, len) != len)
			die("cannot write the log: %m");
	if (errno != EAGAIN)
		die("the kernel has lost messages: %m");
}

static void open_log(const char *path)
{
	log_fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
	if (log_fd < 0 || lseek(kmsg_fd, 0, SEEK_END) < 0)
		die("%s: %m", path);
}

void fault_count(void)
{
	injected++;
	save_messages();
}

void fault_begin(const char *name)
{
	injected_before = injected;
	current = name;
}

void fault_end(void)
{
	printf("%-30s %u calls failed\n", current, injected - injected_before);
	fflush(stdout);
}

/**
 * struct state - what a failed call must not change
 * @pinned_kb: of this process
 * @len: bytes in @objects
 * @objects: numbers of objects, as the kernel reports them
 */
struct state {
	unsigned long pinned_kb;
	size_t len;
	char objects[2048];
};

static unsigned long pinned_kb(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	unsigned long kb = 0;
	char line[256];

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmPin: %lu", &kb) == 1)
			break;
	if (status)
		fclose(status);
	return kb;
}

static void note(struct state *state)
{
	state->pinned_kb = pinned_kb();
	state->len = nldev_resources(index_a, state->objects, sizeof(state->objects));
}

static void check_as_noted(const struct state *before, int nth)
{
	struct state now;

	note(&now);
	if (now.pinned_kb != before->pinned_kb)
		die("%s: failed call %d leaves %lu KiB pinned instead of %lu", current, nth,
		    now.pinned_kb, before->pinned_kb);
	if (now.len != before->len || memcmp(now.objects, before->objects, now.len))
		die("%s: failed call %d leaves other objects", current, nth);
}

static bool is_filtered(void)
{
	char text[64] = "";
	int fd = open(FILTER, O_RDONLY);
	bool filtered = fd >= 0 && read(fd, text, sizeof(text) - 1) > 0 && strtoul(text, NULL, 0);

	if (fd >= 0)
		close(fd);
	return filtered;
}

/*
 * The errors by which a caller can tell that the call may succeed later. Other parts of the
 * kernel, and the libraries when they look for a device, may report any.
 */
static bool is_sensible(int err)
{
	return !only_module || err == ENOMEM || err == EFAULT || err == ENOBUFS;
}

static void check_works(const struct fault_row *row, int nth)
{
	if (row->works && !row->works())
		die("%s: succeeds with call %d failing, and does not work", row->name, nth);
}

/* Make and undo, with no call failing. */
static void check_row(const struct fault_row *row, int nth)
{
	int err = row->make();

	if (err)
		die("%s fails after failed call %d: %s", row->name, nth, strerror(err));
	check_works(row, nth);
	err = row->unmake();
	if (err)
		die("undoing %s fails after failed call %d: %s", row->name, nth, strerror(err));
}

/* Return: true if a call has failed. */
static bool make_with_failure(const struct fault_row *row, int nth)
{
	bool failed;
	int err;

	fault_arm(nth);
	err = row->make();
	failed = fault_disarm();
	if (err && (!failed || !is_sensible(err)))
		die("%s, with call %d %sfailing: %s", row->name, nth, failed ? "" : "not ",
		    strerror(err));
	if (err && !row->retry)
		return failed;
	/* The caller can do without some allocations. */
	if (!err)
		check_works(row, nth);
	err = row->unmake();
	if (err)
		die("%s, made with call %d failing, cannot be undone: %s", row->name, nth,
		    strerror(err));
	return failed;
}

/* Return: true if a call has failed. */
static bool unmake_with_failure(const struct fault_row *row, int nth)
{
	bool failed;
	int err;

	err = row->make();
	if (err)
		die("%s fails: %s", row->name, strerror(err));
	fault_arm(nth);
	err = row->unmake();
	failed = fault_disarm();
	if (err && (!failed || !is_sensible(err)))
		die("undoing %s, with call %d %sfailing: %s", row->name, nth, failed ? "" : "not ",
		    strerror(err));
	if (err)
		err = row->unmake();
	if (err)
		die("undoing %s fails for good: %s", row->name, strerror(err));
	return failed;
}

/* With the first, second, ... call failing, until there are no more. */
static void each_fails(const struct fault_row *row,
		       bool (*with_failure)(const struct fault_row *row, int nth))
{
	struct state before;
	int nth;

	note(&before);
	for (nth = 1; with_failure(row, nth); nth++) {
		if (nth > MAX_NTH)
			die("%s: no end of calls that may fail", row->name);
		fault_count();
		check_as_noted(&before, nth);
		check_row(row, nth);
		check_as_noted(&before, nth);
	}
}

static void test_row(const struct fault_row *row)
{
	fault_begin(row->name);
	check_row(row, 0);
	each_fails(row, make_with_failure);
	each_fails(row, unmake_with_failure);
	fault_end();
}

static void test_devices(void)
{
	size_t i;

	fault_rows_begin();
	for (i = 0; i < fault_rows_len; i++)
		test_row(&fault_rows[i]);
	if (only_module)
		test_row(&fault_counter_row);
	fault_rows_end();
	fault_traffic();
	if (injected < 50)
		die("only %u calls failed", injected);
}

int main(int argc, char **argv)
{
	if (argc != 5 && argc != 6)
		die("usage: failslab DEVICE_A GID_INDEX DEVICE_B GID_INDEX [LOG]");
	nth_fd = open("/proc/thread-self/fail-nth", O_RDWR);
	kmsg_fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	if (nth_fd < 0 || kmsg_fd < 0)
		die("the kernel cannot have allocations fail: %m");
	if (argc == 6)
		open_log(argv[5]);
	only_module = is_filtered();
	nldev_open();
	index_a = nldev_index(argv[1]);
	side_open(&fault_a, argv[1], atoi(argv[2]), BUF);
	side_open(&fault_b, argv[3], atoi(argv[4]), BUF);
	test_devices();
	side_close(&fault_a);
	side_close(&fault_b);
	printf("%u calls failed\n", injected);
	return 0;
}
