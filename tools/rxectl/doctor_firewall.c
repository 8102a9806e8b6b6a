// SPDX-License-Identifier: GPL-2.0
/*
 * Checks whether packets to UDP port 4791 are let in: what nftables, the older iptables and
 * firewalld say. A rule that names the port decides; then a chain that drops what it does not name.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "host.h"

#define PORT	  "4791"
#define WORD_SIZE 64

/**
 * struct chain - where in "nft -a list ruleset" the reader is
 * @family, @table, @name: as nft takes them
 * @input: hooked where packets come in
 * @drops: its policy
 * @settled: a rule let the port in, so that the policy does not matter
 */
struct chain {
	char family[WORD_SIZE];
	char table[WORD_SIZE];
	char name[WORD_SIZE];
	bool input;
	bool drops;
	bool settled;
};

/* Does @text have @number, not as a part of a longer one? */
static bool has_number(const char *text, const char *number)
{
	size_t n = strlen(number);

	for (const char *at = strstr(text, number); at; at = strstr(at + 1, number))
		if ((at == text || !isdigit((unsigned char)at[-1])) &&
		    !isdigit((unsigned char)at[n]))
			return true;
	return false;
}

static bool drops(const char *rule)
{
	return strstr(rule, " drop") || strstr(rule, " reject");
}

static void report_rule(struct exam *exam, const struct chain *chain, const char *rule)
{
	const char *handle = strstr(rule, "# handle ");
	char remedy[5 * WORD_SIZE];

	snprintf(remedy, sizeof(remedy), "nft delete rule %s %s %s handle %.12s", chain->family,
		 chain->table, chain->name, handle ? handle + 9 : "");
	found(exam, SEVERITY_ERROR, handle ? remedy : NULL,
	      "nftables drops UDP port " PORT " in chain %s of table %s %s", chain->name,
	      chain->family, chain->table);
}

static void report_policy(struct exam *exam, const struct chain *chain)
{
	char remedy[5 * WORD_SIZE];

	snprintf(remedy, sizeof(remedy), "nft insert rule %s %s %s udp dport " PORT " accept",
		 chain->family, chain->table, chain->name);
	found(exam, SEVERITY_WARNING, remedy,
	      "nftables drops in chain %s of table %s %s what no rule accepts, and none names UDP "
	      "port " PORT,
	      chain->name, chain->family, chain->table);
}

static void read_rule(struct exam *exam, struct chain *chain, const char *line)
{
	if (strstr(line, " hook input ") || strstr(line, " hook prerouting ") ||
	    strstr(line, " hook ingress ")) {
		chain->input = true;
		chain->drops = strstr(line, "policy drop");
		return;
	}
	if (!chain->input || !has_number(line, PORT) || !strstr(line, "dport"))
		return;
	if (drops(line) && !chain->settled)
		report_rule(exam, chain, line);
	chain->settled = true;
}

static void read_line(struct exam *exam, struct chain *chain, const char *line)
{
	struct chain next = { 0 };

	if (sscanf(line, " table %63s %63s {", next.family, next.table) == 2) {
		*chain = next;
	} else if (sscanf(line, " chain %63s {", next.name) == 1) {
		memcpy(next.family, chain->family, sizeof(next.family));
		memcpy(next.table, chain->table, sizeof(next.table));
		*chain = next;
	} else if (strspn(line, " \t") == strlen(line) - 1 && strchr(line, '}')) {
		if (chain->input && chain->drops && !chain->settled)
			report_policy(exam, chain);
		chain->input = false;
	} else {
		read_rule(exam, chain, line);
	}
}

static void check_nft(struct exam *exam)
{
	char *text = host_run("nft -a list ruleset"), *save;
	struct chain chain = { 0 };

	if (!text)
		return;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		read_line(exam, &chain, line);
	free(text);
}

/* As iptables-save writes it: "-A INPUT -p udp -m udp --dport 4791 -j DROP", ":INPUT DROP [0:0]". */
static bool iptables_drops(const char *line)
{
	return !strncmp(line, "-A INPUT ", 9) && has_number(line, PORT) &&
	       (strstr(line, "-j DROP") || strstr(line, "-j REJECT"));
}

static void read_iptables(struct exam *exam, const char *command, char *text)
{
	bool policy = false, named = false;
	char remedy[300], *save;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		policy |= !strncmp(line, ":INPUT DROP", 11);
		named |= has_number(line, PORT);
		if (!iptables_drops(line))
			continue;
		snprintf(remedy, sizeof(remedy), "%s -D %.200s", command, line + 3);
		found(exam, SEVERITY_ERROR, remedy, "%s drops UDP port " PORT, command);
	}
	snprintf(remedy, sizeof(remedy), "%s -I INPUT -p udp --dport " PORT " -j ACCEPT", command);
	if (policy && !named)
		found(exam, SEVERITY_WARNING, remedy,
		      "%s drops what no rule accepts, and none names UDP port " PORT, command);
}

static void check_iptables(struct exam *exam)
{
	static const char *const commands[] = { "iptables-legacy", "ip6tables-legacy" };
	char line[64];

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		char *text;

		snprintf(line, sizeof(line), "%s-save", commands[i]);
		text = host_run(line);
		if (text)
			read_iptables(exam, commands[i], text);
		free(text);
	}
}

static void check_firewalld(struct exam *exam)
{
	char *state = host_run("firewall-cmd --state");
	char *open = state ? host_run("firewall-cmd --query-port=" PORT "/udp") : NULL;

	if (state && !strncmp(state, "running", 7) && (!open || strncmp(open, "yes", 3)))
		found(exam, SEVERITY_WARNING,
		      "firewall-cmd --permanent --add-port=" PORT "/udp && firewall-cmd --reload",
		      "firewalld does not let UDP port " PORT " in");
	free(open);
	free(state);
}

const struct check doctor_firewall_checks[] = {
	{ "nftables", check_nft },
	{ "iptables", check_iptables },
	{ "firewalld", check_firewalld },
	{ 0 },
};
