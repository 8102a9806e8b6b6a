# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Have calls of this module fail that allocate memory or copy from or to a program: set up, and say which did.

debugfs=/sys/kernel/debug
tracing=/sys/kernel/tracing
log=$OUT/kmsg
capabilities=(failslab fail_page_alloc fail_usercopy)

# Functions of the kernel that allocate memory or copy from or to a program, as the module's object file names them.
may_fail='^(__kmalloc|__kvmalloc|kmem_cache_alloc|kmalloc|kmemdup|kvmalloc|vmalloc|vzalloc|__vmalloc|alloc_pages|__alloc_pages|get_free_pages|__get_free_page|pcpu_alloc|__alloc_skb|alloc_skb|__netdev_alloc_skb|__napi_alloc|napi_build_skb|__pskb_pull_tail|_copy_from_user|_copy_to_user|_copy_from_iter|should_fail_usercopy|xa_store|__xa_|ib_umem_get|_ib_alloc_device|ib_register_device|rdma_user_mmap_entry_insert|rdma_alloc_hw_stats|mmu_interval_notifier_insert|dma_buf_vmap|hmm_range_fault|vm_insert_page|prepare_kernel_cred|sock_create|udp_sock_create|nf_register_net_hook|register_netdevice_notifier|alloc_workqueue|kthread_create|ip_mc_inc_group|ipv6_dev_mc_inc|__rhashtable_init|rhashtable_init|rhashtable_insert_slow)'

# Fails unless the kernel has fault injection.
faults_needed()
{
	local capability

	for capability in "${capabilities[@]}"; do
		[[ -e $debugfs/$capability/require-start ]] ||
			skip "needs a kernel with fault injection (uml-lockdep)"
	done
}

faults_set_up()
{
	local capability

	for capability in "${capabilities[@]}"; do
		echo 0 >"$debugfs/$capability/probability"
		echo 32 >"$debugfs/$capability/stacktrace-depth"
		echo 1000000 >"$debugfs/$capability/times"
	done
	echo N >"$debugfs/failslab/ignore-gfp-wait"
	echo N >"$debugfs/fail_page_alloc/ignore-gfp-wait"
	echo 0 >"$debugfs/fail_page_alloc/min-order"
	find_module
	find_kmemleak
	limit_to "$text_start" "$text_end"
}

# limit_to START END: only calls fail that have a return address of this range on the stack. Those by which kmemleak
# records an allocation do not.
limit_to()
{
	local capability

	for capability in "${capabilities[@]}"; do
		echo "$1" >"$debugfs/$capability/require-start"
		echo "$2" >"$debugfs/$capability/require-end"
		echo "$kmemleak_start" >"$debugfs/$capability/reject-start"
		echo "$kmemleak_end" >"$debugfs/$capability/reject-end"
	done
}

find_module()
{
	local size

	size=$(objdump -h "$VM_MODULE" | awk '$2 == ".text" { print $3 }')
	text_start=$(($(cat /sys/module/rdma_rxe/sections/.text)))
	text_end=$((text_start + 0x$size))
}

# /proc/kallsyms lists the functions of the kernel by their addresses.
find_kmemleak()
{
	read -r kmemleak_start kmemleak_end < <(awk '
		start && $1 != start { print "0x" start, "0x" $1; exit }
		$3 == "__alloc_object" { start = $1 }' /proc/kallsyms) || fail "the kernel has no kmemleak"
}

# Of allocations from slabs, the trace has the stack, also with __GFP_NOWARN; of the other failures, the log has it.
record_start()
{
	local event

	mountpoint -q "$tracing" || mount -t tracefs none "$tracing"
	echo 16384 >"$tracing/buffer_size_kb"
	echo 1 >"$tracing/options/stacktrace"
	for event in kmalloc kmem_cache_alloc; do
		echo "ptr == 0" >"$tracing/events/kmem/$event/filter"
		echo 1 >"$tracing/events/kmem/$event/enable"
	done
	# The console takes longer than the test.
	dmesg -n 1
	echo 0 >"$debugfs/failslab/verbose"
	echo 2 >"$debugfs/fail_page_alloc/verbose"
	echo 2 >"$debugfs/fail_usercopy/verbose"
	exec {messages}</dev/kmsg
	save_messages
	: >"$log"
}

record_stop()
{
	save_messages
	echo 0 >"$tracing/events/kmem/enable"
	cat "$tracing/trace" >"$OUT/trace"
	echo 0 >"$debugfs/fail_page_alloc/verbose"
	echo 0 >"$debugfs/fail_usercopy/verbose"
}

# The kernel keeps the messages of some failures only.
save_messages()
{
	dd iflag=nonblock bs=8192 status=none <&"$messages" >>"$log" 2>/dev/null || true
}

# The number of failures that are left.
failures_left()
{
	local capability sum=0

	for capability in "${capabilities[@]}"; do
		sum=$((sum + $(<"$debugfs/$capability/times")))
	done
	echo "$sum"
}

# reached FILE: "FUNCTION CALLEE" of each failure: the innermost function of the module on the stack, and which
# function of the kernel it called. The log prefixes addresses, and marks with "?" what is no part of the stack.
reached()
{
	awk '
		/FAULT_INJECTION: forcing a failure|<stack trace>/ { found = 0; callee = ""; inside = 1; next }
		!inside || found || /\] \? / { next }
		match($0, /(\[<[0-9a-f]+>\]|=>) [A-Za-z0-9_.]+/) {
			name = substr($0, RSTART, RLENGTH)
			sub(/.* /, "", name)
			if (name ~ /^(rxe|roce)_/) {
				print name " " callee
				found = 1
			}
			callee = name
		}' "$1"
}

# "FUNCTION CALLEE" of all calls in the module that may fail.
all_sites()
{
	objdump -dr --no-show-raw-insn "$VM_MODULE" | awk -v may_fail="$may_fail" '
		/^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3) }
		/R_X86_64_(PLT32|PC32|64|32S?)/ {
			target = $NF
			sub(/[-+]0x[0-9a-f]+$/, "", target)
			if (target ~ may_fail && target !~ /^(kmalloc_caches|vmalloc_to_page)$/)
				print name " " target
		}' | sort -u
}

# report: prints what was reached, and what was not.
report()
{
	{
		reached "$log"
		reached "$OUT/trace"
	} >"$OUT/reached"
	all_sites >"$OUT/all"
	sort -u "$OUT/reached" >"$OUT/sites"
	comm -13 "$OUT/sites" "$OUT/all" >"$OUT/missed"
	step "sites, with the calls that failed there:"
	sort "$OUT/reached" | uniq -c >&2
	step "calls of the module that never failed:"
	cat "$OUT/missed" >&2
	summary "$1 calls failed, at $(wc -l <"$OUT/sites") sites; $(wc -l <"$OUT/missed") of $(
		wc -l <"$OUT/all") calls of the module that may fail were not reached"
}
