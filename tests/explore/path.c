// SPDX-License-Identifier: GPL-2.0
/*
 * Path of decisions, and the hash set of visited states (open addressing).
 */
#include <stdlib.h>
#include <string.h>

#include "path.h"

static u64 *slots;
static u64 room, used;

static bool insert(u64 *table, u64 size, u64 hash)
{
	u64 i;

	for (i = hash & (size - 1); table[i]; i = (i + 1) & (size - 1))
		if (table[i] == hash)
			return false;
	table[i] = hash;
	return true;
}

static void grow(void)
{
	u64 size = room ? 2 * room : 1 << 16, i;
	u64 *table = calloc(size, sizeof(*table));

	if (!table)
		abort();
	for (i = 0; i < room; i++)
		if (slots[i])
			insert(table, size, slots[i]);
	free(slots);
	slots = table;
	room = size;
}

/* Return: true if the state is new. */
static bool visit(u64 hash)
{
	if (2 * used >= room)
		grow();
	if (!insert(slots, room, hash | 1))
		return false;
	used++;
	return true;
}

int path_choose(struct path *p, u32 n, u64 hash)
{
	u32 i = p->at++;

	if (p->given)
		return i < p->len && p->taken[i] < n ? p->taken[i] : 0;
	if (i < p->len)
		return p->hash[i] == hash && p->of[i] == n ? p->taken[i] : PATH_UNSTABLE;
	if (i == PATH_MAX_LEN)
		return PATH_TOO_LONG;
	if (!visit(hash))
		return PATH_VISITED;
	p->taken[i] = 0;
	p->of[i] = n;
	p->hash[i] = hash;
	p->len++;
	return 0;
}

bool path_next(struct path *p)
{
	p->at = 0;
	while (p->len && p->taken[p->len - 1] + 1 == p->of[p->len - 1])
		p->len--;
	if (!p->len)
		return false;
	p->taken[p->len - 1]++;
	return true;
}

void path_forget(void)
{
	if (slots)
		memset(slots, 0, room * sizeof(*slots));
	used = 0;
}

u64 path_states(void)
{
	return used;
}
