// SPDX-License-Identifier: GPL-2.0
/* Redaction of network addresses in text. */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/redact.h"

/**
 * struct names - addresses found so far
 * @seen: element 0 is printed as "address1"; IP addresses as IPv6, in one form for each address
 * @n: number of elements
 * @lead: characters by which the line is longer than its original; negative if it is shorter
 */
struct names {
	char **seen;
	size_t n;
	int lead;
};

static size_t count(const char *text, char wanted)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == wanted;
	return n;
}

/* An IPv4 address becomes an IPv4-mapped IPv6 address, as it is in a GID. */
static bool parse_ip(const char *word, struct in6_addr *address)
{
	struct in_addr v4;
	char mapped[80];

	if (inet_pton(AF_INET, word, &v4) != 1)
		return inet_pton(AF_INET6, word, address) == 1;
	snprintf(mapped, sizeof(mapped), "::ffff:%s", word);
	return inet_pton(AF_INET6, mapped, address) == 1;
}

/* Loopback and unspecified addresses say nothing about a network. */
static bool is_public(const struct in6_addr *address)
{
	const uint8_t *b = address->s6_addr;

	if (IN6_IS_ADDR_V4MAPPED(address))
		return b[12] != 127 && (b[12] | b[13] | b[14] | b[15]);
	return !IN6_IS_ADDR_LOOPBACK(address) && !IN6_IS_ADDR_UNSPECIFIED(address);
}

/* Return: true for a network such as 10.0.0.0/8; @after is the text behind the address. */
static bool is_network(const struct in6_addr *address, const char *after)
{
	unsigned long length = *after == '/' ? strtoul(after + 1, NULL, 10) : 128;

	if (*after == '/' && IN6_IS_ADDR_V4MAPPED(address))
		length += 96;
	if (length >= 128)
		return false;
	for (unsigned long bit = length; bit < 128; bit++)
		if (address->s6_addr[bit / 8] & (0x80 >> bit % 8))
			return false;
	return true;
}

/*
 * Put the address into the form by which it is looked up. A GUID has three colons, a MAC address
 * five: other words with at least three colons are addresses, too. Return: false if the word is no
 * address, or one that is not to be masked.
 */
static bool normalize(char word[64], const char *after)
{
	struct in6_addr address;

	if (parse_ip(word, &address)) {
		inet_ntop(AF_INET6, &address, word, 64);
		return is_public(&address) && !is_network(&address, after);
	}
	for (char *c = word; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return count(word, ':') >= 3;
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
	if (len > 1 && len < sizeof(word) && normalize(word, text + len))
		names->lead += fprintf(out, "address%zu", number_of(names, word)) - (int)len;
	else
		fwrite(text, 1, len, out);
}

/*
 * Print the blanks at the start of @text. At least two end the cell of a table, where the line gets
 * back to the columns of the original. Return: their number.
 */
static size_t put_blanks(FILE *out, struct names *names, const char *text)
{
	size_t len = strspn(text, " ");
	int wanted = (int)len;

	if (len > 1 && text[len] != '\n') {
		wanted = names->lead < wanted - 1 ? wanted - names->lead : 1;
		names->lead += wanted - (int)len;
	}
	fprintf(out, "%*s", wanted, "");
	return len;
}

void redact_addresses(FILE *out, const char *text)
{
	struct names names = { 0 };
	char before = ' ';

	while (*text) {
		/* Do not start in the middle of a name such as "eth0". */
		size_t len = isalnum((unsigned char)before) || before == '_' ? 0 :
									      word_length(text);

		if (*text == '\n')
			names.lead = 0;
		if (len)
			put_word(out, &names, text, len);
		else if (*text == ' ')
			len = put_blanks(out, &names, text);
		else
			fputc(*text, out);
		text += len ? len : 1;
		before = text[-1];
	}
	for (size_t i = 0; i < names.n; i++)
		free(names.seen[i]);
	free(names.seen);
}
