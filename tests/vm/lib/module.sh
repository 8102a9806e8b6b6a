# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The module under test in this guest: $VM_MODULE is the path of a .ko, "in-tree" or "none".

# Prints the module parameters that switch off the data path features in $VM_WITHOUT.
without_parameters()
{
	local shortcut

	for shortcut in $VM_WITHOUT; do
		case $shortcut in
		simd) echo simd=0 ;;
		use_sg | xmit_hard) echo "$shortcut=N" ;;
		esac
	done
}

# module_load [PARAMETERS]: loads the module under test.
module_load()
{
	local depends

	modprobe ib_uverbs
	modprobe rdma_ucm || true	# not in every kernel; only rdma_cm programs need it
	case $VM_MODULE in
	none) return ;;
	in-tree)
		modprobe rdma_rxe "$@"
		;;
	*)
		# insmod does not load a module's dependencies.
		depends=$(modinfo -F depends "$VM_MODULE")
		# shellcheck disable=SC2086 # words
		[[ -z $depends ]] || modprobe -a ${depends//,/ }
		# shellcheck disable=SC2046 # words
		insmod "$VM_MODULE" $(without_parameters) "$@"
		;;
	esac
}

module_unload()
{
	rmmod rdma_rxe
}

module_loaded()
{
	[[ -d /sys/module/rdma_rxe ]]
}
