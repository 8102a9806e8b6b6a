/* SPDX-License-Identifier: GPL-2.0 */
/* Exchange of connection parameters over TCP. Received lines are validated, and made printable. */
#ifndef RXECTL_WIRE_H
#define RXECTL_WIRE_H

#include <stdbool.h>

#include "perf/rc.h"

/* Path MTUs, bytes (IBTA 9.7.4.1). */
#define PEER_MIN_MTU 256
#define PEER_MAX_MTU 4096

/* Timeout of a line, seconds. */
#define PEER_PATIENCE 10

/* Interval of the client's empty lines, seconds. */
#define PEER_KEEPALIVE 15

/* Set a socket timeout. @option: SO_RCVTIMEO or SO_SNDTIMEO. */
void peer_wire_patience(int fd, int option, long seconds);

bool peer_wire_send(int fd, const struct rc_end *end, char *why);

/* Receive a line. @left: receives true at the end of file; NULL if that is an error. */
bool peer_wire_receive(int fd, struct rc_end *end, bool *left, char *why);

/* Send an empty line, which the other end skips. */
void peer_wire_keepalive(int fd);

/* Receive the client's line and reply with an error. */
void peer_wire_refuse(int fd, const char *why);

#endif
