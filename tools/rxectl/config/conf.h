/* SPDX-License-Identifier: GPL-2.0 */
/* Configuration files in /etc/rxe: which interfaces have links. */
#ifndef RXECTL_CONF_H
#define RXECTL_CONF_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>

#include "sys/nldev.h"

#define CONF_DIR "/etc/rxe"

struct netdev;

/**
 * struct conf_link - a section [link], which has at least one condition and matches if all hold
 * @file: name of the file
 * @line: line of its heading
 * @netdev: condition: shell pattern for the name of the interface; "" for any, as below
 * @mac: condition: "00:11:22:33:44:55"
 * @driver: condition: shell pattern for the driver, as in "ethtool -i"
 * @path: condition: shell pattern for the bus address, as in "ethtool -i"
 * @name: of the device; "%n" is the number at the end of the interface's name, "%i" all of it; ""
 *	for the default
 * @netns: named network namespace; "" for the caller's
 * @mtu: of the interface, bytes; 0 leaves it unchanged
 * @profile: profile of settings (profile.h); "" for none
 * @wait: seconds to wait for the interface to be ready; -1 if not given
 * @broken: a condition is invalid, so that the section matches nothing
 * @idle: set by plan_make() if no existing interface matches
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
 * struct conf - all sections, sorted by the names of their files
 * @links: the sections
 * @n: number of sections
 * @complain: called for each invalid line with the reason
 * @arg: for @complain
 * @complaints: number of calls
 */
struct conf {
	struct conf_link *links;
	size_t n;
	void (*complain)(const char *file, unsigned int line, const char *what, void *arg);
	void *arg;
	size_t complaints;
};

/* Add the sections of one file. @text is modified. Return: 0 or -ENOMEM. */
int conf_parse(struct conf *conf, const char *file, char *text);

/*
 * Add the sections of all files in CONF_DIR below the directory @root, which is "" for this system.
 * An unreadable file is a complaint about line 0. Return: 0 or -ENOMEM.
 */
int conf_read(struct conf *conf, const char *root);

void conf_put(struct conf *conf);

/* Return: true if all conditions of the section hold for the interface. */
bool conf_matches(const struct conf_link *link, const char *name, const struct netdev *netdev);

/*
 * The same, except that interfaces other than Ethernet (loopback, tunnels) match only by their full
 * name.
 */
bool conf_holds(const struct conf_link *link, const char *name, const struct netdev *netdev);

/**
 * conf_find() - find the first section that matches an interface
 * @conf: the configuration
 * @netns: named network namespace of the interface; "" for the caller's
 * @name: of the interface
 * @netdev: the interface
 *
 * Return: the section, or NULL.
 */
const struct conf_link *conf_find(const struct conf *conf, const char *netns, const char *name,
				  const struct netdev *netdev);

/* Expand the name of the device for an interface; "" for the default name. */
void conf_name(const struct conf_link *link, const char *netdev, char name[NLDEV_NAME_SIZE]);

#endif
