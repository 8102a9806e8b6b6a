// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"

/* Add the version of the format to an object, or to each object of an array. */
static void add_format(struct json_object *value)
{
	if (json_object_is_type(value, json_type_object))
		json_object_object_add(value, "format", json_object_new_int(OUTPUT_FORMAT));
	if (!json_object_is_type(value, json_type_array))
		return;
	for (size_t i = 0; i < json_object_array_length(value); i++)
		add_format(json_object_array_get_idx(value, i));
}

void output_device(struct json_object *row, const char *name)
{
	json_object_object_add(row, "name", json_object_new_string(name));
	json_object_object_add(row, "device", json_object_new_string(name));
}

void output_json(const struct ctx *ctx, FILE *f, struct json_object *value)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE;

	if (ctx->pretty)
		flags |= JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED;
	add_format(value);
	fprintf(f, "%s\n", json_object_to_json_string_ext(value, flags));
}

struct json_object *output_string(const char *text)
{
	return text && *text ? json_object_new_string(text) : NULL;
}

void output_speed(FILE *cell, struct json_object *mbps)
{
	int speed = json_object_get_int(mbps);

	if (speed < 1000)
		fprintf(cell, "%dM", speed);
	else
		fprintf(cell, "%gG", speed / 1000.0);
}

void output_severity(FILE *out, const char *severity)
{
	int colour = *severity == 'e' ? 31 : *severity == 'w' ? 33 : 36;
	int fd = fileno(out);

	if (fd >= 0 && isatty(fd) && !getenv("NO_COLOR"))
		fprintf(out, "\033[%dm%s\033[0m", colour, severity);
	else
		fputs(severity, out);
}

void output_rate(FILE *cell, struct json_object *rate)
{
	static const char units[] = " kMGT";
	double value = json_object_get_double(rate);
	int unit = 0;

	while (value >= 1000 && units[unit + 1]) {
		value /= 1000;
		unit++;
	}
	fprintf(cell, unit ? "%.2f%c" : "%.2f", value, units[unit]);
}

static void format_usual(FILE *cell, struct json_object *value)
{
	if (!json_object_is_type(value, json_type_array)) {
		fputs(json_object_get_string(value), cell);
		return;
	}
	for (size_t i = 0; i < json_object_array_length(value); i++)
		fprintf(cell, "%s%s", i ? "," : "",
			json_object_get_string(json_object_array_get_idx(value, i)));
}

/* Interface names may contain control characters, which must not reach the terminal. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text))
			*text = '?';
}

/* Return: the text of a cell, to be freed. */
static char *make_cell(const struct column *column, struct json_object *row)
{
	struct json_object *value = json_object_object_get(row, column->key);
	char *text = NULL;
	size_t len = 0;
	FILE *cell = open_memstream(&text, &len);

	if (!cell)
		abort();
	if (value && column->format)
		column->format(cell, value);
	else if (value)
		format_usual(cell, value);
	if (!ftell(cell))
		fputc('-', cell);
	fclose(cell);
	make_printable(text);
	return text;
}

static size_t column_width(const struct column *column, struct json_object *rows)
{
	size_t width = strlen(column->title);

	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		char *cell = make_cell(column, json_object_array_get_idx(rows, i));

		if (strlen(cell) > width)
			width = strlen(cell);
		free(cell);
	}
	return width;
}

static size_t count_columns(const struct column *columns)
{
	size_t n = 0;

	while (columns[n].title)
		n++;
	return n;
}

/* Two spaces separate columns; the last column is not padded. */
static void print_cell(FILE *out, const char *text, size_t width, bool last)
{
	if (last)
		fprintf(out, "%s\n", text);
	else
		fprintf(out, "%-*s  ", (int)width, text);
}

static void print_table(FILE *out, const struct column *columns, struct json_object *rows)
{
	size_t n = count_columns(columns);
	size_t width[n];

	for (size_t c = 0; c < n; c++) {
		width[c] = column_width(&columns[c], rows);
		print_cell(out, columns[c].title, width[c], c == n - 1);
	}
	for (size_t r = 0; r < json_object_array_length(rows); r++) {
		for (size_t c = 0; c < n; c++) {
			char *cell = make_cell(&columns[c], json_object_array_get_idx(rows, r));

			print_cell(out, cell, width[c], c == n - 1);
			free(cell);
		}
	}
}

void output_rows(const struct ctx *ctx, const struct column *columns, struct json_object *rows)
{
	if (ctx->json)
		output_json(ctx, ctx->out, rows);
	else if (json_object_array_length(rows))
		print_table(ctx->out, columns, rows);
}
