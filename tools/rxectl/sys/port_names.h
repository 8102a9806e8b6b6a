/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words for the numbers that ports have, as the "rdma" command and ibv_devinfo write them.
 */
#ifndef RXECTL_PORT_H
#define RXECTL_PORT_H

#include <stdint.h>

const char *port_state(uint8_t state);
const char *port_phys_state(uint8_t state);

#endif
