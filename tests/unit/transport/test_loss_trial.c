// SPDX-License-Identifier: GPL-2.0
/*
 * Trial of pacing: its state after each loss.
 *
 * The log of a loss is the state, - no trial, r it runs, w pacing prevents losses; and, while
 * packets are not paced, the average of those received from one loss to the next.
 */
#include "event_rows.h"
#include <roce/psn.h>
#include "transport/common/loss_trial.h"

#define LOSSES 28
#define FIRST  0xffffe0u /* PSNs wrap between the first losses */

/**
 * struct loss - a loss
 * @received: packets received since the loss before
 * @ms: time since the loss before, ms
 * @paced: packets are paced for another reason; those of a trial are in any case
 * @end: the end of the trial by the caller, no loss
 */
struct loss {
	s32 received;
	u32 ms;
	bool paced;
	bool end;
};

struct row {
	const char *name;
	struct loss losses[LOSSES];
	const char *log;
};

#define RECEIVED(n)                      \
	{                                \
		.received = (n), .ms = 1 \
	}
#define LATER(n, ms_)                        \
	{                                    \
		.received = (n), .ms = (ms_) \
	}
#define PACED(n)                                        \
	{                                               \
		.received = (n), .ms = 1, .paced = true \
	}
#define TRIAL_ENDS                   \
	{                            \
		.ms = 1, .end = true \
	}
#define FOUR(n)	RECEIVED(n), RECEIVED(n), RECEIVED(n), RECEIVED(n)
#define EIGHT(n) FOUR(n), FOUR(n)

static bool run_row(const struct row *row)
{
	static const char letters[] = "-rw";
	struct roce_loss_trial trial = { .psn = FIRST };
	enum roce_loss_trial_state state;
	struct event_log log = { .len = 0 };
	const struct loss *loss;
	u64 now = START;
	u32 psn = FIRST;

	for (loss = row->losses; loss->ms; loss++) {
		now += loss->ms * 1000 * US;
		psn = roce_psn_add(psn, loss->received);
		if (loss->end) {
			roce_loss_trial_end(&trial);
			continue;
		}
		state = roce_loss_trial_on_loss(&trial, now, psn, loss->paced || trial.state);
		if (state)
			log_say(&log, "%c", letters[state]);
		else
			log_say(&log, "%c%d", letters[state], trial.per_loss);
	}
	return log_equal(&log, row->name, row->log);
}

static void states(void **state)
{
	static const struct row rows[] = {
		{ "the ninth loss begins a trial",
		  { EIGHT(20), RECEIVED(20) },
		  "-0 -20 -20 -20 -20 -20 -20 -20 r" },
		{ "the average of uneven losses, those of timeouts without a response among them",
		  { RECEIVED(9), RECEIVED(40), RECEIVED(0), RECEIVED(100), RECEIVED(20) },
		  "-0 -40 -20 -46 -40" },
		{ "no trial at a loss of less than 0.4 %",
		  { EIGHT(256), RECEIVED(256), RECEIVED(255), RECEIVED(247) },
		  "-0 -256 -256 -256 -256 -256 -256 -256 -256 -256 r" },
		{ "nor if nothing arrives",
		  { EIGHT(0), RECEIVED(0), RECEIVED(0) },
		  "-0 -0 -0 -0 -0 -0 -0 -0 -0 -0" },
		{ "losses while paced neither count nor begin a trial",
		  { EIGHT(20), PACED(1000), PACED(1000), RECEIVED(20) },
		  "-0 -20 -20 -20 -20 -20 -20 -20 -20 -20 r" },
		{ "four times the average without a loss: pacing prevents losses",
		  { EIGHT(20), RECEIVED(20), RECEIVED(80), RECEIVED(20), RECEIVED(19), RECEIVED(20),
		    RECEIVED(19) },
		  "-0 -20 -20 -20 -20 -20 -20 -20 r w w w w w" },
		{ "a loss before that: it does not",
		  { EIGHT(20), RECEIVED(20), RECEIVED(79) },
		  "-0 -20 -20 -20 -20 -20 -20 -20 r -20" },
		{ "two early losses in succession later on: it does not any more",
		  { EIGHT(20), RECEIVED(20), RECEIVED(80), RECEIVED(19), RECEIVED(19) },
		  "-0 -20 -20 -20 -20 -20 -20 -20 r w w -20" },
		{ "the next trial begins after 4 s, and needs nine losses",
		  { EIGHT(20), RECEIVED(20), RECEIVED(9), EIGHT(20),
		    LATER(20, 3992) },
		  "-0 -20 -20 -20 -20 -20 -20 -20 r -20 -0 -20 -20 -20 -20 -20 -20 -20 r" },
		{ "early losses of an earlier trial do not count",
		  { EIGHT(20), RECEIVED(20), RECEIVED(80), RECEIVED(19), TRIAL_ENDS,
		    EIGHT(20), RECEIVED(20), RECEIVED(80), RECEIVED(19) },
		  "-0 -20 -20 -20 -20 -20 -20 -20 r w w -0 -20 -20 -20 -20 -20 -20 -20 r w w" },
		{ "a READ repeated from an earlier response on counts as none",
		  { RECEIVED(9), RECEIVED(20), RECEIVED(-10) },
		  "-0 -20 -10" },
	};

	(void)state;
	run_all(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
