/* SPDX-License-Identifier: GPL-2.0 */
/* Samples of the load of devices and QPs, and the rates between two samples. */
#ifndef RXECTL_SAMPLE_H
#define RXECTL_SAMPLE_H

#include <stddef.h>

struct ctx;
struct json_object;

/**
 * struct sample - a sample
 * @when: time of the sample (clock_seconds())
 * @devices: devices with the values of their counters
 * @n_devices: number of devices
 * @qps: QPs with their current send PSN
 * @n_qps: number of QPs
 */
struct sample {
	double when;
	struct sample_device *devices;
	size_t n_devices;
	struct sample_qp *qps;
	size_t n_qps;
};

/**
 * sample_read() - take a sample of all devices, or of one
 * @ctx: output stream and format
 * @name: of the device; NULL for all
 * @sample: release with sample_put(), also after an error
 *
 * Reports its errors.
 *
 * Return: the exit status.
 */
int sample_read(const struct ctx *ctx, const char *name, struct sample *sample);
void sample_put(struct sample *sample);

/**
 * sample_devices() - compute the rates of the devices between two samples
 * @before: the first sample
 * @after: the second sample
 *
 * Return: rows of device, netdev, state, qps and, per second, tx and rx (bits from transport header
 * to ICRC), tx_packets, rx_packets, retries, drops. To be released.
 */
struct json_object *sample_devices(const struct sample *before, const struct sample *after);

/*
 * The same for QPs: rows of device, qpn, type, state, peer_qpn, packets (request packets per
 * second), pid, command.
 */
struct json_object *sample_qps(const struct sample *before, const struct sample *after);

#endif
