# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Building an external module against a kernel under test. Needs kernel.sh and uml.sh.

# Warnings fail. All builds of a kernel have the same flags, so that kbuild compiles each object once. Nothing here reads
# debugging information, for which Debian's kernels are configured: compilers need a third less time without it, and
# guests load a tenth as much.
module_flags=(W=1 'KCFLAGS=-Werror -g0' CONFIG_DEBUG_INFO_BTF_MODULES=)

# module_kdir KERNEL: the tree that the module is built against; its name tells one version from another.
module_kdir()
{
	if is_uml "$1"; then uml_tree "$1"; else kernel_kdir "$1"; fi
}

# module_make KERNEL DIRECTORY [ARGS]: kbuild in place.
module_make()
{
	local kernel=$1 dir

	dir=$(realpath "$2")
	shift 2
	case $kernel in
	uml*)
		make -s -j "$(nproc)" -C "$(module_kdir "$kernel")" ARCH=um M="$dir" "$@" modules
		;;
	*)
		[[ $kernel != *-arm64 ]] || set -- ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- "$@"
		in_root "$(kernel_base "$kernel")" "$dir" make -s -j "$(nproc)" \
			-C "$(module_kdir "$kernel")" M="$dir" "$@" modules
		;;
	esac
}

# The sources are copied first, so that builds for several kernels neither meet in one
# directory nor disturb a developer's own.
module_dir()
{
	echo "$cache/module/$(sha256sum <<<"$repo" | cut -c 1-8)/$1"
}

# module_lock KERNEL: in a subshell, wait until nobody else builds this tree's module, and keep others from it.
module_lock()
{
	take_lock "module-$(basename "$(dirname "$(module_dir "$1")")")-$1"
}

# module_build KERNEL [ARGS]: builds this tree's rdma_rxe.ko and prints the path of a copy, which other builds
# replace at once. Without ARGS, a module that is up to date is not built again: kbuild needs six CPU seconds to see
# that, as long as a small case.
module_build()
{
	local kernel=$1 dir kdir built changed

	shift
	dir=$(module_dir "$kernel")
	kdir=$(module_kdir "$kernel")
	mkdir -p "$dir/built"
	# Callers may have errexit off.
	(
		module_lock "$kernel"
		# There again as soon as the module is up to date.
		built=$(cat "$dir/built/kdir" 2>/dev/null)
		rm -f "$dir/built/kdir"
		changed=$(rsync -ai --delete --exclude='*.o' --exclude='*.gcno' --exclude='*.ko' --exclude='*.mod*' \
			--exclude='.*' --exclude='Module.symvers' --exclude='modules.order' --exclude='/built' \
			"$repo"/{Kbuild,drivers,include,scripts} "$dir/") || exit 1
		if [[ $# -gt 0 || $changed || $built != "$kdir" ]]; then
			# An older module may be there.
			rm -rf "$dir/rdma_rxe.ko" "$dir/built/rdma_rxe.ko.new"
			module_make "$kernel" "$dir" "${module_flags[@]}" "$@" >&2 &&
				cp "$dir/rdma_rxe.ko" "$dir/built/rdma_rxe.ko.new" &&
				mv "$dir/built/rdma_rxe.ko.new" "$dir/built/rdma_rxe.ko" || exit 1
		fi
		echo "$kdir" >"$dir/built/kdir"
	) || die "rdma_rxe.ko does not build for $kernel in $dir"
	echo "$dir/built/rdma_rxe.ko"
}

# kmod_build KERNEL NAME: builds the test module tests/kmod/NAME and prints its path.
kmod_build()
{
	local kernel=$1 name=$2 dir

	dir=$(module_dir "$kernel")-kmod/$name
	mkdir -p "$dir"
	(
		take_lock "kmod-$(basename "$(dirname "$(module_dir "$kernel")")")-$kernel"
		rsync -a "$repo/tests/kmod/$name/" "$dir/"
		rm -f "$dir/$name.ko"
		module_make "$kernel" "$dir" >&2
	) || die "$name.ko does not build for $kernel in $dir"
	[[ -s $dir/$name.ko ]] || die "no $name.ko for $kernel came out of $dir"
	echo "$dir/$name.ko"
}
