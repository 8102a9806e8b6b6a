#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""cloud_stub.py CERTIFICATE LOG: stands for the servers of AWS and OpenStack on port 443 of this machine.

Answers what their tools ask before and when they create rules of security groups. Writes each request that changes
something to LOG, one JSON object a line: the host, the path without query, and the members of the body.
"""

import http.server
import json
import re
import ssl
import sys
import urllib.parse

OPENSTACK = "https://openstack.example"
GROUP = {"id": "11111111-1111-1111-1111-111111111111", "name": "GROUP", "security_group_rules": [], "tags": []}
NETWORK = {"id": "22222222-2222-2222-2222-222222222222", "name": "NETWORK", "mtu": 8950}
TOKEN = "token"


def aws(method, path, query, body):
    assert method == "POST" and path == "/"
    name = body["Action"]
    return (f'<{name}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>1</requestId>'
            f"<return>true</return></{name}Response>")


def openstack(method, path, query, body):
    if path in ("/", "/v3", "/v3/"):
        version = {"id": "v3.14", "status": "stable", "links": [{"rel": "self", "href": f"{OPENSTACK}/v3/"}]}
        return {"version": version} if path != "/" else {"versions": {"values": [version]}}
    if path == "/v3/auth/tokens":
        network = {"region": "r", "region_id": "r", "interface": "public", "url": f"{OPENSTACK}/network", "id": "e"}
        return {"token": {"expires_at": "2999-01-01T00:00:00.000000Z", "issued_at": "2020-01-01T00:00:00.000000Z",
                          "methods": ["password"], "user": {"id": "u", "name": "u", "domain": {"id": "d", "name": "d"}},
                          "project": {"id": "p", "name": "p", "domain": {"id": "d", "name": "d"}},
                          "catalog": [{"type": "network", "name": "neutron", "id": "n", "endpoints": [network]}]}}
    if path in ("/network", "/network/"):
        return {"versions": [{"id": "v2.0", "status": "CURRENT",
                              "links": [{"rel": "self", "href": f"{OPENSTACK}/network/v2.0/"}]}]}
    if method == "POST" and path == "/network/v2.0/security-group-rules":
        return {"security_group_rule": dict(body["security_group_rule"], id="r")}
    for plural, item in (("security-groups", GROUP), ("networks", NETWORK)):
        if path == f"/network/v2.0/{plural}":
            return {plural.replace("-", "_"): [item] if query.get("name") == item["name"] else []}
    return None


CLOUDS = {r"ec2\..*\.amazonaws\.com": aws, r"openstack\.example": openstack}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def read_body(self):
        text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if text.startswith("{"):
            return json.loads(text)
        return dict(urllib.parse.parse_qsl(text))

    def serve(self):
        host = self.headers["Host"].split(":")[0]
        url = urllib.parse.urlsplit(self.path)
        body = self.read_body()
        cloud, = (function for pattern, function in CLOUDS.items() if re.fullmatch(pattern, host))
        answer = cloud(self.command, url.path, dict(urllib.parse.parse_qsl(url.query)), body)
        print(self.command, host, self.path, "404" if answer is None else "200", file=sys.stderr, flush=True)
        if answer is not None and self.command == "POST" and "token" not in url.path:
            with open(sys.argv[2], "a") as log:
                print(json.dumps({"host": host, "path": url.path, "body": body}, sort_keys=True), file=log)
        self.reply(answer)

    def reply(self, answer):
        xml = isinstance(answer, str)
        content = (answer if xml else json.dumps(answer or {})).encode()
        self.send_response(404 if answer is None else 201 if self.path == "/v3/auth/tokens" else 200)
        self.send_header("Content-Type", "text/xml" if xml else "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-Subject-Token", TOKEN)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = serve

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 443), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1])
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
