#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Alerts, dashboard and docs/monitoring.md: each metric that they name exists, promtool accepts the rules, and it and
the parsers of Prometheus' client accept the expected output of rxectl."""
import json
import pathlib
import re
import shutil
import subprocess
import unittest

import yaml

try:
    import prometheus_client.openmetrics.parser
    import prometheus_client.parser
except ImportError:
    prometheus_client = None

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
MONITORING = REPOSITORY / "packaging/monitoring"
PROMTOOL = shutil.which("promtool")


def metrics():
    """Names of all metrics, by the module's table of counters."""
    table = (REPOSITORY / "drivers/rxe/base/counters.h").read_text(encoding="utf-8")
    names = {"rxe_device_info", "rxe_port_active", "rxe_queue_pairs"}
    for counter in re.findall(r'^\t[A-Z]+\([A-Z_]+, "([a-z_0-9]+)"', table, re.M):
        if counter.startswith("drop_"):
            names.add("rxe_dropped_packets_total")
        else:
            names.add(f"rxe_{re.sub('_pkts$', '_packets', counter)}_total")
    return names


def expected_output(format_):
    """What the golden test wants of "rxectl stats --format prometheus"."""
    source = (REPOSITORY / "tests/unit/rxectl/test_golden.c").read_text(encoding="utf-8")
    row = re.search(r'"stats (?:rxe0 )?--format %s", 0,((?:\s*"(?:\\.|[^"\\])*")+),' % format_, source).group(1)
    return "".join(json.loads(f'"{text}"') for text in re.findall(r'"((?:\\.|[^"\\])*)"', row))


class Monitoring(unittest.TestCase):
    def assert_known(self, text):
        named = set(re.findall(r"\brxe_[a-z_0-9]+", text))
        self.assertTrue(named)
        self.assertEqual(named - metrics(), set())

    def test_names(self):
        self.assertGreater(len(metrics()), 25)
        rules = yaml.safe_load((MONITORING / "rxe-alerts.yml").read_text(encoding="utf-8"))["groups"][0]["rules"]
        dashboard = json.loads((MONITORING / "rxe-dashboard.json").read_text(encoding="utf-8"))
        self.assert_known("\n".join(rule["expr"] for rule in rules))
        self.assert_known("\n".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"]))
        page = (REPOSITORY / "docs/monitoring.md").read_text(encoding="utf-8")
        self.assert_known("\n".join(re.findall(r"`(rxe_[a-z_]+)`", page)))
        for rule in rules:
            self.assertIn(f"`{rule['alert']}`", page)

    def test_dashboard(self):
        dashboard = json.loads((MONITORING / "rxe-dashboard.json").read_text(encoding="utf-8"))
        self.assertEqual(len({panel["id"] for panel in dashboard["panels"]}), len(dashboard["panels"]))
        places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in dashboard["panels"]}
        self.assertEqual(len(places), len(dashboard["panels"]))
        names = {item["name"] for item in dashboard["templating"]["list"]}
        used = set(re.findall(r'\$\{?([a-z]+)\b', json.dumps(dashboard)))
        self.assertEqual(used, names)

    @unittest.skipUnless(prometheus_client, "install python3-prometheus-client")
    def test_parsers(self):
        """Both formats have the same metrics, each with a type and a text, and names as Prometheus wants them."""
        parsers = {"prometheus": prometheus_client.parser, "openmetrics": prometheus_client.openmetrics.parser}
        types = {}
        for format_, parser in parsers.items():
            families = list(parser.text_string_to_metric_families(expected_output(format_)))
            self.assertGreater(len(families), 4)
            for family in families:
                self.assertTrue(family.documentation, family.name)
                self.assertTrue(family.samples, family.name)
                for sample in family.samples:
                    self.assertIn("device", sample.labels)
                    self.assertEqual(sample.name.endswith("_total"), family.type == "counter", sample.name)
            types[format_] = {family.name: family.type for family in families}
        self.assertEqual(types["prometheus"], types["openmetrics"])

    @unittest.skipUnless(prometheus_client, "install python3-prometheus-client")
    def test_parsers_refuse(self):
        """The parser of OpenMetrics wants the counters' suffix and the end mark."""
        output = expected_output("openmetrics")
        for wrong in (output.replace("# EOF\n", ""), output.replace("_packets_total{", "_packets{", 1)):
            with self.assertRaises(ValueError):
                list(prometheus_client.openmetrics.parser.text_string_to_metric_families(wrong))

    @unittest.skipUnless(PROMTOOL, "install prometheus")
    def test_promtool(self):
        subprocess.run([PROMTOOL, "check", "rules", MONITORING / "rxe-alerts.yml"], check=True, capture_output=True)
        output = expected_output("prometheus")
        self.assertIn("rxe_sent_packets_total", output)
        result = subprocess.run([PROMTOOL, "check", "metrics"], input=output, text=True, capture_output=True, check=False)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
