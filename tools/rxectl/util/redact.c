// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/redact.h"

/**
 * struct names - addresses found so far
 * @seen: element 0 is printed as "address1"
 * @n: number of elements
 */
struct names {
	char **seen;
	size_t n;
};

static size_t count(const char *text, char wanted)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == wanted;
	return n;
}

/*
 * A GUID has three colons, a MAC address five, a GID seven. Words with fewer than three are
 * addresses only if inet_pton() accepts them.
 */
static bool is_address(const char *word)
{
	struct in6_addr address;

	return inet_pton(AF_INET, word, &address) == 1 ||
	       inet_pton(AF_INET6, word, &address) == 1 || count(word, ':') >= 3;
}

static size_t number_of(struct names *names, const char *word)
{
	char **grown;

	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->seen[i], word))
			return i + 1;
	grown = reallocarray(names->seen, names->n + 1, sizeof(*grown));
	if (!grown)
		abort();
	names->seen = grown;
	grown[names->n] = strdup(word);
	if (!grown[names->n])
		abort();
	return ++names->n;
}

static bool in_word(char c)
{
	return isxdigit((unsigned char)c) || c == ':' || c == '.';
}

/* Length of the address at the start of @text, without the punctuation behind it. */
static size_t word_length(const char *text)
{
	size_t len = 0;

	while (in_word(text[len]))
		len++;
	while (len && (text[len - 1] == '.' ||
		       (text[len - 1] == ':' && (len < 2 || text[len - 2] != ':'))))
		len--;
	return len;
}

static void put_word(FILE *out, struct names *names, const char *text, size_t len)
{
	char word[64];

	snprintf(word, sizeof(word), "%.*s", (int)len, text);
	if (len > 1 && len < sizeof(word) && is_address(word))
		fprintf(out, "address%zu", number_of(names, word));
	else
		fwrite(text, 1, len, out);
}

void redact_addresses(FILE *out, const char *text)
{
	struct names names = { 0 };
	char before = ' ';

	while (*text) {
		/* Do not start in the middle of a name such as "eth0". */
		size_t len = isalnum((unsigned char)before) || before == '_' ? 0 :
									      word_length(text);

		if (len)
			put_word(out, &names, text, len);
		else
			fputc(*text, out);
		text += len ? len : 1;
		before = text[-1];
	}
	for (size_t i = 0; i < names.n; i++)
		free(names.seen[i]);
	free(names.seen);
}
