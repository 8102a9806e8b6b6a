// SPDX-License-Identifier: GPL-2.0
/* Error buffer: formats the reason of a failure. */
#include <stdarg.h>
#include <stdio.h>

#include "util/errbuf.h"

bool errbuf_set(char *why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, ERRBUF_SIZE, fmt, ap);
	va_end(ap);
	return false;
}
