/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What client and server of a test tell each other over TCP. What comes in is checked, and made
 * printable where it may be shown.
 */
#ifndef RXECTL_WIRE_H
#define RXECTL_WIRE_H

#include <stdbool.h>

#include "perf/rc.h"

/* Path MTUs, bytes (IBTA 9.7.4.1). */
#define PEER_MIN_MTU 256
#define PEER_MAX_MTU 4096

/* How long one side waits for the other's line, in seconds. */
#define PEER_PATIENCE 10

/* @option: SO_RCVTIMEO or SO_SNDTIMEO */
void peer_wire_patience(int fd, int option, long seconds);

bool peer_wire_send(int fd, const struct rc_end *end, char *why);

/* @left: says whether the peer closed the connection; NULL where it must not. */
bool peer_wire_receive(int fd, struct rc_end *end, bool *left, char *why);

/* Answers the client's line, once there is one, with why there will be no test. */
void peer_wire_refuse(int fd, const char *why);

#endif
