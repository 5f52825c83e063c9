"""Real servers of the official SDK, guarded, and a real client of it. Needs the package `mcp`."""

import importlib.util
import json
import logging
import unittest
from typing import Any, Literal

HAS_SDK = importlib.util.find_spec("mcp") is not None
NO_SDK = "the package mcp is not installed"

if HAS_SDK:
    from mcp.server.fastmcp import FastMCP
    from mcp.server.fastmcp.exceptions import ToolError
    from mcp.server.lowlevel import Server
    from mcp.shared.exceptions import McpError
    from mcp.shared.memory import create_connected_server_and_client_session as connect
    from mcp.types import CallToolResult, TextContent, Tool, ToolAnnotations

    from recourse_faults import call_tool, fail, fault_of
    from recourse_faults.server import GuardedFastMCP, guard

SECRET = "password=hunter2 at db.internal"


def shop() -> Any:
    server = GuardedFastMCP("shop")
    calls = {"flaky": 0}

    @server.tool()
    def accident(order: int) -> str:
        raise RuntimeError(SECRET)

    @server.tool(annotations=ToolAnnotations(readOnlyHint=True))
    def look(order: int) -> str:
        raise RuntimeError(SECRET)

    @server.tool()
    def authored(order: int) -> str:
        raise fail("not_found", f"There is no order {order}.")

    @server.tool()
    def sentence() -> str:
        raise ToolError("Insufficient funds on this account.")

    @server.tool()
    def returned() -> CallToolResult:
        return CallToolResult(content=[TextContent(type="text", text="Closed on Sundays.")], isError=True)

    @server.tool()
    def typed(count: int, size: Literal["s", "m"] = "s") -> dict[str, int]:
        return {"count": count}

    @server.tool()
    def broken_result() -> dict[str, int]:
        return {"count": SECRET}  # type: ignore[dict-item]

    @server.tool()
    def flaky() -> str:
        calls["flaky"] += 1
        if calls["flaky"] < 3:
            raise fail("overloaded", "The shop is busy.")
        return "done"

    @server.resource("orders://{order}")
    def order(order: str) -> str:
        raise fail("forbidden", "This order belongs to somebody else.") if order == "8" else RuntimeError(SECRET)

    @server.prompt()
    def letter(to: str) -> str:
        raise RuntimeError(SECRET)

    return server


@unittest.skipUnless(HAS_SDK, NO_SDK)
class Guarded(unittest.IsolatedAsyncioTestCase):
    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> tuple[Any, Any]:
        async with connect(shop()._mcp_server) as session:
            result = await session.call_tool(name, arguments or {})
            return result, fault_of(result, tool=name)

    async def test_an_accident_is_hidden_and_logged_under_its_incident(self) -> None:
        with self.assertLogs("recourse_faults", logging.ERROR) as logs:
            result, fault = await self.call("accident", {"order": 7})
        self.assertNotIn("hunter2", result.model_dump_json())
        self.assertEqual((fault.kind, fault.effect, fault.reason), ("internal", "possible", "tool/execution_failed"))
        [record] = logs.records
        self.assertEqual(record.incident, fault.incident)  # type: ignore[attr-defined]
        self.assertIn(fault.incident, result.content[0].text)
        self.assertIn("hunter2", logs.output[0])

    async def test_an_accident_of_a_tool_that_only_reads_has_no_effect(self) -> None:
        with self.assertLogs("recourse_faults", logging.ERROR):
            _, fault = await self.call("look", {"order": 7})
        self.assertEqual(fault.effect, "none")

    async def test_sentences_of_the_author_are_shown(self) -> None:
        for name, said in (("authored", "There is no order 7."), ("sentence", "Insufficient funds on this account.")):
            result, fault = await self.call(name, {"order": 7} if name == "authored" else {})
            self.assertIn(said, result.content[0].text)
            self.assertIsNone(fault.incident)
        result, fault = await self.call("returned")
        self.assertEqual((result.content[0].text, fault.reason), ("Closed on Sundays.", "tool/failed"))

    async def test_wrong_arguments_name_field_and_rule_and_never_the_value(self) -> None:
        result, fault = await self.call("typed", {"count": "hunter2", "size": "hunter2"})
        self.assertNotIn("hunter2", result.model_dump_json())
        self.assertEqual([(one.pointer, one.rule) for one in fault.issues], [("/count", "type"), ("/size", "choice")])
        self.assertEqual(
            result.content[0].text,
            "Wrong arguments for the tool \"typed\": count must be an integer; size must be 's' or 'm'."
            " Correct the arguments and call again.",
        )

    async def test_a_result_that_breaks_its_schema_is_an_incident(self) -> None:
        with self.assertLogs("recourse_faults", logging.ERROR):
            result, fault = await self.call("broken_result")
        self.assertNotIn("hunter2", result.model_dump_json())
        self.assertEqual(fault.reason, "tool/output_invalid")

    async def test_an_unknown_tool(self) -> None:
        _, fault = await self.call("nothing")
        self.assertEqual((fault.reason, fault.effect), ("tool/not_found", "none"))
        result, _ = await self.call("authord")
        self.assertEqual(result.content[0].text, 'No such tool: "authord". Did you mean "authored"?')

    async def test_resources_and_prompts(self) -> None:
        async with connect(shop()._mcp_server) as session:
            cases = {
                "resource/not_found": lambda: session.read_resource("nope://1"),
                "adhoc/forbidden": lambda: session.read_resource("orders://8"),
                "core/internal": lambda: session.read_resource("orders://7"),
                "prompt/not_found": lambda: session.get_prompt("nothing"),
            }
            for reason, ask in cases.items():
                with self.subTest(reason), self.assertRaises(McpError) as raised:
                    await ask()
                fault = fault_of(raised.exception)
                assert fault is not None
                self.assertEqual(fault.reason, reason)
                self.assertNotIn("hunter2", raised.exception.error.model_dump_json())
            with self.assertRaises(McpError) as raised:
                await session.get_prompt("letter", {"to": "x"})
            self.assertNotIn("hunter2", str(raised.exception))

    async def test_a_low_level_server(self) -> None:
        server: Server[Any, Any] = guard(Server("plain"))

        @server.list_tools()
        async def list_tools() -> list[Tool]:
            schema = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
            return [Tool(name="add", inputSchema=schema), Tool(name="say", inputSchema={"type": "object"})]

        @server.call_tool()
        async def call(name: str, arguments: dict[str, Any]) -> list[TextContent]:
            if name == "say":
                raise fail("conflict", "It is said already.")
            raise RuntimeError(SECRET)

        async with connect(server) as session:
            for name, given, reason in (
                ("add", {"count": 1}, "tool/execution_failed"),
                ("add", {"count": "hunter2"}, "tool/invalid_arguments"),
                ("say", {}, "adhoc/conflict"),
            ):
                result = await session.call_tool(name, given)
                fault = fault_of(result)
                assert fault is not None
                self.assertEqual(fault.reason, reason)
                self.assertNotIn("hunter2", result.model_dump_json())

    async def test_guard_says_what_to_write_instead(self) -> None:
        with self.assertRaisesRegex(TypeError, "GuardedFastMCP"):
            guard(FastMCP("late"))  # type: ignore[type-var]


@unittest.skipUnless(HAS_SDK, NO_SDK)
class Calling(unittest.IsolatedAsyncioTestCase):
    async def test_it_repeats_what_had_no_effect(self) -> None:
        async with connect(shop()._mcp_server) as session:
            outcome = await call_tool(session, "flaky", chance=lambda: 0.0)
        self.assertEqual((outcome.ok, outcome.attempts), (True, 3))

    async def test_it_does_not_repeat_what_may_have_taken_effect(self) -> None:
        async with connect(shop()._mcp_server) as session:
            with self.assertLogs("recourse_faults", logging.ERROR) as logs:
                outcome = await call_tool(session, "accident", {"order": 7})
        self.assertEqual((outcome.attempts, len(logs.records)), (1, 1))
        assert outcome.fault is not None
        json.dumps(outcome.fault.to_wire())

    async def test_no_answer_in_time_may_have_taken_effect(self) -> None:
        import anyio

        server = GuardedFastMCP("slow")

        @server.tool()
        async def slow() -> str:
            await anyio.sleep(30)
            return "late"

        async with connect(server._mcp_server) as session:
            outcome = await call_tool(session, "slow", timeout=0.2)
        assert outcome.fault is not None
        self.assertEqual((outcome.fault.kind, outcome.fault.effect, outcome.attempts), ("timeout", "possible", 1))
