#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The manifests in packaging/k8s: types and members as the Kubernetes API has them, references between objects,
and least privilege of the pods. A cluster is not needed."""
import pathlib
import re
import unittest

import yaml

try:
    import kubernetes.client as api
except ImportError:
    api = None

DIRECTORY = pathlib.Path(__file__).resolve().parents[3] / "packaging/k8s"
SETS = {"node", "shared", "exclusive"}

# Kinds that the API client has no model of: custom resources, and kustomize's own file.
OTHERS = {"SpiderIPPool": "spiderpool.spidernet.io/v2beta1", "SpiderMultusConfig": "spiderpool.spidernet.io/v2beta1",
          "Kustomization": "kustomize.config.k8s.io/v1beta1"}
MODELS = {("apps/v1", "DaemonSet"): "V1DaemonSet", ("v1", "Namespace"): "V1Namespace",
          ("v1", "ConfigMap"): "V1ConfigMap", ("v1", "ServiceAccount"): "V1ServiceAccount"}


def documents(path):
    return [document for document in yaml.safe_load_all(path.read_text(encoding="utf-8")) if document]


def objects(name):
    """The objects of a kustomization."""
    kustomization, = documents(DIRECTORY / name / "kustomization.yaml")
    return [item for file in kustomization["resources"] for item in documents(DIRECTORY / name / file)]


def of_kind(items, kind):
    return {item["metadata"]["name"]: item for item in items if item["kind"] == kind}


def wrong_members(value, model, path=""):
    """Members that the type of the API does not have, and values of another type than it says."""
    if model.startswith("list["):
        if not isinstance(value, list):
            return [f"{path}: no list"]
        return [wrong for i, item in enumerate(value) for wrong in wrong_members(item, model[5:-1], f"{path}[{i}]")]
    if model.startswith("dict("):
        return [] if isinstance(value, dict) else [f"{path}: no map"]
    types = {"str": str, "bool": bool, "int": int}
    if model in types:
        return [] if isinstance(value, types[model]) else [f"{path}: no {model}"]
    kind = getattr(api, model, None)
    if kind is None:
        return []
    if not isinstance(value, dict):
        return [f"{path}: no {model}"]
    members = {json: kind.openapi_types[name] for name, json in kind.attribute_map.items()}
    wrong = [f"{path}.{key}: no member of {model}" for key in value if key not in members]
    for key, item in value.items():
        if key in members:
            wrong += wrong_members(item, members[key], f"{path}.{key}")
    return wrong


def pod(daemonset):
    return daemonset["spec"]["template"]["spec"]


def containers(daemonset):
    return pod(daemonset).get("initContainers", []) + pod(daemonset)["containers"]


class Manifests(unittest.TestCase):
    @unittest.skipUnless(api, "install python3-kubernetes")
    def test_types(self):
        for path in sorted(DIRECTORY.glob("*/*.yaml")):
            for item in documents(path):
                where = f"{path.parent.name}/{path.name}: {item['kind']}"
                if item["kind"] in OTHERS:
                    self.assertEqual(item["apiVersion"], OTHERS[item["kind"]], where)
                    continue
                model = MODELS[item["apiVersion"], item["kind"]]
                self.assertEqual(wrong_members(item, model, where), [])

    @unittest.skipUnless(api, "install python3-kubernetes")
    def test_wrong_members_are_found(self):
        item = {"spec": {"selector": {}, "template": {"spec": {"containers": [{"name": 1, "imaeg": "x"}]}}}}
        found = wrong_members(item, "V1DaemonSet")
        self.assertEqual(len(found), 2)
        self.assertIn(".spec.template.spec.containers[0].imaeg: no member of V1Container", found)

    def test_all_files_are_used(self):
        self.assertEqual({path.parent.name for path in DIRECTORY.glob("*/kustomization.yaml")}, SETS)
        for name in SETS:
            kustomization, = documents(DIRECTORY / name / "kustomization.yaml")
            files = {path.name for path in (DIRECTORY / name).glob("*.yaml")} - {"kustomization.yaml"}
            self.assertEqual(files, set(kustomization["resources"]))

    def test_references(self):
        for name in SETS:
            items = objects(name)
            for daemonset in of_kind(items, "DaemonSet").values():
                labels = daemonset["spec"]["template"]["metadata"]["labels"]
                self.assertEqual(daemonset["spec"]["selector"]["matchLabels"], labels)
                account = pod(daemonset).get("serviceAccountName")
                self.assertIn(account, {None, *of_kind(items, "ServiceAccount")})
                volumes = {volume["name"]: volume for volume in pod(daemonset).get("volumes", [])}
                mounts = {mount["name"] for container in containers(daemonset)
                          for mount in container.get("volumeMounts", [])}
                self.assertEqual(mounts, set(volumes))
                for volume in volumes.values():
                    if "configMap" in volume:
                        self.assertIn(volume["configMap"]["name"], of_kind(items, "ConfigMap"))

    def test_images(self):
        for name in SETS:
            kustomization, = documents(DIRECTORY / name / "kustomization.yaml")
            own = {image["name"] for image in kustomization["images"]}
            for daemonset in of_kind(objects(name), "DaemonSet").values():
                for container in containers(daemonset):
                    self.assertTrue(container["image"] in own or container["image"].startswith("docker.io/"))

    def test_networks(self):
        for name in SETS - {"node"}:
            items = objects(name)
            pools, networks = of_kind(items, "SpiderIPPool"), of_kind(items, "SpiderMultusConfig")
            for network in networks.values():
                self.assertEqual(network["spec"]["cniType"], "macvlan")
                self.assertEqual(set(network["spec"]["macvlan"]["ippools"]["ipv4"]), set(pools))
            wanted = {f"{network['metadata']['namespace']}/{key}" for key, network in networks.items()}
            for daemonset in of_kind(items, "DaemonSet").values():
                annotations = daemonset["spec"]["template"]["metadata"]["annotations"]
                self.assertIn(annotations["k8s.v1.cni.cncf.io/networks"], wanted)

    def test_both_modes_differ_in_their_network_only(self):
        shared, exclusive = ((DIRECTORY / name / "app.yaml").read_text(encoding="utf-8")
                             for name in ("shared", "exclusive"))
        self.assertEqual(shared.replace("rxe-shared", "rxe-exclusive"), exclusive)


class Privileges(unittest.TestCase):
    def test_applications(self):
        for name in SETS - {"node"}:
            daemonset = of_kind(objects(name), "DaemonSet")["rxe-app"]
            added = {container["name"]: container["securityContext"]["capabilities"]["add"]
                     for container in containers(daemonset)}
            self.assertEqual(added, {"add-device": ["NET_ADMIN"], "app": ["IPC_LOCK"]})
            for container in containers(daemonset):
                context = container["securityContext"]
                self.assertFalse(context["allowPrivilegeEscalation"])
                self.assertNotIn("privileged", context)
                self.assertEqual(context["capabilities"]["drop"], ["ALL"])
            self.assertNotIn("hostNetwork", pod(daemonset))
            self.assertNotIn("volumes", pod(daemonset))

    def test_nodes(self):
        daemonsets = of_kind(objects("node"), "DaemonSet")
        context = pod(daemonsets["rxe-node"])["containers"][0]["securityContext"]
        self.assertEqual(context["capabilities"], {"drop": ["ALL"], "add": ["MKNOD", "NET_ADMIN", "SYS_MODULE"]})
        self.assertNotIn("privileged", context)
        for daemonset in daemonsets.values():
            self.assertFalse(pod(daemonset)["automountServiceAccountToken"])


class Resource(unittest.TestCase):
    def setUp(self):
        self.args = pod(of_kind(objects("node"), "DaemonSet")["rxe-device-plugin"])["containers"][0]["args"]
        self.device = yaml.safe_load(self.args[self.args.index("--device") + 1])

    def test_name(self):
        name = f"{self.args[self.args.index('--domain') + 1]}/{self.device['name']}"
        for mode in SETS - {"node"}:
            app = pod(of_kind(objects(mode), "DaemonSet")["rxe-app"])["containers"][0]
            self.assertEqual(app["resources"]["limits"][name], 1)

    def test_paths(self):
        """The plug-in hands out the nodes that rxe-node makes, under the names that programs open."""
        group, = self.device["groups"]
        paths = {path["path"]: path["mountPath"] for path in group["paths"]}
        names = [f"uverbs{i}" for i in range(32)] + ["rdma_cm"]
        self.assertEqual(paths, {f"/run/rxe/dev/{name}": f"/dev/infiniband/{name}" for name in names})
        script = (DIRECTORY / "rxe-node").read_text(encoding="utf-8")
        self.assertIn('-lt 32 ]', script)
        self.assertTrue(re.search(r'node "uverbs\$number" 231 \$\(\(192 \+ number\)\)', script))
        self.assertEqual(group["count"], 32)


if __name__ == "__main__":
    unittest.main()
