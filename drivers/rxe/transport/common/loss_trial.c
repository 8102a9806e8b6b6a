// SPDX-License-Identifier: GPL-2.0
/* Trial of pacing: whether losses are due to the rate at which packets are sent. */
#include <linux/minmax.h>
#include <linux/time64.h>

#include <roce/psn.h>
#include "transport/common/loss_trial.h"

/* A trial needs nine losses, and the average of the eight intervals between them. */
#define MIN_LOSSES	9

/*
 * Loss of at least 0.4 %, else there is no trial. A queue of 64 packets of 1,024 bytes loses 1.2 %
 * if they enter it four times as fast as they leave it.
 */
#define MAX_PER_LOSS	256

/*
 * Pacing prevents losses if this many times the average are received without a loss. Random loss
 * looks like that in 1.8 % of trials (e^-4).
 */
#define GAIN		4

/*
 * Random loss has two losses in succession earlier than the average in 40 % of cases. The losses of
 * a paced stream are hundreds of packets apart.
 */
#define MAX_EARLY	2

/* Trials halve the rate on a path with random loss for some RTTs: one in 4 s. */
#define INTERVAL_NS	(4 * NSEC_PER_SEC)

static void update_average(struct roce_loss_trial *trial, s32 received)
{
	/* The first loss ends no interval. */
	if (trial->losses)
		trial->per_loss += (received - trial->per_loss) / trial->losses;
	else
		trial->per_loss = 0;
	trial->losses = min(trial->losses + 1, MIN_LOSSES);
}

static void give_up(struct roce_loss_trial *trial, u64 now)
{
	roce_loss_trial_end(trial);
	trial->next_time = now + INTERVAL_NS;
}

enum roce_loss_trial_state roce_loss_trial_on_loss(struct roce_loss_trial *trial, u64 now, u32 psn,
						   bool paced)
{
	s32 received = clamp(roce_psn_diff(psn, trial->psn), 0, GAIN * MAX_PER_LOSS);

	trial->psn = psn;
	switch (trial->state) {
	case ROCE_LOSS_TRIAL_NONE:
		if (paced)
			break;
		update_average(trial, received);
		if (trial->losses == MIN_LOSSES && trial->per_loss &&
		    trial->per_loss < MAX_PER_LOSS && now >= trial->next_time)
			trial->state = ROCE_LOSS_TRIAL_RUNS;
		break;
	case ROCE_LOSS_TRIAL_RUNS:
		trial->early = 0;
		if (received >= GAIN * trial->per_loss)
			trial->state = ROCE_LOSS_TRIAL_WON;
		else
			give_up(trial, now);
		break;
	case ROCE_LOSS_TRIAL_WON:
		trial->early = received < trial->per_loss ? trial->early + 1 : 0;
		if (trial->early == MAX_EARLY)
			give_up(trial, now);
		break;
	}
	return trial->state;
}
