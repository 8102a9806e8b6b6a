# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# User-Mode Linux: the newest of the stock kernels, built as a process of the host.
# Needs common.sh, debian.sh, kernel.sh and uml_source.sh.
#
# Flavours, each built into a directory of its own, named by a key of its source, its configuration and the compiler, so
# that a change of any builds a new one:
# * uml: for speed, with the modules of firewalls
# * uml-kasan: KASAN, atomic-sleep checks and failslab
# * uml-lockdep: lock and reference checks, kmemleak, UBSAN and fault injection
# * uml-kcsan: the detector of data races and little else
# * uml-gcov: as uml; it counts which lines of the module under test are executed
# * uml-apps: as uml, with the users of RDMA that are measured and their counterparts over TCP
# * uml-ulp: all of the kernel's users of RDMA ("upper layer protocols") and an interface that joins two guests

uml_flavours=(uml uml-kasan uml-lockdep uml-kcsan uml-gcov uml-apps uml-ulp)
uml_cpus_built=2

uml_config_common='
	MODULES MODULE_UNLOAD BPF_SYSCALL VIRTIO VIRTIO_UML PCI UML_PCI_OVER_VIRTIO
	INET IPV6 INFINIBAND INFINIBAND_USER_ACCESS INFINIBAND_USER_MAD INFINIBAND_ADDR_TRANS
	NETFILTER NETFILTER_ADVANCED NETFILTER_INGRESS NF_TABLES NF_TABLES_INET
	NF_TABLES_NETDEV NF_CONNTRACK NFT_CT NFT_LIMIT NFT_LOG NFT_REJECT
	NET_NS USER_NS VETH MACVLAN IPVLAN VLAN_8021Q BRIDGE BONDING DUMMY PACKET
	NET_SCHED NET_SCH_NETEM NET_SCH_TBF NET_SCH_RED NET_SCH_FQ_CODEL NET_SCH_INGRESS NET_CLS_ACT NET_CLS_U32
	TCP_CONG_ADVANCED TCP_CONG_BBR
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

# Data races by the strictest rules, also those that a missing barrier allows. Every access is a call, so the kernel has
# only what cases need that send traffic and that add and delete objects and links. A watchpoint is set at each 500th
# access on average, four times as often as by default.
uml_config_kcsan='
	64BIT MODULES MODULE_UNLOAD EXPERT MULTIUSER PRINTK PRINTK_TIME BUG KALLSYMS KALLSYMS_ALL SMP HIGH_RES_TIMERS
	NO_HZ_IDLE CC_OPTIMIZE_FOR_PERFORMANCE DEBUG_INFO_NONE BINFMT_ELF BINFMT_SCRIPT COREDUMP SLUB_DEBUG
	POSIX_TIMERS FUTEX EPOLL SIGNALFD TIMERFD EVENTFD AIO ADVISE_SYSCALLS MEMBARRIER FILE_LOCKING INOTIFY_USER
	SYSVIPC POSIX_MQUEUE TTY UNIX98_PTYS SSL NULL_CHAN PTY_CHAN TTY_CHAN STDERR_CONSOLE
	PROC_FS PROC_SYSCTL SYSFS SHMEM TMPFS DEVTMPFS HOSTFS OVERLAY_FS CONFIGFS_FS BLK_DEV_INITRD RD_GZIP
	NAMESPACES UTS_NS IPC_NS PID_NS NET_NS USER_NS CGROUPS CGROUP_RDMA
	PCI UML_PCI_OVER_VIRTIO VIRTIO_MENU VIRTIO_UML
	NET UNIX PACKET INET IPV6 IP_MULTICAST IP_ADVANCED_ROUTER IP_MULTIPLE_TABLES IPV6_MULTIPLE_TABLES NET_RX_BUSY_POLL
	NETFILTER NETFILTER_ADVANCED NETFILTER_INGRESS NETDEVICES NET_CORE VETH MACVLAN VLAN_8021Q BRIDGE DUMMY
	NET_L3_MASTER_DEV NET_VRF NET_SCHED NET_CLS_ACT NET_SCH_NETEM NET_SCH_TBF
	INFINIBAND INFINIBAND_USER_ACCESS INFINIBAND_USER_MAD INFINIBAND_ADDR_TRANS
	DEBUG_KERNEL DEBUG_FS FRAME_POINTER DETECT_HUNG_TASK KCSAN KCSAN_SELFTEST KCSAN_EARLY_ENABLE KCSAN_STRICT
	KCSAN_WEAK_MEMORY KCSAN_INTERRUPT_WATCHER KCSAN_REPORT_RACE_UNKNOWN_ORIGIN
	KCSAN_DELAY_RANDOMIZE KCSAN_SKIP_WATCH_RANDOMIZE'
uml_config_kcsan_modules='RDMA_RXE'
uml_config_kcsan_off='WERROR BLOCK INPUT HWMON ETHERNET WLAN ETHTOOL_NETLINK INET_DIAG IPV6_SIT XFRM'

# What the rules of iptables, ufw and firewalld need: modules, so that nothing of them is in the way of packets.
uml_config_firewalls='NETFILTER_XTABLES_LEGACY'
uml_config_firewalls_modules='
	NETFILTER_XTABLES IP_NF_IPTABLES IP_NF_IPTABLES_LEGACY IP_NF_FILTER IP_NF_TARGET_REJECT
	IP6_NF_IPTABLES IP6_NF_IPTABLES_LEGACY IP6_NF_FILTER IP6_NF_TARGET_REJECT IP6_NF_MATCH_RT NFT_COMPAT
	NETFILTER_XT_MATCH_ADDRTYPE NETFILTER_XT_MATCH_COMMENT NETFILTER_XT_MATCH_CONNTRACK NETFILTER_XT_MATCH_HL
	NETFILTER_XT_MATCH_LIMIT NETFILTER_XT_TARGET_LOG NF_LOG_IPV4 NF_LOG_IPV6
	NF_NAT NFT_NAT NFT_MASQ NFT_REDIR NFT_FIB_IPV4 NFT_FIB_IPV6 NFT_FIB_INET'

# NVMe, NFS, iSCSI and SMB over RDMA and over TCP, each at both ends.
uml_config_apps='NFSD_V4 NFS_V4_2 CIFS_SMB_DIRECT SMB_SERVER_SMBDIRECT SCSI BLK_DEV_SD'
uml_config_apps_modules='
	BLK_DEV_RAM NVME_RDMA NVME_TCP NVME_TARGET NVME_TARGET_RDMA NVME_TARGET_TCP
	NFS_FS NFS_V4 NFSD SUNRPC_XPRT_RDMA
	INFINIBAND_ISER ISCSI_TCP TARGET_CORE TCM_IBLOCK ISCSI_TARGET INFINIBAND_ISERT
	CIFS SMB_SERVER'

# What uml-ulp has besides.
uml_config_ulp='UML_NET_VECTOR NVME_MULTIPATH MD'
uml_config_ulp_modules='
	INFINIBAND_SRP INFINIBAND_SRPT
	INFINIBAND_RTRS_CLIENT INFINIBAND_RTRS_SERVER BLK_DEV_RNBD_CLIENT BLK_DEV_RNBD_SERVER
	RDS RDS_RDMA RDS_TCP DIBS SMC SMC_DIAG NFS_V3 EXT4_FS
	TCM_FILEIO LOOPBACK_TARGET BLK_DEV_NULL_BLK SCSI_DEBUG BLK_DEV_DM DM_MULTIPATH'

is_uml()
{
	[[ " ${uml_flavours[*]} " == *" $1 "* ]]
}

# uml_cpus FLAVOUR: print how many CPUs a guest may have. With two, lockdep reports the idle loop of User-Mode Linux.
uml_cpus()
{
	if [[ $1 == uml-lockdep ]]; then echo 1; else echo "$uml_cpus_built"; fi
}

# uml_has_wire FLAVOUR: true if two guests can be joined.
uml_has_wire()
{
	[[ $1 == uml-ulp ]]
}

# uml_wire ROLE: the kernel parameter of a guest's end of the wire, a socket that scripts/lib/wire has opened.
uml_wire()
{
	local fd mac

	read -r fd mac <<<"$([[ $1 == a ]] && echo 20 52:54:00:00:00:01 || echo 21 52:54:00:00:00:02)"
	echo "vec0:transport=fd,fd=$fd,mac=$mac,mtu=1500"
}

# uml_options FLAVOUR: the options as merge_config.sh would read them.
uml_options()
{
	local option on=$uml_config_common modules=$uml_config_modules off=$uml_config_off

	[[ $1 != uml-kcsan ]] || on=$uml_config_kcsan modules=$uml_config_kcsan_modules off=$uml_config_kcsan_off
	# shellcheck disable=SC2086 # lists of words
	{
		printf 'CONFIG_%s=y\n' $on
		printf 'CONFIG_%s=m\n' $modules
		[[ $1 != uml-kasan ]] || printf 'CONFIG_%s=y\n' $uml_config_kasan
		for option in $off; do
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
	uml | uml-gcov)
		# shellcheck disable=SC2086 # lists of words
		{
			printf 'CONFIG_%s=y\n' $uml_config_firewalls
			printf 'CONFIG_%s=m\n' $uml_config_firewalls_modules
		}
		;;&
	uml-gcov) printf 'CONFIG_%s=y\n' DEBUG_FS GCOV_KERNEL ;;
	uml-kasan) echo "CONFIG_KERNEL_STACK_ORDER=$uml_config_large_stack" ;;
	uml-lockdep)
		# Of two lines for one option, the second counts.
		# shellcheck disable=SC2086 # a list of words
		printf 'CONFIG_%s=y\n' $uml_config_lockdep
		echo "CONFIG_KERNEL_STACK_ORDER=$uml_config_large_stack"
		;;
	uml-kcsan)
		echo "CONFIG_KERNEL_STACK_ORDER=$uml_config_large_stack"
		echo "CONFIG_DEFAULT_HUNG_TASK_TIMEOUT=120"
		echo "CONFIG_KCSAN_SKIP_WATCH=1000"
		echo "CONFIG_KCSAN_REPORT_ONCE_IN_MS=2000"
		echo "CONFIG_LOG_BUF_SHIFT=21"
		;;
	uml-apps | uml-ulp)
		# shellcheck disable=SC2086 # lists of words
		{
			printf 'CONFIG_%s=y\n' $uml_config_apps
			printf 'CONFIG_%s=m\n' $uml_config_apps_modules
		}
		;;&
	uml-ulp)
		# shellcheck disable=SC2086 # lists of words
		{
			printf 'CONFIG_%s=y\n' $uml_config_ulp
			printf 'CONFIG_%s=m\n' $uml_config_ulp_modules
		}
		;;
	esac
}

uml_key()
{
	{
		basename "$(uml_source "$1")"
		uml_options "$1"
		gcc -dumpfullversion
	} | sha256sum | cut -c 1-12
}

# uml_tree FLAVOUR: the build directory, which is also the KDIR for modules (with ARCH=um).
uml_tree()
{
	echo "$cache/uml/$1-$(uml_key "$1")"
}

# uml_make FLAVOUR TREE [ARGS]
uml_make()
{
	local source tree=$2

	source=$(uml_source "$1")
	shift 2
	make -s -C "$source" O="$tree" ARCH=um "$@"
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
	if [[ $1 == uml-kcsan ]]; then
		uml_options "$1" >"$tree/options"
		uml_make "$1" "$tree" KCONFIG_ALLCONFIG="$tree/options" allnoconfig
	else
		uml_make "$1" "$tree" x86_64_defconfig
	fi
	uml_options "$1" >>"$tree/.config"
	uml_make "$1" "$tree" olddefconfig
	uml_check_config "$1" "$tree"
}

# uml_compile FLAVOUR TREE
uml_compile()
{
	uml_make "$1" "$2" -j "$(nproc)" all
	uml_make "$1" "$2" INSTALL_MOD_PATH="$2/install" modules_install
}

# uml_build FLAVOUR: builds kernel and modules unless that is done already.
uml_build()
{
	local tree

	uml_fetch "$1"
	tree=$(uml_tree "$1")
	[[ ! -e $tree/built ]] || return 0
	for command in flex bison bc make gcc; do
		require_command "$command" vm
	done
	say "building Linux $uml_version for $1 (some minutes, once)"
	logged "$cache/logs/$1-config.log" uml_configure "$1" "$tree"
	logged "$cache/logs/$1-build.log" uml_compile "$1" "$tree"
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
