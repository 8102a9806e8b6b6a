/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two connected RC queue pairs on two devices that are visible to one process.
 */
#ifndef TEST_PAIR_H
#define TEST_PAIR_H

#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdint.h>

#include "util.h"

/**
 * struct side - one end
 * @srq: SRQ of its QPs, NULL if they have receive queues of their own
 * @cap: capabilities of its QPs, which side_open() sets to some tens of WRs
 * @buf: @size bytes, registered with all rights
 */
struct side {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_srq *srq;
	struct ibv_qp_cap cap;
	struct ibv_mr *mr;
	uint8_t *buf;
	size_t size;
	union ibv_gid gid;
	int gid_index;
};

/**
 * struct pair_attr - parameters of pair_connect()
 * @mtu: path MTU
 * @timeout: local ACK timeout code
 * @psn: first PSN of both directions
 */
struct pair_attr {
	enum ibv_mtu mtu;
	uint8_t timeout;
	uint32_t psn;
};

/* Return: NULL if there is no such device, or it cannot be opened. */
struct ibv_context *device_try_open(const char *name);

/* The other functions exit on failure. */
struct ibv_context *device_open(const char *name);
/* Read a counter of the device's port (hw_counters). Takes 20 ms. */
uint64_t device_counter(const char *device, const char *name);
void side_open(struct side *s, const char *device, int gid_index, size_t size);
void side_create_qp(struct side *s);
void side_to_rtr(struct side *s, const struct side *peer, const struct pair_attr *attr);
void side_to_rts(struct side *s, const struct pair_attr *attr);
void pair_connect(struct side *a, struct side *b, const struct pair_attr *attr);
void side_destroy_qp(struct side *s);

/* Connect a QP on each side; destroy both, and drain their CQs. */
void pair_create(struct side *a, struct side *b, const struct pair_attr *attr);
void pair_destroy(struct side *a, struct side *b);
void side_close(struct side *s);

/* Connect the QP to itself, so that it can send without a peer. */
void qp_connect_to_self(struct ibv_qp *qp, const struct side *s);

/* Wait for a completion, 10 s at most; dies if none comes. */
void side_wait(struct side *s, struct ibv_wc *wc);

/* Wait for a completion, and die unless it is of @wr_id with @status. */
void side_expect(struct side *s, uint64_t wr_id, enum ibv_wc_status status,
		 struct ibv_wc *wc);

#endif
