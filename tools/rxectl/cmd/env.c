// SPDX-License-Identifier: GPL-2.0
/* rxectl env: environment variables that select an rxe device in communication libraries. */
#include <ctype.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "link/gid_owner.h"
#include "link/links.h"
#include "sys/gid.h"
#include "sys/gid_table.h"

#define ENV_USAGE "rxectl env [show] [NAME [LIBRARY]]"

/**
 * struct variable - an environment variable
 * @library: the library that reads it
 * @name: of the variable
 * @format: value; "%D" is the device, "%I" the GID index, "%N" the interface
 */
struct variable {
	const char *library;
	const char *name;
	const char *format;
};

static const struct variable variables[] = {
	{ "NCCL", "NCCL_IB_HCA", "=%D:1" },
	{ "NCCL", "NCCL_IB_GID_INDEX", "%I" },
	{ "NCCL", "NCCL_SOCKET_IFNAME", "=%N" },
	{ "NCCL", "NCCL_NET_GDR_LEVEL", "LOC" },
	{ "UCX", "UCX_NET_DEVICES", "%D:1" },
	{ "UCX", "UCX_IB_GID_INDEX", "%I" },
	{ "UCX", "UCX_TLS", "rc_verbs,ud_verbs,sm,self" },
	/* With IPv4, UCX misreads the GRH of a datagram and would drop it. */
	{ "UCX", "UCX_UD_VERBS_ETH_DGID_CHECK", "n" },
	/*
	 * By default, UCX copies a message of 64 KiB and sends it in parts of 8 KiB, each with a
	 * system call. With these, it copies up to 32 KiB in one part, and has the peer READ more.
	 * On User-Mode Linux, 64 KiB had 360 MB/s by default, with these 1,370 MB/s; TCP had 670.
	 * The queue is shorter than by default, so that the receive buffers stay at 33 MiB.
	 */
	{ "UCX", "UCX_RC_VERBS_SEG_SIZE", "32896" },
	{ "UCX", "UCX_RC_VERBS_RX_QUEUE_LEN", "1024" },
	{ "UCX", "UCX_RNDV_THRESH", "32769" },
	{ "libfabric", "FI_PROVIDER", "verbs;ofi_rxm" },
	{ "libfabric", "FI_VERBS_DEVICE_NAME", "%D" },
	{ "libfabric", "FI_VERBS_IFACE", "%N" },
	{ "libfabric", "FI_VERBS_GID_IDX", "%I" },
	{ "Open MPI", "OMPI_MCA_pml", "ucx" },
	{ "Open MPI", "OMPI_MCA_osc", "ucx" },
	{ "Open MPI", "OMPI_MCA_btl", "^openib" },
	{ 0 },
};

static const struct column columns[] = {
	{ .key = "library", .title = "LIBRARY" },
	{ .key = "name", .title = "NAME" },
	{ .key = "value", .title = "VALUE" },
	{ 0 },
};

static char *expand(const char *format, const struct rxe_link *link, const struct gid *gid)
{
	const char *netdev = gid->netdev[0] ? gid->netdev : link->netdev;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		abort();
	for (; *format; format++) {
		if (*format != '%')
			fputc(*format, f);
		else if (*++format == 'D')
			fputs(link->dev.name, f);
		else if (*format == 'I')
			fprintf(f, "%u", gid->index);
		else
			fputs(netdev, f);
	}
	fclose(f);
	return text;
}

static struct json_object *make_rows(const struct rxe_link *link, const struct gid *gid)
{
	struct json_object *rows = json_object_new_array();

	for (const struct variable *v = variables; v->name; v++) {
		struct json_object *row = json_object_new_object();
		char *value = expand(v->format, link, gid);

		json_object_object_add(row, "library", json_object_new_string(v->library));
		json_object_object_add(row, "name", json_object_new_string(v->name));
		json_object_object_add(row, "value", json_object_new_string(value));
		json_object_array_add(rows, row);
		free(value);
	}
	return rows;
}

static const char *member(struct json_object *row, const char *key)
{
	return json_object_get_string(json_object_object_get(row, key));
}

/* Single quotes, since interface names may contain shell metacharacters. */
static void print_quoted(FILE *out, const char *value)
{
	fputc('\'', out);
	for (; *value; value++)
		fputs(*value == '\'' ? "'\\''" : (char[]){ *value, 0 }, out);
	fputc('\'', out);
}

static void print_shell(FILE *out, struct json_object *rows)
{
	const char *library = "";

	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (strcmp(library, member(row, "library")))
			fprintf(out, "# %s\n", member(row, "library"));
		library = member(row, "library");
		fprintf(out, "export %s=", member(row, "name"));
		print_quoted(out, member(row, "value"));
		fputc('\n', out);
	}
}

/* Return: true if @word is the name of the library in lower case without blanks: "openmpi". */
static bool is_library(const char *library, const char *word)
{
	for (; *library; library++) {
		if (*library == ' ')
			continue;
		if (*word++ != tolower((unsigned char)*library))
			return false;
	}
	return !*word;
}

/* Keep the rows of one library. Return: false if there are none. */
static bool keep_library(struct json_object *rows, const char *word)
{
	for (size_t i = json_object_array_length(rows); i--;)
		if (!is_library(member(json_object_array_get_idx(rows, i), "library"), word))
			json_object_array_del_idx(rows, i, 1);
	return json_object_array_length(rows);
}

/* On a device of another namespace, such as that of a node, prefer the caller's own addresses. */
static const struct gid *choose_gid(const struct links *links, const struct rxe_link *link,
				    struct gid *gids, size_t n)
{
	const struct gid *own;
	size_t n_own = 0;

	gids_check(gids, n, link->ns, link->netdev);
	if (link->ns == links->own)
		return gids_best(gids, n);
	/* The order of the entries that remain does not matter. */
	for (size_t i = 0; i < n; i++)
		if (gid_is_in(&gids[i], links->own)) {
			struct gid swap = gids[n_own];

			gids[n_own++] = gids[i];
			gids[i] = swap;
		}
	own = gids_best(gids, n_own);
	return own ? own : gids_best(gids, n);
}

static int show_env(struct ctx *ctx, const struct links *links, const struct rxe_link *link,
		    const char *library)
{
	int status = 0;
	struct json_object *rows;
	const struct gid *gid;
	struct gid *gids;
	size_t n;

	if (gids_get(link->dev.name, &gids, &n))
		return fail(ctx, EXIT_RUNTIME, link->dev.name, NULL, "out of memory");
	gid = choose_gid(links, link, gids, n);
	if (!gid) {
		free(gids);
		return fail(ctx, EXIT_RUNTIME, link->dev.name,
			    "bring its interface up and give it an address",
			    "\"%s\" has no GID for RoCE v2", link->dev.name);
	}
	rows = make_rows(link, gid);
	if (library && !keep_library(rows, library))
		status = fail(ctx, EXIT_USAGE, library, "there are nccl, ucx, libfabric and openmpi",
			      "unknown library \"%s\"", library);
	else if (ctx->json)
		output_rows(ctx, columns, rows);
	else
		print_shell(ctx->out, rows);
	json_object_put(rows);
	free(gids);
	return status;
}

/* Default: the first device in the caller's namespace, else the first device. */
static const struct rxe_link *choose(const struct links *links)
{
	for (size_t i = 0; i < links->n; i++)
		if (links->links[i].ns == links->own)
			return &links->links[i];
	return links->n ? &links->links[0] : NULL;
}

static int env_show(struct ctx *ctx, int argc, char **argv)
{
	struct links links;
	int status;

	if (argc > 2)
		return fail(ctx, EXIT_USAGE, argv[2], ENV_USAGE, "unknown word \"%s\"", argv[2]);
	status = links_get(ctx, argc ? argv[0] : NULL, &links);
	if (!status && !links.n)
		status = fail(ctx, EXIT_RUNTIME, NULL, "rxectl link add netdev DEV creates one",
			      "no rxe device exists");
	else if (!status)
		status = show_env(ctx, &links, choose(&links), argc > 1 ? argv[1] : NULL);
	links_put(&links);
	return status;
}

static const struct command env_commands[] = {
	{ "show", "[NAME [LIBRARY]]",
	  "print shell commands that set variables for NCCL, UCX, libfabric and Open MPI, or for one "
	  "of them (nccl, ucx, libfabric, openmpi)",
	  env_show, 0 },
	{ 0 },
};

const struct object env_object = {
	.name = "env",
	.group = GROUP_SET_UP,
	.summary = "print variables that select a device in communication libraries",
	.examples = "  eval \"$(rxectl env rxe0)\"\n"
		    "  eval \"$(rxectl env rxe0 nccl)\"\n"
		    "  rxectl -j -p env\n",
	.fallback = &env_commands[0],
	.commands = env_commands,
};
