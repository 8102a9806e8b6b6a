/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receive buffers of Slingshot adapters (module cxi_eth).
 */
#ifndef RXECTL_DOCTOR_SYSTEM_H
#define RXECTL_DOCTOR_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Value of the module parameter large_pkts_buf_count that RoCE needs. */
#define CXI_BUFFERS "10000"

/**
 * cxi_lacks_buffers() - compare the number of buffers for large packets with CXI_BUFFERS
 * @count: the present value of large_pkts_buf_count
 * @size: of @count, bytes
 *
 * Return: true if cxi_eth is loaded with another value.
 */
bool cxi_lacks_buffers(char *count, size_t size);

#endif
