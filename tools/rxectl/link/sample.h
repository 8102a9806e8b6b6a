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
 * struct load - a reading
 * @when: seconds
 * @devices: with what they have counted so far
 * @qps: with the sequence numbers that they have come to
 */
struct load {
	double when;
	struct load_device *devices;
	size_t n_devices;
	struct load_qp *qps;
	size_t n_qps;
};

/**
 * load_read() - read all devices, or one
 * @name: of the device, or NULL
 * @load: to be released with load_put(), whatever is returned
 *
 * Return: the exit status.
 */
int load_read(const struct ctx *ctx, const char *name, struct load *load);
void load_put(struct load *load);

/**
 * load_devices() - what the devices did between two readings
 *
 * Return: rows of device, netdev, state, qps and, each second: tx and rx (bits from transport
 * header to ICRC), tx_packets, rx_packets, retries, drops. To be put.
 */
struct json_object *load_devices(const struct load *before, const struct load *after);

/* Rows of device, qpn, type, state, peer_qpn, packets (requests sent each second), pid, command. */
struct json_object *load_qps(const struct load *before, const struct load *after);

#endif
