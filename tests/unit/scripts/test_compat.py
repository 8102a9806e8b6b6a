# SPDX-License-Identifier: GPL-2.0
"""include/compat on interfaces that no Debian kernel has: those between Linux 5.10 and 6.1.

The headers of the kernel are texts of our own, with as much as the compat header needs.
"""
import pathlib
import re
import subprocess
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[3]
COMPAT = TOP / "include" / "compat"

# What all compiled headers need of the kernel.
BASE = """
#include <stdbool.h>
#include <stddef.h>
typedef unsigned char u8;
typedef unsigned int gfp_t;
#define READ_ONCE(x) (x)
#define rcu_access_pointer(p) (p)
"""


class Tree(unittest.TestCase):
    """A tree of headers in a directory of its own."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)
        self.write("rdma/ib_verbs.h", "\n")

    def write(self, name, text):
        path = self.root / "include" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def probe(self):
        """The names that the probe finds."""
        found = subprocess.run([COMPAT / "probe", self.root], capture_output=True, text=True, check=True)
        return set(re.findall(r"-DRXE_HAVE_(\S+)", found.stdout))

    def run_program(self, header, body, config=()):
        """Compile a program with that compat header, with what the probe finds, and return its output."""
        source = f'{BASE}#include <{header}>\n#include <stdio.h>\nint main(void)\n{{\n{body}\nreturn 0;\n}}\n'
        flags = [f"-DRXE_HAVE_{name}" for name in self.probe()] + [f"-D{name}" for name in config]
        program = self.root / "program"
        subprocess.run(["cc", "-std=gnu11", "-Wall", "-Werror", *flags, f"-I{COMPAT}", f"-I{self.root}/include",
                        "-x", "c", "-", "-o", program], input=source, text=True, check=True)
        return subprocess.run([program], capture_output=True, text=True, check=True).stdout.strip()


class Probe(Tree):
    # name, header, text that has it, text that does not
    rows = [
        ("KMAP_LOCAL", "linux/highmem.h", "static inline void *kmap_local_page(struct page *page);",
         "static inline void *kmap_atomic(struct page *page);"),
        ("ASSERT_SOFTIRQ", "linux/lockdep.h", "# define lockdep_assert_in_softirq()\t\\",
         "# define lockdep_assert_irqs()"),
        ("HOOK_OPS_TYPE", "linux/netfilter.h", "enum nf_hook_ops_type\thook_ops_type:8;", "unsigned int hooknum;"),
        ("NAPI_BUILD_SKB", "linux/skbuff.h", "struct sk_buff *napi_build_skb(void *data,\n unsigned int size);",
         "struct sk_buff *build_skb(void *data, unsigned int size);"),
        ("SKBFL", "linux/skbuff.h", "SKBFL_ZEROCOPY_ENABLE = BIT(0),", "SKBTX_DEV_ZEROCOPY = 1 << 3,"),
        ("NETDEV_HOLD", "linux/netdevice.h", "static inline void netdev_hold(struct net_device *dev,",
         "static inline void dev_hold(struct net_device *dev)"),
        ("DEV_HOLD_TRACK", "linux/netdevice.h", "static inline void dev_hold_track(struct net_device *dev,",
         "static inline void dev_hold(struct net_device *dev)"),
        ("XFRM_DEFAULTS", "net/netns/xfrm.h", "u8 policy_default[XFRM_POLICY_MAX];", "u8 policy_default;"),
        ("XFRM_DEFAULT_BITS", "net/netns/xfrm.h", "u8\t\t\tpolicy_default;", "u8 policy_default[XFRM_POLICY_MAX];"),
        ("PORT_U32", "rdma/ib_verbs.h", "int (*query_port)(struct ib_device *device,\n\t u32 port_num,",
         "int (*query_port)(struct ib_device *device, u8 port_num,"),
        ("HW_PORT_STATS", "rdma/ib_verbs.h", "*(*alloc_hw_port_stats)(struct ib_device *device,",
         "*(*alloc_hw_stats)(struct ib_device *device,"),
        ("STAT_DESC", "rdma/ib_verbs.h", "struct rdma_stat_desc {", "struct rdma_hw_stats {"),
        ("CREATE_USER_AH", "rdma/ib_verbs.h", "int (*create_user_ah)(struct ib_ah *ah,",
         "int (*create_ah)(struct ib_ah *ah,"),
        ("REREG_MR_NEW", "rdma/ib_verbs.h", "struct ib_mr *(*rereg_user_mr)(struct ib_mr *mr,",
         "int (*rereg_user_mr)(struct ib_mr *mr,"),
        ("QP_OBJ_SIZE", "rdma/ib_verbs.h", "DECLARE_RDMA_OBJ_SIZE(ib_qp);", "DECLARE_RDMA_OBJ_SIZE(ib_pd);"),
        ("KERNEL_CAPS", "rdma/ib_verbs.h", "u64\t\t\tkernel_cap_flags;", "u64 device_cap_flags;"),
        ("UMEM_SGT_APPEND", "rdma/ib_umem.h", "struct sg_append_table sgt_append;", "struct sg_table sg_head;"),
        ("USER_RXE_AH", "uapi/rdma/rdma_user_rxe.h", "__u32 ah_num;", "struct rxe_av av;"),
    ]

    def test_rows(self):
        for name, header, newer, older in self.rows:
            with self.subTest(name):
                self.write(header, newer + "\n")
                self.assertIn(name, self.probe())
                self.write(header, older + "\n")
                self.assertNotIn(name, self.probe())
                self.write(header, "\n")


class Xfrm(Tree):
    """net->xfrm.policy_default: none (5.10), one byte of bits (5.15), an array (6.1)."""

    header = """
        enum {{ XFRM_POLICY_IN, XFRM_POLICY_OUT, XFRM_POLICY_FWD, XFRM_POLICY_MAX }};
        enum {{ XFRM_USERPOLICY_BLOCK = 1, XFRM_USERPOLICY_ACCEPT }};
        #define XFRM_POL_DEFAULT_IN 1
        struct netns_xfrm {{ {field} int other; }};
        struct net {{ struct netns_xfrm xfrm; }};
    """

    def accepts(self, field, value):
        self.write("net/netns/xfrm.h", field + "\n")
        self.write("net/xfrm.h", self.header.format(field=field))
        return self.run_program("net/xfrm.h", f'struct net net = {{ .xfrm = {{ {value} }} }};'
                                              'printf("%d", rxe_xfrm_accepts_unmatched(&net));', ["CONFIG_XFRM"])

    def test_none(self):
        self.assertEqual(self.accepts("", ""), "1")

    def test_bits(self):
        self.assertEqual(self.accepts("u8 policy_default;", ".policy_default = 2"), "1")
        self.assertEqual(self.accepts("u8 policy_default;", ".policy_default = 3"), "0")

    def test_array(self):
        field = "u8 policy_default[XFRM_POLICY_MAX];"
        self.assertEqual(self.accepts(field, ".policy_default = { 2, 1, 1 }"), "1")
        self.assertEqual(self.accepts(field, ".policy_default = { 1, 2, 2 }"), "0")


class BufferMap(Tree):
    """struct iosys_map: none (5.10), struct dma_buf_map (5.11), its own header (5.18)."""

    program = 'struct iosys_map map = { .is_iomem = true }; printf("%d", map.is_iomem);'

    def test_none(self):
        self.write("linux/types.h", "\n")
        self.assertEqual(self.run_program("linux/iosys-map.h", self.program), "1")

    def test_dma_buf_map(self):
        self.write("linux/dma-buf-map.h", "struct dma_buf_map { void *vaddr; bool is_iomem; };\n")
        self.assertEqual(self.run_program("linux/iosys-map.h", self.program), "1")

    def test_own_header(self):
        self.write("linux/iosys-map.h", "struct iosys_map { void *vaddr; bool is_iomem; };\n")
        self.assertEqual(self.run_program("linux/iosys-map.h", self.program), "1")


class Hold(Tree):
    """netdev_hold(): dev_hold() (5.10), dev_hold_track() (5.17, RHEL 9.2), its own name (6.0)."""

    def expansion(self, text):
        self.write("linux/netdevice.h", text)
        flags = [f"-DRXE_HAVE_{name}" for name in self.probe()]
        source = f"{BASE}#include <linux/netdevice.h>\nmarker netdev_hold(dev, tracker, gfp)\n"
        done = subprocess.run(["cc", "-E", "-P", *flags, f"-I{COMPAT}", f"-I{self.root}/include", "-x", "c", "-"],
                              input=source, text=True, capture_output=True, check=True)
        return re.search(r"marker (.*)", done.stdout).group(1)

    def test_tracked(self):
        self.assertEqual(self.expansion("static inline void dev_hold_track(struct net_device *dev,\n"),
                         "dev_hold_track(dev, tracker, gfp)")

    def test_own_name(self):
        self.assertEqual(self.expansion("static inline void netdev_hold(struct net_device *dev,\n"),
                         "netdev_hold(dev, tracker, gfp)")


if __name__ == "__main__":
    unittest.main()
