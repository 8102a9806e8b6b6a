// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: arbitrary command lines with the fake kernel; words are separated by blanks. The
 * exit status must be one of the manual, an error must print a message, and JSON output must parse.
 */
#include <json-c/json.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "fake.h"

#define MAX_WORDS 16

static const struct fake_world machine = {
	.module = true,
	.root = true,
	.patience = 3,
	.devs = { { .index = 3,
		    .name = "rxe0",
		    .driver = RDMA_DRIVER_RXE,
		    .parent = true,
		    .guid = 2,
		    .state = 4,
		    .phys_state = 5,
		    .netdev = "eth0",
		    .qps = 5,
		    .active_mtu = 1024 },
		  { .index = 4,
		    .name = "rxe_red",
		    .driver = RDMA_DRIVER_RXE,
		    .parent = true,
		    .state = 1,
		    .netdev = "veth1",
		    .ns = "red" } },
	.netdevs = { { .name = "eth0",
		       .type = 1,
		       .driver = "virtio_net",
		       .speed = 2500,
		       .mtu = 1500,
		       .addresses = { "192.168.7.1", "fd07::1" } },
		     { .name = "hsn0", .type = 1, .mtu = 1500, .mac = "00:40:a6:00:00:01" },
		     { .ns = "red", .name = "veth1", .type = 1, .kind = "veth", .mtu = 9000 } },
	.namespaces = { "blue", "red" },
	.objects = { { .device = 3, .kind = "qp", .id = 17, .type = 2, .state = 6, .pid = 4711 },
		     { .device = 3, .kind = "mr", .id = 5, .size = 4096, .kernel = "core" } },
	.counters = { { "sent_pkts", 100, 2500 }, { "from_the_future", 1, 0 } },
	.files = { { "/proc/4711/comm", "ib_write_bw\n" },
		   { "/etc/rxe/10.conf", "[link]\nnetdev = *\nname = rxe%n\nmtu = 9000\nodd\n" } },
	.routes = { { "192.168.7.2", "192.168.7.1", "eth0" } },
};

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	world = machine;
	fake_files();
	atexit(fake_files_remove);
	return 0;
}

/* Help and version are text, also with -j. */
static bool asks_for_text(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "help") || (argv[i][0] == '-' && strpbrk(argv[i], "hVv")))
			return true;
	return false;
}

/* JSON values, separated by white space only. */
static void check_json(const char *text)
{
	struct json_tokener *tokener = json_tokener_new();
	size_t len = strlen(text), at = 0;

	while (at < len) {
		struct json_object *value;

		json_tokener_reset(tokener);
		value = json_tokener_parse_ex(tokener, text + at, (int)(len - at));
		if (json_tokener_get_error(tokener) != json_tokener_success)
			abort();
		at += json_tokener_get_parse_end(tokener);
		at += strspn(text + at, " \n");
		json_object_put(value);
	}
	json_tokener_free(tokener);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char program[] = "rxectl", json[] = "-j";
	char *argv[MAX_WORDS + 1] = { program };
	char *line = strndup((const char *)data, size), *text, *errors;
	size_t n_text, n_errors;
	FILE *out = open_memstream(&text, &n_text), *err = open_memstream(&errors, &n_errors);
	int status, argc = 1;
	bool as_json = size && data[0] & 1;

	if (as_json)
		argv[argc++] = json;
	for (char *word = strtok(line, " \n"); word && argc < MAX_WORDS; word = strtok(NULL, " \n"))
		argv[argc++] = word;
	world = machine;
	as_json &= !asks_for_text(argc, argv);
	status = rxectl(argc, argv, out, err);
	fclose(out);
	fclose(err);
	if (status < 0 || status > EXIT_ERROR || (status && status < EXIT_WARNING && !*errors))
		abort();
	if (as_json) {
		check_json(text);
		check_json(errors);
	}
	free(text);
	free(errors);
	free(line);
	return 0;
}
