# SPDX-License-Identifier: GPL-2.0
"""The files that the packages install: udev rules, units, lists of modules."""
import configparser
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import yaml

PACKAGING = pathlib.Path(__file__).resolve().parents[3] / "packaging"


def text(name):
    return (PACKAGING / name).read_text(encoding="utf-8")


def logical_lines(name):
    """The lines of a file without comments; a backslash at the end continues a line."""
    lines = text(name).replace("\\\n", " ").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


class Firewall(unittest.TestCase):
    def test_firewalld(self):
        """The services that doctor offers, and the ports that the documents name."""
        ports = {}
        for name in ("rocev2", "rocev2-test"):
            service = xml.etree.ElementTree.fromstring(text(f"firewall/{name}.xml"))
            self.assertEqual(service.tag, "service")
            ports[name] = [(port.get("protocol"), port.get("port")) for port in service.findall("port")]
            self.assertTrue(service.findtext("description"))
        self.assertEqual(ports, {"rocev2": [("udp", "4791")], "rocev2-test": [("tcp", "4792")]})

    def test_ufw(self):
        profiles = configparser.ConfigParser()
        profiles.read_string(text("firewall/rocev2.ufw"))
        self.assertEqual({name: profiles[name]["ports"] for name in profiles.sections()},
                         {"RoCEv2": "4791/udp", "RoCEv2 Test": "4792/tcp"})
        for name in profiles.sections():
            self.assertEqual(set(profiles[name]), {"title", "description", "ports"})


class Cloud(unittest.TestCase):
    def test_user_data(self):
        """A list of words or a string is a command of cloud-init; the configuration is one of rxe.conf(5)."""
        self.assertTrue(text("cloud/user-data.yaml").startswith("#cloud-config\n"))
        data = yaml.safe_load(text("cloud/user-data.yaml"))
        self.assertEqual(set(data), {"package_update", "packages", "write_files", "runcmd"})
        for command in data["runcmd"]:
            self.assertTrue(all(isinstance(word, str) for word in command))
        self.assertIn('linux-headers-$(uname -r)', str(data["runcmd"][0]))
        self.assertFalse([name for name in data["packages"] if name.startswith("linux-headers")])
        file, = data["write_files"]
        self.assertEqual(file["path"], "/etc/rxe/cloud.conf")
        lines = [line for line in file["content"].splitlines() if not line.startswith("#")]
        self.assertEqual(lines, ["[link]", "netdev = e*"])


DOCS = PACKAGING.parent / "docs"


class Workflow(unittest.TestCase):
    def setUp(self):
        guide = (DOCS / "guides/ci.md").read_text(encoding="utf-8")
        block, = re.findall(r"^```yaml\n(.*?)^```", guide, re.M | re.S)
        self.job = yaml.safe_load(block)["jobs"]["rdma"]
        self.tested = re.search(r"^## A device on the runner.*?^```sh\n(.*?)^```", guide, re.M | re.S).group(1)

    def test_steps_are_shell(self):
        """No action of others; bash takes each script."""
        for step in self.job["steps"]:
            self.assertEqual(set(step) - {"name", "if"}, {"run"})
            subprocess.run(["bash", "-n"], input=step["run"], text=True, check=True)

    def test_device(self):
        """The commands for the device are those of the section before, which a guest runs."""
        device = next(step["run"] for step in self.job["steps"] if step["name"] == "Device")
        tested = [line.split("#")[0].strip() for line in self.tested.splitlines()]
        self.assertEqual([line.replace("sudo ", "") for line in device.splitlines()], tested)

    def test_packages(self):
        """The libraries are those of docs/install.md."""
        packages = next(step["run"] for step in self.job["steps"] if step["name"] == "Packages")
        install = (DOCS / "install.md").read_text(encoding="utf-8")
        wanted = set(re.findall(r"lib[a-z0-9-]+-dev", install.split("## Ubuntu")[1].split("## RHEL")[0]))
        self.assertTrue(wanted)
        self.assertEqual(set(re.findall(r"lib[a-z0-9-]+-dev", packages)), wanted)


class Documents(unittest.TestCase):
    def test_spec_packages(self):
        """The documents have users install what the spec requires to build."""
        spec = text("rdma-rxe.spec")
        required = set(re.findall(r"^BuildRequires: +(\S+)", spec, re.M))
        provided = {"pkgconfig(json-c)": ("json-c-devel", "libjson-c-devel"),
                    "pkgconfig(libibverbs)": ("rdma-core-devel", "rdma-core-devel"),
                    "pkgconfig(libnl-3.0)": ("libnl3-devel", "libnl3-devel"),
                    "pkgconfig(libnl-route-3.0)": ("libnl3-devel", "libnl3-devel"),
                    "pkgconfig": ("pkgconf", "pkg-config"), "gcc": ("gcc", "gcc"), "make": ("make", "make")}
        self.assertEqual(required, set(provided))
        for page in (DOCS / "install.md", DOCS.parent / "README.md"):
            commands = page.read_text(encoding="utf-8").replace("\\\n", " ")
            for family, manager in enumerate(("dnf", "zypper")):
                lines = re.findall(rf"^{manager} install (gcc .*)$", commands, re.M)
                self.assertTrue(lines)
                for line in lines:
                    self.assertLessEqual({names[family] for names in provided.values()} | {"rpm-build", "dkms"},
                                         set(line.split()), f"{page.name}: {line}")

    def test_removal(self):
        """Each family is told how to remove all packages that it gets."""
        install = (DOCS / "install.md").read_text(encoding="utf-8")
        for command in ("apt-get purge rxectl rdma-rxe-dkms", "dnf remove rxectl rdma-rxe-dkms",
                        "zypper remove rxectl rdma-rxe-dkms"):
            self.assertIn(f"`{command}`", install)


    def test_programs(self):
        """A page names the packages of the programs in its commands, which our packages do not bring."""
        packages = {"ibv_devices": "ibverbs-utils", "ibv_devinfo": "ibverbs-utils", "ibv_rc_pingpong": "ibverbs-utils",
                    "ib_read_lat": "perftest", "ib_write_bw": "perftest", "rping": "rdmacm-utils", "tcpdump": "tcpdump"}
        missing = set()
        for page in [*DOCS.glob("*.md"), *DOCS.glob("guides/*.md")]:
            content = page.read_text(encoding="utf-8")
            blocks = "".join(re.findall(r"^```console\n(.*?)^```", content, re.M | re.S))
            # Those of a container are in its image.
            commands = [line for line in blocks.replace("\\\n", " ").splitlines() if "podman" not in line]
            for program, package in packages.items():
                if any(program in line.split() for line in commands) and package not in content:
                    missing.add((page.name, package))
        self.assertEqual(missing, set())

    def test_boot(self):
        """Boot reads what "rxectl persist" writes only while rxe.service is enabled: a page that names one names both."""
        pages = [DOCS.parent / "README.md", *DOCS.glob("*.md"), *DOCS.glob("guides/*.md")]
        texts = {page.name: page.read_text(encoding="utf-8") for page in pages}
        persist = {name for name, text in texts.items() if "rxectl persist" in text}
        self.assertGreater(len(persist), 4)
        self.assertEqual({name for name in persist if "systemctl enable rxe" not in texts[name]}, set())


class Ansible(unittest.TestCase):
    def test_role(self):
        """Two tasks, whose variables have defaults, whose template exists, and whose handler is defined."""
        role = {name: yaml.safe_load(text(f"ansible/rxe/{name}/main.yml")) for name in ("defaults", "tasks", "handlers")}
        self.assertEqual(len(role["tasks"]), 2)
        template, = (task["ansible.builtin.template"] for task in role["tasks"] if "ansible.builtin.template" in task)
        source = text(f"ansible/rxe/templates/{template['src']}")
        used = set(re.findall(r"\brxe_[a-z]+", source + text("ansible/rxe/tasks/main.yml")))
        self.assertEqual(used, set(role["defaults"]))
        handlers = {handler["name"] for handler in role["handlers"]}
        self.assertEqual({task["notify"] for task in role["tasks"] if "notify" in task}, handlers)


class Slurm(unittest.TestCase):
    def test_prolog(self):
        """A warning of doctor lets jobs start; an error and a missing program drain the node."""
        for status, wanted in ((0, 0), (3, 0), (4, 1), (1, 1), (127, 1)):
            with tempfile.TemporaryDirectory() as directory:
                doctor = pathlib.Path(directory, "rxectl")
                doctor.write_text(f"#!/bin/sh\necho finding\nexit {status}\n", encoding="utf-8")
                doctor.chmod(0o755)
                result = subprocess.run([PACKAGING / "slurm/prolog-rxe"], capture_output=True, text=True, check=False,
                                        env={"PATH": f"{directory}:/usr/bin:/bin"})
            self.assertEqual(result.returncode, wanted)
            self.assertEqual("finding" in result.stdout, wanted == 1)

    def test_search_path(self):
        """Slurm sets no search path for a prolog, and that of some shells has no /usr/sbin, where rxectl is."""
        with tempfile.TemporaryDirectory() as directory:
            doctor = pathlib.Path(directory, "rxectl")
            doctor.write_text("#!/bin/sh\n", encoding="utf-8")
            doctor.chmod(0o755)
            prolog = text("slurm/prolog-rxe").replace("/usr/sbin", directory)
            result = subprocess.run(["sh", "-c", prolog], capture_output=True, text=True, check=False,
                                    env={"PATH": "/usr/bin:/bin"})
        self.assertEqual((result.returncode, result.stdout), (0, ""))


class UdevRules(unittest.TestCase):
    def test_management_datagrams_of_software_devices_only(self):
        """Group rdma gets the MAD devices of software RDMA devices; only they have "parent"."""
        rules = [line for line in logical_lines("udev/90-rxe.rules") if "infiniband_mad" in line]
        self.assertTrue(rules)
        for rule in rules:
            self.assertIn('TEST=="/sys/class/infiniband/$attr{ibdev}/parent"', rule)
    def test_interfaces_only_while_the_service_is_enabled(self):
        """"systemctl enable rxe" is the one switch; it makes a link for multi-user.target."""
        lines = logical_lines("udev/90-rxe.rules")
        start = next(i for i, line in enumerate(lines) if "rxe-apply@.service" in line)
        conditions = [line for line in lines[:start] if "multi-user.target.wants/rxe.service" in line]
        self.assertEqual(len(conditions), 1)
        self.assertIn('TEST!="/etc/systemd/system/multi-user.target.wants/rxe.service"', conditions[0])
        self.assertIn('GOTO="rxe_end"', conditions[0])
        self.assertIn("WantedBy=multi-user.target", logical_lines("systemd/rxe.service"))


UNITS = ("rxe.service", "rxe@.service", "rxe-apply@.service", "rxe-late.service")


class Units(unittest.TestCase):
    def test_stop_removes_the_device(self):
        self.assertIn("ExecStop=@SBINDIR@/rxectl link delete --if-exists netdev %I",
                      logical_lines("systemd/rxe@.service"))

    def test_boot_does_not_wait_for_a_dead_interface(self):
        for unit in UNITS:
            self.assertFalse([line for line in logical_lines("systemd/" + unit)
                              if line.startswith("Before=") and "network-online" in line])

    def test_masked_service(self):
        self.assertIn("ExecCondition=/bin/sh -c 'systemctl -q is-enabled rxe.service'",
                      logical_lines("systemd/rxe-apply@.service"))

    def test_failed_units_of_interfaces_are_forgotten(self):
        """Containers create interfaces by the thousand; a dependency would keep the failed unit of each."""
        lines = logical_lines("systemd/rxe-apply@.service")
        self.assertIn("CollectMode=inactive-or-failed", lines)
        self.assertFalse([line for line in lines if line.startswith("OnFailure=")])

    def test_directory_of_systemd(self):
        """Packages are built where systemctl is in another directory, or is not installed at all."""
        for name in ["udev/90-rxe.rules"] + ["systemd/" + unit for unit in UNITS]:
            self.assertNotRegex(text(name), r"(?m)^[^#\n]*/(systemctl|systemd-escape)\b", name)

    def test_packages_leave_the_switch_alone(self):
        """Installing a package neither enables nor starts the service, for dpkg as for RPM."""
        self.assertIn("dh_installsystemd --no-enable --no-start", text("debian/rules"))
        self.assertIsNone(re.search(r"systemctl (--\S+ )?enable", text("rdma-rxe.spec")))
        presets = [line for line in logical_lines("systemd/90-rxe.preset") if line]
        self.assertEqual(presets, ["disable rxe.service", "disable rxe@.service", "disable rxe-metrics.timer"])

    def test_failed_builds_are_reported(self):
        """Neither package hides the status of a build."""
        post = text("rdma-rxe.spec").split("%post dkms")[1].split("%preun")[0]
        self.assertNotRegex(post, r"dkms (build|install).*\|\| *:")
        self.assertRegex(post, r"\n%\{_usrsrc\}\S+/report-build.*\n+\Z")
        self.assertIn("report-build", text("debian/rdma-rxe-dkms.postinst"))

    def test_no_invented_names(self):
        """Builders are the maintainers of their packages, and there is no home page to name."""
        for name in ("rdma-rxe.spec", "rdma-rxe-kmp.spec", "debian/control", "debian/changelog", "deb", "rpm"):
            self.assertNotRegex(text(name), r"(?m)[\w.]+@[\w-]+\.\w+|^(URL|Homepage):", name)

    def test_exposure(self):
        """systemd-analyze security rates each unit below 5."""
        if not shutil.which("systemd-analyze"):
            self.skipTest("needs systemd-analyze")
        with tempfile.TemporaryDirectory() as directory:
            for unit in UNITS:
                name = unit.replace("@", "@eth0")
                path = pathlib.Path(directory) / name
                path.write_text(text("systemd/" + unit).replace("@SBINDIR@", "/usr/sbin"), encoding="utf-8")
                run = subprocess.run(["systemd-analyze", "security", "--offline=true",
                                      "--threshold=49", "--no-pager", str(path)],
                                     capture_output=True, text=True, check=False)
                verdict = [line for line in run.stdout.splitlines() if "exposure level" in line]
                self.assertEqual(run.returncode, 0, f"{unit}: {verdict} {run.stderr}")


class Modules(unittest.TestCase):
    def test_no_list_for_boot(self):
        """A listed module that is missing makes the system "degraded" at each boot."""
        self.assertNotIn("modules-load.d", text("rdma-rxe.spec") + text("rpm"))
        installed = [line for line in text("install").splitlines() if " 644 " in line]
        self.assertTrue(installed)
        self.assertFalse([line for line in installed if "modules-load.d" in line])

    def test_modules_for_programs_are_loaded_with_ours(self):
        self.assertIn("softdep rdma_rxe post: ib_uverbs rdma_ucm",
                      logical_lines("modprobe/modprobe.conf"))


if __name__ == "__main__":
    unittest.main()
