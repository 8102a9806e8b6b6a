/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the devices and their queue pairs are doing: readings, and the rates between two of them.
 */
#ifndef RXECTL_SAMPLE_H
#define RXECTL_SAMPLE_H

#include <stddef.h>

struct ctx;
struct json_object;

/**
 * struct sample - a reading
 * @when: seconds
 * @devices: with what they have counted so far
 * @qps: with the sequence numbers that they have come to
 */
struct sample {
	double when;
	struct sample_device *devices;
	size_t n_devices;
	struct sample_qp *qps;
	size_t n_qps;
};

/**
 * sample_read() - read all devices, or one
 * @name: of the device, or NULL
 * @sample: to be released with sample_put(), whatever is returned
 *
 * Return: the exit status.
 */
int sample_read(const struct ctx *ctx, const char *name, struct sample *sample);
void sample_put(struct sample *sample);

/**
 * sample_devices() - what the devices did between two readings
 *
 * Return: rows of device, netdev, state, qps and, each second: tx and rx (bits from transport
 * header to ICRC), tx_packets, rx_packets, retries, drops. To be put.
 */
struct json_object *sample_devices(const struct sample *before, const struct sample *after);

/* Rows of device, qpn, type, state, peer_qpn, packets (requests sent each second), pid, command. */
struct json_object *sample_qps(const struct sample *before, const struct sample *after);

#endif
