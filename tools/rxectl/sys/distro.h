/* SPDX-License-Identifier: GPL-2.0 */
/* Distribution of the system, as /etc/os-release describes it: the family of its packages. */
#ifndef RXECTL_DISTRO_H
#define RXECTL_DISTRO_H

#include <stdbool.h>

/* Families of distributions that share a package manager and names of packages. */
enum distro { DISTRO_UNKNOWN, DISTRO_DEBIAN, DISTRO_RHEL, DISTRO_SUSE };

/*
 * Read ID and ID_LIKE of /etc/os-release or /usr/lib/os-release. Return: the family, or
 * DISTRO_UNKNOWN for any other distribution.
 */
enum distro distro_family(void);

/* Return: true if the system is Ubuntu itself, whose kernels differ from Debian's. */
bool distro_is_ubuntu(void);

#endif
