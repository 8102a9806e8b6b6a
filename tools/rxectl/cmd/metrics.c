// SPDX-License-Identifier: GPL-2.0
/* Metrics in the text formats of Prometheus and OpenMetrics. */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "cmd/metrics.h"
#include "link/links.h"

#define PREFIX	"rxe_"
#define DROPPED "drop_"

#define PORT_ACTIVE 4 /* enum ib_port_state */

/**
 * struct printer - output of metric families
 * @out: receives the text
 * @open: OpenMetrics: the name of a counter's family has no suffix, and a last line "# EOF"
 */
struct printer {
	FILE *out;
	bool open;
};

static const char *member(struct json_object *row, const char *key)
{
	const char *text = json_object_get_string(json_object_object_get(row, key));

	return text ? text : "";
}

/* In both formats, a backslash, a quote and a newline of a label are escaped. */
static void print_label(FILE *out, const char *name, const char *value)
{
	fprintf(out, "%s=\"", name);
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", out);
		else if (*value == '"' || *value == '\\')
			fprintf(out, "\\%c", *value);
		else
			fputc(*value, out);
	}
	fputc('"', out);
}

static void print_head(const struct printer *p, const char *family, const char *type,
		       const char *help)
{
	const char *suffix = !strcmp(type, "counter") && !p->open ? "_total" : "";

	fprintf(p->out, "# HELP %s%s %s.\n# TYPE %s%s %s\n", family, suffix, help, family, suffix,
		type);
}

/* "sent_pkts" is "rxe_sent_packets"; a reason of dropped packets is a label of one family. */
static void family_of(const char *counter, char family[96])
{
	size_t n = strlen(counter);

	if (!strncmp(counter, DROPPED, strlen(DROPPED)))
		snprintf(family, 96, PREFIX "dropped_packets");
	else if (n > 5 && !strcmp(counter + n - 5, "_pkts"))
		snprintf(family, 96, PREFIX "%.*s_packets", (int)n - 5, counter);
	else
		snprintf(family, 96, PREFIX "%s", counter);
}

static void print_counter(const struct printer *p, struct json_object *row, const char *family)
{
	const char *counter = member(row, "counter");

	fprintf(p->out, "%s_total{", family);
	print_label(p->out, "device", member(row, "device"));
	if (!strncmp(counter, DROPPED, strlen(DROPPED))) {
		fputc(',', p->out);
		print_label(p->out, "reason", counter + strlen(DROPPED));
	}
	fprintf(p->out, "} %s\n", member(row, "value"));
}

static bool is_in_family(struct json_object *row, const char *family)
{
	char own[96];

	family_of(member(row, "counter"), own);
	return !strcmp(own, family);
}

/* Return: true if a row before @index is in the same family. */
static bool is_printed(struct json_object *rows, size_t index, const char *family)
{
	for (size_t i = 0; i < index; i++)
		if (is_in_family(json_object_array_get_idx(rows, i), family))
			return true;
	return false;
}

/* Both formats want the samples of a family in one piece, not device by device. */
static void print_counters(const struct printer *p, struct json_object *rows)
{
	size_t n = json_object_array_length(rows);

	for (size_t i = 0; i < n; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		const char *help = member(row, "meaning");
		char family[96];

		family_of(member(row, "counter"), family);
		if (is_printed(rows, i, family))
			continue;
		if (!strncmp(member(row, "counter"), DROPPED, strlen(DROPPED)))
			help = "received packets that were dropped, by reason";
		print_head(p, family, "counter", *help ? help : "counter of a newer module");
		for (size_t j = i; j < n; j++) {
			struct json_object *other = json_object_array_get_idx(rows, j);

			if (is_in_family(other, family))
				print_counter(p, other, family);
		}
	}
}

/* Labels join the counters of a device with its interface. */
static void print_devices(const struct printer *p, const struct links *links)
{
	print_head(p, PREFIX "device_info", "gauge", "interface of the device; the value is 1");
	for (size_t i = 0; i < links->n; i++) {
		const char *namespace = link_namespace(&links->links[i]);

		fputs(PREFIX "device_info{", p->out);
		print_label(p->out, "device", links->links[i].dev.name);
		fputc(',', p->out);
		print_label(p->out, "netdev", links->links[i].netdev);
		fputc(',', p->out);
		print_label(p->out, "namespace", namespace ? namespace : "");
		fputs("} 1\n", p->out);
	}
}

static void print_ports(const struct printer *p, const struct links *links)
{
	print_head(p, PREFIX "port_active", "gauge", "1 if the port is ACTIVE, otherwise 0");
	for (size_t i = 0; i < links->n; i++) {
		fputs(PREFIX "port_active{", p->out);
		print_label(p->out, "device", links->links[i].dev.name);
		fprintf(p->out, "} %d\n", links->links[i].port.state == PORT_ACTIVE);
	}
}

static void print_qps(const struct printer *p, const struct links *links)
{
	uint64_t qps;

	print_head(p, PREFIX "queue_pairs", "gauge", "queue pairs of the device");
	for (size_t i = 0; i < links->n; i++) {
		if (nldev_resources(netns_rdma(links->own), links->links[i].dev.index, "qp", &qps))
			continue;
		fputs(PREFIX "queue_pairs{", p->out);
		print_label(p->out, "device", links->links[i].dev.name);
		fprintf(p->out, "} %llu\n", (unsigned long long)qps);
	}
}

int metrics_print(const struct ctx *ctx, const struct links *links, struct json_object *counters)
{
	struct printer p = { .out = ctx->out, .open = !strcmp(ctx->format, "openmetrics") };

	if (!p.open && strcmp(ctx->format, "prometheus") != 0)
		return fail(ctx, EXIT_USAGE, ctx->format, "give prometheus or openmetrics",
			    "unknown format \"%s\"", ctx->format);
	if (links->n) {
		print_devices(&p, links);
		print_ports(&p, links);
		print_qps(&p, links);
		print_counters(&p, counters);
	}
	if (p.open)
		fputs("# EOF\n", p.out);
	return 0;
}
