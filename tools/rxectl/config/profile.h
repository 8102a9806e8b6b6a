/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Profiles: named sets of settings, what has been changed for them, and the way back.
 */
#ifndef RXECTL_PROFILE_H
#define RXECTL_PROFILE_H

#include <stdbool.h>

struct ctx;
struct json_object;
struct netns;

/* Rows of what has been changed, for profile_revert(). Gone after a boot, as the changes are. */
#define PROFILE_RECORD "/run/rxe/tuned.json"

struct profile;

/* Return: NULL for an unknown name. */
const struct profile *profile_find(const char *name);

/* All names. */
#define PROFILE_NAMES "slingshot"

/**
 * profile_diff() - which settings differ from a profile
 * @keep_mtu: the interface's MTU is somebody else's
 *
 * A setting that this system does not have is left out.
 *
 * Return: rows of netdev, setting, before and after, to be put.
 */
struct json_object *profile_diff(const struct profile *profile, const struct netns *ns,
				 const char *netdev, bool keep_mtu);

/**
 * profile_apply() - change and record them
 * @rows: what has been changed, to be put, whatever is returned
 *
 * What cannot be changed is reported and does not keep the rest from being changed.
 *
 * Return: the exit status.
 */
int profile_apply(const struct ctx *ctx, const struct profile *profile, const struct netns *ns,
		  const char *netdev, bool keep_mtu, struct json_object **rows);

/**
 * profile_revert() - put back what profile_apply() has changed for an interface
 * @rows: what has been put back, to be put, whatever is returned
 *
 * Settings of the system are kept while other interfaces rely on them. What somebody else has
 * changed since stays as it is, and a hint says so.
 *
 * Return: the exit status.
 */
int profile_revert(const struct ctx *ctx, const struct netns *ns, const char *netdev,
		   struct json_object **rows);

/* The record's rows, to be put. */
struct json_object *profile_recorded(void);

#endif
