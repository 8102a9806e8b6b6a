/* SPDX-License-Identifier: GPL-2.0 */
/* Counters and states of the devices in the text formats of Prometheus and OpenMetrics. */
#ifndef RXECTL_METRICS_H
#define RXECTL_METRICS_H

struct ctx;
struct json_object;
struct links;

/**
 * metrics_print() - print all metrics
 * @ctx: output stream; @ctx->format is "prometheus" or "openmetrics"
 * @links: the devices
 * @counters: rows of device, counter, value and meaning
 *
 * Return: the exit status.
 */
int metrics_print(const struct ctx *ctx, const struct links *links, struct json_object *counters);

#endif
