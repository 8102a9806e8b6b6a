// SPDX-License-Identifier: GPL-2.0
/* Full-screen terminal output. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "util/terminal.h"

#define ALTERNATE_SCREEN "\033[?1049h\033[?25l"
#define USUAL_SCREEN	 "\033[?25h\033[?1049l"
#define TOP		 "\033[H"
#define REST_OF_LINE	 "\033[K"
#define REST_OF_SCREEN	 "\033[J"

static struct termios usual;
static FILE *screen;
static volatile sig_atomic_t ended;
static volatile sig_atomic_t stopped;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* Empty handler: makes SIGWINCH interrupt poll(). */
static void resized(int signal)
{
	(void)signal;
}

static void on_signal(int signal, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	sigaction(signal, &action, NULL);
}

bool terminal_is(FILE *out)
{
	const char *kind = getenv("TERM");

	return kind && strcmp(kind, "dumb") != 0 && fileno(out) >= 0 && isatty(fileno(out)) &&
	       isatty(STDIN_FILENO);
}

bool terminal_open(FILE *out)
{
	struct termios keys;

	if (tcgetattr(STDIN_FILENO, &usual))
		return false;
	keys = usual;
	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	keys.c_cc[VMIN] = 1;
	keys.c_cc[VTIME] = 0;
	ended = 0;
	stopped = 0;
	screen = out;
	on_signal(SIGTSTP, stop);
	on_signal(SIGINT, end);
	on_signal(SIGTERM, end);
	on_signal(SIGHUP, end);
	on_signal(SIGWINCH, resized);
	if (tcsetattr(STDIN_FILENO, TCSANOW, &keys))
		return false;
	fputs(ALTERNATE_SCREEN, out);
	fflush(out);
	return true;
}

void terminal_close(FILE *out)
{
	fputs(USUAL_SCREEN, out);
	fflush(out);
	tcsetattr(STDIN_FILENO, TCSANOW, &usual);
	on_signal(SIGTSTP, SIG_DFL);
	on_signal(SIGINT, SIG_DFL);
	on_signal(SIGTERM, SIG_DFL);
	on_signal(SIGHUP, SIG_DFL);
	on_signal(SIGWINCH, SIG_DFL);
}

static struct winsize get_size(FILE *out)
{
	struct winsize size;

	if (ioctl(fileno(out), TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
	return size;
}

void terminal_draw(FILE *out, const char *text)
{
	struct winsize size = get_size(out);

	fputs(TOP, out);
	for (int row = 0; row < size.ws_row && *text; row++) {
		int n = (int)strcspn(text, "\n");

		fprintf(out, "%s%.*s" REST_OF_LINE, row ? "\r\n" : "",
			n < size.ws_col ? n : size.ws_col, text);
		text += n;
		text += *text == '\n';
	}
	fputs(REST_OF_SCREEN, out);
	fflush(out);
}

unsigned int terminal_width(FILE *out)
{
	const char *columns = getenv("COLUMNS");
	unsigned long width = columns ? strtoul(columns, NULL, 10) : 0;
	struct winsize size;
	int fd = fileno(out);

	if (fd >= 0 && !ioctl(fd, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return width <= 10000 ? (unsigned int)width : 0;
}

/* Stop as the signal would have, and continue with the alternate screen. */
static void stop_now(void)
{
	terminal_close(screen);
	raise(SIGTSTP);
	terminal_open(screen);
}

int terminal_key(double seconds)
{
	struct pollfd keys = { .fd = STDIN_FILENO, .events = POLLIN };
	char key;
	int n;

	if (ended)
		return TERMINAL_END;
	if (stopped) {
		stop_now();
		return 0;
	}
	/* poll() takes whole milliseconds: round up, or the deadline would not have passed yet. */
	n = poll(&keys, 1, (int)(seconds * 1000) + 1);
	if (ended)
		return TERMINAL_END;
	if (stopped)
		stop_now();
	if (n <= 0)
		return 0;
	/* End of file or an error means that the terminal is gone. */
	return read(STDIN_FILENO, &key, 1) == 1 ? key : TERMINAL_END;
}
