# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Guests: starting one, waiting for it and judging how it ended. Needs kernel.sh, uml.sh and pin.sh.
#
# A guest is a role ("a", or "b" for the second of a pair) in a run directory, which it shares
# with the host. There: env.ROLE (settings for guest-init), console.ROLE (output of the
# kernel), output.ROLE (output of the case), status.ROLE (the case's exit status), dmesg.ROLE, and
# reboot.ROLE while an installed system requests a reboot.

guest_init=$repo/scripts/lib/guest-init
trouble='BUG:|WARNING:|KASAN|UBSAN|Oops|Kernel panic|general protection|segfault|blocked for more than|soft lockup|hard LOCKUP|self-detected stall|detected stalls|unregister_netdevice: waiting|refcount_t|list_(add|del) corruption|Modules linked in:|leaked|Objects remaining'
# Harmless boot messages that match the patterns of trouble. Data races are judged by guest_races.
harmless='Spectre|MDS: Vulnerable|RETBleed: WARNING|unprivileged eBPF|Speculative|BUG: KCSAN: '

# Modules that a stock kernel needs to mount its root, which has all others.
root_modules=(virtio_pci 9pnet_virtio 9p overlay)

module_files()
{
	local module line

	for module in "${root_modules[@]}"; do
		modprobe -d "$(kernel_dir "$1")/image" -S "$(kernel_release "$1")" \
			--show-depends "$module" | awk '$1 == "insmod" { print $2 }'
	done | awk '!seen[$0]++'
}

copy_module()
{
	case $1 in
	*.xz) xz -dc "$1" ;;
	*.zst) zstd -qdc "$1" ;;
	*) cat "$1" ;;
	esac >"$2"
}

initrd_busybox()
{
	if is_arm64 "$1"; then
		echo "$(arm64_root "$1")/bin/busybox"
	else
		command -v busybox
	fi
}

pack_initrd()
{
	local kernel=$1 dir=$2 file name

	mkdir -p "$dir"/{bin,proc,sys,dev}
	cp "$repo/scripts/lib/guest-boot" "$dir/init"
	cp "$(initrd_busybox "$kernel")" "$dir/bin/busybox"
	for name in sh mount umount mkdir cat grep insmod switch_root; do
		ln -s busybox "$dir/bin/$name"
	done
	: >"$dir/modules"
	if ! is_uml "$kernel"; then
		while read -r file; do
			name=$(basename "$file")
			name=${name%.ko*}.ko
			copy_module "$file" "$dir/$name"
			echo "$name" >>"$dir/modules"
		done < <(module_files "$kernel")
	fi
	(cd "$dir" && find . | cpio -o -H newc --quiet)
}

# initrd KERNEL: print the path of its initramfs, rebuilt if guest-boot has changed.
initrd()
{
	local key file dir

	key=$(cat "$repo/scripts/lib/guest-boot" <(echo "${root_modules[@]}") | sha256sum | cut -c 1-8)
	file=$(kernel_dir "$1")/initrd-$key
	if [[ ! -s $file ]]; then
		mkdir -p "$(dirname "$file")"
		dir=$(mktemp -d "$cache/initrd.XXXXXX")
		pack_initrd "$1" "$dir" >"$file.$$"
		mv "$file.$$" "$file"
		rm -rf "$dir"
	fi
	echo "$file"
}

# readable DIRECTORY TAG: print options of QEMU for a directory that the guest may read.
readable()
{
	echo "-virtfs local,path=$1,mount_tag=$2,security_model=none,readonly=on,multidevs=remap"
}

# Kernel parameters of every guest, and those requested. An oops ends the guest at once.
guest_cmdline()
{
	echo "rxe_init=$guest_init rxe_run=$1 rxe_role=$2 panic=-1 oops=panic loglevel=6 printk.time=1 ${parameters[*]}"
}

uml_command()
{
	local kernel=$1 run=$2 role=$3 pair=$4 console=null,fd:1

	cp /proc/cpuinfo "$run/cpuinfo"
	[[ -z $interactive ]] || console=fd:0,fd:1
	# shellcheck disable=SC2046,SC2207 # words
	command=("$(uml_image "$kernel")" "mem=${memory:-1536M}" "ncpus=$cpus" seccomp=on
		"uml_dir=$run" "umid=uml.$role" "initrd=$(initrd "$kernel")"
		"con=null" "con0=$console" "con1=null,fd:3" $(guest_cmdline "$run" "$role")
		${layer:+"rxe_programs=$layer"} ${pair:+$(uml_wire "$role")})
}

# KVM is used only if a trial boot ends quickly: on some machines stock kernels hang with it.
kvm_works()
{
	local mark dir

	mark=$cache/kvm-$(cat /proc/sys/kernel/random/boot_id)
	if [[ ! -s $mark ]]; then
		mkdir -p "$cache"
		if [[ -w /dev/kvm ]] && kvm_trial; then
			echo yes >"$mark"
		else
			echo no >"$mark"
		fi
	fi
	[[ $(cat "$mark") == yes ]]
}

# Without a root the guest panics, which with panic=-1 and -no-reboot ends the emulator.
kvm_trial()
{
	timeout -s KILL 10 qemu-system-x86_64 -accel kvm -cpu host -smp 2 -m 512M -nodefaults \
		-display none -no-reboot -kernel "$(kernel_image 6.1)" \
		-append "console=ttyS0 panic=-1" </dev/null >/dev/null 2>&1
}

# The emulator of Debian 12 computes the flags of CMPXCHG16B from what it has not stored yet; slab
# allocators that use it get traps, at best. So the emulated processor has none.
accelerator()
{
	if [[ ${RXE_ACCEL:-} != tcg ]] && kvm_works; then
		echo "-accel kvm -cpu host"
	else
		echo "-accel tcg,thread=multi -cpu qemu64,-cx16,+ssse3,+sse4.1,+sse4.2,+pclmulqdq"
	fi
}

link_options()
{
	local run=$1 role=$2 server=off

	[[ $role == b ]] || server=on
	echo "-netdev stream,id=link,server=$server,addr.type=unix,addr.path=$run/link" \
		"-device virtio-net-pci,netdev=link,mac=52:54:00:00:00:0$((1 + (0x$role - 10)))"
}

# With --count: the counting plugin and the file of its counts.
count_options()
{
	[[ -z ${count:-} ]] || echo "-plugin $prog/kernel_insns.so,counts=$1/insns.$2"
}

qemu_command()
{
	local kernel=$1 run=$2 role=$3 pair=$4 link=''
	local console=file:$run/console.$role

	[[ -z $interactive ]] || console=mon:stdio
	[[ -z $pair ]] || link=$(link_options "$run" "$role")
	# shellcheck disable=SC2046,SC2054,SC2206,SC2207 # words, and commas of options
	command=(qemu-system-x86_64 $(accelerator) -smp "$cpus" -m "${memory:-1536M}" -nodefaults
		-display none -no-reboot -serial "$console" -serial "file:$run/output.$role"
		-kernel "$(kernel_image "$kernel")" -initrd "$(initrd "$kernel")"
		-append "console=ttyS0 ${layer:+rxe_programs} $(guest_cmdline "$run" "$role")"
		$(readable / root) ${layer:+$(readable "$layer" programs)}
		-virtfs "local,path=$run,mount_tag=run,security_model=none"
		-device virtio-rng-pci $link $(count_options "$run" "$role"))
}

# guest_start KERNEL RUN ROLE PAIR: start a guest in its own session and set $pid.
guest_start()
{
	local kernel=$1 run=$2 role=$3 pair=$4
	local -a command

	if is_uml "$kernel" && [[ -n $system ]]; then
		uml_system_command "$kernel" "$run" "$role"
	elif is_uml "$kernel"; then
		uml_command "$kernel" "$run" "$role" "$pair"
	elif is_arm64 "$kernel"; then
		arm64_command "$kernel" "$run" "$role"
	elif [[ -n $system ]]; then
		system_command "$kernel" "$run" "$role"
	else
		qemu_command "$kernel" "$run" "$role" "$pair"
	fi
	[[ -z ${pin:-} || -z $pair ]] || command=(taskset -c "$(pin_share "$role")" "${command[@]}")
	# A rebooted guest appends to its files.
	: >>"$run/output.$role"
	if [[ -n $interactive ]]; then
		"${command[@]}" 3>"$run/output.$role"
		return
	fi
	# Through pipes, because User-Mode Linux cannot wait for room in a plain file.
	setsid "${command[@]}" </dev/null > >(exec cat >>"$run/console.$role") 2>&1 \
		3> >(exec cat >>"$run/output.$role") &
	pid=$!
	[[ -z ${pin:-} ]] || ! is_uml "$kernel" || pin_threads "$pid" "$cpus"
}

# User-Mode Linux ignores SIGTERM, and is several processes.
guest_kill()
{
	kill -KILL -- "-$1" 2>/dev/null || kill -KILL "$1" 2>/dev/null || true
}

# guest_messages RUN ROLE: print what the kernel said, without the times. Some of it is there twice.
guest_messages()
{
	{ cat "$1/console.$2" "$1/dmesg.$2" 2>/dev/null || true; } | tr -d '\r' | sed -E 's/^\[[^]]*\] ?//'
}

# guest_races RUN ROLE: print the titles of those reports of KCSAN in which one of the two accesses is made by a
# function of the module under test or of a test module. The kernel itself has many races.
guest_races()
{
	local modules=rdma_rxe

	[[ -z ${kmod:-} ]] || modules+="|$(basename "$kmod" .ko)"
	guest_messages "$1" "$2" | awk -v ours="\\[($modules)\\]\$" '
		/^BUG: KCSAN: / { title = $0; stack = found = 0; next }
		title && / bytes by (task|interrupt)/ { stack = 1; next }
		title && stack { if ($0 ~ ours) found = 1; stack = 0; next }
		/^Reported by Kernel Concurrency Sanitizer/ {
			if (title && found && !seen[title]++ && ++n <= 20)
				print title
			title = ""
		}'
}

# guest_trouble RUN ROLE: print the kernel's warnings and errors, if any.
guest_trouble()
{
	guest_races "$1" "$2"
	guest_messages "$1" "$2" | awk -v trouble="$trouble" -v harmless="$harmless" \
			'$0 ~ trouble && $0 !~ harmless && !seen[$0]++ && ++n <= 20'
}
