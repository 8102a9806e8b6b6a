/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Results: an array of JSON objects, printed as it is or as a table made from it, so that the
 * two never disagree.
 */
#ifndef RXECTL_OUTPUT_H
#define RXECTL_OUTPUT_H

#include <stdio.h>

struct ctx;
struct json_object;

/**
 * struct column - one column of a table
 * @key: of the objects' member
 * @title: heading; NULL ends an array of columns
 * @format: writes the cell for a value that is not null; NULL for the usual way:
 *	strings and numbers as they are, arrays with commas
 */
struct column {
	const char *key;
	const char *title;
	void (*format)(FILE *cell, struct json_object *value);
};

/* Prints @rows, an array of objects, as JSON or as a table (none without rows). */
void output_rows(const struct ctx *ctx, const struct column *columns, struct json_object *rows);

/* Prints one JSON value and a newline on @f. */
void output_json(const struct ctx *ctx, FILE *f, struct json_object *value);

/* A string, or null for NULL and for an empty one. */
struct json_object *output_string(const char *text);

/* Cell of a speed: Mb/s as "100M", "2.5G", "25G". */
void output_speed(FILE *cell, struct json_object *mbps);

/* A severity, in a colour of its own on a terminal unless NO_COLOR is set. */
void output_severity(FILE *out, const char *severity);

/* Cell of a rate, with k, M or G when it is large. */
void output_rate(FILE *cell, struct json_object *rate);

#endif
