/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One end of a reliable connection, with memory that both ends write to and read from.
 *
 * What goes wrong is written to @why (why.h).
 */
#ifndef RXECTL_RC_H
#define RXECTL_RC_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/errbuf.h"

#define RC_BUFFER (1024U * 1024)

/*
 * How long an operation may take, in seconds. One without an answer fails after two, on a machine
 * that is too busy to look after its timers later.
 */
#define RC_PATIENCE 15

struct rc;

/**
 * struct rc_end - what one end tells the other
 * @mtu: path MTU in bytes, the largest that it would use
 */
struct rc_end {
	uint32_t qpn;
	uint32_t psn;
	uint32_t rkey;
	uint32_t mtu;
	uint64_t va;
	struct in6_addr gid;
};

/* Opens a device for the GID of @index, @gid. Return: NULL with @why. */
struct rc *rc_open(const char *device, unsigned int index, const struct in6_addr *gid, char *why);

/* NULL is accepted. */
void rc_close(struct rc *rc);

/* A new queue pair, not connected; the one before is given up. */
bool rc_renew(struct rc *rc, char *why);

/* After rc_renew(). */
void rc_self(const struct rc *rc, struct rc_end *self);

/* Connects to @peer; @peer->mtu is the one to use, at most rc_self()'s. */
bool rc_connect(struct rc *rc, const struct rc_end *peer, char *why);

/* Posts one WRITE or READ of @len bytes at @offset of both buffers. */
bool rc_post(struct rc *rc, bool read, uint32_t offset, uint32_t len, char *why);

/* Waits until one of the posted is done. */
bool rc_wait(struct rc *rc, char *why);

/* The buffer, RC_BUFFER bytes. */
unsigned char *rc_buffer(const struct rc *rc);

#endif
