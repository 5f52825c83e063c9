"""Calls tools of a server with the official SDK, and repeats only what is safe to repeat."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from .fault import Fault, MoveFacts, Origin, Stopped, Tried, permitted_moves, worse_effect
from .kinds import Effect
from .mcp import decode, fault_of_error, fault_of_result
from .reasons import library_fault
from .retry import Policy, Stop, decide
from .text import new_id

CALL_KEY = "recourse/call"
_CLIENT_CODES = {408: "core/timeout", -32001: "core/timeout", -32000: "transport/connection_lost"}
"""Codes that the client of the SDK makes up itself: no answer in time, and a connection that closed."""
_UNSENT = ("ConnectError", "ConnectTimeout", "PoolTimeout")
"""Exceptions of httpx that mean that no byte of the request was sent."""


@dataclass(frozen=True)
class Outcome:
    """How a call ended: the result of the tool, or the fault. `attempts` counts how often it was sent."""

    result: Any = None
    fault: Fault | None = None
    attempts: int = 1

    @property
    def ok(self) -> bool:
        """Whether the tool succeeded."""
        return self.fault is None


async def call_tool(
    session: Any,
    name: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    deadline: float = 60.0,
    timeout: float = 30.0,
    repeatable: bool = False,
    key: str | None = None,
    policy: Policy = Policy(),
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    clock: Callable[[], float] = time.monotonic,
    chance: Callable[[], float] = random.random,
) -> Outcome:
    """
    Calls a tool. A failure is an outcome, not an exception; only a cancellation passes. Say `repeatable=True` if making the
    call twice is safe. Give a `key` only to a server that honours idempotency keys: then the call counts as repeatable.
    `deadline` is for the whole call, `timeout` for one attempt, both in seconds.
    """
    began, attempts, call = clock(), 0, new_id(time.time())
    worst: Effect = "none"
    while True:
        left = deadline - (clock() - began)
        attempts += 1
        about = {"id": call, "attempt": attempts, "deadlineMs": max(0, int(left * 1_000)), **({"key": key} if key else {})}
        wait = timedelta(seconds=max(0.001, min(timeout, left)))
        try:
            result = await session.call_tool(name, dict(arguments or {}), read_timeout_seconds=wait, meta={CALL_KEY: about})
            fault = fault_of(result, tool=name)
        except Exception as error:
            fault = fault_of(error, tool=name)
        if fault is None:
            return Outcome(result, attempts=attempts)
        worst = worse_effect(worst, fault.effect)
        is_safe = repeatable or key is not None
        left_ms = (deadline - (clock() - began)) * 1_000
        decision = decide(fault, attempts=attempts, left_ms=left_ms, repeatable=is_safe, random=chance(), policy=policy)
        if isinstance(decision, Stop):
            return Outcome(fault=_conclude(fault, worst, decision.why, attempts, clock() - began, is_safe), attempts=attempts)
        await sleep(decision.wait_ms / 1_000)


def fault_of(value: object, *, tool: str | None = None) -> Fault | None:
    """
    The fault in what the official client gives: a result, an error object, an exception, or their JSON. None for a success.
    Names in the style of 1.x (`isError`) and of 2.x (`is_error`) are read.
    """
    if isinstance(value, BaseException):
        return _fault_of_exception(value)
    dump = getattr(value, "model_dump", None)
    wire = dump(by_alias=True, mode="json", exclude_none=True) if dump else value
    if isinstance(wire, Mapping) and wire.get("is_error") is True:
        named = {"isError": True, "_meta": wire.get("meta"), "structuredContent": wire.get("structured_content")}
        return fault_of_result({**wire, **named}, tool=tool)
    return decode(wire, tool=tool)


def _fault_of_exception(error: BaseException) -> Fault:
    said = getattr(error, "error", error)
    code = getattr(said, "code", None)
    if type(code) is int and code in _CLIENT_CODES:
        return _here(_CLIENT_CODES[code], "possible")
    if isinstance(code, int):
        return fault_of_error(int(code), getattr(said, "message", None), getattr(said, "data", None))
    if isinstance(error, TimeoutError):
        return _here("core/timeout", "possible")
    is_unsent = type(error).__name__ in _UNSENT or isinstance(error, ConnectionRefusedError)
    return _here("transport/unreachable", "none") if is_unsent else _here("transport/failed", "possible")


def _here(reason: str, effect: Effect) -> Fault:
    return library_fault(reason, effect=effect, origin=Origin("transport"))


def _conclude(fault: Fault, worst: Effect, why: Stopped, attempts: int, seconds: float, repeatable: bool) -> Fault:
    """The fault of the whole call: an earlier attempt may have taken effect, and what was tried is said."""
    facts = MoveFacts(fault.known_kind, worst, fault.retry, fault.issues, repeatable=repeatable)
    is_first = attempts == 1 and why in ("refused", "final", "guessed")
    tried = None if is_first else Tried(attempts, int(seconds * 1_000), why)
    return replace(fault, effect=worst, recourse=permitted_moves(fault.recourse, facts), tried=tried)
