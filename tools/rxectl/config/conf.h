/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The configuration: which interfaces are to have links, as the files in /etc/rxe say.
 */
#ifndef RXECTL_CONF_H
#define RXECTL_CONF_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>

#include "sys/nldev.h"

#define CONF_DIR "/etc/rxe"

struct netdev;

/**
 * struct conf_link - a section [link]: all of its conditions must hold, and there is at least one
 * @file, @line: where it begins
 * @netdev: shell pattern for the interface's name; empty for any, as with all conditions
 * @mac: "00:11:22:33:44:55"
 * @driver: shell pattern, as "ethtool -i" shows it
 * @path: shell pattern for the bus address that "ethtool -i" shows
 * @name: of the device, with "%n" for the number at the end of the interface's name and "%i" for
 *	all of it; empty for the usual one
 * @netns: named network namespace; empty for the caller's
 * @mtu: of the interface; 0 to leave it alone
 * @profile: of settings (profile.h); empty for none
 * @wait: seconds that the interface may take to be ready; -1: not given
 * @broken: a condition could not be understood, so that none can be said to hold
 * @idle: all interfaces have been looked at, and it holds for none (plan_make())
 */
struct conf_link {
	char file[64];
	unsigned int line;
	char netdev[64];
	char mac[18];
	char driver[64];
	char path[64];
	char name[NLDEV_NAME_SIZE];
	char netns[64];
	unsigned int mtu;
	char profile[32];
	int wait;
	bool broken;
	bool idle;
};

/**
 * struct conf - all sections in the order of the files' names
 * @complain: called for each line that is not understood, with what is wrong with it
 * @complaints: how often that was
 */
struct conf {
	struct conf_link *links;
	size_t n;
	void (*complain)(const char *file, unsigned int line, const char *what, void *arg);
	void *arg;
	size_t complaints;
};

/* Adds the sections of one file's @text, which is changed. Return: 0 or -ENOMEM. */
int conf_parse(struct conf *conf, const char *file, char *text);

/* Adds those of all files in CONF_DIR. A file that cannot be read is complained about as line 0. */
int conf_read(struct conf *conf);

void conf_put(struct conf *conf);

/* Do a section's conditions hold for an interface? */
bool conf_matches(const struct conf_link *link, const char *name, const struct netdev *netdev);

/* The same; but "*" does not mean the loopback interface and tunnels; who wants those has to name them. */
bool conf_holds(const struct conf_link *link, const char *name, const struct netdev *netdev);

/**
 * conf_find() - the section that an interface goes by, which is the first that holds for it
 * @netns: named network namespace of the interface; "" for the caller's
 *
 * Return: NULL if there is none.
 */
const struct conf_link *conf_find(const struct conf *conf, const char *netns, const char *name,
				  const struct netdev *netdev);

/* The device's name for an interface, or "" for the usual one. */
void conf_name(const struct conf_link *link, const char *netdev, char name[NLDEV_NAME_SIZE]);

#endif
