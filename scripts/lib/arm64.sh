# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Guests of arm64 on a machine of another architecture: an emulated board, and Debian's arm64 programs, which cover
# those of this machine in the guest's file system. Needs common.sh, debian.sh and kernel.sh.

# What guest-init and the cases need, and what the programs of the cases are built with. apt adds the dependencies.
arm64_packages=(bash bsdutils busybox-static coreutils dash debianutils diffutils ethtool findutils grep gzip hostname
	ibverbs-providers ibverbs-utils iproute2 iputils-ping kmod libc-bin libdrm-dev libibverbs-dev libjson-c-dev
	libnl-3-dev libnl-route-3-dev librdmacm-dev login make mawk mount ncurses-bin nftables perftest perl-base
	pkgconf procps python3 python3-pyverbs rdma-core rdmacm-utils sed sysvinit-utils tar util-linux)

# arm64_root KERNEL: print the directory of the programs.
arm64_root()
{
	root_dir "arm64-$(kernel_base "$1")-$(sha256sum <<<"${arm64_packages[*]}" | cut -c 1-8)"
}

# Unpacked, not configured: the programs that would do so do not run on this machine. Configuration files that no
# package contains, such as the links of alternatives, are those of this machine.
arm64_unpack()
{
	local lists=$1 root=$2 dir
	local -a names

	mkdir -p "$root/usr"
	for dir in bin lib sbin; do
		mkdir "$root/usr/$dir"
		ln -s "usr/$dir" "$root/$dir"
	done
	mapfile -t names < <(private_apt "$lists" apt-get -q --simulate install "${arm64_packages[@]}" |
		awk '$1 == "Inst" { print $2 }')
	[[ ${#names[@]} -gt 0 ]] || die "the arm64 programs of Debian cannot be installed together"
	unpack_packages "$lists" "$root" "${names[@]}"
}

# arm64_ready KERNEL: what runs and builds guests is installed, and the programs are unpacked.
arm64_ready()
{
	local lists root

	"$repo/scripts/setup-packages" cross
	lists=$(kernel_lists "$1")
	root=$(arm64_root "$1")
	(
		take_lock "arm64-$lists"
		[[ ! -e $root ]] || return 0
		require_root "unpacking the programs of guests"
		apt_ready "$lists"
		say "fetching the arm64 programs of Debian ${lists%-arm64}"
		rm -rf "${root%-*}"-*
		arm64_unpack "$lists" "$root.new"
		mv "$root.new" "$root"
	)
}

# arm64_build KERNEL OUT: cross-build the programs of the cases, and rxectl, into OUT.
arm64_build()
{
	local root out=$2 libraries
	local -a cross

	root=$(arm64_root "$1")
	libraries=$root/usr/lib/aarch64-linux-gnu
	cross=(CC=aarch64-linux-gnu-gcc "CFLAGS=-O2 -g -I$root/usr/include"
		"LDFLAGS=-L$libraries -Wl,-rpath-link=$libraries")
	make -s -C "$repo/tests/vm/prog" OUT="$out" "${cross[@]}"
	mkdir -p "$out/rxectl.src/tools"
	rsync -a --exclude='*.o' --exclude='*.d' --exclude=/rxectl/rxectl "$repo/tools/rxectl" "$out/rxectl.src/tools/"
	cp "$repo/Kbuild" "$out/rxectl.src/"
	PKG_CONFIG_LIBDIR=$libraries/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root \
		make -s -j "$(nproc)" -C "$out/rxectl.src/tools/rxectl" "${cross[@]}"
	cp "$out/rxectl.src/tools/rxectl/rxectl" "$out/rxectl"
}

# arm64_command KERNEL RUN ROLE: set $command to that of the emulator.
arm64_command()
{
	local kernel=$1 run=$2 role=$3 console=stdio

	[[ -z $interactive ]] || console=mon:stdio
	# shellcheck disable=SC2046,SC2054,SC2207 # words, and commas of options
	command=(qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on -smp "$cpus" -m "${memory:-1536M}" -nodefaults
		-display none -no-reboot -serial "$console"
		-chardev "file,id=output,path=$run/output.$role,append=on" -device pci-serial,chardev=output
		-kernel "$(kernel_image "$kernel")" -initrd "$(initrd "$kernel")"
		-append "console=ttyAMA0 rxe_programs $(guest_cmdline "$run" "$role")"
		$(readable / root) $(readable "$(arm64_root "$kernel")" programs)
		-virtfs "local,path=$run,mount_tag=run,security_model=none"
		-device virtio-rng-pci)
}
