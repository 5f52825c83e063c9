"""The reasons that every implementation knows: their sentences are composed here, from checked values."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from .fault import Fault, Move, MoveFacts, Param, Quote, Retry, Scalar, derive_moves, permitted_moves
from .kinds import KINDS, Effect
from .reading import count, items, line, move, retry_advice, text
from .text import duration_text, in_quotes, length, to_line

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,31}:[!-~]{1,199}")
_UNSAFE_URI = re.compile(
    r"^[^/?#]{1,40}://[^/?#]{0,220}@|^(?:https?|wss?|ftp):[\\/]{0,220}[^\\/?#]{0,220}@"
    r"|[?&;#][^=&;#]{0,40}(?:token|key|secret|sig|passw|pwd|auth|credential|session)[^=&;#]{0,40}=",
    re.IGNORECASE,
)
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = r"T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?"
_FORMS = {
    "date": text(f"{_DAY}(?:{_CLOCK})?"),
    "id": text("[0-7][0-9A-HJKMNP-TV-Z]{25}"),
    "method": text(r"[a-z$][A-Za-z_]{0,31}(?:/[A-Za-z_]{1,31}){0,3}"),
    "media": text(r"[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,60}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,60}"),
}
_BARE = ("date", "id", "integer")


@cache
def library_reasons() -> dict[str, Any]:
    """Kind, text and slots of each reason, by its id."""
    reasons: dict[str, Any] = json.loads(files(__package__).joinpath("reasons.json").read_text("utf-8"))
    return reasons


def library_fault(
    id: str,
    values: Mapping[str, object] | None = None,
    *,
    effect: Effect | None = None,
    retry: Retry | None = None,
    recourse: tuple[Move, ...] | None = None,
    **rest: Any,
) -> Fault:
    """The fault of a reason. Values that do not fit their slots are not shown."""
    reason = library_reasons()[id]
    message, params = _compose(reason, values or {})
    row = KINDS[reason["kind"]]
    facts = MoveFacts(
        kind=reason["kind"],
        effect=effect or reason.get("effect", row.effect),
        retry=retry or retry_advice(reason.get("retry")),
        repeatable=reason.get("repeatable", False),
    )
    chosen = recourse or items(move, 3)(reason.get("recourse"))
    return Fault(
        kind=facts.kind,
        class_=row.class_,
        reason=id,
        message=message,
        params=params,
        recourse=permitted_moves(chosen, facts) if chosen else derive_moves(facts),
        effect=facts.effect,
        retry=facts.retry,
        **rest,
    )


def recompose(fault: Fault) -> Fault | None:
    """The fault of the known reason with the same id and kind. None for the reasons of others."""
    reason = library_reasons().get(fault.reason)
    return library_fault(fault.reason, fault.params) if reason and reason["kind"] == fault.kind else None


def _compose(reason: Mapping[str, Any], values: Mapping[str, object]) -> tuple[str, dict[str, Param] | None]:
    slots: dict[str, str] = reason.get("slots", {})
    params = {name: _read(slot, values[name]) for name, slot in slots.items() if name in values}
    for name in reason.get("required", ()):
        params.setdefault(name, None)
    parts: list[tuple[bool, str]] = []
    for at, part in enumerate(re.split(r"\[([^\]]*)\]", reason["text"])):
        missing = False
        shown = ""
        for place, piece in enumerate(re.split(r"\{(\w+)\}", part)):
            value = _show(slots[piece], params.get(piece)) if place % 2 else piece
            missing = missing or (place % 2 == 1 and value == "")
            shown += value or ("(withheld)" if place % 2 else "")
        if at % 2 == 0 or not missing:
            parts.append((at % 2 == 1, shown))
    # If the sentence is too long, the longest parts in brackets are left out, so that no value is cut.
    while length(message := "".join(shown for _, shown in parts)) > 240:
        groups = [one for one in parts if one[0]]
        if not groups:
            break
        parts.remove(max(groups, key=lambda one: length(one[1])))
    return to_line(message, 240), params or None


def _read(slot: str, value: object) -> Param:
    if slot.startswith("list:"):
        return [_scalar(slot[5:], one) for one in value[:10]] if isinstance(value, (list, tuple)) else None
    return _scalar(slot, value)


def _scalar(slot: str, value: Any) -> Scalar:
    kind, _, most = slot.partition(":")
    if kind == "text":
        return "" if value == "" else line(int(most))(value)
    if kind in ("integer", "duration"):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        is_whole = is_number and abs(value) < 2**53 and value == int(value)
        return value if (is_whole if kind == "integer" else is_number and count(value) is not None) else None
    if kind == "uri":
        is_safe = isinstance(value, str) and len(value) <= 200 and _URI.fullmatch(value) and not _UNSAFE_URI.search(value)
        return value if is_safe else None
    form: Scalar = _FORMS[kind](value)
    return form


def _show(slot: str, param: Param) -> str:
    if param is None:
        return ""
    if isinstance(param, Sequence) and not isinstance(param, str):
        return ", ".join(_show(slot[5:], one) for one in param if one is not None)
    if slot == "duration":
        return duration_text(float(param))
    return str(param) if slot in _BARE else in_quotes(param)


def peer_quote(said: str | None) -> Quote | None:
    """A received sentence as a quotation."""
    shown = line(500)(said)
    return Quote(shown, "peer") if shown else None
