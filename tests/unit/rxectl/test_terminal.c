// SPDX-License-Identifier: GPL-2.0
/* Full-screen output on a pseudo-terminal: width, and Ctrl-Z under a shell with job control. */
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/terminal.h"

#define ALTERNATE "\033[?1049h"
#define USUAL	  "\033[?1049l"

/* The program: draws until "q" is pressed. */
static void run_program(void)
{
	char text[32];

	if (!terminal_open(stdout))
		_exit(2);
	do {
		snprintf(text, sizeof(text), "width %u\n", terminal_width(stdout));
		terminal_draw(stdout, text);
	} while (terminal_key(0.05) != 'q');
	terminal_close(stdout);
	_exit(0);
}

/* A shell that runs the program as a job, continues it once it is stopped, and awaits its end. */
static void run_shell(void)
{
	int status;
	pid_t job;

	signal(SIGTTOU, SIG_IGN);
	job = fork();
	setpgid(job, job);
	tcsetpgrp(STDIN_FILENO, job ? job : getpid());
	if (!job) {
		signal(SIGTTOU, SIG_DFL);
		run_program();
	}
	if (waitpid(job, &status, WUNTRACED) != job || !WIFSTOPPED(status))
		_exit(3);
	tcsetpgrp(STDIN_FILENO, getpgrp());
	printf("stopped\r\n");
	fflush(stdout);
	tcsetpgrp(STDIN_FILENO, job);
	kill(-job, SIGCONT);
	waitpid(job, &status, 0);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 4);
}

/* Read from the terminal until @wanted appears; what follows is kept for the next call. */
static void await(int terminal, const char *wanted)
{
	static char text[65536];
	static size_t n;
	char *found;

	while (!(found = strstr(text, wanted))) {
		struct pollfd output = { .fd = terminal, .events = POLLIN };
		ssize_t got;

		if (poll(&output, 1, 10000) <= 0)
			fail_msg("no \"%s\" after 10 s", wanted + 1);
		got = read(terminal, text + n, sizeof(text) - 1 - n);
		if (got <= 0)
			fail_msg("the terminal was closed before \"%s\"", wanted + 1);
		n += (size_t)got;
		text[n] = '\0';
	}
	found += strlen(wanted);
	n -= (size_t)(found - text);
	memmove(text, found, n + 1);
}

/* Ctrl-Z gives the usual screen to the shell; after "fg", the program has its own again. */
static void test_stop(void **state)
{
	struct winsize size = { .ws_row = 24, .ws_col = 97 };
	int terminal, status;
	pid_t shell;

	(void)state;
	setenv("TERM", "xterm", 1);
	shell = forkpty(&terminal, NULL, NULL, &size);
	assert_true(shell >= 0);
	if (!shell)
		run_shell();
	await(terminal, ALTERNATE);
	await(terminal, "width 97");
	assert_int_equal(write(terminal, "\x1a", 1), 1);
	await(terminal, USUAL);
	await(terminal, "stopped");
	await(terminal, ALTERNATE);
	await(terminal, "width 97");
	assert_int_equal(write(terminal, "q", 1), 1);
	await(terminal, USUAL);
	assert_int_equal(waitpid(shell, &status, 0), shell);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	close(terminal);
}

/* Without a terminal, COLUMNS is the width, and there is no limit without it. */
static void test_width(void **state)
{
	FILE *f = tmpfile();

	(void)state;
	assert_non_null(f);
	unsetenv("COLUMNS");
	assert_int_equal(terminal_width(f), 0);
	setenv("COLUMNS", "132", 1);
	assert_int_equal(terminal_width(f), 132);
	setenv("COLUMNS", "-1", 1);
	assert_int_equal(terminal_width(f), 0);
	unsetenv("COLUMNS");
	fclose(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_width),
	};

	return cmocka_run_group_tests_name("terminal", tests, NULL, NULL);
}
