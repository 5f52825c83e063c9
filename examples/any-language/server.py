# An MCP server in plain Python, without any library. Each tool fails in a way that servers in Python fail.
import json
import os
import sys
import traceback

TOOLS = ["works", "traceback", "rpc_error", "exits", "garbage", "silent"]


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def read_orders():
    return {"orders": {}}["orders"]["7"]


def call(tool, id):
    if tool == "works":
        send({"id": id, "result": {"content": [{"type": "text", "text": "done"}]}})
    elif tool == "traceback":
        try:
            read_orders()
        except KeyError:
            text = traceback.format_exc()
            send({"id": id, "result": {"isError": True, "content": [{"type": "text", "text": text}]}})
    elif tool == "rpc_error":
        error = {"code": -32000, "message": "database is locked", "data": {"table": "orders"}}
        send({"id": id, "error": error})
    elif tool == "exits":
        sys.stderr.write("Fatal Python error: out of memory\n")
        sys.stderr.flush()
        os._exit(3)
    elif tool == "garbage":
        print("DEBUG: cache miss {not json", flush=True)
        send({"id": id, "result": {"content": [{"type": "text", "text": "done"}]}})
    # "silent" gets no answer.


for line in sys.stdin:
    request = json.loads(line)
    id, method, params = request.get("id"), request.get("method"), request.get("params", {})
    if id is None:
        continue
    if method == "initialize":
        info = {"name": "python", "version": "1.0.0"}
        version = params.get("protocolVersion")
        send({"id": id, "result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}})
    elif method == "tools/list":
        send({"id": id, "result": {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]}})
    elif method == "tools/call":
        call(params.get("name"), id)
    else:
        send({"id": id, "error": {"code": -32601, "message": "Method not found"}})
