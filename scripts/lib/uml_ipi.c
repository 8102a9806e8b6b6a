// SPDX-License-Identifier: GPL-2.0
/*
 * Appended to arch/um/os-Linux/signal.c by scripts/lib/uml_source.sh. IPIs, like the other
 * signals, stay unblocked on the host while interrupts are off. Their vectors are marked in
 * signals_pending, above the bits of the others, until interrupts are on again.
 */
#define IPI_SHIFT 3

static void run_ipis(unsigned int pending)
{
	unsigned int vector;

	for (vector = 0; pending >> IPI_SHIFT >> vector; vector++)
		if (pending >> IPI_SHIFT & (1u << vector))
			uml_ipi_handler(vector);
}

/* The caller has blocked IPIs on the host, else one that comes in between would be lost. */
static unsigned int take_ipis(void)
{
	unsigned int pending = signals_pending;

	signals_pending = pending & ((1u << IPI_SHIFT) - 1);
	return pending - signals_pending;
}

/*
 * The host calls this with IPIs blocked, else it would call it for each IPI of its queue on top of
 * the one before, and the stack would overflow. IPIs are unblocked while the kernel handles one: its
 * softirqs may wait for a lock of another CPU, which waits for this one to take an IPI.
 */
void ipi_signal(int vector)
{
	unsigned int pending = 1u << (IPI_SHIFT + vector);

	if (!signals_enabled) {
		signals_pending |= pending;
		return;
	}
	block_signals_trace();
	do {
		os_local_ipi_enable();
		run_ipis(pending);
		os_local_ipi_disable();
		pending = take_ipis();
	} while (pending);
	unblock_signals_trace();
}
