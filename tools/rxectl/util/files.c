// SPDX-License-Identifier: GPL-2.0
/* Small text files of the system, and lists of files. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/files.h"

#define MAX_TEXT (1024 * 1024)

const char *files_root = "";

static bool make_path(char path[PATH_MAX], const char *fmt, va_list ap)
{
	int root = snprintf(path, PATH_MAX, "%s", files_root);

	return root >= 0 && root < PATH_MAX &&
	       vsnprintf(path + root, (size_t)(PATH_MAX - root), fmt, ap) < PATH_MAX - root;
}

static FILE *open_text(const char *path)
{
	char full[PATH_MAX];

	if (snprintf(full, sizeof(full), "%s%s", files_root, path) >= (int)sizeof(full)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return fopen(full, "re");
}

bool file_line(char *line, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	bool found;
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	found = make_path(path, fmt, ap);
	va_end(ap);
	f = found ? fopen(path, "re") : NULL;
	if (!f)
		return false;
	found = fgets(line, (int)size, f);
	fclose(f);
	if (found)
		line[strcspn(line, "\n")] = '\0';
	return found;
}

bool file_exists(const char *fmt, ...)
{
	char path[PATH_MAX];
	bool found;
	va_list ap;

	va_start(ap, fmt);
	found = make_path(path, fmt, ap);
	va_end(ap);
	return found && !access(path, F_OK);
}

char *file_text(const char *path)
{
	FILE *f = open_text(path);
	char *text;
	size_t n;

	if (!f)
		return NULL;
	text = malloc(MAX_TEXT + 1);
	n = text ? fread(text, 1, MAX_TEXT, f) : 0;
	if (text && (ferror(f) || fgetc(f) != EOF)) {
		errno = ferror(f) ? EIO : EFBIG;
		free(text);
		text = NULL;
	}
	fclose(f);
	if (text)
		text[n] = '\0';
	return text;
}

static int write_and_close(FILE *f, const char *text)
{
	bool failed = fputs(text, f) == EOF || fflush(f) || fsync(fileno(f));
	int err = failed ? -errno : 0;

	fclose(f);
	return err;
}

/* The temporary file has the PID in its name: concurrent writers do not share it. */
int file_write(const char *path, const char *text)
{
	char full[PATH_MAX], fresh[PATH_MAX];
	FILE *f;
	int err;

	if (snprintf(full, sizeof(full), "%s%s", files_root, path) >= (int)sizeof(full) ||
	    snprintf(fresh, sizeof(fresh), "%s.%ld", full, (long)getpid()) >= (int)sizeof(fresh))
		return -ENAMETOOLONG;
	f = fopen(fresh, "we");
	if (!f)
		return -errno;
	err = write_and_close(f, text);
	if (!err && rename(fresh, full))
		err = -errno;
	if (err)
		unlink(fresh);
	return err;
}

int file_lock(const char *path)
{
	char full[PATH_MAX];
	int lock, err;

	if (snprintf(full, sizeof(full), "%s%s", files_root, path) >= (int)sizeof(full))
		return -ENAMETOOLONG;
	lock = open(full, O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
	if (lock < 0)
		return -errno;
	if (!flock(lock, LOCK_EX))
		return lock;
	err = -errno;
	close(lock);
	return err;
}

void file_unlock(int lock)
{
	close(lock);
}

int file_put(const char *path, const char *text)
{
	ssize_t n = (ssize_t)strlen(text);
	char full[PATH_MAX];
	int fd, err;

	if (snprintf(full, sizeof(full), "%s%s", files_root, path) >= (int)sizeof(full))
		return -ENAMETOOLONG;
	fd = open(full, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = write(fd, text, (size_t)n) == n ? 0 : -errno;
	close(fd);
	return err;
}

int file_make_dir(const char *path)
{
	char full[PATH_MAX];

	if (snprintf(full, sizeof(full), "%s%s", files_root, path) >= (int)sizeof(full))
		return -ENAMETOOLONG;
	return mkdir(full, 0755) && errno != EEXIST ? -errno : 0;
}

int file_move(const char *from, const char *to)
{
	char old[PATH_MAX], new[PATH_MAX];

	if (snprintf(old, sizeof(old), "%s%s", files_root, from) >= (int)sizeof(old) ||
	    snprintf(new, sizeof(new), "%s%s", files_root, to) >= (int)sizeof(new))
		return -ENAMETOOLONG;
	/* link() and unlink() rather than rename(), which would replace @to. */
	if (link(old, new) || unlink(old))
		return -errno;
	return 0;
}

int file_remove(const char *path)
{
	char full[PATH_MAX];

	if (snprintf(full, sizeof(full), "%s%s", files_root, path) >= (int)sizeof(full))
		return -ENAMETOOLONG;
	return unlink(full) ? -errno : 0;
}

static bool ends_with(const char *name, const char *suffix)
{
	size_t n = strlen(name), end = strlen(suffix);

	return n >= end && !strcmp(name + n - end, suffix);
}

/* Copy names that end with @suffix out of the result of scandir(), and free the result. */
static size_t take_names(struct dirent **entries, int n, const char *suffix, char **names)
{
	size_t taken = 0;

	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;

		if (names && name[0] != '.' && ends_with(name, suffix)) {
			names[taken] = strdup(name);
			taken += names[taken] != NULL;
		}
		free(entries[i]);
	}
	free(entries);
	return taken;
}

size_t file_list(const char *dir, const char *suffix, char ***names)
{
	struct dirent **entries;
	char path[PATH_MAX];
	int n;

	*names = NULL;
	if (snprintf(path, sizeof(path), "%s%s", files_root, dir) >= (int)sizeof(path))
		return 0;
	n = scandir(path, &entries, NULL, alphasort);
	if (n < 0)
		return 0;
	*names = calloc((size_t)n + 1, sizeof(**names));
	return take_names(entries, n, suffix, *names);
}

void file_list_free(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}
