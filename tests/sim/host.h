/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A host: one QP of the transport, its memory, its receive queue, and its transmit and receive
 * paths to the link.
 */
#ifndef SIM_HOST_H
#define SIM_HOST_H

#include <roce/qp.h>

#include "gso.h"
#include "link.h"

#define HOST_SGES    8
#define HOST_INLINE  256
#define HOST_SQ	     128
#define HOST_RQ	     128
#define HOST_RES     16
#define HOST_REGIONS 4
#define HOST_BATCH   32

/**
 * struct region - a memory region
 * @key: local and remote key
 * @access: ROCE_ACCESS_*
 * @start: bytes from the start of the host's memory
 * @len: bytes
 */
struct region {
	u32 key;
	u32 access;
	u32 start;
	u32 len;
};

/* A posted receive. */
struct recv {
	u64 wr_id;
	u32 length;
	u32 num_sge;
	struct roce_sge sge[HOST_SGES];
	bool malformed;
};

struct host;
struct oracle;

/* The remaining part of a responder resource, of a host that narrows them. */
struct narrowed {
	u32 first_psn;
	u64 va;
};

/**
 * struct host_client - callbacks of the host's user
 * @complete: a completion
 * @event: an asynchronous event
 * @wrote: a WRITE packet has been copied to @va
 * @flushed: a FLUSH has been executed
 * @received: a packet has been scattered @offset bytes into the receive in use
 * @atomic: an atomic has been executed; the memory was @old
 * @invalidated: the peer invalidates @rkey: 0 or -errno
 * @local_op: REG_MR, LOCAL_INV, BIND_MW
 * @recv_taken: the transport has taken the receive
 * @readable: the payload of @run can be read; if false, the host calls roce_tx_failed()
 * @work: @host->work_at has passed
 */
struct host_client {
	void (*complete)(struct host *h, const struct roce_wc *wc);
	void (*event)(struct host *h, enum roce_event event);
	void (*wrote)(struct host *h, u64 va, const u8 *data, u32 len);
	void (*flushed)(struct host *h, const struct roce_pkt *pkt);
	void (*received)(struct host *h, u32 offset, const u8 *data, u32 len);
	void (*atomic)(struct host *h, const struct roce_pkt *pkt, u64 old);
	int (*invalidated)(struct host *h, u32 rkey);
	enum roce_status (*local_op)(struct host *h, struct roce_send_wqe *wqe);
	void (*recv_taken)(struct host *h, const struct recv *recv);
	bool (*readable)(struct host *h, const struct roce_tx_run *run);
	void (*work)(struct host *h);
};

/**
 * struct host_config - how the host calls the transport
 * @rx_batch: maximum packets per call of roce_rx()
 * @rx_delay: maximum time that a packet waits for a batch, ns
 * @tx_batch: maximum packets per call of roce_tx()
 * @tx_queue: maximum length of the interface's queue, ns
 * @timer_slack: maximum lateness of the timer, ns
 * @retain: percent of the packets that can be retained; 0: no retain_pkt() op
 * @trusts_idle: roce_tx() is not called on an idle QP; otherwise it is, and must return 0
 * @narrows: a duplicate READ of the rest drops the resource's part before it, as
 *	Linux's own driver does; needs a @rx_batch of 1
 * @flush_batch: maximum completions per call of roce_flush()
 * @counted: a benchmark counts the instructions of the transport: do not call it to check it
 */
struct host_config {
	u32 rx_batch;
	u32 rx_delay;
	u32 tx_batch;
	u32 tx_queue;
	u32 timer_slack;
	u32 retain;
	u32 flush_batch;
	bool trusts_idle;
	bool narrows;
	bool counted;
};

/**
 * struct host - one QP and its surroundings
 * @oracle: predicts the effects of its requests; NULL if there is none
 * @base: VA of @mem
 * @rq_prod: receives posted so far
 * @rq_cons: receives taken by the transport so far
 * @rx_at: when received frames are passed to the transport
 * @tx_at: when the interface accepts more packets
 * @timer_at: when the timer fires
 * @work_at: when to call the client's work()
 * @nretained: packets that the transport retains
 * @ops: the transport's ops
 * @narrowed: narrowed resources, in the order of @res
 * @gso: GSO state of an RC QP
 * @in_timer: within roce_timeout()
 * @resources: the responder's depth
 */
struct host {
	struct sim *sim;
	struct host *peer;
	const struct host_client *client;
	void *user;
	struct oracle *oracle;
	u8 id;
	bool ipv6;
	struct host_config config;
	struct roce_qp qp;
	u64 base;
	u8 *mem;
	u32 mem_size;
	struct region region[HOST_REGIONS];
	u32 nregions;
	struct recv rq[HOST_RQ];
	u32 rq_prod;
	u32 rq_cons;
	struct frame *rx_head;
	struct frame **rx_tail;
	u32 rx_count;
	u64 rx_at;
	u64 tx_at;
	u64 timer_at;
	u64 work_at;
	u32 nretained;
	struct gso gso;
	bool in_timer;
	struct roce_ops ops;
	u32 resources;
	struct roce_rsrc res[HOST_RES];
	struct narrowed narrowed[HOST_RES];
	struct roce_tx_quota quota;
	struct roce_tx_batch batch;
	u64 counts[ROCE_COUNTS];
};

/* A host in state RESET; @h->sim, id, peer, client and config are set. */
void host_init(struct host *h, u64 base, u8 *mem, u32 size);
void host_destroy(struct host *h);

/* Return to RESET with empty queues, and apply @h->config. */
void host_reset(struct host *h);

/* Post the WQEs that have been written to the next @n slots. */
void host_post(struct host *h, u32 n);
void host_post_recv(struct host *h, const struct recv *recv);

/* A frame arrives. */
void host_arrive(struct host *h, struct frame *f);

/* Return the time of the next host_run(); run the host's due events. */
u64 host_next_at(const struct host *h);
void host_run(struct host *h);

/* Modify the QP, and schedule the transmission that this may allow. */
void host_modify(struct host *h, const struct roce_attr *attr, u32 mask);
void host_set_resources(struct host *h, u32 n);

/* The memory of a VA range, or NULL unless all of it is the host's. */
u8 *host_at(const struct host *h, u64 va, u32 len);

#endif
