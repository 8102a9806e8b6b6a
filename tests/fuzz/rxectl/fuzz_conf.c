// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: arbitrary text as a file of /etc/rxe. Each complaint must be about one of its lines,
 * and the resulting sections must be usable.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/conf.h"
#include "sys/netdev.h"

static unsigned int last_line;

static void complain(const char *file, unsigned int line, const char *what, void *arg)
{
	(void)arg;
	if (strcmp(file, "t.conf") || !line || line > last_line || !*what)
		abort();
}

static unsigned int count_lines(const char *text)
{
	unsigned int n = 1;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct netdev netdev = { .driver = "virtio_net",
					      .path = "0000:00:03.0",
					      .mac = "02:ab:cd:00:00:0f" };
	struct conf conf = { .complain = complain };
	char *text = strndup((const char *)data, size);
	char name[NLDEV_NAME_SIZE];

	last_line = count_lines(text);
	if (conf_parse(&conf, "t.conf", text))
		abort();
	for (size_t i = 0; i < conf.n; i++) {
		const struct conf_link *link = &conf.links[i];

		if (link->broken && conf_matches(link, "ens3", &netdev))
			abort();
		conf_matches(link, "hsn0", &netdev);
		conf_name(link, "a-long-name-123", name);
		if (!memchr(name, '\0', sizeof(name)) || strchr(name, '/'))
			abort();
	}
	conf_put(&conf);
	free(text);
	return 0;
}
