/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A screen on a terminal: text that is drawn again and again, and single keys.
 */
#ifndef RXECTL_TERMINAL_H
#define RXECTL_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* What terminal_key() returns for a signal that ends the program. */
#define TERMINAL_END 'q'

/* Are both @out and standard input one, of a kind that can be drawn on? */
bool terminal_is(FILE *out);

/* Takes the screen over; terminal_close() gives it back as it was. Return: success. */
bool terminal_open(FILE *out);
void terminal_close(FILE *out);

/* Draws @text from the top, cut to what fits. */
void terminal_draw(FILE *out, const char *text);

/* Waits for a key. Return: the key; 0 when the time is up or the size has changed. */
int terminal_key(double seconds);

#endif
