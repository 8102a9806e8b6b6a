# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Guests with an installation of Debian: systemd, udev, a package manager, an initramfs and a disk that
# persists across reboots. On User-Mode Linux, a directory takes the place of the disk, there is no initramfs, and
# the release is chosen by $debian. Needs common.sh, debian.sh, kernel.sh and uml.sh.

system_packages=systemd-sysv,udev,kmod,dkms,initramfs-tools,zstd,iproute2,iputils-ping,procps
system_packages+=,rdma-core,ibverbs-providers,ibverbs-utils,libnl-3-200,libnl-route-3-200,libjson-c5

# Files that an installation has besides its packages: the unit that runs the case after boot.
system_unit()
{
	cat <<-'END'
		[Unit]
		Description=The case that this guest was started for
		After=multi-user.target
		[Service]
		ExecStart=/bin/sh -c 'mkdir -p /run/host /host && \
			mount -t 9p -o trans=virtio,version=9p2000.L,cache=none run /run/host && \
			mount -t 9p -o trans=virtio,version=9p2000.L,ro root /host && \
			exec /bin/bash "/host$(sed -n "s/.*rxe_init=\\([^ ]*\\).*/\\1/p" /proc/cmdline)"'
		[Install]
		WantedBy=multi-user.target
	END
}

system_key()
{
	{
		echo "$system_packages"
		kernel_release "$1"
		declare -f system_unit arrange_system
	} | sha256sum | cut -c 1-8
}

# system_image KERNEL: print the path of the disk image; each guest gets a copy.
system_image()
{
	echo "$(kernel_dir "$1")/system-$(system_key "$1").img"
}

# arrange_system ROOT: configure the system as an installer would.
arrange_system()
{
	local root=$1 timer

	echo 'LABEL=system / ext4 defaults 0 1' >"$root/etc/fstab"
	echo guest >"$root/etc/hostname"
	# "Targeted": an initramfs of all drivers takes minutes to make where the CPU is emulated.
	echo MODULES=dep >"$root/etc/initramfs-tools/conf.d/driver-policy"
	system_unit >"$root/etc/systemd/system/case.service"
	chroot "$root" systemctl -q enable case.service systemd-networkd.service
	# Disable timers, which would run at unpredictable times.
	for timer in apt-daily apt-daily-upgrade dpkg-db-backup e2scrub_all fstrim; do
		chroot "$root" systemctl -q mask "$timer.timer"
	done
}

# system_ready KERNEL: build the disk image if needed. DKMS finds the headers of this kernel only.
system_ready()
{
	local kernel=$1 base release image root

	image=$(system_image "$kernel")
	(
		take_lock "system-$kernel"
		[[ ! -e $image ]] || return 0
		require_root "installing a system"
		require_command mmdebstrap vm
		base=$(kernel_base "$kernel")
		release=$(kernel_release "$kernel")
		apt_ready "$base"
		say "installing Debian $base with Linux $release on a disk (a minute, once)"
		root=$(root_dir "system-$kernel")
		install_root "$base" "$root" \
			"$system_packages,linux-image-$release,linux-headers-$release"
		arrange_system "$root"
		rm -f "$(kernel_dir "$kernel")"/system-*.img
		logged "$cache/logs/system-$kernel-disk.log" \
			mke2fs -q -t ext4 -L system -d "$root" "$image.new" 4G
		mv "$image.new" "$image"
		rm -rf "$root"
	)
}

# system_packages DIRECTORY CASE: build our Debian packages, or our RPMs for a case with that comment; those that are
# built on this machine need its release or a later one.
system_packages()
{
	local guest=$debian

	is_uml "$kernel" || guest=$(kernel_base "$kernel")
	if grep -qx '# Its packages are RPMs\.' "$2"; then
		"$repo/packaging/rpm" "$1"
	elif [[ $guest == bullseye ]] && ! grep -q '^VERSION_CODENAME=bullseye' /etc/os-release; then
		"$repo/scripts/deb-install" --build "$1" "$guest"
	else
		"$repo/packaging/deb" "$1"
	fi
}

# system_disk KERNEL RUN: make the disk of the guest.
system_disk()
{
	[[ -e $2/disk ]] || cp --sparse=always --reflink=auto "$(system_image "$1")" "$2/disk"
}

# system_offline KERNEL RUN: run the case in a chroot on the disk of the guest, until it asks for a reboot.
system_offline()
{
	local run=$2

	system_disk "$1" "$run"
	say "the case begins in a chroot"
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare --mount bash -euc '
		run=$1 repo=$2 root=$1/chroot
		mkdir "$root"
		mount -o loop "$run/disk" "$root"
		mount -t tmpfs none "$root/run"
		mkdir -p "$root/run/host" "$root$repo"
		mount --bind "$run" "$root/run/host"
		mount --bind "$repo" "$root$repo"
		mount --bind /dev "$root/dev"
		mount -t proc proc "$root/proc"
		mount -t sysfs sysfs "$root/sys"
		# An initramfs that is made here has the drivers of this machine alone.
		printf "%s\n" virtio_pci virtio_blk virtio_net ext4 >>"$root/etc/initramfs-tools/modules"
		set -a
		. "$run/env.a"
		VM_OFFLINE=1 VM_ROLE=a HOME=/root LC_ALL=C PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
		exec chroot "$root" bash -c "cd $repo && eval \"exec bash $VM_CASE\""
	' bash "$run" "$repo" >>"$run/output.a" 2>&1 </dev/null || {
		sed 's/^/  | /' "$run/output.a"
		die "the case failed in the chroot"
	}
	rmdir "$run/chroot"
	[[ -e $run/reboot.a ]] || die "the case ended in the chroot"
	rm "$run/reboot.a"
}

# system_boot_files DISK DIRECTORY: extract kernel and initramfs, as a boot loader would read them.
system_boot_files()
{
	local disk=$1 dir=$2 name file

	for name in vmlinuz initrd.img; do
		file=$(debugfs -R 'ls -p /boot' "$disk" 2>/dev/null |
			awk -F / -v name="$name-" 'index($6, name) == 1 { print $6 }' | tail -n 1)
		[[ -n $file ]] || die "the disk holds no /boot/$name-*"
		debugfs -R "dump /boot/$file $dir/$name" "$disk" 2>/dev/null
	done
}

# system_command KERNEL RUN ROLE: set $command to that of the emulator. Its network is isolated.
system_command()
{
	local kernel=$1 run=$2 role=$3

	system_disk "$kernel" "$run"
	system_boot_files "$run/disk" "$run"
	# shellcheck disable=SC2046,SC2054,SC2207 # words, and commas of options
	command=(qemu-system-x86_64 $(accelerator) -smp "$cpus" -m "${memory:-1536M}" -nodefaults
		-display none -no-reboot -serial stdio
		-chardev "file,id=output,path=$run/output.$role,append=on" -serial chardev:output
		-kernel "$run/vmlinuz" -initrd "$run/initrd.img"
		-append "root=LABEL=system ro console=ttyS0 quiet mitigations=off systemd.show_status=no
			$(guest_cmdline "$run" "$role")"
		-drive "file=$run/disk,format=raw,if=virtio,cache=unsafe"
		$(readable / root)
		-virtfs "local,path=$run,mount_tag=run,security_model=none"
		-netdev user,id=lan,restrict=on
		-device virtio-net-pci,netdev=lan,mac=52:54:00:00:00:01
		-device virtio-rng-pci)
}

# uml_system_dir: the directory of the installation for User-Mode Linux, which guests do not change. There is another for
# each list of a case's Debian packages.
uml_system_dir()
{
	local name=system-uml-$debian

	[[ -z $case_packages ]] || name+=.$(sha256sum <<<"$case_packages" | cut -c 1-8)
	root_dir "$name-$({ echo "$system_packages"; declare -f uml_system_unit arrange_uml_system; } |
		sha256sum | cut -c 1-8)"
}

# The unit that runs the case: see system_unit.
uml_system_unit()
{
	cat <<-'END'
		[Unit]
		Description=The case that this guest was started for
		After=multi-user.target
		[Service]
		ExecStart=/bin/bash -c 'export LIBMOUNT_FORCE_MOUNT2=always; read -r line </proc/cmdline; run=$${line##*rxe_run=}; init=$${line##*rxe_init=}; \
			mkdir -p /run/host /host && mount -t hostfs -o "$${run%%%% *}" none /run/host && \
			mount -t hostfs -o ro none /host && exec /bin/bash "/host$${init%%%% *}"'
		[Install]
		WantedBy=multi-user.target
	END
}

# arrange_uml_system ROOT: headers of User-Mode Linux are in the cache, which the unit mounts below /host.
arrange_uml_system()
{
	local root=$1 timer

	: >"$root/etc/fstab"
	echo guest >"$root/etc/hostname"
	mkdir -p "$root$(dirname "$cache")" "$root/etc/systemd/journald.conf.d"
	ln -s "/host$cache" "$root$cache"
	printf '[Journal]\nStorage=volatile\n' >"$root/etc/systemd/journald.conf.d/guest.conf"
	uml_system_unit >"$root/etc/systemd/system/case.service"
	chroot "$root" systemctl -q enable case.service systemd-networkd.service
	for timer in apt-daily apt-daily-upgrade dpkg-db-backup e2scrub_all fstrim; do
		chroot "$root" systemctl -q mask "$timer.timer"
	done
	chroot "$root" systemctl -q mask getty@tty1.service serial-getty@tty0.service
}

# uml_system_ready: make the installation if needed.
uml_system_ready()
{
	local root

	root=$(uml_system_dir)
	(
		take_lock "system-uml-$debian"
		[[ ! -e $root ]] || return 0
		require_root "installing a system"
		require_command mmdebstrap vm
		apt_ready "$debian"
		say "installing Debian $debian for User-Mode Linux (a minute, once)"
		rm -rf "${root%-*}"-*
		install_root "$debian" "$root.part" \
			"${system_packages/,initramfs-tools/},gcc,make,libc6-dev${case_packages:+,${case_packages// /,}}"
		arrange_uml_system "$root.part"
		mv "$root.part" "$root"
	)
}

# uml_system_command KERNEL RUN ROLE: set $command. The guest has a copy, which is kept when it boots again. A copy
# and no overlay on the host: hostfs opens a directory anew for each part that it reads, by the position in an overlay's
# list of names. If files are deleted between two parts, as dpkg does, it misses names.
uml_system_command()
{
	local kernel=$1 run=$2 role=$3

	cp /proc/cpuinfo "$run/cpuinfo"
	if [[ ! -e $run/root ]]; then
		cp -a --reflink=auto "$(uml_system_dir)" "$run/root"
		mkdir -p "$run/root/lib/modules"
		cp -a "$(uml_modules "$kernel")" "$run/root/lib/modules/"
	fi
	# shellcheck disable=SC2046,SC2207 # words
	command=("$(uml_image "$kernel")" "mem=${memory:-1536M}" "ncpus=$cpus" seccomp=on
		"uml_dir=$run" "umid=uml.$role" root=/dev/root rootfstype=hostfs "rootflags=$run/root" rw
		"con=null" "con0=null,fd:1" "con1=null,fd:3" systemd.show_status=no $(guest_cmdline "$run" "$role"))
}
