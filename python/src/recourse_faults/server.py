"""
Guards a server of the official SDK (`mcp` 1.x): a tool that fails answers with a fault, accidents are hidden from the caller
and logged under the id of an incident, and sentences that you wrote on purpose are shown.
"""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timezone
from difflib import get_close_matches
from typing import Any, TypeVar

from mcp import types
from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import McpError, UrlElicitationRequiredError
from pydantic import ValidationError

from .fault import Fault, FaultError, Issue, Move, Quote, Rule
from .kinds import Effect
from .mcp import FAULT_KEY, encode, fault_of_result
from .reading import line, pointer
from .reasons import library_fault
from .render import render
from .text import new_id
from .thrown import thrown_fault

logger = logging.getLogger("recourse_faults")
_Low = TypeVar("_Low", bound=Server[Any, Any])
_REVISION = "2025-11-25"
"""The newest revision that `mcp` 1.x speaks."""


def guard(server: _Low) -> _Low:
    """
    Guards a low-level server. Call it before you register handlers. For FastMCP, use `GuardedFastMCP`: an instance of
    FastMCP has registered its handlers when it was made, and offers no public way to change them.
    """
    if isinstance(server, FastMCP):
        raise TypeError('Write `GuardedFastMCP("name")` instead of `guard(FastMCP("name"))`.')
    if any(one in server.request_handlers for one in (types.CallToolRequest, types.ReadResourceRequest)):
        raise TypeError("Call guard(server) before you register its handlers.")
    for name in ("call_tool", "read_resource", "get_prompt"):
        setattr(server, name, _guard_decorator(server, name, getattr(server, name)))
    return server


class GuardedFastMCP(FastMCP[Any]):
    """A FastMCP server whose failures are faults."""

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        try:
            result = await super().call_tool(name, arguments)
        except UrlElicitationRequiredError:
            raise
        except Exception as error:
            tools = await self.list_tools()
            tool = next((one for one in tools if one.name == name), None)
            return _failed(_unknown_tool(name, tools) if tool is None else _tool_fault(error, name, tool))
        return _returned(result, name)

    async def read_resource(self, uri: Any) -> Any:
        try:
            return await super().read_resource(uri)
        except Exception as error:
            raise _protocol_error(error, "resources/read", uri=str(uri)) from None

    async def get_prompt(self, name: str, arguments: dict[str, Any] | None = None) -> types.GetPromptResult:
        try:
            return await super().get_prompt(name, arguments)
        except Exception as error:
            raise _protocol_error(error, "prompts/get", prompt=name) from None


def _guard_decorator(server: Server[Any, Any], name: str, register: Callable[..., Any]) -> Callable[..., Any]:
    """The decorator `register` of a server, for handlers whose exceptions become faults."""

    def decorator(**options: Any) -> Callable[..., Any]:
        def accept(handler: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            guarded = _guard_tools(handler) if name == "call_tool" else _guard_request(handler, name)
            register(**options)(guarded)
            if name == "call_tool":
                checked = server.request_handlers[types.CallToolRequest]
                server.request_handlers[types.CallToolRequest] = _hide_checks(checked)
            return handler

        return accept

    return decorator


def _guard_tools(handler: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    @functools.wraps(handler)
    async def guarded(name: str, arguments: dict[str, Any]) -> Any:
        try:
            return _returned(await handler(name, arguments), name)
        except UrlElicitationRequiredError:
            raise
        except Exception as error:
            return _failed(_tool_fault(error, name, None))

    return guarded


def _guard_request(handler: Callable[..., Awaitable[Any]], decorator: str) -> Callable[..., Awaitable[Any]]:
    method, subject = ("resources/read", "uri") if decorator == "read_resource" else ("prompts/get", "prompt")

    @functools.wraps(handler)
    async def guarded(what: Any, *rest: Any) -> Any:
        try:
            return await handler(what, *rest)
        except Exception as error:
            raise _protocol_error(error, method, **{subject: str(what)}) from None

    return guarded


def _hide_checks(handler: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The low-level server checks arguments and results itself, and its sentences repeat the values that it checked."""

    async def checked(request: types.CallToolRequest) -> Any:
        answer = await handler(request)
        result = getattr(answer, "root", answer)
        if not getattr(result, "isError", False) or FAULT_KEY in (result.meta or {}):
            return answer
        said = getattr(result.content[0], "text", "") if result.content else ""
        is_input = said.startswith("Input validation error")
        reason = "tool/invalid_arguments" if is_input else "tool/output_invalid"
        fault = library_fault(reason, {"tool": request.params.name} if is_input else {})
        return types.ServerResult(_failed(fault if is_input else _reported(fault, said, request.params.name)))

    return checked


# From an exception to a fault


def _tool_fault(error: Exception, name: str, tool: types.Tool | None) -> Fault:
    # FastMCP raises a ToolError around whatever the tool raised.
    cause = error.__cause__ if isinstance(error, ToolError) and isinstance(error.__cause__, Exception) else error
    hints = tool.annotations if tool else None
    effect: Effect | None = "none" if hints and hints.readOnlyHint else None
    if isinstance(cause, FaultError):
        return cause.fault
    if isinstance(cause, ToolError):
        # A sentence that its author addressed to the caller.
        said = line(500)(str(cause))
        return library_fault("tool/failed", {"tool": name}, effect=effect, quote=Quote(said, "thrown") if said else None)
    if isinstance(cause, ValidationError) and (where := _checked_by_sdk(cause)):
        if where == "arguments":
            return _invalid_arguments(cause, name)
        return _reported(library_fault("tool/output_invalid", effect=effect), cause, name)
    known = thrown_fault(cause)
    if known is None:
        return _reported(library_fault("tool/execution_failed", {"tool": name}, effect=effect), cause, name)
    return _reported(library_fault(known.reason, effect=effect or known.effect, retry=known.retry, basis=known.basis), cause, name)


def _unknown_tool(name: str, tools: list[types.Tool]) -> Fault:
    near = tuple(get_close_matches(name, [tool.name for tool in tools], n=3))
    moves = (Move("choose_another", candidates=near),) if near else None
    return library_fault("tool/not_found", {"tool": name}, recourse=moves)


def _checked_by_sdk(error: ValidationError) -> str | None:
    """Whether the SDK checked arguments or results when this was raised. None if the tool itself was running."""
    frames, names = error.__traceback__, []
    while frames is not None:
        names.append((str(frames.tb_frame.f_globals.get("__name__")), frames.tb_frame.f_code.co_name))
        frames = frames.tb_next
    if not all(module.split(".")[0] in ("mcp", "pydantic", __package__) for module, _ in names):
        return None
    return "result" if any(function == "convert_result" for _, function in names) else "arguments"


_RULES: dict[str, Rule] = {
    "missing": "required", "extra_forbidden": "unknown", "literal_error": "choice", "enum": "choice",
    "string_pattern_mismatch": "format", "string_too_short": "length", "string_too_long": "length",
    "too_short": "length", "too_long": "length", "greater_than": "range", "greater_than_equal": "range",
    "less_than": "range", "less_than_equal": "range", "multiple_of": "range",
}  # fmt: skip
_EXPECTED = {
    "greater_than": "greater than {gt}", "greater_than_equal": "at least {ge}", "less_than": "less than {lt}",
    "less_than_equal": "at most {le}", "multiple_of": "a multiple of {multiple_of}", "literal_error": "{expected}",
    "enum": "{expected}", "string_too_short": "at least {min_length} characters",
    "string_too_long": "at most {max_length} characters", "int": "an integer", "float": "a number", "bool": "a boolean",
    "string": "a text", "list": "a list", "dict": "an object",
}  # fmt: skip


def _invalid_arguments(error: ValidationError, tool: str) -> Fault:
    """The problems by rule and place. The sentences of pydantic may repeat what was received, so they are not used."""
    issues = []
    for one in error.errors(include_url=False, include_input=False)[:20]:
        kind = one["type"]
        is_type = kind.endswith(("_type", "_parsing", "_from_float"))
        expected = _EXPECTED.get(kind.split("_")[0] if is_type else kind)
        path = "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in one["loc"])
        rule: Rule = _RULES.get(kind, "type" if is_type else "custom")
        issues.append(Issue(pointer(path), rule, line(120)(expected.format(**one.get("ctx", {}))) if expected else None))
    fault = library_fault("tool/invalid_arguments", {"tool": tool}, issues=tuple(issues))
    fields = tuple(dict.fromkeys(issue.pointer for issue in issues))[:10]
    return replace(fault, recourse=(replace(fault.recourse[0], fields=fields),))


def _protocol_error(error: Exception, method: str, **subject: str) -> McpError:
    if isinstance(error, McpError):
        return error
    authored = _authored(error)
    if authored:
        fault = authored.fault
    elif str(error) in (f"Unknown resource: {subject.get('uri')}", f"Unknown prompt: {subject.get('prompt')}"):
        fault = library_fault("resource/not_found" if method == "resources/read" else "prompt/not_found", subject)
    else:
        fault = _reported(library_fault("core/internal", effect="none"), error, method)
    wire = encode(fault, method=method, revision=_REVISION)["error"]
    return McpError(types.ErrorData(code=wire["code"], message=wire["message"], data=wire["data"]))


def _authored(error: BaseException | None) -> FaultError | None:
    """The fault that the author raised: the SDK raises its own errors around it, one around the other."""
    for _ in range(10):
        if error is None or isinstance(error, FaultError):
            return error
        error = error.__cause__ or error.__context__
    return None


def _reported(fault: Fault, cause: object, what: str) -> Fault:
    """The fault with the id of an incident, under which the cause is in the log."""
    now = datetime.now(timezone.utc)
    incident = new_id(time.time())
    logged = replace(fault, incident=incident, at=now.isoformat(timespec="milliseconds").replace("+00:00", "Z"))
    logger.error(
        "incident %s: %s failed (%s)%s", incident, what, fault.reason, "" if isinstance(cause, Exception) else f": {cause}",
        exc_info=cause if isinstance(cause, Exception) else None,
        extra={"incident": incident, "fault": logged.to_dict()},
    )  # fmt: skip
    return logged


# Results


def _failed(fault: Fault) -> types.CallToolResult:
    text = types.TextContent(type="text", text=render(fault))
    return types.CallToolResult(content=[text], isError=True, _meta={FAULT_KEY: fault.to_wire()})


def _returned(result: Any, name: str) -> Any:
    """A failure that the tool returned keeps its content: the author chose it. The fault stands beside it."""
    if not isinstance(result, types.CallToolResult) or not result.isError or FAULT_KEY in (result.meta or {}):
        return result
    read = fault_of_result(result.model_dump(mode="json"), tool=name)
    said = read.quote and replace(read.quote, from_="thrown")
    fault = replace(read, quote=said, received=False, basis="stated")
    return result.model_copy(update={"meta": {**(result.meta or {}), FAULT_KEY: fault.to_wire()}})
