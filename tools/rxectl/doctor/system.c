// SPDX-License-Identifier: GPL-2.0
/* Checks of the system: kernel, module, libraries, permissions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/dkms.h"
#include "doctor/exam.h"
#include "doctor/system.h"
#include "sys/distro.h"
#include "sys/host.h"
#include "sys/modprobe.h"
#include "util/files.h"

/* Highest ABI version that the rxe provider of rdma-core accepts. */
#define MAX_ABI 2

/* 64 MiB; programs that register buffers usually need more. */
#define MIN_MEMLOCK (64UL << 20)

/*
 * Report a module that is not loaded; @what says which, and what fails without it. Ubuntu has the
 * RDMA core of its cloud kernels in a package of its own.
 */
static void report_unloaded(struct exam *exam, enum severity severity, const char *module,
			    const char *what)
{
	bool installed = host_has_module(module);
	char remedy[128];

	snprintf(remedy, sizeof(remedy), "%smodprobe %s",
		 installed ? "" : "apt-get install linux-modules-extra-$(uname -r) && ", module);
	if (installed)
		doctor_add_finding(exam, severity, remedy, "%s", what);
	else if (distro_is_ubuntu())
		doctor_add_finding(exam, severity, remedy,
				   "%s, and module %s of this kernel is not installed", what,
				   module);
	else
		doctor_add_finding(exam, severity, NULL, "%s, and this kernel has no module %s",
				   what, module);
}

static void check_kernel(struct exam *exam)
{
	if (exam->rdma_error == -EPROTONOSUPPORT)
		report_unloaded(exam, SEVERITY_ERROR, "ib_uverbs",
				"the kernel's RDMA subsystem is not loaded");
	else if (exam->rdma_error)
		doctor_add_finding(exam, SEVERITY_ERROR, NULL, "RDMA netlink cannot be used: %s",
				   strerror(-exam->rdma_error));
	else if (!file_exists("/sys/class/infiniband_verbs"))
		report_unloaded(exam, SEVERITY_ERROR, "ib_uverbs",
				"module ib_uverbs is not loaded: programs cannot use RDMA devices");
}

/* This module has a version; the kernel's own has none. */
static bool is_ours(void)
{
	return file_exists("/sys/module/rdma_rxe/version");
}

/*
 * modinfo searches the same directories as modprobe; DKMS installs to different ones on each
 * distribution.
 */
static bool ours_installed(void)
{
	char *version = host_run("modinfo -F version rdma_rxe");
	bool installed = version && *version && *version != '\n';

	free(version);
	return installed;
}

static void report_absent(struct exam *exam)
{
	if (host_has_module("rdma_rxe"))
		doctor_add_finding(exam, SEVERITY_ERROR, "modprobe rdma_rxe",
				   "module rdma_rxe is not loaded");
	else
		doctor_report_not_built(exam, SEVERITY_ERROR, "module rdma_rxe is not loaded",
					"modprobe rdma_rxe");
}

static void check_module(struct exam *exam)
{
	if (!host_module_loaded())
		report_absent(exam);
	else if (!is_ours() && ours_installed())
		doctor_add_finding(
			exam, SEVERITY_WARNING, "rmmod rdma_rxe && modprobe rdma_rxe",
			"the loaded rdma_rxe is the kernel's own, though the out-of-tree module "
			"is installed");
	else if (!is_ours())
		doctor_report_not_built(exam, SEVERITY_WARNING,
					"the loaded rdma_rxe is the kernel's own",
					"rmmod rdma_rxe && modprobe rdma_rxe");
}

/* Matches lines such as "blacklist rdma_rxe" and "install rdma_rxe /bin/false". */
static bool line_bars(char *line)
{
	char *save, *word = strtok_r(line, " \t", &save);
	char *module = word ? strtok_r(NULL, " \t", &save) : NULL;

	return module && (!strcmp(word, "blacklist") || !strcmp(word, "install")) &&
	       modprobe_is_ours(module);
}

/*
 * A file in /etc is the administrator's. One of a package is masked by a file of the same name in
 * /etc, which has its other lines.
 */
static void check_barred_line(const char *dir, const char *name, char *line, void *exam)
{
	static const char lines[] = "'/^(blacklist|install)[[:space:]]+rdma[-_]rxe/d'";
	char remedy[1400];

	if (!line_bars(line))
		return;
	if (!strcmp(dir, MODPROBE_ETC))
		snprintf(remedy, sizeof(remedy), "sed -i -E %s '%s/%s'", lines, dir, name);
	else
		snprintf(remedy, sizeof(remedy),
			 "mkdir -p " MODPROBE_ETC " && sed -E %s '%s/%s' >'" MODPROBE_ETC "/%s'",
			 lines, dir, name, name);
	doctor_add_finding(exam, SEVERITY_ERROR, remedy,
			   "%s/%s keeps rdma_rxe from being loaded", dir, name);
}

/* With the line "allow_unsupported_modules 0", modprobe of SLES refuses modules of others. */
static void check_unsupported_line(const char *dir, const char *name, char *line, void *exam)
{
	char *save, *word = strtok_r(line, " \t", &save);
	char *value = word ? strtok_r(NULL, " \t", &save) : NULL;
	char remedy[320];

	if (!value || strcmp(word, "allow_unsupported_modules") || strcmp(value, "0"))
		return;
	snprintf(remedy, sizeof(remedy),
		 "echo allow_unsupported_modules 1 >'" MODPROBE_ETC "/%.200s'", name);
	doctor_add_finding(exam, SEVERITY_ERROR, remedy,
			   "%s/%s keeps modules that SUSE does not support from being loaded", dir,
			   name);
}

static void check_barred(struct exam *exam)
{
	modprobe_each_line(check_barred_line, exam);
	if (!is_ours())
		modprobe_each_line(check_unsupported_line, exam);
}

/* DKMS stores the certificate of its signing key in one of these places. */
static const char *signing_key(void)
{
	static const char *const places[] = { "/var/lib/shim-signed/mok/MOK.der",
					      "/var/lib/dkms/mok.pub" };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (file_exists("%s", places[i]))
			return places[i];
	return NULL;
}

/* Enrolling a key takes a request, and a boot at which the administrator confirms it. */
enum enrollment {
	ENROLLMENT_MISSING,
	ENROLLMENT_REQUESTED,
	ENROLLMENT_DONE,
};

/* The status of mokutil --test-key differs between versions; its text does not. */
static enum enrollment enrollment_of(const char *key)
{
	enum enrollment enrollment = ENROLLMENT_MISSING;
	char command[128], *text;

	snprintf(command, sizeof(command), "sh -c 'mokutil --test-key %s; true'", key);
	text = host_run(command);
	if (text && strstr(text, "already enrolled"))
		enrollment = ENROLLMENT_DONE;
	else if (text && strstr(text, "already in the enrollment request"))
		enrollment = ENROLLMENT_REQUESTED;
	free(text);
	return enrollment;
}

static void report_key(struct exam *exam, const char *key)
{
	char remedy[96];

	switch (enrollment_of(key)) {
	case ENROLLMENT_MISSING:
		snprintf(remedy, sizeof(remedy), "mokutil --import %s", key);
		doctor_add_finding(exam, SEVERITY_WARNING, remedy,
				   "Secure Boot: the kernel loads only signed modules, and the key that "
				   "DKMS signs with is not enrolled (the next boot asks for it)");
		break;
	case ENROLLMENT_REQUESTED:
		doctor_add_finding(exam, SEVERITY_WARNING, "reboot",
				   "Secure Boot: the key that DKMS signs with is to be enrolled at the "
				   "next boot: answer MokManager on the console");
		break;
	case ENROLLMENT_DONE:
		break;
	}
}

static void report_unsigned(struct exam *exam)
{
	const char *key = signing_key();

	if (key)
		report_key(exam, key);
	else
		doctor_add_finding(exam, SEVERITY_WARNING, NULL,
				   "Secure Boot: the kernel loads only signed modules, and DKMS has no "
				   "key to sign with yet: it makes one when it builds the module");
}

/* The kernel refuses unsigned modules if sig_enforce is set or lockdown is active. */
static void check_signature(struct exam *exam)
{
	char line[64] = "", taint[16] = "";
	bool enforced = file_line(line, sizeof(line), "/sys/module/module/parameters/sig_enforce") &&
			line[0] == 'Y';

	if (file_line(line, sizeof(line), "/sys/kernel/security/lockdown"))
		enforced |= !strstr(line, "[none]");
	file_line(taint, sizeof(taint), "/sys/module/rdma_rxe/taint");
	if (enforced && !host_module_loaded())
		report_unsigned(exam);
	else if (!enforced && strchr(taint, 'E'))
		doctor_add_finding(
			exam, SEVERITY_INFO, NULL,
			"the loaded rdma_rxe is not signed; Secure Boot would refuse it");
}

/* Library directories; some distributions have a subdirectory for each architecture. */
static const char *const library_dirs[] = { "/usr/lib", "/usr/lib64", "/usr/local/lib",
					    "/usr/local/lib64" };

static bool provider_in(const char *lib, const char *arch)
{
	char dir[512], **names;
	bool is_there = false;
	size_t n;

	snprintf(dir, sizeof(dir), "%s/%s/libibverbs", lib, arch);
	n = file_list(dir, ".so", &names);
	for (size_t i = 0; i < n; i++)
		is_there |= !strncmp(names[i], "librxe-rdmav", 12);
	file_list_free(names, n);
	return is_there;
}

static bool provider_installed(void)
{
	bool is_there = false;
	char **names;

	for (size_t d = 0; d < sizeof(library_dirs) / sizeof(library_dirs[0]); d++) {
		size_t n = file_list(library_dirs[d], "-linux-gnu", &names);

		is_there |= provider_in(library_dirs[d], ".");
		for (size_t i = 0; i < n; i++)
			is_there |= provider_in(library_dirs[d], names[i]);
		file_list_free(names, n);
	}
	return is_there;
}

/* The package managers restore a deleted file only with an option that reinstalls. */
static const char *const reinstall_provider[] = {
	[DISTRO_UNKNOWN] = NULL,
	[DISTRO_DEBIAN] = "apt-get install --reinstall ibverbs-providers",
	[DISTRO_RHEL] = "dnf install libibverbs && dnf reinstall libibverbs",
	[DISTRO_SUSE] = "zypper install --force libibverbs",
};

static const char *const upgrade_provider[] = {
	[DISTRO_UNKNOWN] = NULL,
	[DISTRO_DEBIAN] = "apt-get install --only-upgrade ibverbs-providers",
	[DISTRO_RHEL] = "dnf upgrade libibverbs",
	[DISTRO_SUSE] = "zypper update libibverbs",
};

/*
 * A deleted configuration file is not restored when its package is reinstalled, so the remedy
 * writes it.
 */
static void check_provider(struct exam *exam)
{
	if (!provider_installed())
		doctor_add_finding(exam, SEVERITY_ERROR, reinstall_provider[distro_family()],
				   "libibverbs has no provider for rxe (librxe-rdmav*.so)");
	else if (!file_exists("/etc/libibverbs.d/rxe.driver"))
		doctor_add_finding(
			exam, SEVERITY_ERROR,
			"mkdir -p /etc/libibverbs.d && echo driver rxe >/etc/libibverbs.d/rxe.driver",
			"libibverbs is not configured to load its provider for rxe "
			"(/etc/libibverbs.d/rxe.driver)");
}

static void check_abi_of(struct exam *exam, const char *uverbs)
{
	char device[NLDEV_NAME_SIZE], abi[16], remedy[256];

	if (!file_line(device, sizeof(device), "/sys/class/infiniband_verbs/%s/ibdev", uverbs) ||
	    strncmp(device, "rxe", 3) ||
	    !file_line(abi, sizeof(abi), "/sys/class/infiniband_verbs/%s/abi_version", uverbs))
		return;
	if (atoi(abi) > MAX_ABI)
		doctor_add_finding(exam, SEVERITY_ERROR, upgrade_provider[distro_family()],
				   "\"%s\" speaks ABI %d, which rdma-core's provider may not "
				   "support",
				   device, atoi(abi));
	snprintf(remedy, sizeof(remedy),
		 "mkdir -p /dev/infiniband && mknod -m 666 /dev/infiniband/%.32s c "
		 "$(tr : ' ' </sys/class/infiniband_verbs/%.32s/dev)",
		 uverbs, uverbs);
	if (!file_exists("/dev/infiniband/%s", uverbs))
		doctor_add_finding(
			exam, SEVERITY_ERROR, remedy,
			"/dev/infiniband/%s, through which programs use \"%s\", is missing", uverbs,
			device);
	else if (!host_can_use("/dev/infiniband", uverbs))
		doctor_add_finding(exam, SEVERITY_WARNING, "chmod 666 /dev/infiniband/uverbs*",
				   "this user cannot open /dev/infiniband/%s", uverbs);
}

static void check_abi(struct exam *exam)
{
	char **names;
	size_t n = file_list("/sys/class/infiniband_verbs", "", &names);

	for (size_t i = 0; i < n; i++)
		if (!strncmp(names[i], "uverbs", 6))
			check_abi_of(exam, names[i]);
	file_list_free(names, n);
}

static void check_cm(struct exam *exam)
{
	if (!exam->rdma_error && !file_exists("/dev/infiniband/rdma_cm"))
		report_unloaded(
			exam, SEVERITY_WARNING, "rdma_ucm",
			"/dev/infiniband/rdma_cm is missing: programs that connect with rdma_cm fail");
}

static void check_memlock(struct exam *exam)
{
	unsigned long limit = host_memlock();

	if (limit < MIN_MEMLOCK && !host_ipc_lock())
		doctor_add_finding(
			exam, SEVERITY_WARNING, "prlimit --pid $$ --memlock=unlimited:unlimited",
			"programs from this shell may lock %lu KiB of memory, too little to register "
			"buffers; for later logins: add the user to the group rdma",
			limit >> 10);
}

/* 1000 packets are about 1 ms of small packets at 10 Gb/s. */
static void check_backlog(struct exam *exam)
{
	char line[32];

	if (exam->links.n &&
	    file_line(line, sizeof(line), "/proc/sys/net/core/netdev_max_backlog") &&
	    atol(line) < 1000)
		doctor_add_finding(
			exam, SEVERITY_WARNING,
			"echo net.core.netdev_max_backlog=10000 >/etc/sysctl.d/90-rxe.conf && "
			"sysctl -p /etc/sysctl.d/90-rxe.conf",
			"net.core.netdev_max_backlog is %ld: bursts of packets are dropped",
			atol(line));
}

bool cxi_lacks_buffers(char *count, size_t size)
{
	return file_line(count, size, "/sys/module/cxi_eth/parameters/large_pkts_buf_count") &&
	       strcmp(count, CXI_BUFFERS) != 0;
}

/* Slingshot adapters drop packets for which no buffer is free. */
static void check_adapter(struct exam *exam)
{
	char count[16];

	if (cxi_lacks_buffers(count, sizeof(count)))
		doctor_add_finding(
			exam, SEVERITY_WARNING,
			"echo options cxi-eth large_pkts_buf_count=" CXI_BUFFERS " "
			">/etc/modprobe.d/cxi-eth.conf # and boot",
			"cxi_eth has %s buffers for large packets, and RoCE needs " CXI_BUFFERS,
			count);
}

const struct check doctor_system_checks[] = {
	{ "kernel", check_kernel },
	{ "barred", check_barred },
	{ "module", check_module },
	{ "signature", check_signature },
	{ "provider", check_provider },
	{ "abi", check_abi },
	{ "rdma_cm", check_cm },
	{ "memlock", check_memlock },
	{ "backlog", check_backlog },
	{ "adapter", check_adapter },
	{ 0 },
};
