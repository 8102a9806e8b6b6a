/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Description of the host for a problem report: versions, the module and its parameters,
 * interfaces, configuration, kernel log.
 */
#ifndef RXECTL_HOSTINFO_H
#define RXECTL_HOSTINFO_H

#include <stdio.h>

struct json_object;

/**
 * hostinfo_get() - describe the host
 * @fail: called for a part that cannot be read, with its name and the reason
 * @arg: for @fail
 *
 * Return: an object as docs/schema/report.json describes "host", to be released.
 */
struct json_object *hostinfo_get(void (*fail)(const char *part, const char *why, void *arg),
				 void *arg);

/* Print the first lines of a report: versions, the module, the system. */
void hostinfo_print_head(FILE *out, struct json_object *host);

/* Print the other parts, each below a heading. */
void hostinfo_print_parts(FILE *out, struct json_object *host);

#endif
