// SPDX-License-Identifier: GPL-2.0
/* Check whether firewalld accepts UDP port 4791 in the zones of the rxe devices' interfaces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/exam.h"
#include "sys/host.h"

#define ZONE_SIZE 64

/* The service of packaging/firewall, and the port that it stands for. */
#define SERVICE "service=rocev2"
#define PORT	"port=" DOCTOR_PORT "/udp"

/* Return: true if a command of firewalld prints @wanted. */
static bool firewalld_prints(const char *wanted, const char *fmt, const char *zone)
{
	char command[128], *text;
	bool prints;

	snprintf(command, sizeof(command), fmt, zone);
	text = host_run(command);
	prints = text && strstr(text, wanted);
	free(text);
	return prints;
}

/* Rules of the running firewall and of its permanent configuration are checked alike. */
static bool zone_accepts(const char *zone, bool permanent)
{
	if (permanent)
		return firewalld_prints("yes", "firewall-cmd --permanent --zone=%s --query-" PORT,
					zone) ||
		       firewalld_prints("yes", "firewall-cmd --permanent --zone=%s --query-" SERVICE,
					zone) ||
		       firewalld_prints("target: ACCEPT",
					"firewall-cmd --permanent --zone=%s --list-all", zone);
	return firewalld_prints("yes", "firewall-cmd --zone=%s --query-" PORT, zone) ||
	       firewalld_prints("yes", "firewall-cmd --zone=%s --query-" SERVICE, zone) ||
	       firewalld_prints("target: ACCEPT", "firewall-cmd --zone=%s --list-all", zone);
}

/* firewalld knows services only after it has read their files. */
static const char *what_to_add(void)
{
	return firewalld_prints(DOCTOR_PORT, "firewall-cmd --info-%s", SERVICE) ? SERVICE : PORT;
}

static void check_zone(struct exam *exam, const char *zone, const char *netdev)
{
	bool now = zone_accepts(zone, false), permanent = zone_accepts(zone, true);
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
