// SPDX-License-Identifier: GPL-2.0
/* Configuration of modprobe: lines of modprobe.d(5). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/modprobe.h"
#include "util/files.h"

/* In the order of precedence. */
static const char *const dirs[] = { MODPROBE_ETC, "/run/modprobe.d", "/usr/local/lib/modprobe.d",
				    "/usr/lib/modprobe.d", "/lib/modprobe.d" };

#define N_DIRS (sizeof(dirs) / sizeof(dirs[0]))

struct file {
	const char *dir;
	char *name;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct file *)a)->name, ((const struct file *)b)->name);
}

static bool is_masked(size_t dir, const char *name)
{
	for (size_t d = 0; d < dir; d++)
		if (file_exists("%s/%s", dirs[d], name))
			return true;
	return false;
}

static void read_file(const struct file *file,
		      void (*each)(const char *dir, const char *name, char *line, void *arg),
		      void *arg)
{
	char path[512], *text, *save;

	snprintf(path, sizeof(path), "%s/%s", file->dir, file->name);
	text = file_text(path);
	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		each(file->dir, file->name, line, arg);
	free(text);
}

void modprobe_each_line(void (*each)(const char *dir, const char *name, char *line, void *arg),
			void *arg)
{
	struct file *files = NULL;
	char **names[N_DIRS];
	size_t counts[N_DIRS], n = 0;

	for (size_t d = 0; d < N_DIRS; d++) {
		counts[d] = file_list(dirs[d], ".conf", &names[d]);
		files = reallocarray(files, n + counts[d] + 1, sizeof(*files));
		if (!files)
			abort();
		for (size_t i = 0; i < counts[d]; i++)
			if (!is_masked(d, names[d][i]))
				files[n++] = (struct file){ dirs[d], names[d][i] };
	}
	qsort(files, n, sizeof(*files), by_name);
	for (size_t i = 0; i < n; i++)
		read_file(&files[i], each, arg);
	for (size_t d = 0; d < N_DIRS; d++)
		file_list_free(names[d], counts[d]);
	free(files);
}

bool modprobe_is_ours(const char *word)
{
	return !strcmp(word, "rdma_rxe") || !strcmp(word, "rdma-rxe");
}
