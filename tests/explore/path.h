/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Depth-first search over the decisions of a run that is repeated from its start (stateless model
 * checking), with a set of visited states.
 */
#ifndef EXPLORE_PATH_H
#define EXPLORE_PATH_H

#include <linux/types.h>

#define PATH_MAX_LEN 512u

/**
 * struct path - the decisions of the current run
 * @taken: the alternative taken at each decision
 * @of: the number of alternatives there
 * @hash: the state there
 * @len: decisions known
 * @at: decisions made in this run
 * @given: the first @len decisions come from elsewhere, without states
 */
struct path {
	u8 taken[PATH_MAX_LEN];
	u8 of[PATH_MAX_LEN];
	u64 hash[PATH_MAX_LEN];
	u32 len;
	u32 at;
	bool given;
};

/* What path_choose() returns in place of an alternative. */
#define PATH_VISITED  -1 /* end the run: the state has been explored */
#define PATH_UNSTABLE -2 /* the run differs from the one before, with the same decisions */
#define PATH_TOO_LONG -3

/* Decide among @n alternatives, in the state that @hash describes. */
int path_choose(struct path *p, u32 n, u64 hash);

/* Go to the next path. Return: false if all have been explored. */
bool path_next(struct path *p);

/* Forget all states; the number of states visited since. */
void path_forget(void);
u64 path_states(void);

#endif
