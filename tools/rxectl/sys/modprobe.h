/* SPDX-License-Identifier: GPL-2.0 */
/* Configuration of modprobe: the files of modprobe.d(5). */
#ifndef RXECTL_MODPROBE_H
#define RXECTL_MODPROBE_H

#include <stdbool.h>

#define MODPROBE_ETC "/etc/modprobe.d"

/**
 * modprobe_each_line() - read the configuration of modprobe
 * @line: called for each line, in the order of the names of the files; may modify the line
 * @arg: for @line
 *
 * A file masks those of its name in directories of lower precedence.
 */
void modprobe_each_line(void (*line)(const char *dir, const char *name, char *line, void *arg),
			void *arg);

/* Return: true if @word is the name of the module rdma_rxe; modprobe takes "-" for "_". */
bool modprobe_is_ours(const char *word);

#endif
