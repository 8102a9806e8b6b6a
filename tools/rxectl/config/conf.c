// SPDX-License-Identifier: GPL-2.0
/* Configuration files in /etc/rxe: parser. */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config/conf.h"
#include "config/profile.h"
#include "sys/netdev.h"
#include "util/files.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Setter of a key. The value is not empty. Return: the complaint, or NULL. */
typedef const char *(*set_fn)(struct conf_link *link, const char *value);

static const char *copy(char *to, size_t size, const char *value)
{
	if (strlen(value) >= size)
		return "the value is too long";
	strcpy(to, value);
	return NULL;
}

static const char *set_netdev(struct conf_link *link, const char *value)
{
	if (strpbrk(value, " \t"))
		return "an interface's name has no blanks, and a comment has its own line";
	return copy(link->netdev, sizeof(link->netdev), value);
}

static const char *set_mac(struct conf_link *link, const char *value)
{
	for (size_t i = 0; i < 17; i++)
		if (i % 3 == 2 ? value[i] != ':' : !isxdigit((unsigned char)value[i]))
			return "not a MAC address such as 00:11:22:33:44:55";
	return copy(link->mac, sizeof(link->mac), value);
}

static const char *set_driver(struct conf_link *link, const char *value)
{
	return copy(link->driver, sizeof(link->driver), value);
}

static const char *set_path(struct conf_link *link, const char *value)
{
	return copy(link->path, sizeof(link->path), value);
}

static const char *set_name(struct conf_link *link, const char *value)
{
	for (const char *c = value; *c; c++) {
		if (!isgraph((unsigned char)*c) || *c == '/')
			return "a name has no blanks and no \"/\"";
		if (*c == '%' && c[1] != 'n' && c[1] != 'i')
			return "\"%\" must be followed by n (number) or i (interface)";
	}
	return copy(link->name, sizeof(link->name), value);
}

static const char *set_netns(struct conf_link *link, const char *value)
{
	if (strchr(value, '/') || value[0] == '.')
		return "not the name of a network namespace";
	return copy(link->netns, sizeof(link->netns), value);
}

static const char *parse_number(const char *value, long min, long max, long *number)
{
	char *end;

	*number = strtol(value, &end, 10);
	return *end || *number < min || *number > max ? "not a number in range" : NULL;
}

static const char *set_mtu(struct conf_link *link, const char *value)
{
	long mtu;
	const char *wrong = parse_number(value, 340, 65535, &mtu);

	if (wrong)
		return "not an MTU from 340 to 65535";
	link->mtu = (unsigned int)mtu;
	return NULL;
}

static const char *set_profile(struct conf_link *link, const char *value)
{
	return profile_find(value) ? copy(link->profile, sizeof(link->profile), value) :
				     "no such profile: available are " PROFILE_NAMES;
}

static const char *set_wait(struct conf_link *link, const char *value)
{
	long seconds;
	const char *wrong = parse_number(value, 0, 600, &seconds);

	if (wrong)
		return "not a number of seconds from 0 to 600";
	link->wait = (int)seconds;
	return NULL;
}

static const struct {
	const char *name;
	bool condition;
	set_fn set;
} keys[] = {
	{ "netdev", true, set_netdev },	   { "mac", true, set_mac },
	{ "driver", true, set_driver },	   { "path", true, set_path },
	{ "name", false, set_name },	   { "netns", false, set_netns },
	{ "mtu", false, set_mtu },	   { "wait", false, set_wait },
	{ "profile", false, set_profile },
};

/**
 * struct reader - position of the parser
 * @conf: receives the sections
 * @file: name of the file
 * @line: number of the current line
 * @link: index of the open section; -1 outside of any known section
 */
struct reader {
	struct conf *conf;
	const char *file;
	unsigned int line;
	long link;
};

static void complain(struct reader *r, unsigned int line, const char *what)
{
	r->conf->complaints++;
	r->conf->complain(r->file, line, what, r->conf->arg);
}

/* Quote the line, which strip() and set_key() may have split. */
static void complain_of(struct reader *r, const char *key, const char *value, const char *what)
{
	char text[512];

	snprintf(text, sizeof(text), "\"%.100s%s%.200s\": %s", key, value ? " = " : "",
		 value ? value : "", what);
	complain(r, r->line, text);
}

static bool has_condition(const struct conf_link *link)
{
	return link->netdev[0] || link->mac[0] || link->driver[0] || link->path[0];
}

static void close_section(struct reader *r)
{
	struct conf_link *link;

	if (r->link < 0)
		return;
	link = &r->conf->links[r->link];
	if (!link->broken && !has_condition(link)) {
		complain(r, link->line, "the section names no interface: netdev, mac, driver or "
					"path");
		link->broken = true;
	}
	if (link->profile[0] && link->netns[0]) {
		complain(r, link->line, "a profile applies only to interfaces of the caller's "
					"namespace");
		link->profile[0] = '\0';
	}
	r->link = -1;
}

static int open_section(struct reader *r, const char *line)
{
	struct conf *conf = r->conf;
	struct conf_link *grown;

	close_section(r);
	if (strcmp(line, "[link]")) {
		complain_of(r, line, NULL, "the only kind of section is [link]");
		return 0;
	}
	grown = reallocarray(conf->links, conf->n + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	conf->links = grown;
	grown[conf->n] = (struct conf_link){ .line = r->line, .wait = -1 };
	snprintf(grown[conf->n].file, sizeof(grown[0].file), "%s", r->file);
	r->link = (long)conf->n++;
	return 0;
}

static char *strip(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text + strspn(text, " \t\r\f\v");
}

/* A section with an invalid condition matches nothing, rather than more than was meant. */
static void set_key(struct reader *r, const char *key, const char *value)
{
	struct conf_link *link = &r->conf->links[r->link];
	const char *wrong = "no such key";

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(key, keys[i].name))
			continue;
		wrong = *value ? keys[i].set(link, value) : "no value";
		link->broken |= wrong && keys[i].condition;
	}
	if (wrong)
		complain_of(r, key, value, wrong);
}

static int read_line(struct reader *r, char *line)
{
	char *value;

	line = strip(line);
	if (!*line || *line == '#' || *line == ';')
		return 0;
	if (*line == '[')
		return open_section(r, line);
	value = strchr(line, '=');
	if (!value) {
		complain_of(r, line, NULL, "neither [link] nor \"key = value\"");
	} else if (r->link < 0) {
		complain_of(r, line, NULL, "the line is outside of any section [link]");
	} else {
		*value++ = '\0';
		set_key(r, strip(line), strip(value));
	}
	return 0;
}

int conf_parse(struct conf *conf, const char *file, char *text)
{
	struct reader r = { .conf = conf, .file = file, .link = -1 };
	char *line;
	int err = 0;

	while (!err && (line = strsep(&text, "\n"))) {
		r.line++;
		err = read_line(&r, line);
	}
	close_section(&r);
	return err;
}

static int read_file(struct conf *conf, const char *name)
{
	struct reader r = { .conf = conf, .file = name };
	char path[sizeof(CONF_DIR) + 256];
	char *text;
	int err;

	snprintf(path, sizeof(path), CONF_DIR "/%s", name);
	text = file_text(path);
	if (!text) {
		complain(&r, 0, strerror(errno));
		return 0;
	}
	err = conf_parse(conf, name, text);
	free(text);
	return err;
}

static int read_files(struct conf *conf)
{
	char **names;
	size_t n = file_list(CONF_DIR, ".conf", &names);
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = read_file(conf, names[i]);
	file_list_free(names, n);
	return err;
}

int conf_read(struct conf *conf, const char *root)
{
	const char *system = files_root;
	char path[PATH_MAX];
	int err;

	if (snprintf(path, sizeof(path), "%s%s", system, root) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	files_root = path;
	err = read_files(conf);
	files_root = system;
	return err;
}

void conf_put(struct conf *conf)
{
	free(conf->links);
}

static bool holds(const char *pattern, const char *text)
{
	return !*pattern || !fnmatch(pattern, text, 0);
}

bool conf_matches(const struct conf_link *link, const char *name, const struct netdev *netdev)
{
	return !link->broken && holds(link->netdev, name) &&
	       holds(link->driver, netdev->driver) &&
	       holds(link->path, netdev->path) &&
	       (!*link->mac || !strcasecmp(link->mac, netdev->mac));
}

bool conf_holds(const struct conf_link *link, const char *name, const struct netdev *netdev)
{
	return (netdev->type == ARPHRD_ETHER || !strcmp(link->netdev, name)) &&
	       conf_matches(link, name, netdev);
}

const struct conf_link *conf_find(const struct conf *conf, const char *netns, const char *name,
				  const struct netdev *netdev)
{
	for (size_t i = 0; i < conf->n; i++) {
		const struct conf_link *link = &conf->links[i];

		if (!strcmp(link->netns, netns) && conf_holds(link, name, netdev))
			return link;
	}
	return NULL;
}

static const char *number_of(const char *netdev)
{
	const char *number = netdev + strlen(netdev);

	while (number > netdev && isdigit((unsigned char)number[-1]))
		number--;
	return number;
}

void conf_name(const struct conf_link *link, const char *netdev, char name[NLDEV_NAME_SIZE])
{
	FILE *f = fmemopen(name, NLDEV_NAME_SIZE, "w");

	name[0] = '\0';
	for (const char *c = link->name; f && *c; c++) {
		if (*c == '%')
			fputs(*++c == 'n' ? number_of(netdev) : netdev, f);
		else
			fputc(*c, f);
	}
	if (f)
		fclose(f);
	name[NLDEV_NAME_SIZE - 1] = '\0';
}
