// SPDX-License-Identifier: GPL-2.0
/* Why DKMS has built no module for the running kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "doctor/dkms.h"
#include "sys/distro.h"
#include "util/files.h"

/*
 * Return: the DKMS source directory, such as "rdma-rxe-0.1.0", to be freed; NULL if there is none.
 */
static char *ours_as_sources(void)
{
	char **names, *sources = NULL;
	size_t n = file_list("/usr/src", "", &names);

	for (size_t i = 0; i < n && !sources; i++)
		if (!strncmp(names[i], "rdma-rxe-", 9) &&
		    file_exists("/usr/src/%s/dkms.conf", names[i]))
			sources = strdup(names[i]);
	file_list_free(names, n);
	return sources;
}

/* Commands that install the headers of the running kernel; each ends with " && ". */
static const char *const get_headers[] = {
	[DISTRO_UNKNOWN] = "",
	[DISTRO_DEBIAN] = "apt-get install linux-headers-$(uname -r) && ",
	[DISTRO_RHEL] = "dnf install kernel-devel-$(uname -r) && ",
	[DISTRO_SUSE] = "zypper install kernel-default-devel && ",
};

static bool has_headers(const char *release)
{
	return file_exists("/lib/modules/%s/build/Makefile", release);
}

/* Return: a number that grows with the first two components of a release; -1 for other text. */
static int kernel_number(const char *release)
{
	unsigned int major, minor;

	return sscanf(release, "%u.%u", &major, &minor) == 2 ? (int)(major * 1000 + minor) : -1;
}

/*
 * Read "6.1" from the line NAME="6.1" of a dkms.conf; the bound of the newest kernel has a third
 * component, which stands for all stable releases.
 */
static bool read_bound(const char *conf, const char *name, char *bound, size_t size)
{
	const char *line = strstr(conf, name);
	unsigned int major, minor;

	if (!line || sscanf(line + strlen(name), "=\"%u.%u", &major, &minor) != 2)
		return false;
	snprintf(bound, size, "%u.%u", major, minor);
	return true;
}

/* True if DKMS skips the kernel. @oldest, @newest: the kernels that it builds for. */
static bool is_excluded(const char *sources, const char *release, char *oldest, char *newest,
			size_t size)
{
	char path[128], *conf;
	bool excluded;

	snprintf(path, sizeof(path), "/usr/src/%.64s/dkms.conf", sources);
	conf = file_text(path);
	excluded = conf && read_bound(conf, "\nBUILD_EXCLUSIVE_KERNEL_MIN", oldest, size) &&
		   read_bound(conf, "\nBUILD_EXCLUSIVE_KERNEL_MAX", newest, size) &&
		   (kernel_number(release) < kernel_number(oldest) ||
		    kernel_number(release) > kernel_number(newest));
	free(conf);
	return excluded;
}

/* DKMS leaves the log of a build here only if the build failed; its first line names the kernel. */
static bool has_failed(const char *version, const char *release)
{
	char line[256], kernel[96];

	snprintf(kernel, sizeof(kernel), "kernel %.64s ", release);
	return file_line(line, sizeof(line), "/var/lib/dkms/rdma-rxe/%.64s/build/make.log",
			 version) &&
	       strstr(line, kernel);
}

static void report_unbuilt_sources(struct exam *exam, enum severity severity, const char *state,
				   const char *change, const char *sources)
{
	char remedy[384], oldest[16], newest[16];
	const char *version = sources + strlen("rdma-rxe-");
	struct utsname kernel;

	if (uname(&kernel))
		return;
	snprintf(remedy, sizeof(remedy), "%sdkms install rdma-rxe/%.64s && %s",
		 has_headers(kernel.release) ? "" : get_headers[distro_family()], version, change);
	if (is_excluded(sources, kernel.release, oldest, newest, sizeof(oldest)))
		doctor_add_finding(exam, severity, NULL,
				   "%s, and version %.64s of the out-of-tree module is for Linux %s to %s",
				   state, version, oldest, newest);
	else if (has_failed(version, kernel.release))
		doctor_add_finding(exam, severity, remedy,
				   "%s, and building the out-of-tree module for this kernel has failed "
				   "(/var/lib/dkms/rdma-rxe/%.64s/build/make.log)",
				   state, version);
	else
		doctor_add_finding(exam, severity, remedy,
				   "%s, and the out-of-tree module is not built for this kernel%s", state,
				   has_headers(kernel.release) ?
					   "" :
					   " (which needs the kernel's headers)");
}

void doctor_report_not_built(struct exam *exam, enum severity severity, const char *state,
			     const char *change)
{
	char *sources = ours_as_sources();

	if (sources)
		report_unbuilt_sources(exam, severity, state, change, sources);
	else
		doctor_add_finding(exam, severity, NULL,
				   "%s, and the out-of-tree module is not installed: install the "
				   "package rdma-rxe-dkms, or run \"make install\" in its sources",
				   state);
	free(sources);
}
