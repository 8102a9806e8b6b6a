// SPDX-License-Identifier: GPL-2.0
/* Check whether firewalld accepts UDP port 4791 in the zones of the rxe devices' interfaces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/exam.h"
#include "sys/host.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define ZONE_SIZE 64

/* The service of packaging/firewall, and the port that it stands for. */
#define SERVICE "rocev2"
#define PORT	DOCTOR_PORT "/udp"

/* "4791/udp", or a range of ports that includes it. */
static bool covers_port(const char *word)
{
	unsigned long port = strtoul(DOCTOR_PORT, NULL, 10);
	char *end;
	unsigned long first = strtoul(word, &end, 10);
	unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

	return !strcmp(end, "/udp") && first <= port && port <= last;
}

static bool is_service(const char *word)
{
	return !strcmp(word, SERVICE);
}

static bool is_accept(const char *word)
{
	return !strcmp(word, "ACCEPT");
}

/* Lines "  KEY: WORD WORD" of a zone of which one word makes the zone accept the packets. */
static const struct accepting_line {
	const char *key;
	bool (*accepts)(const char *word);
} accepting_lines[] = {
	{ "  target: ", is_accept },
	{ "  services: ", is_service },
	{ "  ports: ", covers_port },
};

static bool line_accepts(const struct accepting_line *kind, char *line)
{
	char *save, *word;

	if (strncmp(line, kind->key, strlen(kind->key)))
		return false;
	word = strtok_r(line + strlen(kind->key), " ", &save);
	while (word && !kind->accepts(word))
		word = strtok_r(NULL, " ", &save);
	return word;
}

/*
 * Ask once for all that a zone has, because each command takes as long as Python to start. The
 * running firewall and its permanent configuration answer alike.
 */
static bool zone_accepts(const char *zone, const char *permanent)
{
	char command[128], *text, *save;
	bool accepts = false;

	snprintf(command, sizeof(command), "firewall-cmd %s--zone=%s --list-all", permanent, zone);
	text = host_run(command);
	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line && !accepts;
	     line = strtok_r(NULL, "\n", &save))
		for (size_t i = 0; i < ARRAY_SIZE(accepting_lines) && !accepts; i++)
			accepts = line_accepts(&accepting_lines[i], line);
	free(text);
	return accepts;
}

/* firewalld knows services only after it has read their files. */
static const char *what_to_add(void)
{
	char *text = host_run("firewall-cmd --info-service=" SERVICE);
	bool known = text && strstr(text, DOCTOR_PORT);

	free(text);
	return known ? "service=" SERVICE : "port=" PORT;
}

static void check_zone(struct exam *exam, const char *zone, const char *netdev)
{
	bool now = zone_accepts(zone, ""), permanent = zone_accepts(zone, "--permanent ");
	char remedy[256] = "";
	const char *add;

	if (now && permanent)
		return;
	add = what_to_add();
	if (!permanent)
		snprintf(remedy, sizeof(remedy),
			 "firewall-cmd --permanent --zone=%s --add-%s", zone, add);
	if (!now)
		snprintf(remedy + strlen(remedy), sizeof(remedy) - strlen(remedy),
			 "%sfirewall-cmd --zone=%s --add-%s", permanent ? "" : " && ", zone, add);
	doctor_add_finding(exam, SEVERITY_WARNING, remedy,
			   "firewalld %s UDP port " DOCTOR_PORT " in zone %s%s%s%s",
			   now	     ? "will not accept, after the next boot," :
			   permanent ? "does not accept, until it is reloaded," :
				       "does not accept",
			   zone, netdev ? " of \"" : "", netdev ? netdev : "", netdev ? "\"" : "");
}

/* Copy the only word of the output of a command. Return: false if there is none. */
static bool read_word(const char *command, char word[ZONE_SIZE])
{
	char *text = host_run(command);
	bool is = text && sscanf(text, "%63[A-Za-z0-9_.-]", word) == 1;

	free(text);
	return is;
}

/* The zone of an interface; the default zone without an interface, or if it has none of its own. */
static bool find_zone(const char *netdev, char zone[ZONE_SIZE])
{
	char command[96];

	if (netdev) {
		snprintf(command, sizeof(command), "firewall-cmd --get-zone-of-interface=%s", netdev);
		if (read_word(command, zone))
			return true;
	}
	return read_word("firewall-cmd --get-default-zone", zone);
}

/* Each zone once, in the order of the devices in this namespace. */
static void check_zones(struct exam *exam)
{
	char zone[ZONE_SIZE], seen[1024] = " ";
	for (size_t i = 0; i < exam->links.n; i++) {
		const struct rxe_link *link = &exam->links.links[i];
		char word[ZONE_SIZE + 2];

		if (link->ns != exam->links.own || !find_zone(link->netdev, zone))
			continue;
		snprintf(word, sizeof(word), " %s ", zone);
		if (strstr(seen, word) || strlen(seen) + strlen(word) > sizeof(seen))
			continue;
		strcat(seen, word + 1);
		check_zone(exam, zone, link->netdev);
	}
	if (!exam->links.n && find_zone(NULL, zone))
		check_zone(exam, zone, NULL);
}

/* firewalld answers --state to all users, and the other questions to root only. */
void doctor_check_firewalld(struct exam *exam)
{
	char *state = host_run("firewall-cmd --state");

	if (state && !strncmp(state, "running", 7)) {
		if (host_net_admin())
			check_zones(exam);
		else
			doctor_skip(exam, DOCTOR_AS_ROOT);
	}
	free(state);
}
