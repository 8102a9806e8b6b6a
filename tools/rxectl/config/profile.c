// SPDX-License-Identifier: GPL-2.0
/*
 * Profiles, and the record of changed settings: an array of rows in the order of the changes, {
 * "netdev": interface or null for the system, "setting", "before", "after" }. The first row of each
 * interface has the setting "profile", so that an interface is recorded even if none of its
 * settings changed.
 */
#include <errno.h>
#include <fnmatch.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "config/profile.h"
#include "config/setting.h"
#include "sys/ethtool.h"
#include "sys/netdev.h"
#include "util/files.h"

#define RECORD_DIR "/run/rxe"

struct wish {
	const char *setting;
	const char *value;
};

/**
 * struct profile - a profile, and the adapters that it is for
 * @name: of the profile
 * @adapters: plural noun for messages
 * @driver: shell pattern for the driver of such an adapter
 * @flag: private flag of such an adapter, which identifies it whatever the name of its driver
 * @wishes: its settings
 */
struct profile {
	const char *name;
	const char *adapters;
	const char *driver;
	const char *flag;
	const struct wish *wishes;
};

/*
 * System settings first. The number of queues comes before their limits, which new queues would not
 * have. max_unacked_psns and inflight_skbs_per_qp_high are left alone: any value but their defaults
 * caps the congestion window of every queue pair, on all interfaces.
 */
static const struct wish slingshot[] = {
	{ "net.core.netdev_budget", "5000" },
	{ "net.core.netdev_budget_usecs", "10000" },
	{ "net.core.netdev_max_backlog", "900000" },
	{ "net.core.rmem_max", "134217728" },
	{ "net.core.rmem_default", "134217728" },
	{ "net.ipv4.udp_rmem_min", "131072" },
	{ "net.ipv4.udp_wmem_min", "131072" },
	{ "net.ipv4.udp_mem", "8388608 33554432 67108864" },
	{ "rdma_rxe.max_pkt_per_ack", "8" },
	{ "mtu", "9000" },
	{ "queues", "16" },
	{ "flag.roce-opt", "on" },
	{ "queue-limit", "8388608" },
	{ 0 },
};

static const struct profile profiles[] = {
	{ "slingshot", "Slingshot adapters", "cxi*", "roce-opt", slingshot },
	{ 0 },
};

const struct profile *profile_find(const char *name)
{
	for (const struct profile *p = profiles; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}

bool profile_fits(const struct profile *profile, const struct netns *ns, const char *netdev,
		  char why[PROFILE_WHY])
{
	struct netdev info;
	bool on, fits;

	if (!ethtool_flag(ns, netdev, profile->flag, &on))
		return true;
	if (netdev_get(ns, netdev, &info))
		memset(&info, 0, sizeof(info));
	fits = !fnmatch(profile->driver, info.driver, 0);
	snprintf(why, PROFILE_WHY, "profile \"%s\" is for %s, and the driver of \"%s\" is %s",
		 profile->name, profile->adapters, netdev,
		 *info.driver ? info.driver : "unknown");
	netdev_put(&info);
	return fits;
}

static const char *member(struct json_object *row, const char *key)
{
	const char *text = json_object_get_string(json_object_object_get(row, key));

	return text ? text : "";
}

static void put_member(struct json_object *row, const char *key, const char *text)
{
	json_object_object_add(row, key, text ? json_object_new_string(text) : NULL);
}

static struct json_object *make_row(const char *netdev, const char *setting, const char *before,
				    const char *after)
{
	struct json_object *row = json_object_new_object();

	put_member(row, "netdev", setting_is_shared(setting) ? NULL : netdev);
	put_member(row, "setting", setting);
	put_member(row, "before", before);
	put_member(row, "after", after);
	return row;
}

/*
 * Return: the row of a change that the profile asks for, or NULL if the setting has the value or
 * does not exist.
 */
static struct json_object *wish_row(const struct wish *wish, const struct netns *ns,
				    const char *netdev)
{
	char before[SETTING_VALUE], after[SETTING_VALUE];

	if (!setting_read(ns, netdev, wish->setting, before))
		return NULL;
	strcpy(after, before);
	setting_aim(ns, netdev, wish->setting, wish->value, after);
	return strcmp(before, after) ? make_row(netdev, wish->setting, before, after) : NULL;
}

static bool is_wanted(const struct wish *wish, bool keep_mtu)
{
	return !keep_mtu || strcmp(wish->setting, "mtu");
}

struct json_object *profile_diff(const struct profile *profile, const struct netns *ns,
				 const char *netdev, bool keep_mtu)
{
	struct json_object *row, *rows = json_object_new_array();

	for (const struct wish *w = profile->wishes; w->setting; w++) {
		row = is_wanted(w, keep_mtu) ? wish_row(w, ns, netdev) : NULL;
		if (row)
			json_object_array_add(rows, row);
	}
	return rows;
}

struct json_object *profile_settings(const struct profile *profile, const char *netdev)
{
	struct json_object *rows = json_object_new_array();

	for (const struct wish *w = profile->wishes; w->setting; w++)
		json_object_array_add(rows, make_row(netdev, w->setting, NULL, w->value));
	return rows;
}

struct json_object *profile_recorded(void)
{
	char *text = file_text(PROFILE_RECORD);
	struct json_object *rows = text ? json_tokener_parse(text) : NULL;

	free(text);
	if (json_object_is_type(rows, json_type_array))
		return rows;
	json_object_put(rows);
	return json_object_new_array();
}

static int write_record(struct json_object *rows)
{
	int err;

	if (json_object_array_length(rows))
		return file_write(PROFILE_RECORD, json_object_to_json_string_ext(
							  rows, JSON_C_TO_STRING_PRETTY));
	err = file_remove(PROFILE_RECORD);
	return err == -ENOENT ? 0 : err;
}

static struct json_object *find_row(struct json_object *rows, const char *netdev,
				    const char *setting)
{
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (!strcmp(member(row, "netdev"), netdev) &&
		    !strcmp(member(row, "setting"), setting))
			return row;
	}
	return NULL;
}

bool profile_has_tuned(const char *netdev)
{
	struct json_object *record = profile_recorded();
	bool tuned = find_row(record, netdev, "profile");

	json_object_put(record);
	return tuned;
}

/* Called before the change. The value before the first change is kept for the revert. */
static void record_row(struct json_object *record, struct json_object *row)
{
	struct json_object *old = find_row(record, member(row, "netdev"), member(row, "setting"));

	if (old)
		put_member(old, "after", member(row, "after"));
	else
		json_object_array_add(record, json_object_get(row));
}

static int fail_record(const struct ctx *ctx, int err)
{
	return fail_refused(ctx, PROFILE_RECORD, NULL, err, "cannot record the changes in %s",
			    PROFILE_RECORD);
}

/**
 * struct change - a change of settings in progress
 * @record: the record of changes
 * @lock: excludes other processes; several may tune interfaces at boot
 */
struct change {
	struct json_object *record;
	int lock;
};

static int change_begin(const struct ctx *ctx, struct change *change)
{
	int err = file_make_dir(RECORD_DIR);

	change->lock = err ? err : file_lock(RECORD_DIR "/lock");
	if (change->lock < 0)
		return fail_record(ctx, change->lock);
	change->record = profile_recorded();
	return 0;
}

/* Write the record and unlock. Return: @status, or the exit status of a failure. */
static int change_end(const struct ctx *ctx, struct change *change, int status)
{
	int err = write_record(change->record);

	json_object_put(change->record);
	file_unlock(change->lock);
	return err ? fail_record(ctx, err) : status;
}

static int fail_setting(const struct ctx *ctx, const char *setting, const char *netdev,
			const char *value, int err)
{
	if (setting_is_shared(setting))
		return fail_refused(ctx, setting, NULL, err, "cannot set %s to \"%s\"", setting,
				    value);
	return fail_refused(ctx, setting, NULL, err, "cannot set %s of \"%s\" to \"%s\"", setting,
			    netdev, value);
}

/*
 * Apply one setting. The recorded value is the one read back, which the kernel may have adjusted.
 */
static int apply_wish(const struct ctx *ctx, const struct wish *wish, const struct netns *ns,
		      const char *netdev, struct json_object *record, struct json_object *rows)
{
	struct json_object *row = wish_row(wish, ns, netdev);
	char value[SETTING_VALUE];
	int err;

	if (!row)
		return 0;
	record_row(record, row);
	err = write_record(record);
	if (err) {
		json_object_put(row);
		return fail_record(ctx, err);
	}
	err = setting_write(ns, netdev, wish->setting, member(row, "after"));
	if (err) {
		json_object_put(row);
		return fail_setting(ctx, wish->setting, netdev, wish->value, err);
	}
	if (setting_read(ns, netdev, wish->setting, value)) {
		put_member(row, "after", value);
		record_row(record, row);
	}
	json_object_array_add(rows, row);
	return 0;
}

int profile_apply(const struct ctx *ctx, const struct profile *profile, const struct netns *ns,
		  const char *netdev, bool keep_mtu, struct json_object **rows)
{
	struct change change;
	int status = change_begin(ctx, &change);

	*rows = json_object_new_array();
	if (status)
		return status;
	if (!find_row(change.record, netdev, "profile"))
		json_object_array_add(change.record,
				      make_row(netdev, "profile", NULL, profile->name));
	for (const struct wish *w = profile->wishes; w->setting; w++) {
		int failed = is_wanted(w, keep_mtu) ?
				     apply_wish(ctx, w, ns, netdev, change.record, *rows) :
				     0;

		status = failed ? failed : status;
	}
	return change_end(ctx, &change, status);
}

static bool others_are_tuned(struct json_object *record, const char *netdev)
{
	for (size_t i = 0; i < json_object_array_length(record); i++) {
		struct json_object *row = json_object_array_get_idx(record, i);

		if (!strcmp(member(row, "setting"), "profile") &&
		    strcmp(member(row, "netdev"), netdev))
			return true;
	}
	return false;
}

/* Revert one change. Return: the exit status. */
static int revert_row(const struct ctx *ctx, const struct netns *ns, const char *netdev,
		      struct json_object *row, struct json_object *rows)
{
	const char *setting = member(row, "setting"), *before = member(row, "before");
	char now[SETTING_VALUE];
	int err;

	if (!setting_read(ns, netdev, setting, now) || !strcmp(now, before))
		return 0;
	if (strcmp(now, member(row, "after"))) {
		err_hint(ctx, "%s has been changed since: it stays \"%s\"", setting, now);
		return 0;
	}
	err = setting_write(ns, netdev, setting, before);
	if (err)
		return fail_setting(ctx, setting, netdev, before, err);
	json_object_array_add(rows, make_row(netdev, setting, now, before));
	return 0;
}

/* Revert in reverse order. Rows that cannot be reverted stay in the record. */
static int revert_rows(const struct ctx *ctx, const struct netns *ns, const char *netdev,
		       struct json_object *record, struct json_object *rows)
{
	bool others = others_are_tuned(record, netdev);
	int status = 0;

	for (size_t i = json_object_array_length(record); i--;) {
		struct json_object *row = json_object_array_get_idx(record, i);
		const char *whose = member(row, "netdev");
		int failed;

		if (*whose ? strcmp(whose, netdev) : others)
			continue;
		failed = revert_row(ctx, ns, netdev, row, rows);
		if (failed)
			status = failed;
		else
			json_object_array_del_idx(record, i, 1);
	}
	return status;
}

int profile_revert(const struct ctx *ctx, const struct netns *ns, const char *netdev,
		   struct json_object **rows)
{
	struct change change;
	int status = change_begin(ctx, &change);

	*rows = json_object_new_array();
	if (status)
		return status;
	if (!find_row(change.record, netdev, "profile"))
		err_hint(ctx, "nothing has been tuned for \"%s\"", netdev);
	status = revert_rows(ctx, ns, netdev, change.record, *rows);
	return change_end(ctx, &change, status);
}
