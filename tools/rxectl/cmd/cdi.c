// SPDX-License-Identifier: GPL-2.0
/*
 * rxectl cdi: device specification for container runtimes (Container Device Interface, CDI).
 * podman, CRI-O and containerd read such files, and give a container the device nodes of the
 * devices that it is started with: "--device rdma/rxe=rxe_ens3".
 */
#include <ctype.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "link/links.h"
#include "util/files.h"

#define CDI_USAGE "rxectl cdi [show|write]"

/* Of specifications that describe the running system; /etc/cdi is for those that persist. */
#define CDI_DIR	 "/run/cdi"
#define CDI_FILE CDI_DIR "/rxe.json"
#define CDI_KIND "rdma/rxe"

/* The first version of the specification that all members are in. */
#define CDI_VERSION "0.3.0"

/* Device number of /dev/infiniband/uverbs0 to uverbs31; later ones have a dynamic major number. */
#define UVERBS_MAJOR 231
#define UVERBS_MINOR 192
#define UVERBS_FIXED 32

/* Add a device node to @nodes; the runtime looks up its number. Return: the node. */
static struct json_object *add_node(struct json_object *nodes, const char *file)
{
	struct json_object *node = json_object_new_object();
	char path[64];

	snprintf(path, sizeof(path), "/dev/infiniband/%s", file);
	json_object_object_add(node, "path", json_object_new_string(path));
	json_object_object_add(node, "permissions", json_object_new_string("rw"));
	json_object_array_add(nodes, node);
	return node;
}

static struct json_object *edits_of(struct json_object *nodes)
{
	struct json_object *edits = json_object_new_object();

	json_object_object_add(edits, "deviceNodes", nodes);
	return edits;
}

static void add_device(struct json_object *devices, const char *name, struct json_object *nodes)
{
	struct json_object *device = json_object_new_object();

	json_object_object_add(device, "name", json_object_new_string(name));
	json_object_object_add(device, "containerEdits", edits_of(nodes));
	json_object_array_add(devices, device);
}

/* Connection management serves all devices. */
static void add_cm(struct json_object *nodes)
{
	if (file_exists("/dev/infiniband/rdma_cm"))
		add_node(nodes, "rdma_cm");
}

/* Find the verbs device "uverbsN" of an RDMA device. */
static bool find_uverbs(const char *device, char uverbs[32])
{
	char **names, ibdev[NLDEV_NAME_SIZE];
	size_t n = file_list("/sys/class/infiniband_verbs", "", &names);
	bool found = false;

	for (size_t i = 0; i < n && !found; i++) {
		found = file_line(ibdev, sizeof(ibdev), "/sys/class/infiniband_verbs/%s/ibdev",
				  names[i]) &&
			!strcmp(ibdev, device);
		if (found)
			snprintf(uverbs, 32, "%s", names[i]);
	}
	file_list_free(names, n);
	return found;
}

/* Return: true if the specification allows the name of a device. */
static bool is_cdi_name(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && (!i || i == n - 1 || !strchr("_-.:", name[i])))
			return false;
	return n;
}

static void add_link(const struct ctx *ctx, struct json_object *devices,
		     const struct rxe_link *link)
{
	const char *name = link->dev.name;
	struct json_object *nodes;
	char uverbs[32];

	if (!is_cdi_name(name)) {
		err_hint(ctx,
			 "\"%s\" is left out: CDI does not allow the name; rxectl link rename "
			 "changes it",
			 name);
		return;
	}
	if (!find_uverbs(name, uverbs)) {
		err_hint(ctx, "\"%s\" is left out: it has no verbs device; modprobe ib_uverbs", name);
		return;
	}
	nodes = json_object_new_array();
	add_node(nodes, uverbs);
	add_cm(nodes);
	add_device(devices, name, nodes);
}

/*
 * The device "all": nodes by number, which need not exist yet, for containers that are created
 * before their RDMA device.
 */
static void add_all(struct json_object *devices)
{
	struct json_object *nodes = json_object_new_array();

	for (int i = 0; i < UVERBS_FIXED; i++) {
		struct json_object *node;
		char uverbs[32];

		snprintf(uverbs, sizeof(uverbs), "uverbs%d", i);
		node = add_node(nodes, uverbs);
		json_object_object_add(node, "type", json_object_new_string("c"));
		json_object_object_add(node, "major", json_object_new_int(UVERBS_MAJOR));
		json_object_object_add(node, "minor", json_object_new_int(UVERBS_MINOR + i));
	}
	add_cm(nodes);
	add_device(devices, "all", nodes);
}

static struct json_object *make_spec(const struct ctx *ctx, const struct links *links)
{
	struct json_object *spec = json_object_new_object();
	struct json_object *devices = json_object_new_array();

	for (size_t i = 0; i < links->n; i++)
		add_link(ctx, devices, &links->links[i]);
	add_all(devices);
	json_object_object_add(spec, "cdiVersion", json_object_new_string(CDI_VERSION));
	json_object_object_add(spec, "kind", json_object_new_string(CDI_KIND));
	json_object_object_add(spec, "devices", devices);
	return spec;
}

static int write_spec(const struct ctx *ctx, struct json_object *spec)
{
	int flags = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
		    JSON_C_TO_STRING_NOSLASHESCAPE;
	int err = file_make_dir(CDI_DIR);

	if (!err)
		err = file_write(CDI_FILE, json_object_to_json_string_ext(spec, flags));
	if (err)
		return fail_refused(ctx, NULL, NULL, err, "cannot write " CDI_FILE);
	if (ctx->json)
		output_document(ctx, ctx->out, spec);
	else
		fputs("wrote " CDI_FILE "\n", ctx->out);
	return 0;
}

static int run(struct ctx *ctx, int argc, char **argv, bool write)
{
	struct json_object *spec;
	struct links links;
	int status;

	if (argc)
		return fail(ctx, EXIT_USAGE, argv[0], CDI_USAGE, "unknown word \"%s\"", argv[0]);
	status = links_get(ctx, NULL, &links);
	if (!status) {
		spec = make_spec(ctx, &links);
		if (write)
			status = write_spec(ctx, spec);
		else
			output_document(ctx, ctx->out, spec);
		json_object_put(spec);
	}
	links_put(&links);
	return status;
}

static int cdi_show(struct ctx *ctx, int argc, char **argv)
{
	return run(ctx, argc, argv, false);
}

static int cdi_write(struct ctx *ctx, int argc, char **argv)
{
	return run(ctx, argc, argv, true);
}

static const struct command cdi_commands[] = {
	{ "show", "", "print a CDI specification with the device nodes of all rxe devices",
	  cdi_show, 0 },
	{ "write", "", "write it to " CDI_FILE ", where container runtimes find it", cdi_write, 0 },
	{ 0 },
};

const struct object cdi_object = {
	.name = "cdi",
	.group = GROUP_SET_UP,
	.summary = "describe the devices for podman, CRI-O and containerd (CDI)",
	.examples = "  rxectl -p cdi\n"
		    "  rxectl cdi write\n",
	.fallback = &cdi_commands[0],
	.commands = cdi_commands,
};
