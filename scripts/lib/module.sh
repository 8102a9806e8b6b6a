# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Building an external module against a kernel under test. Needs kernel.sh and uml.sh.

# Warnings fail. All builds of a kernel have the same flags, so that kbuild compiles each object once.
module_flags=(W=1 KCFLAGS=-Werror)

# module_make KERNEL DIRECTORY [ARGS]: kbuild in place.
module_make()
{
	local kernel=$1 dir

	dir=$(realpath "$2")
	shift 2
	case $kernel in
	uml*)
		make -s -j "$(nproc)" -C "$(uml_tree "$kernel")" ARCH=um M="$dir" "$@" modules
		;;
	*)
		[[ $kernel != *-arm64 ]] || set -- ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- "$@"
		in_root "$(kernel_base "$kernel")" "$dir" make -s -j "$(nproc)" \
			-C "$(kernel_kdir "$kernel")" M="$dir" "$@" modules
		;;
	esac
}

# The sources are copied first, so that builds for several kernels neither meet in one
# directory nor disturb a developer's own.
module_dir()
{
	echo "$cache/module/$(sha256sum <<<"$repo" | cut -c 1-8)/$1"
}

# module_build KERNEL [ARGS]: builds this tree's rdma_rxe.ko and prints the path of a copy, which other builds
# replace at once.
module_build()
{
	local kernel=$1 dir

	shift
	dir=$(module_dir "$kernel")
	mkdir -p "$dir"
	(
		take_lock "module-$(basename "$(dirname "$dir")")-$kernel"
		rsync -a --delete --exclude='*.o' --exclude='*.gcno' --exclude='*.ko' --exclude='*.mod*' --exclude='.*' \
			--exclude='Module.symvers' --exclude='modules.order' --exclude='/built' \
			"$repo"/{Kbuild,drivers,include,scripts} "$dir/" >&2
		# An older module may be there.
		rm -rf "$dir/rdma_rxe.ko" "$dir/built/rdma_rxe.ko.new"
		mkdir -p "$dir/built"
		# Callers may have errexit off.
		module_make "$kernel" "$dir" "${module_flags[@]}" "$@" >&2 &&
			cp "$dir/rdma_rxe.ko" "$dir/built/rdma_rxe.ko.new" &&
			mv "$dir/built/rdma_rxe.ko.new" "$dir/built/rdma_rxe.ko"
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
