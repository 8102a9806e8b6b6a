// SPDX-License-Identifier: GPL-2.0
/* Error messages and hints. */
#include <errno.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/output.h"
#include "sys/host.h"

static void fail_json(const struct ctx *ctx, const char *word, const char *remedy,
		      const char *message)
{
	struct json_object *error = json_object_new_object();
	struct json_object *top = json_object_new_object();

	json_object_object_add(error, "message", json_object_new_string(message));
	json_object_object_add(error, "word", word ? json_object_new_string(word) : NULL);
	json_object_object_add(error, "remedy", remedy ? json_object_new_string(remedy) : NULL);
	json_object_object_add(top, "error", error);
	output_json(ctx, ctx->err, top);
	json_object_put(top);
}

int fail(const struct ctx *ctx, int status, const char *word, const char *remedy, const char *fmt,
	 ...)
{
	char message[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);

	if (ctx->json)
		fail_json(ctx, word, remedy, message);
	else
		fprintf(ctx->err, remedy ? "error: %s\nhint: %s\n" : "error: %s\n", message,
			remedy);
	return status;
}

void err_hint(const struct ctx *ctx, const char *fmt, ...)
{
	va_list ap;

	if (ctx->json)
		return;
	va_start(ap, fmt);
	fputs("hint: ", ctx->err);
	vfprintf(ctx->err, fmt, ap);
	fputc('\n', ctx->err);
	va_end(ap);
}

int fail_no_rdma(const struct ctx *ctx, int err)
{
	if (err == -EPROTONOSUPPORT)
		return fail(ctx, EXIT_RUNTIME, NULL,
			    host_has_module("ib_uverbs") ?
				    host_load_remedy() :
				    "this kernel has no module ib_uverbs: rxectl doctor",
			    "the kernel's RDMA subsystem and module rdma_rxe are not loaded");
	return fail(ctx, EXIT_RUNTIME, NULL, NULL, "cannot open RDMA netlink: %s", strerror(-err));
}

int fail_no_device(const struct ctx *ctx, const char *name)
{
	if (!host_module_loaded())
		return fail(ctx, EXIT_RUNTIME, name, host_load_remedy(),
			    "no RDMA device \"%s\"; module rdma_rxe is not loaded", name);
	return fail(ctx, EXIT_RUNTIME, name, "rxectl link lists them", "no RDMA device \"%s\"",
		    name);
}

int fail_refused(const struct ctx *ctx, const char *word, const char *kernel, int err,
		 const char *fmt, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);

	if (kernel)
		return fail(ctx, EXIT_RUNTIME, word, NULL, "%s: the kernel reports: %s", what,
			    kernel);
	if ((err == -EPERM || err == -EACCES) && !host_net_admin())
		return fail(ctx, EXIT_RUNTIME, word, "run it as root", "%s: needs CAP_NET_ADMIN",
			    what);
	return fail(ctx, EXIT_RUNTIME, word, "dmesg may show the reason", "%s: %s", what,
		    strerror(-err));
}
