# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The source of User-Mode Linux, and what the flavours of uml.sh change in it. Needs common.sh and debian.sh.

uml_version=7.2

# Not checked, in the terms of KCSAN: the host's side of User-Mode Linux, and what is mapped into programs.
uml_kcsan_unchecked=(arch/um/{kernel,kernel/skas,os-Linux,os-Linux/skas,drivers} arch/x86/um{,/os-Linux,/vdso})

# uml_changes FLAVOUR: print the functions that change its source.
uml_changes()
{
	echo uml_mark_ipis
	case $1 in
	uml-kcsan) echo uml_offer_kcsan ;;
	uml-lockdep) echo uml_hasten_stacks ;;
	esac
}

# uml_edit FILE LINE COMMAND: apply a command of sed to the lines that match LINE. It is an error if none does.
uml_edit()
{
	[[ $(sed -n "/$2/p" "$1") ]] || die "Linux $(uml_source_version) for UML: no line /$2/ in ${1#"$cache/"}"
	sed -i "/$2/$3" "$1"
}

# uml_mark_ipis TREE: with two CPUs, User-Mode Linux asks the host to block a signal each time that it turns interrupts
# off, and to unblock it when they are on again. Marking IPIs as pending, as it does with its other signals, takes the
# case pingpong from 36 to 26 s. A CPU does not sleep while any signal is marked.
uml_mark_ipis()
{
	local dir=$1/arch/um/os-Linux file

	file=$dir/signal.c
	uml_edit "$file" '^\tos_local_ipi_disable();$' d
	uml_edit "$file" '^\tos_local_ipi_enable();$' d
	uml_edit "$file" '^#include <skas.h>$' 'a #include <smp.h>'
	uml_edit "$file" '^\treturn !!(signals_pending & SIGALRM_MASK);$' 's/(.*)/signals_pending/'
	uml_edit "$file" '^void block_signals(void)$' 'i static void run_ipis(unsigned int pending);\n'
	uml_edit "$file" '^\t\t\/\* Do not reenter the handler \*\/$' 'i \\t\trun_ipis(save_pending);\n'
	uml_edit "$file" '^\t\tif (.*SIGIO_MASK) && (signals_active & SIGALRM_MASK))$' \
		's/(signals_active/(save_pending \& (SIGIO_MASK | SIGCHLD_MASK | SIGALRM_MASK)) \&\&\n\t\t    &/'
	cat "$repo/scripts/lib/uml_ipi.c" >>"$file"
	uml_edit "$dir/internal.h" '^#define IPI_SIGNAL' 'a void ipi_signal(int vector);'
	uml_edit "$dir/smp.c" '^\tsignals_enabled = 0;$' ',/^\tsignals_enabled = 1;$/c \\tipi_signal(si->si_value.sival_int);'
	uml_edit "$dir/smp.c" '^\tsigaddset(&data->sigset, IPI_SIGNAL);$' d
	uml_edit "$dir/time.c" '^\tsigprocmask(SIG_BLOCK, &set, NULL);$' 'i \\tsigaddset(\&set, IPI_SIGNAL);'
}

# uml_hasten_stacks TREE: kmemleak saves the stack of each allocation. For that, User-Mode Linux looks up each word of
# the stack among the functions of modules and BPF programs, under locks that lockdep checks, and then drops all words
# but those behind a frame pointer: these alone are looked up here.
uml_hasten_stacks()
{
	local file=$1/arch/um/kernel/stacktrace.c

	uml_edit "$file" '^void dump_trace(' \
		'i static void save_addr(void *data, unsigned long address, int reliable);\n'
	uml_edit "$file" '^\twhile (((long) sp' \
		'a \\t\tif (ops->address == save_addr \&\& (unsigned long)sp != bp + sizeof(long)) {\n\t\t\tsp++;'
	uml_edit "$file" '^\t\t\tsp++;$' 'a \\t\t\tcontinue;\n\t\t}'
}

# uml_offer_kcsan TREE: KCSAN works in User-Mode Linux, whose Kconfig does not offer it.
uml_offer_kcsan()
{
	local tree=$1 dir file

	uml_edit "$tree/arch/um/Kconfig" '^\tselect HAVE_ARCH_KASAN if X86_64$' 'a \\tselect HAVE_ARCH_KCSAN if X86_64'
	for dir in "${uml_kcsan_unchecked[@]}"; do
		sed -i '1i KCSAN_SANITIZE := n' "$tree/$dir/Makefile"
	done
	# KCSAN has to know of each barrier: asm-generic/barrier.h defines mb() by __mb(), and tells it.
	file=$tree/arch/x86/um/asm/barrier.h
	uml_edit "$file" '^#define mb()' s/mb/__mb/
	uml_edit "$file" '^#define rmb()' s/rmb/__rmb/
	uml_edit "$file" '^#define wmb()' s/wmb/__wmb/
	# A report names the function on top of the stack. This function ignores how many of its callers it is to leave out.
	file=$tree/arch/um/kernel/stacktrace.c
	uml_edit "$file" '^\tif (trace->nr_entries >= trace->max_entries)$' \
		'i \\tif (trace->skip \&\& trace->skip--)\n\t\treturn;'
	uml_edit "$file" '^\t__save_stack_trace(current, trace);$' 'i \\ttrace->skip++;'
	# The headers of KCSAN need the type, and this file includes those of the host.
	uml_edit "$tree/arch/um/os-Linux/skas/process.c" '^#include <asm-generic\/rwonce.h>$' \
		'i struct list_head { struct list_head *next, *prev; };'
}

# The key of what uml_changes prints: the text of the functions and of the file that one of them appends.
uml_changes_key()
{
	local changes

	mapfile -t changes < <(uml_changes "$1")
	{
		declare -f "${changes[@]}"
		cat "$repo/scripts/lib/uml_ipi.c"
	} | sha256sum | cut -c 1-8
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

# uml_stock_source: the source as Debian has it.
uml_stock_source()
{
	echo "$cache/uml/source-$(uml_source_version)"
}

# uml_source FLAVOUR: the source with its changes.
uml_source()
{
	echo "$(uml_stock_source)-$(uml_changes_key "$1")"
}

# uml_fetch FLAVOUR
uml_fetch()
{
	(
		take_lock uml-source
		uml_fetch_stock
		uml_change "$1"
	)
}

uml_fetch_stock()
{
	local base tree dir

	tree=$(uml_stock_source)
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

# uml_change FLAVOUR: files of its tree are links to those of the stock source but for the few that sed replaces.
uml_change()
{
	local tree change

	tree=$(uml_source "$1")
	[[ ! -e $tree ]] || return 0
	rm -rf "$tree.new"
	cp -al "$(uml_stock_source)" "$tree.new"
	for change in $(uml_changes "$1"); do
		"$change" "$tree.new"
	done
	mv "$tree.new" "$tree"
}
