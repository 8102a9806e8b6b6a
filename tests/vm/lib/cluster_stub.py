#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""cluster_stub.py LOG: stands for the API server of a Kubernetes cluster on port 8080 of this machine, where kubectl
looks without a configuration.

Keeps the objects that are applied. A namespace must exist before its objects, and a kind must be known. Each DaemonSet
has two pods, NAME-1 and NAME-2, and is rolled out. There is one node, whose kubelet offers 32 of the resource rdma/rxe.
Nothing is executed. Writes what changes something, and what "kubectl exec" asks for, to LOG, a line each: method, and
path with query.
"""

import http.server
import json
import sys
import urllib.parse

# Group and version: the kinds, and whether they belong to a namespace.
KINDS = {
    "v1": {"Namespace": False, "Node": False, "ConfigMap": True, "ServiceAccount": True, "Pod": True},
    "apps/v1": {"DaemonSet": True},
    "spiderpool.spidernet.io/v2beta1": {"SpiderIPPool": False, "SpiderMultusConfig": True},
}
ROLLED_OUT = {"observedGeneration": 1, "desiredNumberScheduled": 1, "updatedNumberScheduled": 1, "numberAvailable": 1}


objects = {
    "/api/v1/namespaces/default": {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}},
    "/api/v1/namespaces/kube-system": {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-system"}},
    "/api/v1/nodes/node1": {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node1"},
                            "status": {"allocatable": {"cpu": "4", "rdma/rxe": "32"}}},
}


def resources(version):
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version,
            "resources": [{"name": kind.lower() + "s", "singularName": kind.lower(), "kind": kind,
                           "namespaced": namespaced,
                           "verbs": ["create", "delete", "get", "list", "patch", "update", "watch"]}
                          for kind, namespaced in KINDS[version].items()]}


def discovery(path):
    if path == "/api":
        return {"kind": "APIVersions", "versions": ["v1"]}
    if path == "/apis":
        return {"kind": "APIGroupList", "apiVersion": "v1",
                "groups": [{"name": version.split("/")[0], "preferredVersion": {"groupVersion": version},
                            "versions": [{"groupVersion": version, "version": version.split("/")[1]}]}
                           for version in KINDS if "/" in version]}
    for version in KINDS:
        if path == (f"/apis/{version}" if "/" in version else f"/api/{version}"):
            return resources(version)
    return None


def selected(item, query):
    labels = item["metadata"].get("labels", {})
    wanted = dict(part.split("=") for part in query.get("labelSelector", "").split(",") if part)
    name = query.get("fieldSelector", "").removeprefix("metadata.name=")
    return wanted.items() <= labels.items() and name in ("", item["metadata"]["name"])


def listed(path, query):
    version, kind = next((version, kind) for version, kinds in KINDS.items() for kind in kinds
                         if path.endswith(f"/{kind.lower()}s"))
    items = [item for place, item in objects.items() if place.rpartition("/")[0] == path and selected(item, query)]
    return {"apiVersion": version, "kind": f"{kind}List", "metadata": {"resourceVersion": "1"}, "items": items}


def is_object(path):
    """True for the path of an object, false for that of all objects of a kind."""
    parts = path.strip("/").split("/")
    parts = parts[2:] if parts[0] == "api" else parts[3:]
    return len(parts) in (2, 4)


def create(path, body):
    parts = path.split("/")
    if "namespaces" in parts[:-1] and "/".join(parts[:parts.index("namespaces") + 2]) not in namespaces():
        return 404, failure(404, "NotFound", "there is no such namespace")
    name = body["metadata"]["name"]
    body["metadata"].update(generation=1, uid=f"{path}/{name}", resourceVersion="1")
    objects[f"{path}/{name}"] = body
    if body["kind"] == "DaemonSet":
        body["spec"].setdefault("updateStrategy", {"type": "RollingUpdate"})
        body["status"] = ROLLED_OUT
        create_pods(body)
    return 201, body


def namespaces():
    """The paths that objects of existing namespaces have, in each version."""
    names = [item["metadata"]["name"] for item in objects.values() if item["kind"] == "Namespace"]
    return [f"/{'apis' if '/' in version else 'api'}/{version}/namespaces/{name}" for version in KINDS for name in names]


def create_pods(daemonset):
    metadata, template = daemonset["metadata"], daemonset["spec"]["template"]
    for name in (f"{metadata['name']}-1", f"{metadata['name']}-2"):
        objects[f"/api/v1/namespaces/{metadata['namespace']}/pods/{name}"] = {
            "apiVersion": "v1", "kind": "Pod", "spec": dict(template["spec"], nodeName="node1"),
            "metadata": {"name": name, "namespace": metadata["namespace"], "labels": template["metadata"]["labels"]},
            "status": {"phase": "Running", "podIP": "10.0.0.1"}}


def delete(path):
    """Objects of a namespace go with it."""
    deleted = objects.pop(path)
    if deleted["kind"] == "Namespace":
        for place in [place for place in objects if f"/namespaces/{deleted['metadata']['name']}/" in place]:
            del objects[place]
    return {"kind": "Status", "apiVersion": "v1", "status": "Success", "details": {"uid": deleted["metadata"]["uid"]}}


def failure(code, reason, message):
    return {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason,
            "message": message}


def answer(method, path, query, body):
    known = discovery(path)
    if known:
        return 200, known
    if path.endswith("/exec"):
        return 400, failure(400, "BadRequest", "nothing is executed here")
    if method == "POST":
        return create(path, body)
    if method == "GET" and not is_object(path) and path.startswith("/api"):
        return 200, listed(path, query)
    if path not in objects:
        return 404, failure(404, "NotFound", f"there is no {path}")
    if method == "DELETE":
        return 200, delete(path)
    return 200, objects[path]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def serve(self):
        url = urllib.parse.urlsplit(self.path)
        text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        query = dict(urllib.parse.parse_qsl(url.query))
        code, content = answer(self.command, url.path, query, json.loads(text) if text else None)
        print(self.command, self.path, code, file=sys.stderr, flush=True)
        if self.command != "GET" and (code < 300 or url.path.endswith("/exec")):
            with open(sys.argv[1], "a") as log:
                print(self.command, urllib.parse.unquote_plus(self.path), file=log)
        text = json.dumps(content).encode()
        # Schemas, an empty message of Protocol Buffers: kubectl then verifies nothing itself.
        schemas = url.path == "/openapi/v2"
        if schemas:
            code, text = 200, b""
        self.send_response(code)
        if not schemas:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PATCH = do_DELETE = serve

    def log_message(self, *args):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", 8080), Handler).serve_forever()
