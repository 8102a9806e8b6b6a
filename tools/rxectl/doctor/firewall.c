// SPDX-License-Identifier: GPL-2.0
/*
 * Check whether nftables and legacy iptables accept packets to UDP port 4791. The first rule that
 * names the port decides; otherwise a rule or policy that drops all other packets.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/exam.h"
#include "sys/host.h"
#include "util/files.h"

#define PORT	  DOCTOR_PORT
#define WORD_SIZE 64

/* Rules set by commands are not those that are loaded at boot. */
#define UNTIL_BOOT "; the command lasts until the next boot"

#define FIREWALLD_TABLE "firewalld" /* covered by doctor_check_firewalld() */

#define UFW_CHAIN  "ufw-user-input"

/* The application profile of packaging/firewall, if it is installed. */
static const char *ufw_remedy(void)
{
	return file_exists("/etc/ufw/applications.d/rocev2") ? "ufw allow RoCEv2" :
							       "ufw allow " PORT "/udp";
}

/**
 * struct chain - chain at the current line of "nft -a list ruleset"
 * @family: address family as nft names it
 * @table: table as nft names it
 * @name: chain as nft names it
 * @input: the hook is one for incoming packets
 * @other: the hook is another
 * @drops: the policy is drop
 * @settled: a rule decided about the port, so that the policy does not apply
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
 * struct ruleset - state of the parser
 * @chain: the current chain
 * @accepted: a chain without a hook, such as those of ufw, accepts the port
 * @ufw: the rules are those of ufw
 */
struct ruleset {
	struct chain chain;
	bool accepted;
	bool ufw;
};

/* Return: true if @text contains @number with no digit next to it. */
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
			   "nftables drops UDP port " PORT
			   " in chain %s of table %s %s" UNTIL_BOOT,
			   chain->name, chain->family, chain->table);
}

/* ufw deletes foreign rules when it reloads its own, so its own command is the remedy. */
static void report_policy(struct exam *exam, const struct ruleset *rules)
{
	const struct chain *chain = &rules->chain;
	char remedy[5 * WORD_SIZE];

	if (!strcmp(chain->table, FIREWALLD_TABLE))
		return;
	snprintf(remedy, sizeof(remedy), "nft insert rule %s %s %s udp dport " PORT " accept",
		 chain->family, chain->table, chain->name);
	doctor_add_finding(
		exam, SEVERITY_WARNING, rules->ufw ? ufw_remedy() : remedy,
		"nftables drops packets in chain %s of table %s %s that no rule accepts, and no "
		"rule names UDP port " PORT "%s",
		chain->name, chain->family, chain->table, rules->ufw ? "" : UNTIL_BOOT);
}

static bool is_input_hook(const char *line)
{
	return strstr(line, " hook input ") || strstr(line, " hook prerouting ") ||
	       strstr(line, " hook ingress ");
}

/*
 * Update the current chain if @line starts a table or a chain or declares a hook. Return: true if
 * it did.
 */
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

/*
 * A rule without a match, which firewalls use in place of a policy: "counter packets 5 bytes 60
 * reject".
 */
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

/* Jumps are not followed: a chain that accepts the port is assumed to be used. */
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

	if (!text && !host_net_admin())
		doctor_skip(exam, DOCTOR_AS_ROOT);
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

/* Format of iptables-save: "-A INPUT -p udp -m udp --dport 4791 -j DROP", ":INPUT DROP [0:0]". */
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
		doctor_add_finding(exam, SEVERITY_ERROR, remedy, "%s drops UDP port " PORT UNTIL_BOOT, command);
	}
	snprintf(remedy, sizeof(remedy), "%s -I INPUT -p udp --dport " PORT " -j ACCEPT", command);
	if (closed && !named)
		doctor_add_finding(exam, SEVERITY_WARNING, ufw ? ufw_remedy() : remedy,
				   "%s drops packets that no rule accepts, and no rule names UDP "
				   "port " PORT "%s",
				   command, ufw ? "" : UNTIL_BOOT);
}

static void check_iptables(struct exam *exam)
{
	static const char *const commands[] = { "iptables-legacy", "ip6tables-legacy" };
	bool readable = host_net_admin();
	char line[64];

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		char *text;

		snprintf(line, sizeof(line), "%s-save", commands[i]);
		text = host_run(line);
		if (text)
			read_iptables(exam, commands[i], text);
		readable |= text != NULL;
		free(text);
	}
	if (!readable)
		doctor_skip(exam, DOCTOR_AS_ROOT);
}

const struct check doctor_firewall_checks[] = {
	{ "nftables", check_nft },
	{ "iptables", check_iptables },
	{ "firewalld", doctor_check_firewalld },
	{ 0 },
};
