# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# User-Mode Linux: the newest of the stock kernels, built as a process of the host.
# Needs common.sh, debian.sh and kernel.sh.
#
# Flavours: "uml" for speed, "uml-kasan" with KASAN, atomic-sleep checks and failslab, "uml-lockdep" with lock and
# reference checks, kmemleak, UBSAN and fault injection, "uml-apps" as "uml", with the kernel's users of RDMA and their
# counterparts over TCP. Each is built out of one source tree into a directory of its own, named by a key of the
# source's version, its configuration and the compiler, so that a change of any builds a new one.

uml_version=7.2
uml_flavours=(uml uml-kasan uml-lockdep uml-apps)
uml_cpus_built=2

uml_config_common='
	MODULES MODULE_UNLOAD BPF_SYSCALL VIRTIO VIRTIO_UML PCI UML_PCI_OVER_VIRTIO
	INET IPV6 INFINIBAND INFINIBAND_USER_ACCESS INFINIBAND_USER_MAD INFINIBAND_ADDR_TRANS
	NETFILTER NETFILTER_ADVANCED NETFILTER_INGRESS NF_TABLES NF_TABLES_INET
	NF_TABLES_NETDEV NF_CONNTRACK NFT_CT NFT_LIMIT NFT_LOG NFT_REJECT
	NET_NS USER_NS VETH MACVLAN IPVLAN VLAN_8021Q BRIDGE BONDING DUMMY PACKET
	NET_SCHED NET_SCH_NETEM NET_SCH_TBF NET_SCH_INGRESS NET_CLS_ACT NET_CLS_U32
	IP_MULTICAST IP_ADVANCED_ROUTER IP_MULTIPLE_TABLES IPV6_MULTIPLE_TABLES VXLAN TUN
	XFRM_USER INET_ESP INET6_ESP NET_L3_MASTER_DEV NET_VRF IPVLAN_L3S WIREGUARD NET_IPIP IPV6_SIT
	NET_CLS_MATCHALL NET_CLS_FLOWER NET_ACT_GACT NET_ACT_MIRRED
	FTRACE ENABLE_DEFAULT_TRACERS BLK_DEV_INITRD HOSTFS OVERLAY_FS TMPFS DEVTMPFS SMP HIGH_RES_TIMERS
	CONFIGFS_FS BLK_DEV_LOOP MAGIC_SYSRQ PRINTK_TIME DETECT_HUNG_TASK KALLSYMS SLUB_DEBUG
	CC_OPTIMIZE_FOR_PERFORMANCE DEBUG_INFO_NONE'
uml_config_modules='RDMA_RXE RDMA_SIW'
uml_config_off='WERROR DEBUG_KMEMLEAK EXT4_FS ISO9660_FS AUTOFS_FS HID_SUPPORT'
uml_config_kasan='
	KASAN KASAN_GENERIC KASAN_OUTLINE KASAN_VMALLOC DEBUG_KERNEL DEBUG_ATOMIC_SLEEP DEBUG_LIST
	STACKTRACE FAULT_INJECTION FAILSLAB FAULT_INJECTION_DEBUG_FS DEBUG_FS'
# Checks need twice the stack, as on other architectures. Interrupts run on the host's signal stack; if
# another signal does not fit onto it, the host kills the kernel without a message.
uml_config_large_stack=3

# DEBUG_OBJECTS and kmemleak report an object's allocation by its stack, for which User-Mode Linux needs frame pointers.
uml_config_lockdep='
	DEBUG_KERNEL FRAME_POINTER DEBUG_FS PROVE_LOCKING PROVE_RCU DEBUG_ATOMIC_SLEEP DEBUG_LIST
	DEBUG_OBJECTS DEBUG_OBJECTS_FREE DEBUG_OBJECTS_TIMERS DEBUG_OBJECTS_WORK DEBUG_OBJECTS_RCU_HEAD
	DEBUG_OBJECTS_PERCPU_COUNTER NET_DEV_REFCNT_TRACKER NET_NS_REFCNT_TRACKER DEBUG_KMEMLEAK
	UBSAN UBSAN_BOUNDS UBSAN_SHIFT UBSAN_BOOL UBSAN_ENUM UBSAN_DIV_ZERO
	FAULT_INJECTION FAILSLAB FAIL_PAGE_ALLOC FAULT_INJECTION_USERCOPY FAULT_INJECTION_DEBUG_FS
	FAULT_INJECTION_STACKTRACE_FILTER'

# NVMe, NFS, iSCSI and SMB over RDMA and over TCP, each at both ends.
uml_config_apps='NFSD_V4 NFS_V4_2 CIFS_SMB_DIRECT SMB_SERVER_SMBDIRECT SCSI BLK_DEV_SD'
uml_config_apps_modules='
	BLK_DEV_RAM NVME_RDMA NVME_TCP NVME_TARGET NVME_TARGET_RDMA NVME_TARGET_TCP
	NFS_FS NFS_V4 NFSD SUNRPC_XPRT_RDMA
	INFINIBAND_ISER ISCSI_TCP TARGET_CORE TCM_IBLOCK ISCSI_TARGET INFINIBAND_ISERT
	CIFS SMB_SERVER'

is_uml()
{
	[[ " ${uml_flavours[*]} " == *" $1 "* ]]
}

# uml_cpus FLAVOUR: print how many CPUs a guest may have. With two, lockdep reports the idle loop of User-Mode Linux.
uml_cpus()
{
	if [[ $1 == uml-lockdep ]]; then echo 1; else echo "$uml_cpus_built"; fi
}

uml_source()
{
	echo "$cache/uml/source-$(uml_source_version)"
}

uml_source_version()
{
	local dir base

	dir=$cache/uml
	if [[ ! -s $dir/version ]]; then
		base=$(kernel_base "$uml_version")
		apt_ready "$base"
		mkdir -p "$dir"
		private_apt "$base" apt-cache show "linux-source-$uml_version" |
			awk '/^Version:/ { print $2; exit }' >"$dir/version"
	fi
	cat "$dir/version"
}

# All flavours are built from one tree.
uml_fetch()
{
	(
		take_lock uml-source
		uml_fetch_source
	)
}

uml_fetch_source()
{
	local base tree dir

	tree=$(uml_source)
	[[ ! -e $tree ]] || return 0
	base=$(kernel_base "$uml_version")
	apt_ready "$base"
	say "fetching the source of Linux $(uml_source_version)"
	dir=$(mktemp -d "$cache/uml/unpack.XXXXXX")
	unpack_packages "$base" "$dir" "linux-source-$uml_version"
	tar -C "$dir" -xf "$dir/usr/src/linux-source-$uml_version.tar.xz"
	mv "$dir/linux-source-$uml_version" "$tree"
	rm -rf "$dir"
}

# uml_options FLAVOUR: the options as merge_config.sh would read them.
uml_options()
{
	local option

	# shellcheck disable=SC2086 # lists of words
	{
		printf 'CONFIG_%s=y\n' $uml_config_common
		printf 'CONFIG_%s=m\n' $uml_config_modules
		[[ $1 != uml-kasan ]] || printf 'CONFIG_%s=y\n' $uml_config_kasan
		for option in $uml_config_off; do
			echo "# CONFIG_$option is not set"
		done
	}
	cat <<-END
		CONFIG_NR_CPUS=$uml_cpus_built
		CONFIG_UML_PCI_OVER_VIRTIO_DEVICE_ID=1234
		CONFIG_DEFAULT_HUNG_TASK_TIMEOUT=40
		CONFIG_LOCALVERSION="-$1"
	END
	case $1 in
	uml-kasan) echo "CONFIG_KERNEL_STACK_ORDER=$uml_config_large_stack" ;;
	uml-lockdep)
		# Of two lines for one option, the second counts.
		# shellcheck disable=SC2086 # a list of words
		printf 'CONFIG_%s=y\n' $uml_config_lockdep
		echo "CONFIG_KERNEL_STACK_ORDER=$uml_config_large_stack"
		;;
	uml-apps)
		# shellcheck disable=SC2086 # lists of words
		{
			printf 'CONFIG_%s=y\n' $uml_config_apps
			printf 'CONFIG_%s=m\n' $uml_config_apps_modules
		}
		;;
	esac
}

uml_key()
{
	{
		uml_source_version
		uml_options "$1"
		gcc -dumpfullversion
	} | sha256sum | cut -c 1-12
}

# uml_tree FLAVOUR: the build directory, which is also the KDIR for modules (with ARCH=um).
uml_tree()
{
	echo "$cache/uml/$1-$(uml_key "$1")"
}

uml_make()
{
	local tree=$1

	shift
	make -s -C "$(uml_source)" O="$tree" ARCH=um "$@"
}

# Options that Kconfig did not accept are an error here, rather than a failure in a guest.
uml_check_config()
{
	local line refused=''

	while read -r line; do
		[[ $line != CONFIG_*=[ym] ]] || grep -qx "$line" "$2/.config" || refused+=" $line"
	done < <(uml_options "$1")
	[[ -z $refused ]] || die "Linux $(uml_source_version) for UML does not take:$refused"
}

uml_configure()
{
	local tree=$2

	mkdir -p "$tree"
	uml_make "$tree" x86_64_defconfig
	uml_options "$1" >>"$tree/.config"
	uml_make "$tree" olddefconfig
	uml_check_config "$1" "$tree"
}

uml_compile()
{
	uml_make "$1" -j "$(nproc)" all
	uml_make "$1" INSTALL_MOD_PATH="$1/install" modules_install
}

# uml_build FLAVOUR: builds kernel and modules unless that is done already.
uml_build()
{
	local tree

	uml_fetch
	tree=$(uml_tree "$1")
	[[ ! -e $tree/built ]] || return 0
	for command in flex bison bc make gcc; do
		require_command "$command" vm
	done
	say "building Linux $uml_version for $1 (some minutes, once)"
	logged "$cache/logs/$1-config.log" uml_configure "$1" "$tree"
	logged "$cache/logs/$1-build.log" uml_compile "$tree"
	touch "$tree/built"
	say "built $1"
}

uml_kdir()
{
	uml_tree "$1"
}

uml_image()
{
	echo "$(uml_tree "$1")/linux"
}

uml_release()
{
	cat "$(uml_tree "$1")/include/config/kernel.release"
}

uml_modules()
{
	echo "$(uml_tree "$1")/install/lib/modules/$(uml_release "$1")"
}
