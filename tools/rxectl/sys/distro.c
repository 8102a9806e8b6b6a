// SPDX-License-Identifier: GPL-2.0
/* Distribution of the system, by /etc/os-release. */
#include <stdlib.h>
#include <string.h>

#include "sys/distro.h"
#include "util/files.h"

static const struct {
	const char *id;
	enum distro family;
} families[] = {
	{ "debian", DISTRO_DEBIAN }, { "ubuntu", DISTRO_DEBIAN },  { "fedora", DISTRO_RHEL },
	{ "rhel", DISTRO_RHEL },     { "centos", DISTRO_RHEL },	   { "suse", DISTRO_SUSE },
	{ "sles", DISTRO_SUSE },     { "opensuse", DISTRO_SUSE },
};

static enum distro family_of(const char *id)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (!strcmp(families[i].id, id))
			return families[i].family;
	return DISTRO_UNKNOWN;
}

/* The words of a value, which may be in quotes: ID_LIKE="rhel fedora". */
static enum distro family_in(char *value)
{
	enum distro family = DISTRO_UNKNOWN;
	char *save;

	for (char *word = strtok_r(value, " \"'", &save); word && !family;
	     word = strtok_r(NULL, " \"'", &save))
		family = family_of(word);
	return family;
}

/* Return: the text of os-release(5), to be freed; NULL if there is none. */
static char *os_release(void)
{
	char *text = file_text("/etc/os-release");

	return text ? text : file_text("/usr/lib/os-release");
}

bool distro_is_ubuntu(void)
{
	char *text = os_release(), *save;
	bool found = false;

	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		found |= !strcmp(line, "ID=ubuntu") || !strcmp(line, "ID=\"ubuntu\"");
	free(text);
	return found;
}

enum distro distro_family(void)
{
	enum distro own = DISTRO_UNKNOWN, like = DISTRO_UNKNOWN;
	char *text = os_release(), *save;

	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, "ID=", 3))
			own = family_in(line + 3);
		else if (!strncmp(line, "ID_LIKE=", 8))
			like = family_in(line + 8);
	}
	free(text);
	return own ? own : like;
}
