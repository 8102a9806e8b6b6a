/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace of a simulation with --verbose: one line per event.
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include <roce/qp.h>

struct frame;
struct host;

/* A packet is sent; what the link did to it (enum link_fate). */
void trace_sent(const struct host *h, const struct frame *f);
void trace_fate(const struct host *h, u32 fate);

/* A packet is dropped because of its ICRC. */
void trace_bad_icrc(const struct host *h);

void trace_complete(const struct host *h, const struct roce_wc *wc);
void trace_event(const struct host *h, enum roce_event event);
void trace_count(const struct host *h, enum roce_count what, u32 n);
void trace_post(const struct host *h, const struct roce_send_wqe *wqe);
void trace_recv(const struct host *h, u64 wr_id, u32 length);
void trace_modify(const struct host *h, u8 state);

const char *trace_state(u8 state);
const char *trace_status(u8 status);
const char *trace_count_name(u32 what);

#endif
