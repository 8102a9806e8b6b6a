/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Command-line arguments: abbreviated keywords and numbers.
 */
#ifndef RXECTL_ARGS_H
#define RXECTL_ARGS_H

#include <stdbool.h>

struct ctx;

/* Return: true if @word is a nonempty prefix of @name, or all of it. */
bool arg_is_prefix(const char *word, const char *name);

/* Return: true if @word is a nonempty prefix of one of @keywords; NULL ends the array. */
bool arg_is_keyword(const char *word, const char *const *keywords);

/**
 * arg_name_first() - whether the arguments start with a name
 * @argc: number of elements of @argv
 * @argv: "[NAME] KEYWORD VALUE ..."
 * @keywords: of the pairs behind the name; NULL ends the array
 *
 * A name may be that of a keyword, or a prefix of one: it is a name if a keyword follows in its
 * place, or if it is no full keyword and stands alone.
 *
 * Return: true if the first argument is a name.
 */
bool arg_name_first(int argc, char **argv, const char *const *keywords);

/**
 * number_between() - parse a number within a range
 * @ctx: for error output
 * @word: argument to parse
 * @usage: printed as the remedy if @word is invalid, or NULL
 * @min: least number accepted
 * @max: greatest number accepted
 * @number: the number; valid if 0 is returned
 *
 * Reports its errors.
 *
 * Return: 0, or the exit status.
 */
int number_between(const struct ctx *ctx, const char *word, const char *usage, double min,
		   double max, double *number);

#endif
