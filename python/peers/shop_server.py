"""A shop with ten ways to fail, guarded or bare (`--bare`), over stdio or over HTTP (`--port 8000`)."""

import sys
import time
from typing import Any

from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations

from recourse_faults import Retry, fail
from recourse_faults.server import GuardedFastMCP

IS_BARE = "--bare" in sys.argv
PORT = int(sys.argv[sys.argv.index("--port") + 1]) if "--port" in sys.argv else 8000
server: FastMCP[Any] = (FastMCP if IS_BARE else GuardedFastMCP)("shop", port=PORT, log_level="ERROR")
SECRET = "connection to db.internal lost, password=hunter2"


@server.tool()
def accident(order: int) -> str:
    raise RuntimeError(SECRET)


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def accident_reading(order: int) -> str:
    raise KeyError(SECRET)


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def not_there(order: int) -> str:
    raise fail("not_found", f"There is no order {order}. Call list_orders first.")


@server.tool()
def sentence() -> str:
    raise ToolError("Insufficient funds on this account.")


@server.tool()
def returned() -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text="Closed on Sundays.")], isError=True)


@server.tool()
def arguments(count: int) -> str:
    return str(count)


@server.tool()
def busy() -> str:
    raise fail("rate_limited", "Too many orders at once.", retry=Retry(True, after_ms=50))


@server.tool()
def bad_result() -> dict[str, int]:
    return {"count": SECRET}  # type: ignore[dict-item]


@server.tool()
def slow() -> str:
    time.sleep(3)
    return "late"


if __name__ == "__main__":
    server.run(transport="streamable-http" if "--port" in sys.argv else "stdio")
