/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small text files of the system: sysfs, procfs, configuration.
 */
#ifndef RXECTL_FILES_H
#define RXECTL_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Prefix of every path below; empty except in tests. */
extern const char *files_root;

/*
 * Read the first line, without its newline, of the file whose path @fmt gives. Return: true if it
 * was read.
 */
bool file_line(char *line, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

bool file_exists(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Read a file of at most 1 MiB. Return: its text with a NUL at the end, to be freed, or NULL with
 * errno set.
 */
char *file_text(const char *path);

/*
 * Replace a file atomically with rename(): readers see the old or the new text. Return: 0 or
 * -errno.
 */
int file_write(const char *path, const char *text);

/**
 * file_lock() - take an exclusive lock, waiting until it is free
 * @path: lock file, created if it does not exist; its directory must exist
 *
 * Return: a descriptor for file_unlock(), or -errno.
 */
int file_lock(const char *path);
void file_unlock(int lock);

/* Write to an existing file, such as one of sysfs, in one write(). Return: 0 or -errno. */
int file_put(const char *path, const char *text);

/* Create a directory unless it exists. Return: 0 or -errno. */
int file_make_dir(const char *path);

/* Rename a file unless @to exists. Return: 0, -EEXIST, or another -errno. */
int file_move(const char *from, const char *to);

/* Return: 0 or -errno. */
int file_remove(const char *path);

/**
 * file_list() - list the files of a directory, sorted by name
 * @dir: the directory
 * @suffix: lists only names that end with it; "" lists all. Names that begin with "." are left out.
 * @names: array of names; free with file_list_free()
 *
 * Return: the number of names; 0 if the directory cannot be read.
 */
size_t file_list(const char *dir, const char *suffix, char ***names);
void file_list_free(char **names, size_t n);

#endif
