/* SPDX-License-Identifier: GPL-2.0 */
/* Redaction of network addresses. */
#ifndef RXECTL_REDACT_H
#define RXECTL_REDACT_H

#include <stdio.h>

/**
 * redact_addresses() - write a text with its addresses replaced by placeholders
 * @out: receives the text
 * @text: the text
 *
 * IPv4 and IPv6 addresses, MAC addresses, GIDs and GUIDs become "address1", "address2" and so on.
 * Equal addresses get equal placeholders, an IPv4 address also where it is part of a GID. Loopback
 * and unspecified addresses, networks such as 10.0.0.0/8 and prefix lengths stay. Columns of tables
 * keep their places.
 */
void redact_addresses(FILE *out, const char *text);

#endif
