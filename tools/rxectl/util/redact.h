/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text without addresses: to be shown to others.
 */
#ifndef RXECTL_REDACT_H
#define RXECTL_REDACT_H

#include <stdio.h>

/**
 * redact_addresses() - write a text with a name in the place of each address
 *
 * IPv4 and IPv6 addresses, MAC addresses, GIDs and GUIDs become "address1", "address2" and so on,
 * the same one always the same, so that what belongs together still does.
 */
void redact_addresses(FILE *out, const char *text);

#endif
