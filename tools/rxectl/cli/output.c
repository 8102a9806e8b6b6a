// SPDX-License-Identifier: GPL-2.0
/* Output of results, as JSON or as a table. */
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

void output_number(struct json_object *row, const char *old, const char *key,
		   struct json_object *value)
{
	json_object_object_add(row, old, value);
	json_object_object_add(row, key, json_object_get(value));
}

void output_document(const struct ctx *ctx, FILE *f, struct json_object *value)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE;

	if (ctx->pretty)
		flags |= JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED;
	fprintf(f, "%s\n", json_object_to_json_string_ext(value, flags));
}

void output_json(const struct ctx *ctx, FILE *f, struct json_object *value)
{
	add_format(value);
	output_document(ctx, f, value);
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

static bool wants_color(const struct ctx *ctx)
{
	int fd = fileno(ctx->out);

	if (ctx->color != COLOR_AUTO)
		return ctx->color == COLOR_ALWAYS;
	return fd >= 0 && isatty(fd) && !getenv("NO_COLOR");
}

void output_severity(const struct ctx *ctx, const char *severity)
{
	int color = *severity == 'e' ? 31 : *severity == 'w' ? 33 : 36;

	if (wants_color(ctx))
		fprintf(ctx->out, "\033[%dm%s\033[0m", color, severity);
	else
		fputs(severity, ctx->out);
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

/* Lines of a cell are separated by LINE if the table is folded, elements of an array by commas. */
#define LINE '\n'

static void format_usual(FILE *cell, struct json_object *value, char separator)
{
	if (!json_object_is_type(value, json_type_array)) {
		fputs(json_object_get_string(value), cell);
		return;
	}
	for (size_t i = 0; i < json_object_array_length(value); i++) {
		if (i)
			fputc(separator, cell);
		fputs(json_object_get_string(json_object_array_get_idx(value, i)), cell);
	}
}

/* Interface names may contain control characters, which must not reach the terminal. */
static void make_printable(char *text, char separator)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text) && *text != separator)
			*text = '?';
}

/* Return: the text of a cell, to be freed. */
static char *make_cell(const struct column *column, struct json_object *row, char separator)
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
		format_usual(cell, value, separator);
	if (!ftell(cell))
		fputc('-', cell);
	fclose(cell);
	make_printable(text, separator);
	return text;
}

/* Return: the length of the longest line. */
static size_t text_width(const char *text)
{
	size_t width = 0;

	while (*text) {
		size_t n = strcspn(text, "\n");

		if (n > width)
			width = n;
		text += n + (text[n] != '\0');
	}
	return width;
}

static size_t column_width(const struct column *column, struct json_object *rows, char separator)
{
	size_t width = strlen(column->title);

	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		char *cell = make_cell(column, json_object_array_get_idx(rows, i), separator);

		if (text_width(cell) > width)
			width = text_width(cell);
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

/**
 * struct table - layout of a table
 * @columns: its columns
 * @n: number of elements of @columns
 * @width: of each column; 0 if it is left out
 * @separator: of the elements of an array: ',' or LINE
 */
struct table {
	const struct column *columns;
	size_t n;
	size_t *width;
	char separator;
};

/* Two spaces separate columns; the last column is not padded. */
static size_t table_width(const struct table *table)
{
	size_t width = 0;

	for (size_t c = 0; c < table->n; c++)
		width += table->width[c] ? table->width[c] + 2 : 0;
	return width - 2;
}

static void measure(struct table *table, struct json_object *rows, char separator)
{
	table->separator = separator;
	for (size_t c = 0; c < table->n; c++)
		table->width[c] = column_width(&table->columns[c], rows, separator);
}

/* Leave out the column that is next in order. Return: false if there is none. */
static bool leave_out_column(const struct table *table)
{
	size_t next = table->n;

	for (size_t c = 0; c < table->n; c++)
		if (table->width[c] && table->columns[c].narrow &&
		    (next == table->n || table->columns[c].narrow < table->columns[next].narrow))
			next = c;
	if (next == table->n)
		return false;
	table->width[next] = 0;
	return true;
}

static void lay_out(struct table *table, struct json_object *rows, size_t limit)
{
	measure(table, rows, ',');
	if (!limit || table_width(table) <= limit)
		return;
	measure(table, rows, LINE);
	while (table_width(table) > limit && leave_out_column(table))
		;
}

/* Print the line @line of each cell. Return: true if a cell has more lines. */
static bool print_line(FILE *out, const struct table *table, char *const *cells, size_t line)
{
	size_t blanks = 0;
	bool more = false;

	for (size_t c = 0; c < table->n; c++) {
		const char *text = cells[c];
		size_t n;

		if (!table->width[c])
			continue;
		for (size_t i = 0; i < line; i++)
			text += strcspn(text, "\n") + (strchr(text, '\n') != NULL);
		n = strcspn(text, "\n");
		more |= text[n];
		if (n)
			fprintf(out, "%*s%.*s", (int)blanks, "", (int)n, text);
		blanks = n ? table->width[c] - n + 2 : blanks + table->width[c] + 2;
	}
	fputc('\n', out);
	return more;
}

static void print_row(FILE *out, const struct table *table, struct json_object *row)
{
	char *cells[table->n];

	for (size_t c = 0; c < table->n; c++)
		cells[c] = row ? make_cell(&table->columns[c], row, table->separator) :
				 strdup(table->columns[c].title);
	for (size_t line = 0; print_line(out, table, cells, line); line++)
		;
	for (size_t c = 0; c < table->n; c++)
		free(cells[c]);
}

static void print_table(const struct ctx *ctx, const struct column *columns,
			struct json_object *rows)
{
	size_t width[count_columns(columns)];
	struct table table = { .columns = columns, .n = count_columns(columns), .width = width };

	lay_out(&table, rows, ctx->width);
	print_row(ctx->out, &table, NULL);
	for (size_t r = 0; r < json_object_array_length(rows); r++)
		print_row(ctx->out, &table, json_object_array_get_idx(rows, r));
}

void output_rows(const struct ctx *ctx, const struct column *columns, struct json_object *rows)
{
	if (ctx->json)
		output_json(ctx, ctx->out, rows);
	else if (json_object_array_length(rows))
		print_table(ctx, columns, rows);
}
