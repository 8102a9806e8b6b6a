/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The oracle of a host: predicts the effect of each work request on both memories, the order of
 * these effects and the completion, and compares them with the actual ones.
 *
 * Requests are predicted when they are posted, by a sequential model: a copy of
 * the peer's target memory ("shadow") to which they are applied one after the
 * other. Each packet that the peer's transport executes is compared with that model; and all
 * memory is compared with its model at the end, which also finds stray writes.
 */
#ifndef SIM_ORACLE_H
#define SIM_ORACLE_H

#include "host.h"

/* Work requests that are recorded, recently flushed ones included. */
#define ORACLE_OPS   (2 * HOST_SQ)
#define ORACLE_RECVS (2 * HOST_RQ)

/**
 * struct op - a send work request with its expected effects
 * @wr_id: chosen by the oracle
 * @pattern: seed of its payload
 * @expected: status of its completion, unless it is flushed
 * @recv_expected: status of the receive that it uses
 * @orig: atomics: expected result
 * @expect: READ: expected data
 * @free_to: for the allocator of local memory
 * @executed: executed by the responder (or here, if local)
 * @invalidated: SEND_INV: the key has been invalidated
 * @completed: its completion has been seen
 * @status: that completion's
 *
 * The other fields are those of the WQE.
 */
struct op {
	u64 wr_id;
	u64 pattern;
	u64 remote_addr;
	u64 compare;
	u64 swap_add;
	u64 orig;
	u64 free_to;
	u8 *expect;
	u32 length;
	u32 rkey;
	u32 inv_rkey;
	__be32 imm;
	u32 num_sge;
	struct roce_sge sge[HOST_SGES];
	u8 opcode;
	u8 flags;
	u8 expected;
	u8 recv_expected;
	bool executed;
	bool invalidated;
	bool completed;
	u8 status;
};

/* A receive with the oracle's data. */
struct recv_op {
	struct recv recv;
	u64 free_to;
	bool bad_key;
};

/**
 * struct oracle - model of a host
 * @host: the host
 * @peer: oracle of the other side
 * @model: expected contents of @host's memory
 * @shadow: contents of the peer's target memory after all posted requests
 * @target: start of target memory, bytes from the start of memory
 * @target_len: its length
 * @op: requests by index
 * @prod: requests posted
 * @cons: requests retired
 * @exec: the request that the responder executes next
 * @exec_off: bytes of it executed
 * @recv: receives by index
 * @recv_prod: receives posted
 * @recv_taken: receives that the transport has taken
 * @recv_cons: receives completed
 * @error: status of the completion that ended the connection, 0 if none
 * @clean: the link delivers all packets in order
 * @lenient: the link may exhaust the retries
 * @may_fail: the connection may end without a fault of this side's requests
 * @may_flush: requests before one that fails may be flushed
 * @base_valid: a request is in flight
 * @base: when the oldest request became the oldest
 * @base_una: its PSN
 * @base_retry: rewinds up to then, without timeouts
 * @base_rnr: RNR NAKs received up to then
 * @last_retry: rewinds up to the last check, without timeouts
 * @last_rnr: RNR NAKs received up to the last check
 * @last_rnr_until: expiry of the RNR timer at the last check, 0 if inactive
 * @progress_at: time of the last execution or completion
 */
struct oracle {
	struct host *host;
	struct oracle *peer;
	u8 *model;
	u8 *shadow;
	u32 target;
	u32 target_len;
	struct op op[ORACLE_OPS];
	u32 prod;
	u32 cons;
	u32 exec;
	u32 exec_off;
	struct recv_op recv[ORACLE_RECVS];
	u32 recv_prod;
	u32 recv_taken;
	u32 recv_cons;
	u8 error;
	bool clean;
	bool lenient;
	bool may_fail;
	bool may_flush;
	bool base_valid;
	u64 base;
	u32 base_una;
	u64 base_retry;
	u64 base_rnr;
	u64 last_retry;
	u64 last_rnr;
	u64 last_rnr_until;
	u64 progress_at;
};

/* Start a new connection; both memories have been filled. */
void oracle_reset(struct oracle *o);

/* Get the next request, to be filled in; predict its effects. */
struct op *oracle_next_op(struct oracle *o, u64 wr_id);
void oracle_posted(struct oracle *o);

/* The same for receives. */
struct recv_op *oracle_next_recv(struct oracle *o, u64 wr_id);
void oracle_recv_posted(struct oracle *o);

/* Bytes [@offset, @offset + @len) of the data of @pattern. */
void oracle_fill(u64 pattern, u32 offset, u8 *to, u32 len);

void oracle_complete(struct oracle *o, const struct roce_wc *wc);
void oracle_local_op(struct oracle *o, const struct roce_send_wqe *wqe);

/* Callbacks of struct host_client, for a host with an oracle. */
void oracle_wrote(struct host *h, u64 va, const u8 *data, u32 len);
void oracle_received(struct host *h, u32 offset, const u8 *data, u32 len);
void oracle_flushed(struct host *h, const struct roce_pkt *pkt);
void oracle_atomic(struct host *h, const struct roce_pkt *pkt, u64 old);
int oracle_invalidated(struct host *h, u32 rkey);
void oracle_recv_taken(struct host *h, const struct recv *recv);

/* Retire completed requests, and check the transport's invariants. */
void oracle_check(struct oracle *o);

/* At the end: all requests must have completed, and memory must match the model. */
void oracle_finish(struct oracle *o);

static inline struct op *oracle_op(struct oracle *o, u32 i)
{
	return &o->op[i % ORACLE_OPS];
}

#endif
