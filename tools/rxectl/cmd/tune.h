/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RXECTL_TUNE_H
#define RXECTL_TUNE_H

#include <stdbool.h>
#include <stddef.h>

/* Has the adapters' own module too few buffers for large packets? @count: how many. */
bool tune_lacks_buffers(char *count, size_t size);

#endif
