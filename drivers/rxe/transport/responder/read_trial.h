/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trial of pacing: whether losses of READ responses are due to their rate.
 *
 * A queue of less than 300 us does not show in the RTT, and the policer of a cloud has no queue at
 * all. So such losses look like random ones. But paced to less than the rate of the path, responses
 * are no longer lost there, and on a path with random loss as many are lost as before.
 */
#ifndef ROCE_READ_TRIAL_H
#define ROCE_READ_TRIAL_H

#include <roce/qp_state.h>

/**
 * roce_read_trial_on_loss() - process a loss of responses
 * @trial: trial
 * @now: time, ns
 * @psn: the requester has received the responses before it
 * @paced: the responses are paced
 *
 * Return: the state. The caller starts pacing when it changes from ROCE_READ_TRIAL_NONE, and stops
 * pacing when it changes to it.
 */
enum roce_read_trial_state roce_read_trial_on_loss(struct roce_read_trial *trial, u64 now, u32 psn,
						   bool paced);

/* Forget a trial: responses are no longer paced. */
static inline void roce_read_trial_end(struct roce_read_trial *trial)
{
	trial->state = ROCE_READ_TRIAL_NONE;
	trial->losses = 0;
}

#endif
