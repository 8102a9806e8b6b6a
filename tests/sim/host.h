/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A host: one QP of the core, the memory it reaches, its receive queue, and the
 * way to and from the link.
 */
#ifndef SIM_HOST_H
#define SIM_HOST_H

#include <roce/qp.h>

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

/* A posted receive, as the user has it. */
struct recv {
	u64 wr_id;
	u32 length;
	u32 num_sge;
	struct roce_sge sge[HOST_SGES];
	bool malformed;
};

struct host;

/* What is left of a record of the responder whose host narrows them. */
struct narrowed {
	u32 first_psn;
	u64 va;
};

/**
 * struct host_client - who uses the host, and is told what happens
 * @complete: a completion
 * @event: an asynchronous event
 * @wrote: a WRITE's packet has been put at @va
 * @flushed: a FLUSH has been executed
 * @received: a packet has been scattered @offset bytes into the receive in use
 * @atomic: an atomic has been executed; the memory was @old
 * @invalidated: the peer invalidates @rkey: 0 or -errno
 * @local_op: REG_MR, LOCAL_INV, BIND_MW
 * @recv_taken: the core has taken the receive
 * @readable: may the payload of @run be read now? false makes roce_tx_failed()
 * @work: @host->work_at has come
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
 * struct host_config - how the host treats the core
 * @rx_batch: packets handed to roce_rx() at once
 * @rx_delay: how long a packet may wait for others before it is taken, ns
 * @tx_batch: packets asked of roce_tx() at once
 * @tx_queue: how long the queue of the interface may be, ns
 * @timer_slack: how late the timer may fire, ns
 * @hold: percent of the packets that can be held; 0: the core is not offered to
 * @trusts_idle: roce_tx() is not called if roce_tx_idle() says so; else it must return 0 then
 * @narrows: a READ asked for again from some packet on is forgotten up to that packet, as
 *	Linux's own driver does; needs a @rx_batch of 1
 * @flush_batch: completions asked of roce_flush() at once
 */
struct host_config {
	u32 rx_batch;
	u32 rx_delay;
	u32 tx_batch;
	u32 tx_queue;
	u32 timer_slack;
	u32 hold;
	u32 flush_batch;
	bool trusts_idle;
	bool narrows;
};

/**
 * struct host - see above
 * @base: VA of @mem
 * @rq_prod: receives ever posted
 * @rq_cons: receives ever taken by the core
 * @rx_at: when the frames that have arrived are handed to the core
 * @tx_at: when the interface takes more
 * @timer_at: when the timer fires
 * @work_at: when the client wants to work
 * @nheld: packets that the core holds
 * @ops: what the core is given
 * @narrowed: records, in the order of @res
 * @in_timer: roce_timeout() is being called
 * @resources: the responder's depth
 */
struct host {
	struct sim *sim;
	struct host *peer;
	const struct host_client *client;
	void *user;
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
	u32 nheld;
	bool in_timer;
	struct roce_ops ops;
	u32 resources;
	struct roce_rsrc res[HOST_RES];
	struct narrowed narrowed[HOST_RES];
	struct roce_tx_batch batch;
	u64 counts[ROCE_COUNTS];
};

/* A host in state RESET; @h->sim, id, peer, client and config are set. */
void host_init(struct host *h, u64 base, u8 *mem, u32 size);
void host_destroy(struct host *h);

/* Back to RESET, with nothing queued, and @h->config taken anew. */
void host_reset(struct host *h);

/* Post the WQEs that have been written to the next @n slots. */
void host_post(struct host *h, u32 n);
void host_post_recv(struct host *h, const struct recv *recv);

/* A frame arrives. */
void host_arrive(struct host *h, struct frame *f);

/* When host_run() is due; and do what is due. */
u64 host_next_at(const struct host *h);
void host_run(struct host *h);

/* Modify, and see to the consequences at once. */
void host_modify(struct host *h, const struct roce_attr *attr, u32 mask);
void host_set_resources(struct host *h, u32 n);

/* The memory of a VA range, or NULL if it is not all the host's. */
u8 *host_at(const struct host *h, u64 va, u32 len);

#endif
