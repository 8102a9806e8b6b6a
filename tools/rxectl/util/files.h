/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small text files of the system: sysfs, procfs, configuration.
 */
#ifndef RXECTL_FILES_H
#define RXECTL_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Put before every path; empty but in tests. */
extern const char *files_root;

/* The first line, without its end, of the file whose path is made of @fmt; whether it is there. */
bool file_line(char *line, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

bool file_exists(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* All of a file of at most 1 MiB, ended; to be freed. NULL with errno set if it cannot be read. */
char *file_text(const char *path);

/* Writes a file in one go: readers see the old one or the new one. Return: 0 or -errno. */
int file_write(const char *path, const char *text);

/**
 * file_lock() - wait until no other process has the lock, and take it
 * @path: of a file that is made if it is not there; its directory must be
 *
 * Return: a descriptor for file_unlock(), or -errno.
 */
int file_lock(const char *path);
void file_unlock(int lock);

/* Writes into a file that is there, as those of sysfs are. Return: 0 or -errno. */
int file_put(const char *path, const char *text);

/* Return: 0 or -errno; a directory that is there is none. */
int file_make_dir(const char *path);

/* Return: 0 or -errno. */
int file_remove(const char *path);

/**
 * file_list() - what is in a directory, in the order of the names
 * @suffix: that the names must have; "" for all. Hidden ones are left out.
 * @names: the array and its entries are to be freed with file_list_free()
 *
 * Return: how many there are; 0 for a directory that is not there.
 */
size_t file_list(const char *dir, const char *suffix, char ***names);
void file_list_free(char **names, size_t n);

#endif
