// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of QEMU that counts the instructions which a guest executes in its kernel: for each
 * virtual processor a 64-bit number, in the file "counts=PATH", which a program may read at any
 * time.
 *
 * A block of instructions counts in full when it is entered, even if an exception leaves it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The interface, for which Debian has no header, in its version 1. */
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   void (*cb)(qemu_plugin_id_t id,
						      struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  void (*cb)(unsigned int vcpu, void *data),
					  enum qemu_plugin_cb_flags flags, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);

#define EXPORTED __attribute__((visibility("default")))

EXPORTED extern int qemu_plugin_version;
EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);

int qemu_plugin_version = 1;

#define MAX_VCPUS    8
#define KERNEL_VADDR (UINT64_C(1) << 63)

static volatile uint64_t *counts;

/* Only its own thread writes a processor's number. */
static void block_entered(unsigned int vcpu, void *insns)
{
	if (vcpu < MAX_VCPUS)
		counts[vcpu] += (uintptr_t)insns;
}

static void block_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	if (qemu_plugin_tb_vaddr(tb) >= KERNEL_VADDR)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, block_entered, QEMU_PLUGIN_CB_NO_REGS,
						     (void *)qemu_plugin_tb_n_insns(tb));
}

static int map_counts(const char *path)
{
	size_t size = MAX_VCPUS * sizeof(*counts);
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	void *p;

	if (fd < 0 || ftruncate(fd, size))
		return -1;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	counts = p;
	return p == MAP_FAILED ? -1 : 0;
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "counts=", 7)) {
		fprintf(stderr, "kernel_insns: the one argument is counts=PATH\n");
		return -1;
	}
	if (map_counts(argv[0] + 7)) {
		perror(argv[0] + 7);
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, block_translated);
	return 0;
}
