/* SPDX-License-Identifier: GPL-2.0 */
/* RC queue pair with a buffer for RDMA WRITE and READ. Errors are written to @why (errbuf.h). */
#ifndef RXECTL_RC_H
#define RXECTL_RC_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/errbuf.h"

#define RC_BUFFER (1024U * 1024)

/*
 * Timeout of an operation, seconds. Without a response, the QP fails after about 2 s; the rest is
 * for hosts whose timers run late.
 */
#define RC_PATIENCE 15

struct rc;

/**
 * struct rc_end - connection parameters of one end
 * @qpn: QP number
 * @psn: first PSN
 * @rkey: of the buffer
 * @mtu: largest path MTU, bytes
 * @va: virtual address of the buffer
 * @gid: GID
 * @from: of a server's end: source address that it sees, as a GID; of others: unspecified
 * @keepalive: the end takes part in the keepalive of wire.h
 */
struct rc_end {
	uint32_t qpn;
	uint32_t psn;
	uint32_t rkey;
	uint32_t mtu;
	uint64_t va;
	struct in6_addr gid;
	struct in6_addr from;
	bool keepalive;
};

/* Open @device with GID @gid at @index. Return: NULL with @why. */
struct rc *rc_open(const char *device, unsigned int index, const struct in6_addr *gid, char *why);

/* Destroy all objects; @rc may be NULL. */
void rc_close(struct rc *rc);

/* Destroy the QP, if any, and create a new one in INIT. */
bool rc_renew(struct rc *rc, char *why);

/* Read the local connection parameters; valid after rc_renew(). */
void rc_self(const struct rc *rc, struct rc_end *self);

/* Move the QP to RTS. @peer->mtu is the path MTU, at most that of rc_self(). */
bool rc_connect(struct rc *rc, const struct rc_end *peer, char *why);

/* Post a WRITE or READ of @len bytes at @offset of both buffers. */
bool rc_post(struct rc *rc, bool read, uint32_t offset, uint32_t len, char *why);

/* Wait for one completion. */
bool rc_wait(struct rc *rc, char *why);

/* Return: the buffer, RC_BUFFER bytes. */
unsigned char *rc_buffer(const struct rc *rc);

#endif
