"""Calls every tool of a shop and prints one JSON object per call: `shop_client.py http://127.0.0.1:8000/mcp [header]`."""

import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

from recourse_faults import call_tool, render

CALLS: dict[str, dict[str, object]] = {
    "accident": {"order": 7},
    "accident_reading": {"order": 7},
    "not_there": {"order": 8},
    "sentence": {},
    "returned": {},
    "arguments": {"count": "many"},
    "nothing": {},
    "busy": {},
    "bad_result": {},
    "slow": {},
}


async def main(url: str, prefix: str, headers: dict[str, str]) -> None:
    async with streamablehttp_client(url, headers=headers) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        for name, arguments in CALLS.items():
            outcome = await call_tool(session, prefix + name, arguments, timeout=1 if name == "slow" else 20)
            fault = outcome.fault
            shown = fault and {"kind": fault.kind, "effect": fault.effect, "reason": fault.reason, "incident": fault.incident}
            print(json.dumps({"call": name, "attempts": outcome.attempts, "fault": shown, "text": fault and render(fault)}), flush=True)


if __name__ == "__main__":
    token = {"authorization": f"Bearer {sys.argv[3]}"} if len(sys.argv) > 3 else {}
    asyncio.run(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "", token))
