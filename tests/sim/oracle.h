/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The oracle of a host: knows what each work request must do to both memories,
 * in which order, and how it must complete; and checks that it does.
 *
 * Requests are predicted when they are posted, by a sequential model: a copy of
 * the peer's target memory ("shadow") to which they are applied one after the
 * other. What the peer's core does is held against that as it happens, packet by
 * packet; and all memory is compared with a model of it at the end, so that a
 * byte written where none belongs shows as well.
 */
#ifndef SIM_ORACLE_H
#define SIM_ORACLE_H

#include "host.h"

/* Work requests whose fate is remembered: also of those flushed a while ago. */
#define ORACLE_OPS   (2 * HOST_SQ)
#define ORACLE_RECVS (2 * HOST_RQ)

/**
 * struct op - a send work request as the oracle sees it
 * @wr_id: the oracle's choice
 * @pattern: what the data it carries follows from
 * @expected: the status that it must complete with, unless it is flushed
 * @recv_expected: the status of the receive that it uses
 * @orig: atomics: what the result must be
 * @expect: READ: what must be read
 * @free_to: for the allocator of local memory
 * @executed: has had its effect at the responder (or here, if local)
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

/* A receive as the oracle sees it. */
struct recv_op {
	struct recv recv;
	u64 free_to;
	bool bad_key;
};

/**
 * struct oracle - see above
 * @host: whose
 * @peer: the other side's
 * @model: what @host's memory must be
 * @shadow: what the peer's target memory will be when all posted is executed
 * @target: start of target memory, bytes from the start of memory
 * @target_len: its length
 * @op: requests by index
 * @prod: requests posted
 * @cons: requests retired
 * @exec: the request that the responder executes next
 * @exec_off: bytes of it executed
 * @recv: receives by index
 * @recv_prod: receives posted
 * @recv_taken: receives that the core has taken
 * @recv_cons: receives completed
 * @error: status of the completion that ended the connection, 0 if none
 * @clean: the link delivers everything in order
 * @lenient: the retries may well be used up by what the link does
 * @may_fail: the connection may end without a fault of this side's requests
 * @may_flush: what precedes a request that fails may be flushed
 * @base_valid: something is being tried
 * @base: since when the oldest request is being tried
 * @base_una: its PSN
 * @base_retry: rewinds but for timeouts up to then
 * @base_rnr: RNR NAKs received up to then
 * @last_retry: rewinds but for timeouts up to the last check
 * @last_rnr: RNR NAKs received up to the last check
 * @last_rnr_until: how long the peer was given time then, 0 if it was not
 * @progress_at: when something was last executed or completed
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

/* Forget a former connection; the memories are in place. */
void oracle_reset(struct oracle *o);

/* The next request, to be filled in; and to be predicted, once it is. */
struct op *oracle_next_op(struct oracle *o, u64 wr_id);
void oracle_posted(struct oracle *o);

/* The same for receives. */
struct recv_op *oracle_next_recv(struct oracle *o, u64 wr_id);
void oracle_recv_posted(struct oracle *o);

/* Bytes [@offset, @offset + @len) of the data of @pattern. */
void oracle_fill(u64 pattern, u32 offset, u8 *to, u32 len);

/* What happens at a host, told to its oracle; see struct host_client. */
void oracle_complete(struct oracle *o, const struct roce_wc *wc);
void oracle_wrote(struct oracle *o, u64 va, const u8 *data, u32 len);
void oracle_received(struct oracle *o, u32 offset, const u8 *data, u32 len);
void oracle_flushed(struct oracle *o, const struct roce_pkt *pkt);
void oracle_atomic(struct oracle *o, const struct roce_pkt *pkt, u64 old);
int oracle_invalidated(struct oracle *o, u32 rkey);
void oracle_local_op(struct oracle *o, const struct roce_send_wqe *wqe);
void oracle_recv_taken(struct oracle *o, const struct recv *recv);

/* Retire what has completed, and check the core's invariants. */
void oracle_check(struct oracle *o);

/* At the end: everything has completed, and memory is what it must be. */
void oracle_finish(struct oracle *o);

static inline struct op *oracle_op(struct oracle *o, u32 i)
{
	return &o->op[i % ORACLE_OPS];
}

#endif
