/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output of results: an array of JSON objects, printed as JSON or as a table with the same
 * contents.
 */
#ifndef RXECTL_OUTPUT_H
#define RXECTL_OUTPUT_H

#include <stdio.h>

struct ctx;
struct json_object;

/**
 * struct column - a column of a table
 * @key: member of the row objects
 * @title: heading; NULL ends an array of columns
 * @format: writes the cell of a non-null value; NULL prints strings and numbers as they are and
 *	joins arrays with commas
 * @narrow: order in which columns are left out of a table that is too wide for the terminal,
 *	from 1; 0 for never
 */
struct column {
	const char *key;
	const char *title;
	void (*format)(FILE *cell, struct json_object *value);
	unsigned int narrow;
};

/*
 * Print @rows, an array of objects, as JSON or as a table. Without rows, no table is printed. A
 * table wider than @ctx->width has a line for each element of an array, and lacks columns that may
 * be left out, until it fits.
 */
void output_rows(const struct ctx *ctx, const struct column *columns, struct json_object *rows);

/*
 * Version of the JSON format, member "format" of each object. New members do not change it; removing
 * or redefining one does.
 */
#define OUTPUT_FORMAT 1

/* Add the name of a device: "device", and "name", the key of version 0.1.0. */
void output_device(struct json_object *row, const char *name);

/*
 * Add a number, whose reference is taken: @key names its unit, and @old, the key of version 0.1.0,
 * does not.
 */
void output_number(struct json_object *row, const char *old, const char *key,
		   struct json_object *value);

/* Add the version of the format to a JSON value, and print it and a newline to @f. */
void output_json(const struct ctx *ctx, FILE *f, struct json_object *value);

/* Print a JSON value whose format is not ours: without the version of the format. */
void output_document(const struct ctx *ctx, FILE *f, struct json_object *value);

/* Return: a JSON string; null for NULL and "". */
struct json_object *output_string(const char *text);

/* Print a speed given in Mb/s: "100M", "2.5G", "25G". */
void output_speed(FILE *cell, struct json_object *mbps);

/* Print a severity; in color if @ctx asks for it. */
void output_severity(const struct ctx *ctx, const char *severity);

/* Print a rate with two decimals, scaled by k, M, G or T. */
void output_rate(FILE *cell, struct json_object *rate);

#endif
