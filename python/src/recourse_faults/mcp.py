"""Reads and writes faults as MCP carries them: in a failed tool result, or in a JSON-RPC error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .fault import Fault, Move, Origin, Quote
from .kinds import EFFECTS, Effect
from .reading import choice, line, move, read_fault, text
from .reasons import library_fault, peer_quote, recompose
from .render import quotation, render

FAULT_KEY = "recourse/fault"
LATEST = "2026-07-28"
_LOOK_FIRST = (Move("refresh"), Move("stop"))
_REASONS = {
    -32700: "protocol/parse_error",
    -32600: "protocol/invalid_request",
    -32601: "protocol/method_not_found",
    -32602: "protocol/invalid_params",
    -32603: "core/internal",
    -32002: "resource/not_found",
    -32020: "protocol/header_mismatch",
    -32021: "protocol/missing_client_capability",
    -32022: "protocol/version_unsupported",
    -32042: "elicitation/url_required",
}


# Reading


def decode(wire: object, *, tool: str | None = None) -> Fault | None:
    """The fault in a JSON-RPC message, or in its result or error alone. None for a success."""
    if isinstance(wire, Mapping) and isinstance(wire.get("status"), int) and "body" in wire:
        wire = wire["body"]
    body = wire if isinstance(wire, Mapping) else {}
    is_message = "jsonrpc" in body or "result" in body
    result = _object(body, "result") if is_message else body
    if result and result.get("isError") is True:
        return fault_of_result(result, tool=tool)
    error = _object(body, "error") or ({} if is_message else body)
    code = error.get("code")
    return fault_of_error(code, error.get("message"), error.get("data")) if type(code) is int else None


def fault_of_result(result: Mapping[str, Any], *, tool: str | None = None) -> Fault:
    """The fault of a failed tool result: the one that it carries, or else what its text says."""
    structured = _object(result, "structuredContent").get("fault")
    carried = read_peer_fault(_object(result, "_meta").get(FAULT_KEY)) or read_peer_fault(structured)
    return carried or library_fault(
        "tool/failed",
        {} if tool is None else {"tool": tool},
        recourse=_LOOK_FIRST,
        quote=peer_quote(_first_text(result)),
        basis="mapped",
        received=True,
    )


def fault_of_error(code: int, message: object = None, data: object = None) -> Fault:
    """The fault of a JSON-RPC error: the one that it carries, or else the meaning of its code."""
    facts = data if isinstance(data, Mapping) else {}
    carried = read_peer_fault(facts.get(FAULT_KEY))
    if carried:
        return carried
    is_missing = code == -32602 and list(facts) == ["uri"]
    reason = "resource/not_found" if is_missing else _REASONS.get(code, "core/unrecognised")
    values = _values(reason, facts)
    own = library_fault(reason, values).message
    said = message if isinstance(message, str) and not message.startswith(own) else None
    effect: Effect | None = choice(EFFECTS)(facts.get("recourse/effect") or facts.get("effect"))
    return library_fault(
        reason,
        values,
        effect=effect,
        recourse=_link(facts) if code == -32042 else None,
        quote=peer_quote(said),
        basis="guessed" if (facts.get("recourse/basis") or facts.get("basis")) == "guessed" else "mapped",
        incident=text("[0-7][0-9A-HJKMNP-TV-Z]{25}")(facts.get("recourse/incident") or facts.get("incident")),
        received=True,
    )


def read_peer_fault(value: object) -> Fault | None:
    """
    A fault that another program sent. What it says about the failure is believed. The sentence of a known reason is composed
    again from its params; any other sentence becomes a quotation.
    """
    fault = read_fault(value)
    return None if fault is None else _attribute(fault)


def _attribute(fault: Fault) -> Fault:
    own = recompose(fault)
    message = fault.row.message if own is None else own.message
    layer = "server" if fault.origin.layer in ("client", "transport") else fault.origin.layer
    moves = fault.recourse
    if own and fault.effect != "none" and own.effect == fault.effect and own.recourse[0].do == "retry":
        moves = moves if fault.retry and not fault.retry.allowed else own.recourse
    return replace(
        fault,
        message=message,
        params=fault.params if own is None else own.params,
        quote=_peer_words(fault, message) if own is None else _as_peer(fault.quote),
        recourse=moves,
        origin=Origin(layer, fault.origin.name),
        tried=None,
        cause=None if fault.cause is None else _attribute(fault.cause),
    )


def _peer_words(fault: Fault, fallback: str) -> Quote | None:
    if fault.message == fallback:
        return _as_peer(fault.quote)
    quote = fault.quote
    relayed = "" if quote is None else quote.text if quote.from_ == "peer" else quotation(quote, 499 - len(fault.message))
    return Quote(line(500)(f"{fault.message} {relayed}"), "peer")


def _as_peer(quote: Quote | None) -> Quote | None:
    return replace(quote, from_="peer") if quote and quote.from_ == "thrown" else quote


def _values(reason: str, data: Mapping[str, Any]) -> dict[str, object]:
    if reason == "resource/not_found":
        return {"uri": data.get("uri")} if isinstance(data.get("uri"), str) else {}
    if reason == "protocol/version_unsupported":
        return {name: data[name] for name in ("requested", "supported") if data.get(name)}
    if reason != "protocol/missing_client_capability" or "requiredCapabilities" not in data:
        return {}
    required = _object(data, "requiredCapabilities")
    inner = {name: list(one) if isinstance(one, Mapping) else [] for name, one in required.items()}
    return {"capabilities": [path for name, within in inner.items() for path in [f"{name}/{one}" for one in within] or [name]]}


def _link(data: Mapping[str, Any]) -> tuple[Move, ...] | None:
    wanted = data.get("elicitations")
    first = wanted[0] if isinstance(wanted, list) and wanted and isinstance(wanted[0], Mapping) else {}
    wanted_move = move({"do": "ask_user", "approval": first.get("elicitationId"), "link": first.get("url")})
    return (wanted_move,) if wanted_move and wanted_move.link else None


def _object(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    member = value.get(name)
    return member if isinstance(member, Mapping) else {}


def _first_text(result: Mapping[str, Any]) -> str | None:
    content = result.get("content")
    blocks = [one for one in content if isinstance(one, Mapping)] if isinstance(content, list) else []
    return next((one.get("text") for one in blocks if one.get("type") == "text"), None)


# Writing

_CODES_BY_REASON = {
    "protocol/parse_error": (-32700,),
    "protocol/method_not_found": (-32601,),
    "protocol/header_mismatch": (-32020, -32600),
    "protocol/missing_client_capability": (-32021, -32602),
    "protocol/version_unsupported": (-32022, -32602),
    "protocol/malformed_call": (-32602,),
    "protocol/request_state_invalid": (-32602,),
    "elicitation/url_required": (-32042,),
    "tool/not_found": (-32602,),
    "tool/unreachable": (-32602,),
    "resource/not_found": (-32002, -32602),
}
_CODES_BY_KIND = {"invalid_input": -32602, "invalid_request": -32600, "not_found": -32602}
_JSON_RPC = (-32700, -32600, -32601, -32602, -32603)
_LEGAL = {
    "2025-06-18": (*_JSON_RPC, -32002),
    "2025-11-25": (*_JSON_RPC, -32002, -32042),
    "2026-07-28": (*_JSON_RPC, -32020, -32021, -32022),
}
_STATUS = {-32601: 404, -32020: 400, -32021: 400, -32022: 400}


def encode(fault: Fault, *, method: str | None = None, revision: str = LATEST) -> dict[str, Any]:
    """The `result` or `error` of the reply that carries the fault, as method and revision require."""
    code = _code(fault, method, revision)
    if code is None:
        return {"result": failed_result(fault, revision=revision)}
    error = {"code": code, "message": _error_message(fault, method), "data": _error_data(fault, code)}
    status = _STATUS.get(code) if revision == LATEST else None
    return {"error": error} if status is None else {"error": error, "status": status}


def failed_result(fault: Fault, *, revision: str = LATEST) -> dict[str, Any]:
    """A failed tool result: what the model reads, and the fault beside it, once."""
    return {
        **({"resultType": "complete"} if revision == LATEST else {}),
        "content": [{"type": "text", "text": render(fault)}],
        "isError": True,
        "_meta": {FAULT_KEY: fault.to_wire()},
    }


def _code(fault: Fault, method: str | None, revision: str) -> int | None:
    own = next((code for code in _CODES_BY_REASON.get(fault.reason, ()) if code in _LEGAL[revision]), None)
    # A tool that did not find a resource has run: only a request for the resource itself gets the resource's code.
    if own is not None and not (method == "tools/call" and fault.reason == "resource/not_found"):
        return own
    is_unread = fault.known_kind == "invalid_request" and fault.reason.startswith(("protocol/", "content/"))
    is_result = method in (None, "tools/call") and not is_unread
    return None if is_result else _CODES_BY_KIND.get(fault.known_kind, -32603)


def _is_bare(fault: Fault) -> bool:
    """A missing resource is its URI alone: clients recognise no other data."""
    uri = (fault.params or {}).get("uri")
    return (
        fault.reason == "resource/not_found"
        and isinstance(uri, str)
        and fault.effect == "none"
        and fault.basis != "guessed"
    )


def _error_message(fault: Fault, method: str | None) -> str:
    if method not in (None, "tools/call", "resources/read", "prompts/get"):
        return fault.message
    return render(library_fault(fault.reason, fault.params) if _is_bare(fault) else fault)


def _error_data(fault: Fault, code: int) -> dict[str, Any]:
    params = fault.params or {}
    if _is_bare(fault):
        return {"uri": params["uri"]}
    required: dict[str, Any] = {}
    if code == -32021:
        tree: dict[str, dict[str, object]] = {}
        for path in _names(params.get("capabilities")):
            name, _, within = path.partition("/")
            tree.setdefault(name, {}).update({within: {}} if within else {})
        required = {"requiredCapabilities": tree}
    if code == -32022:
        required = {"supported": _names(params.get("supported")), "requested": params.get("requested") or ""}
    if code == -32042:
        asked = next((one for one in fault.recourse if one.link), None)
        wanted = asked and {
            "mode": "url",
            "elicitationId": asked.approval or fault.incident or asked.link,
            "url": asked.link,
            "message": fault.message,
        }
        required = {"elicitations": [wanted] if wanted else []}
    return {**required, FAULT_KEY: fault.to_wire()}


def _names(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, (list, tuple)) else []
