"""A client that uses nothing but the standard library: asks for misbehaviours in every way, and prints what it saw."""

import http.client
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

url = urllib.parse.urlsplit(sys.argv[1])
session = {}
seen = {}


def post(message, headers=None):
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    fields = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    connection.request("POST", url.path, json.dumps(message), {**fields, **session, **(headers or {})})
    response = connection.getresponse()
    if response.getheader("mcp-session-id"):
        session["mcp-session-id"] = response.getheader("mcp-session-id")
    return response.status, response.read().decode()


def charge(headers=None, meta=None):
    params = {"name": "charge", "arguments": {"amount": 5}, "_meta": meta or {}}
    try:
        return post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, headers)
    except (ConnectionError, http.client.HTTPException) as error:
        return type(error).__name__


def control(order=None):
    body = None if order is None else json.dumps(order).encode()
    with urllib.request.urlopen(f"http://{url.netloc}/control", body, timeout=60) as response:
        return json.load(response)


info = {"name": "python", "version": "1.0.0"}
post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}})
post({"jsonrpc": "2.0", "method": "notifications/initialized"})
seen["option"] = charge()
seen["behaves"] = charge()[0]
seen["header"] = charge(headers={"recourse-misbehave": "429-seconds"})[0]
seen["meta"] = charge(meta={"recourse/misbehave": "truncated-json"})
control({"next": ["lost-socket"]})
seen["control"] = charge()
seen["effects"] = control()["effects"]["total"]
print(json.dumps(seen))
