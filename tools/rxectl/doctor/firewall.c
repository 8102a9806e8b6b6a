// SPDX-License-Identifier: GPL-2.0
/*
 * Checks whether packets to UDP port 4791 are let in: what nftables, the older iptables and
 * firewalld say. A rule that names the port decides; then a rule or a policy that drops the rest.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/exam.h"
#include "sys/host.h"

#define PORT	  "4791"
#define WORD_SIZE 64

#define FIREWALLD_TABLE "firewalld" /* of which check_firewalld() knows more */

#define UFW_CHAIN  "ufw-user-input"
#define UFW_REMEDY "ufw allow " PORT "/udp"

/**
 * struct chain - where in "nft -a list ruleset" the reader is
 * @family, @table, @name: as nft takes them
 * @input: hooked where packets come in
 * @other: hooked elsewhere
 * @drops: its policy
 * @settled: a rule let the port in, so that the policy does not matter
 */
struct chain {
	char family[WORD_SIZE];
	char table[WORD_SIZE];
	char name[WORD_SIZE];
	bool input;
	bool other;
	bool drops;
	bool settled;
};

/**
 * struct ruleset - what is known of all chains
 * @chain: the one being read
 * @accepted: a chain that others jump to, as those of ufw are, lets the port in
 * @ufw: made by ufw
 */
struct ruleset {
	struct chain chain;
	bool accepted;
	bool ufw;
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
	doctor_add_finding(exam, SEVERITY_ERROR, handle ? remedy : NULL,
			   "nftables drops UDP port " PORT " in chain %s of table %s %s",
			   chain->name, chain->family, chain->table);
}

/* What ufw has not made itself is gone when it makes its rules again. */
static void report_policy(struct exam *exam, const struct ruleset *rules)
{
	const struct chain *chain = &rules->chain;
	char remedy[5 * WORD_SIZE];

	if (!strcmp(chain->table, FIREWALLD_TABLE))
		return;
	snprintf(remedy, sizeof(remedy), "nft insert rule %s %s %s udp dport " PORT " accept",
		 chain->family, chain->table, chain->name);
	doctor_add_finding(
		exam, SEVERITY_WARNING, rules->ufw ? UFW_REMEDY : remedy,
		"nftables drops packets in chain %s of table %s %s that no rule accepts, and no "
		"rule names UDP port " PORT,
		chain->name, chain->family, chain->table);
}

static bool is_input_hook(const char *line)
{
	return strstr(line, " hook input ") || strstr(line, " hook prerouting ") ||
	       strstr(line, " hook ingress ");
}

/* Moves on to what @line begins. Return: whether it was such a line, and no rule. */
static bool read_heading(struct chain *chain, const char *line)
{
	struct chain next = { 0 };

	if (sscanf(line, " table %63s %63s {", next.family, next.table) == 2) {
		*chain = next;
		return true;
	}
	if (sscanf(line, " chain %63s {", next.name) == 1) {
		memcpy(next.family, chain->family, sizeof(next.family));
		memcpy(next.table, chain->table, sizeof(next.table));
		*chain = next;
		return true;
	}
	if (!strstr(line, " hook "))
		return false;
	chain->input = is_input_hook(line);
	chain->other = !chain->input;
	chain->drops = strstr(line, "policy drop");
	return true;
}

static bool names_port(const char *line)
{
	return has_number(line, PORT) && strstr(line, "dport");
}

/* A rule for all packets, as firewalls have at the end instead of a policy: "counter packets 5 bytes 60 reject". */
static bool drops_all(const char *rule)
{
	int counter = 0;

	rule += strspn(rule, " \t");
	sscanf(rule, "counter packets %*u bytes %*u %n", &counter);
	rule += counter;
	return !strncmp(rule, "drop", 4) || !strncmp(rule, "reject", 6);
}

static void read_line(struct exam *exam, struct ruleset *rules, const char *line)
{
	struct chain *chain = &rules->chain;

	if (read_heading(chain, line))
		return;
	if (strspn(line, " \t") == strlen(line) - 1 && strchr(line, '}')) {
		if (chain->input && chain->drops && !chain->settled && !rules->accepted)
			report_policy(exam, rules);
		chain->input = false;
	} else if (chain->input && names_port(line)) {
		if (drops(line) && !chain->settled)
			report_rule(exam, chain, line);
		chain->settled = true;
	} else if (chain->input && drops_all(line) && !chain->settled && !rules->accepted) {
		report_policy(exam, rules);
		chain->settled = true;
	}
}

/* Whether such a chain is jumped to is not followed: that it is there says that it was meant. */
static void look_for_accept(struct ruleset *rules, const char *line)
{
	struct chain *chain = &rules->chain;

	if (read_heading(chain, line))
		rules->ufw |= !strcmp(chain->name, UFW_CHAIN);
	else if (!chain->input && !chain->other && names_port(line) && !drops(line))
		rules->accepted = true;
}

static void check_nft(struct exam *exam)
{
	char *text = host_run("nft -a list ruleset"), *save;
	char *again = text ? strdup(text) : NULL;
	struct ruleset rules = { 0 };

	if (!again)
		goto out;
	for (char *line = strtok_r(again, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		look_for_accept(&rules, line);
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		read_line(exam, &rules, line);
out:
	free(again);
	free(text);
}

static bool starts_with(const char *line, const char *beginning)
{
	return !strncmp(line, beginning, strlen(beginning));
}

/* As iptables-save writes it: "-A INPUT -p udp -m udp --dport 4791 -j DROP", ":INPUT DROP [0:0]". */
static bool iptables_drops(const char *line)
{
	return starts_with(line, "-A INPUT ") && has_number(line, PORT) &&
	       (strstr(line, "-j DROP") || strstr(line, "-j REJECT"));
}

static void read_iptables(struct exam *exam, const char *command, char *text)
{
	bool closed = false, named = false, ufw = false;
	char remedy[300], *save;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		closed |= starts_with(line, ":INPUT DROP") || starts_with(line, "-A INPUT -j DROP") ||
			  starts_with(line, "-A INPUT -j REJECT");
		named |= has_number(line, PORT);
		ufw |= !strncmp(line, ":" UFW_CHAIN " ", sizeof(UFW_CHAIN) + 1);
		if (!iptables_drops(line))
			continue;
		snprintf(remedy, sizeof(remedy), "%s -D %.200s", command, line + 3);
		doctor_add_finding(exam, SEVERITY_ERROR, remedy, "%s drops UDP port " PORT,
				   command);
	}
	snprintf(remedy, sizeof(remedy), "%s -I INPUT -p udp --dport " PORT " -j ACCEPT", command);
	if (closed && !named)
		doctor_add_finding(exam, SEVERITY_WARNING, ufw ? UFW_REMEDY : remedy,
				   "%s drops packets that no rule accepts, and no rule names UDP "
				   "port " PORT,
				   command);
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
		doctor_add_finding(exam, SEVERITY_WARNING,
				   "firewall-cmd --permanent --add-port=" PORT
				   "/udp && firewall-cmd --reload",
				   "firewalld does not allow UDP port " PORT " in");
	free(open);
	free(state);
}

const struct check doctor_firewall_checks[] = {
	{ "nftables", check_nft },
	{ "iptables", check_iptables },
	{ "firewalld", check_firewalld },
	{ 0 },
};
