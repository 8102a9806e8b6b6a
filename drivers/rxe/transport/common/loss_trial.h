/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trial of pacing: whether losses are due to the rate at which packets are sent.
 *
 * A queue of less than 300 us does not show in the RTT, and the policer of a cloud has no queue at
 * all. So such losses look like random ones. But paced to less than the rate of the path, packets
 * are no longer lost there, and on a path with random loss as many are lost as before.
 *
 * For packets that the receiver takes in order only, so that it is known at each loss how many it
 * has received since the last one: READ responses to a standard requester, and requests to a
 * responder that buffers none.
 */
#ifndef ROCE_LOSS_TRIAL_H
#define ROCE_LOSS_TRIAL_H

#include <roce/qp_state.h>

/**
 * roce_loss_trial_on_loss() - process a loss
 * @trial: trial
 * @now: time, ns
 * @psn: the peer has received the packets before it
 * @paced: packets are paced
 *
 * Return: the state. The caller starts pacing when it changes from ROCE_LOSS_TRIAL_NONE, and stops
 * pacing when it changes to it.
 */
enum roce_loss_trial_state roce_loss_trial_on_loss(struct roce_loss_trial *trial, u64 now, u32 psn,
						   bool paced);

/* Forget a trial: packets are no longer paced. */
static inline void roce_loss_trial_end(struct roce_loss_trial *trial)
{
	trial->state = ROCE_LOSS_TRIAL_NONE;
	trial->losses = 0;
}

#endif
