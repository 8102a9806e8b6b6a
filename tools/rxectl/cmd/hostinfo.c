// SPDX-License-Identifier: GPL-2.0
/* Description of the host in a problem report. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "cli/output.h"
#include "cmd/hostinfo.h"
#include "config/conf.h"
#include "link/links.h"
#include "sys/distro.h"
#include "sys/host.h"
#include "util/files.h"

#define PARAMETERS "/sys/module/rdma_rxe/parameters"

/* Lines of the kernel log in a report; the last ones. */
#define LOG_LINES 100

static void put(struct json_object *host, const char *key, const char *text)
{
	json_object_object_add(host, key, output_string(text));
}

static void put_line_of(struct json_object *host, const char *key, const char *path)
{
	char line[128] = "";

	file_line(line, sizeof(line), "%s", path);
	put(host, key, line);
}

/* The output of a command, without the newline at its end; null if the command fails. */
static void put_output_of(struct json_object *host, const char *key, const char *command)
{
	char *text = host_run(command);

	if (text && *text && text[strlen(text) - 1] == '\n')
		text[strlen(text) - 1] = '\0';
	put(host, key, text);
	free(text);
}

static void put_kernel(struct json_object *host)
{
	struct utsname kernel;

	if (uname(&kernel))
		return;
	put(host, "kernel", kernel.release);
	put(host, "machine", kernel.machine);
}

/* PRETTY_NAME="Debian GNU/Linux 12 (bookworm)" */
static void put_os(struct json_object *host)
{
	char *text = file_text("/etc/os-release"), *save;
	static const char key[] = "PRETTY_NAME=";

	put(host, "os", NULL);
	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (strncmp(line, key, sizeof(key) - 1))
			continue;
		line += sizeof(key) - 1;
		line += strspn(line, "\"'");
		line[strcspn(line, "\"'")] = '\0';
		put(host, "os", line);
	}
	free(text);
}

static void put_rdma_core(struct json_object *host)
{
	static const char *const versions[] = {
		[DISTRO_UNKNOWN] = "pkg-config --modversion libibverbs",
		[DISTRO_DEBIAN] = "dpkg-query -W -f '${Version}' libibverbs1",
		[DISTRO_RHEL] = "rpm -q --qf '%{VERSION}-%{RELEASE}' libibverbs",
		[DISTRO_SUSE] = "rpm -q --qf '%{VERSION}-%{RELEASE}' libibverbs1",
	};

	put_output_of(host, "rdma_core", versions[distro_family()]);
}

static void put_parameters(struct json_object *host)
{
	struct json_object *parameters = json_object_new_object();
	char **names, value[128];
	size_t n = file_list(PARAMETERS, "", &names);

	for (size_t i = 0; i < n; i++)
		if (file_line(value, sizeof(value), PARAMETERS "/%s", names[i]))
			put(parameters, names[i], value);
	file_list_free(names, n);
	json_object_object_add(host, "parameters", parameters);
}

static struct json_object *interface_row(const struct rxe_link *link)
{
	struct json_object *row = json_object_new_object();
	const char *ns = link_namespace(link);
	char command[160];

	put(row, "netdev", link->netdev);
	for (int i = 0; i < 2; i++) {
		const char *key = i ? "ethtool_k" : "ethtool_i";
		char *text;

		snprintf(command, sizeof(command), "%s%.64s%sethtool -%c %s",
			 ns ? "ip netns exec " : "", ns ? ns : "", ns ? " " : "", "ik"[i],
			 link -> netdev);
		text = host_run(command);
		put(row, key, text);
		free(text);
	}
	return row;
}

static void put_interfaces(struct json_object *host)
{
	struct json_object *rows = json_object_new_array();
	struct links links;

	if (!links_find(&links))
		for (size_t i = 0; i < links.n; i++)
			if (links.links[i].ns)
				json_object_array_add(rows, interface_row(&links.links[i]));
	links_put(&links);
	json_object_object_add(host, "interfaces", rows);
}

static void put_configuration(struct json_object *host)
{
	struct json_object *rows = json_object_new_array();
	char **names, path[320], *text;
	size_t n = file_list(CONF_DIR, ".conf", &names);

	for (size_t i = 0; i < n; i++) {
		struct json_object *row = json_object_new_object();

		snprintf(path, sizeof(path), CONF_DIR "/%.255s", names[i]);
		text = file_text(path);
		put(row, "file", path);
		put(row, "text", text);
		json_object_array_add(rows, row);
		free(text);
	}
	file_list_free(names, n);
	json_object_object_add(host, "configuration", rows);
}

static bool is_ours(const char *line)
{
	return strstr(line, "rxe") || strstr(line, "RoCE");
}

static void put_kernel_log(struct json_object *host,
			   void (*fail)(const char *part, const char *why, void *arg), void *arg)
{
	struct json_object *rows = json_object_new_array();
	char *text = host_run("dmesg"), *save;

	if (!text)
		fail("kernel log", "dmesg failed: run as root", arg);
	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		if (is_ours(line))
			json_object_array_add(rows, json_object_new_string(line));
	if (json_object_array_length(rows) > LOG_LINES)
		json_object_array_del_idx(rows, 0, json_object_array_length(rows) - LOG_LINES);
	free(text);
	json_object_object_add(host, "kernel_log", rows);
}

struct json_object *hostinfo_get(void (*fail)(const char *part, const char *why, void *arg),
				 void *arg)
{
	struct json_object *host = json_object_new_object();

	put_kernel(host);
	put(host, "rxectl", RXECTL_VERSION);
	put_line_of(host, "module", "/sys/module/rdma_rxe/version");
	put_os(host);
	put_output_of(host, "module_file", "modinfo -n rdma_rxe");
	put_output_of(host, "signer", "modinfo -F signer rdma_rxe");
	put_output_of(host, "dkms", "dkms status rdma-rxe");
	put_line_of(host, "lockdown", "/sys/kernel/security/lockdown");
	put_rdma_core(host);
	put_parameters(host);
	put_interfaces(host);
	put_configuration(host);
	put_kernel_log(host, fail, arg);
	return host;
}

static const char *member(struct json_object *object, const char *key)
{
	return json_object_get_string(json_object_object_get(object, key));
}

void hostinfo_print_head(FILE *out, struct json_object *host)
{
	static const struct {
		const char *title;
		const char *key;
	} lines[] = {
		{ "os", "os" },		    { "module file", "module_file" }, { "signer", "signer" },
		{ "DKMS", "dkms" }, { "lockdown", "lockdown" },	      { "rdma-core", "rdma_core" },
	};
	const char *module = member(host, "module");

	if (member(host, "kernel"))
		fprintf(out, "kernel %s %s\n", member(host, "kernel"), member(host, "machine"));
	fprintf(out, "rxectl %s\nrdma_rxe %s\n", member(host, "rxectl"),
		module ? module : "the kernel's own or none");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (member(host, lines[i].key))
			fprintf(out, "%s %s\n", lines[i].title, member(host, lines[i].key));
}

static void print_interface(FILE *out, struct json_object *row)
{
	for (int i = 0; i < 2; i++) {
		const char *text = member(row, i ? "ethtool_k" : "ethtool_i");

		if (text)
			fprintf(out, "\n--- ethtool -%c %s\n%s", "ik"[i], member(row, "netdev"), text);
	}
}

void hostinfo_print_parts(FILE *out, struct json_object *host)
{
	struct json_object *rows = json_object_object_get(host, "interfaces");

	fputs("\n--- parameters\n", out);
	json_object_object_foreach(json_object_object_get(host, "parameters"), name, value)
		fprintf(out, "%s %s\n", name, json_object_get_string(value));
	for (size_t i = 0; i < json_object_array_length(rows); i++)
		print_interface(out, json_object_array_get_idx(rows, i));
	rows = json_object_object_get(host, "configuration");
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		fprintf(out, "\n--- %s\n%s", member(row, "file"),
			member(row, "text") ? member(row, "text") : "");
	}
	rows = json_object_object_get(host, "kernel_log");
	fputs("\n--- kernel log\n", out);
	for (size_t i = 0; i < json_object_array_length(rows); i++)
		fprintf(out, "%s\n", json_object_get_string(json_object_array_get_idx(rows, i)));
}
