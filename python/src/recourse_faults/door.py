"""Answers the requests of `recourse conformance run -- python3 -m recourse_faults.door`, one JSON object per line."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

from . import __version__
from .fault import Fault
from .mcp import decode, encode, read_peer_fault
from .reading import read_fault
from .render import render
from .retry import Policy, Stop, decide


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request, without its id."""
    match request.get("do"):
        case "hello":
            return {"name": "recourse-faults", "version": __version__, "levels": ["reader", "writer", "advisor"]}
        case "decode" if request["dialect"] == "mcp":
            fault = decode(request["wire"], tool=request.get("context", {}).get("tool"))
            return {"fault": None if fault is None else fault.to_dict()}
        case "encode" if request["dialect"] == "mcp":
            context = request.get("context", {})
            return {
                "wire": encode(
                    _own(request["fault"]),
                    method=context.get("method"),
                    revision=context.get("revision", "2026-07-28"),
                )
            }
        case "render":
            is_own = request.get("context", {}).get("from", "own") == "own"
            fault = _own(request["fault"]) if is_own else read_peer_fault(request["fault"])
            return {"error": "not a fault"} if fault is None else {"text": render(fault)}
        case "decide":
            return {"decision": _decision(request["situation"])}
        case _:
            return {"unsupported": True}


def _own(value: object) -> Fault:
    fault = read_fault(value, received=False)
    if fault is None:
        raise ValueError("not a fault")
    return fault


def _decision(situation: dict[str, Any]) -> dict[str, Any]:
    names = {"baseMs": "base_ms", "overloadBaseMs": "overload_base_ms", "stepMs": "step_ms", "maxBackoffMs": "max_backoff_ms",
             "maxWaitMs": "max_wait_ms", "minAttemptMs": "min_attempt_ms"}  # fmt: skip
    left = situation.get("leftMs")
    made = decide(
        _own(situation["fault"]),
        attempts=situation["attempts"],
        left_ms=math.inf if left is None else left,
        repeatable=situation["repeatable"],
        random=situation["random"],
        reauthorized=situation.get("reauthorized"),
        policy=Policy(**{names.get(name, name): value for name, value in situation.get("policy", {}).items()}),
    )
    if isinstance(made, Stop):
        wait = {} if made.wait_ms is None else {"waitMs": made.wait_ms}
        return {"do": "stop", "why": made.why, "rule": made.rule, **wait}
    return {"do": "repeat", "waitMs": made.wait_ms, "by": made.by}


def main() -> None:
    """Reads requests until the end of the input."""
    for line in sys.stdin:
        request = json.loads(line)
        try:
            made = answer(request)
        except Exception as error:
            made = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": request.get("id"), **made}), flush=True)


if __name__ == "__main__":
    main()
