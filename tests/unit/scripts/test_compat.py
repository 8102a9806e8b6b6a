# SPDX-License-Identifier: GPL-2.0
"""include/compat on interfaces that no Debian kernel has: those of RHEL 8, and those between Linux 5.10 and 6.1.

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
        ("TASKLET_SETUP", "linux/interrupt.h", "extern void tasklet_setup(struct tasklet_struct *t,",
         "extern void tasklet_init(struct tasklet_struct *t,"),
        ("VMALLOC_PGPROT", "linux/vmalloc.h", "extern void *__vmalloc(unsigned long size, gfp_t gfp_mask, pgprot_t prot);",
         "extern void *__vmalloc(unsigned long size, gfp_t gfp_mask);\nvoid *vmap(struct page **pages, pgprot_t prot);"),
        ("SELECT_QUEUE_FALLBACK", "linux/netdevice.h", "struct net_device *sb_dev,\n\tselect_queue_fallback_t fallback);",
         "u16 (*ndo_select_queue)(struct net_device *dev, struct sk_buff *skb, struct net_device *sb_dev);"),
        ("SOCK_SET_REUSEPORT", "net/sock.h", "void sock_set_reuseport(struct sock *sk);",
         "void sock_set_reuseaddr(struct sock *sk);"),
        ("RT_GW_FAMILY", "net/route.h", "u8\t\t\trt_gw_family;", "__be32 rt_gateway;"),
        ("FIB4_CUSTOM_RULES", "net/ip_fib.h", "static inline bool fib4_has_custom_rules(const struct net *net)",
         "if (net->ipv4.fib_has_custom_rules)"),
        ("FIB6_CUSTOM_RULES", "net/ip6_fib.h", "static inline bool fib6_has_custom_rules(const struct net *net)",
         "if (net->ipv6.fib6_has_custom_rules)"),
        ("SECPATH_CONST", "net/xfrm.h", "static inline int secpath_exists(const struct sk_buff *skb)",
         "static inline int secpath_exists(struct sk_buff *skb)"),
        ("PREFETCH_NO_FAULT", "uapi/rdma/ib_user_ioctl_verbs.h", "IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT,",
         "IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE,"),
        ("UMEM_GET_UDATA", "rdma/ib_umem.h", "struct ib_umem *ib_umem_get(struct ib_udata *udata,",
         "struct ib_umem *ib_umem_get(struct ib_device *device,"),
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
        struct sk_buff {{ void *sp; }};
        static inline int secpath_exists(struct sk_buff *skb) {{ return skb->sp != NULL; }}
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

    def test_secpath(self):
        """A packet that was encrypted: before 5.0, not asked of a constant one."""
        self.write("net/xfrm.h", self.header.format(field=""))
        self.assertEqual(self.run_program("net/xfrm.h", 'const struct sk_buff plain = { 0 }, decrypted = { "" };'
                                          'printf("%d%d", secpath_exists(&plain), secpath_exists(&decrypted));'), "01")

    def test_array(self):
        field = "u8 policy_default[XFRM_POLICY_MAX];"
        self.assertEqual(self.accepts(field, ".policy_default = { 2, 1, 1 }"), "1")
        self.assertEqual(self.accepts(field, ".policy_default = { 1, 2, 2 }"), "0")


class Gateway(Tree):
    """The IPv4 gateway of a route: one field (RHEL 8), one for each IP version and which it is (5.2)."""

    header = """
        typedef unsigned int __be32;
        #define AF_INET 2
        #define AF_INET6 10
        struct rtable {{ {fields} }};
    """
    program = 'struct rtable rt = {{ {} }}; printf("%x %d", rxe_rt_gateway4(&rt), rxe_rt_has_gateway6(&rt));'

    def gateway(self, fields, value):
        self.write("linux/container_of.h", "\n")
        self.write("net/route.h", self.header.format(fields=fields))
        return self.run_program("net/route.h", self.program.format(value))

    def test_one_field(self):
        self.assertEqual(self.gateway("__be32 rt_gateway;", ".rt_gateway = 0x7f"), "7f 0")
        self.assertEqual(self.gateway("__be32 rt_gateway;", ""), "0 0")

    def test_both_versions(self):
        fields = "u8 rt_gw_family; union { __be32 rt_gw4; unsigned char rt_gw6[16]; };"
        self.assertEqual(self.gateway(fields, ".rt_gw_family = AF_INET, .rt_gw4 = 0x7f"), "7f 0")
        self.assertEqual(self.gateway(fields, ".rt_gw_family = AF_INET6, .rt_gw4 = 0x7f"), "0 1")
        self.assertEqual(self.gateway(fields, ""), "0 0")


class Tasklet(Tree):
    """A tasklet's function: takes a number (RHEL 8), or the tasklet (5.9)."""

    def test_number(self):
        self.write("linux/interrupt.h", """
            struct tasklet_struct { void (*func)(unsigned long); unsigned long data; };
            #define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
            static inline void tasklet_init(struct tasklet_struct *t, void (*f)(unsigned long), unsigned long data)
            {
                t->func = f;
                t->data = data;
            }
            struct owner { int number; struct tasklet_struct tasklet; };
        """)
        self.assertEqual(self.run_program("linux/interrupt.h", """
            void f(struct tasklet_struct *t)
            {
                struct owner *owner = from_tasklet(owner, t, tasklet);
                printf("%d", owner->number);
            }
            struct owner owner = { .number = 42 };
            tasklet_setup(&owner.tasklet, f);
            owner.tasklet.func(owner.tasklet.data);
        """), "42")


class Queue(Tree):
    """ndo_select_queue(): with a function to fall back to (RHEL 8), or without (5.2)."""

    def test_fallback(self):
        self.write("linux/netdevice.h", """
            #define U8_MAX 255
            typedef unsigned short u16;
            typedef unsigned short __be16;
            struct sk_buff;
            struct list_head { int unused; };
            struct packet_type { __be16 type; };
            struct net { int unused; };
            struct net_device;
            typedef u16 (*select_queue_fallback_t)(struct net_device *dev, struct sk_buff *skb, struct net_device *sb);
            struct net_device_ops {
                u16 (*ndo_select_queue)(struct net_device *dev, struct sk_buff *skb, struct net_device *sb,
                                        select_queue_fallback_t fallback);
            };
            struct net_device { struct list_head ptype_specific; const struct net_device_ops *netdev_ops; };
            static inline u16 netdev_pick_tx(struct net_device *dev, struct sk_buff *skb, struct net_device *sb)
            {
                return 7;
            }
            static inline u8 dev_xdp_prog_count(struct net_device *dev) { return 0; }
            static inline void dev_hold(struct net_device *dev) { }
            static inline void dev_put(struct net_device *dev) { }
            #define list_for_each_entry_rcu(p, head, member) for ((p) = NULL; (p); )
        """)
        self.assertEqual(self.run_program("linux/netdevice.h", """
            u16 select(struct net_device *dev, struct sk_buff *skb, struct net_device *sb, select_queue_fallback_t f)
            {
                return f(dev, skb, sb) + 1;
            }
            struct net_device_ops ops = { select };
            struct net_device dev = { .netdev_ops = &ops };
            printf("%d", rxe_netdev_select_queue(&dev, NULL));
        """), "8")


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
