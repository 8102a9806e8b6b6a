/* SPDX-License-Identifier: GPL-2.0 */
/* Profiles: named sets of settings, which can be applied and reverted. */
#ifndef RXECTL_PROFILE_H
#define RXECTL_PROFILE_H

#include <stdbool.h>

struct ctx;
struct json_object;
struct netns;

/*
 * Record of changes for profile_revert(). In /run, as neither the changes nor the record survive a
 * boot.
 */
#define PROFILE_RECORD "/run/rxe/tuned.json"

struct profile;

/* Return: the profile, or NULL for an unknown name. */
const struct profile *profile_find(const char *name);

/* Names of all profiles. */
#define PROFILE_NAMES "slingshot"

#define PROFILE_WHY 192

/**
 * profile_fits() - test whether a profile is meant for the adapter of an interface
 * @profile: the profile
 * @ns: network namespace of the interface
 * @netdev: the interface
 * @why: receives the reason if the profile does not fit
 *
 * Return: true if the driver or a private flag shows that the adapter is of the profile's kind.
 */
bool profile_fits(const struct profile *profile, const struct netns *ns, const char *netdev,
		  char why[PROFILE_WHY]);

/**
 * profile_diff() - list the settings that differ from a profile
 * @profile: the profile
 * @ns: network namespace of the interface
 * @netdev: the interface
 * @keep_mtu: leave out the MTU, which the configuration sets
 *
 * Settings that do not exist on this system are left out.
 *
 * Return: rows of netdev, setting, before and after, to be released.
 */
struct json_object *profile_diff(const struct profile *profile, const struct netns *ns,
				 const char *netdev, bool keep_mtu);

/**
 * profile_settings() - list the settings of a profile, without looking at the system
 * @profile: the profile
 * @netdev: the interface
 *
 * Return: rows of netdev, setting, before (null) and after, to be released.
 */
struct json_object *profile_settings(const struct profile *profile, const char *netdev);

/**
 * profile_apply() - apply a profile and record the changes
 * @ctx: output stream and format
 * @profile: the profile
 * @ns: network namespace of the interface
 * @netdev: the interface
 * @keep_mtu: leave the MTU unchanged
 * @rows: receives the changes; release it also after an error
 *
 * A setting that cannot be changed is reported; the others are still changed.
 *
 * Return: the exit status.
 */
int profile_apply(const struct ctx *ctx, const struct profile *profile, const struct netns *ns,
		  const char *netdev, bool keep_mtu, struct json_object **rows);

/**
 * profile_revert() - revert the recorded changes of an interface
 * @ctx: output stream and format
 * @ns: network namespace of the interface
 * @netdev: the interface
 * @rows: receives the reverted changes; release it also after an error
 *
 * System settings are reverted with the last tuned interface. A setting that was changed after
 * profile_apply() is kept, and a hint says so. If the interface is gone, its changes leave the
 * record.
 *
 * Return: the exit status.
 */
int profile_revert(const struct ctx *ctx, const struct netns *ns, const char *netdev,
		   struct json_object **rows);

/* Return: the rows of the record, to be released. */
struct json_object *profile_recorded(void);

/* Return: true if a profile has been applied to the interface, and not reverted. */
bool profile_has_tuned(const char *netdev);

#endif
