/* SPDX-License-Identifier: GPL-2.0 */
/* Full-screen terminal output: redrawn text and single keys. */
#ifndef RXECTL_TERMINAL_H
#define RXECTL_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Returned by terminal_key() after SIGINT, SIGTERM or SIGHUP, and if the terminal is gone. */
#define TERMINAL_END 'q'

/* Return: true if @out and standard input are terminals that support cursor movement. */
bool terminal_is(FILE *out);

/*
 * Switch to the alternate screen and to single-key input; terminal_close() restores both. While the
 * program is stopped by Ctrl-Z, both are as usual. Return: success.
 */
bool terminal_open(FILE *out);
void terminal_close(FILE *out);

/* Draw @text from the top of the screen, clipped to its size. */
void terminal_draw(FILE *out, const char *text);

/* Return: columns of the terminal @out, or the environment variable COLUMNS; 0 without either. */
unsigned int terminal_width(FILE *out);

/* Wait up to @seconds. Return: a key; 0 after a timeout, a change of the size or a stop. */
int terminal_key(double seconds);

#endif
