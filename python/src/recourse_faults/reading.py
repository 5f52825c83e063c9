"""Reads a fault from JSON. Members that do not fit are cut or dropped; nothing here raises."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from .fault import (
    AUTHORS, BACKOFFS, BASES, ISSUE_CODES, LAYERS, RULES, STOPS,
    Fault, Issue, Limit, Move, MoveFacts, Origin, Param, Quote, Retry, Scalar, Tried,
    derive_moves, permitted_moves, wire_name,
)  # fmt: skip
from .kinds import CLASSES, EFFECTS, KINDS, VERBS, known_kind
from .text import length, to_line

T = TypeVar("T")
Reader = Callable[[Any], Any]
"""Takes any JSON value and gives what a fault may contain of it, or None."""

MAX_CAUSES = 3
_LARGEST = 2**53 - 1
_KEY = re.compile(r"[A-Za-z_][\w.-]{0,63}", re.ASCII)
_TOKEN = re.compile(r"[\w$@.:\[\]-]{1,64}")
_ADDRESS = re.compile(r"https?://[^@\s]+|urn:[^\s]+|/[^\s]*")
_ID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_WORD = re.compile(r"[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}")


def text(pattern: str | re.Pattern[str]) -> Reader:
    """Reads a text of a fixed form."""
    form = re.compile(pattern)
    return lambda value: value if isinstance(value, str) and form.fullmatch(value) else None


def line(most: int) -> Reader:
    """Reads a text as one printable line."""
    return lambda value: to_line(value, most) or None if isinstance(value, str) else None


def whole(most: int) -> Reader:
    """Reads a name that is useful only as a whole: one that would be changed or cut is dropped."""
    return lambda value: value if isinstance(value, str) and value and to_line(value, most) == value else None


def choice(known: tuple[str, ...], otherwise: str | None = None) -> Reader:
    """Reads one of the known words."""
    return lambda value: value if isinstance(value, str) and value in known else otherwise


def items(read: Reader, most: int) -> Reader:
    """Reads the first items of a list. None if none of them fits."""

    def read_list(value: object) -> tuple[Any, ...] | None:
        first = value[:most] if isinstance(value, (list, tuple)) else ()
        return tuple(one for one in map(read, first) if one is not None) or None

    return read_list


def members(cls: type[T], required: str = "", **readers: Reader) -> Callable[[object], T | None]:
    """Reads an object. None if a required member is missing."""

    def read_object(value: object) -> T | None:
        if not isinstance(value, Mapping):
            return None
        found = {name: read(value.get(wire_name(name))) for name, read in readers.items()}
        return None if any(found[name] is None for name in required.split()) else cls(**found)

    return read_object


def count(value: object) -> int | None:
    """Reads a whole number from 0, rounded up."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
        return None
    return _LARGEST if value > _LARGEST else math.ceil(value)


def share(value: object) -> float | None:
    """Reads a number in [0, 1)."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and 0 <= value < 1 else None  # type: ignore[operator,return-value]


def pointer(value: object) -> str:
    """The part of a JSON Pointer that consists of plain names."""
    shown = ""
    if isinstance(value, str) and value.startswith("/"):
        for token in value[1:201].split("/"):
            plain = token.replace("~1", "/").replace("~0", "~")
            if length(shown) + 1 + length(token) > 200 or not _TOKEN.fullmatch(plain) or to_line(plain, 64) != plain:
                break
            shown += f"/{token}"
    return shown


def address(value: object) -> str | None:
    """Reads a web address without userinfo, a URN or a path."""
    found = whole(256)(value)
    return found if found and _ADDRESS.fullmatch(found) else None


def request_id(value: object) -> str | None:
    """Reads the id that a service gave to a request, unless it could spell a sentence."""
    if not isinstance(value, str) or not re.fullmatch(r"(?=.*[0-9])[\w.:-]{4,64}", value, re.ASCII):
        return None
    bare = re.sub(r"^[A-Za-z]{1,4}[-_]|-[a-z]{3}$", "", value)
    rest = re.sub(r"(?<![^-:._])[0-9a-f]+(?![^-:._])", "", bare, flags=re.IGNORECASE)
    words = [word for word in _WORD.findall(rest) if re.search("[aeiou]", word, re.IGNORECASE)]
    return value if _ID.fullmatch(bare) or len("".join(words)) < 9 else None


def params(value: object) -> dict[str, Param] | None:
    """Reads at most 20 plain values. A text of which nothing may be shown becomes None, so that its name stays."""
    read: dict[str, Param] = {}
    for name, one in value.items() if isinstance(value, Mapping) else ():
        if len(read) == 20 or not re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,39}", str(name)) or isinstance(one, Mapping):
            continue
        read[name] = [_scalar(item) for item in one[:10]] if isinstance(one, (list, tuple)) else _scalar(one)
    return read or None


def _scalar(value: Any) -> Scalar:
    if isinstance(value, str):
        return "" if value == "" else line(200)(value)
    is_number = isinstance(value, (int, float)) and math.isfinite(value)
    return value if is_number or isinstance(value, bool) else None


def _issue(value: object) -> Issue | None:
    issue = _any_issue(value)
    if issue is None:
        return None
    keys = issue.keys if issue.rule == "unknown" else None
    return replace(issue, keys=keys, expected=issue.expected if issue.message is None else None)


_any_issue = members(
    Issue,
    pointer=pointer,
    rule=choice(RULES, "custom"),
    expected=line(120),
    suggestion=line(120),
    code=choice(ISSUE_CODES),
    keys=items(text(_KEY), 10),
    message=line(240),
)
_limit = members(
    Limit,
    policy=line(64),
    unit=line(64),
    quota=count,
    remaining=count,
    window_ms=count,
    reset_ms=count,
    scope=line(64),
)
move = members(
    Move,
    "do",
    do=choice(VERBS),
    after_ms=count,
    fields=items(pointer, 10),
    candidates=items(whole(64), 10),
    tool=whole(64),
    approval=whole(64),
    link=address,
)
retry_advice = members(
    Retry,
    "allowed",
    allowed=lambda value: value if isinstance(value, bool) else None,
    after_ms=count,
    max_attempts=count,
    backoff=choice(BACKOFFS),
    jitter=share,
)
_READERS: dict[str, Reader] = {
    "params": params,
    "quote": members(Quote, "text from_", text=line(500), from_=choice(AUTHORS)),
    "limits": items(lambda value: None if (limit := _limit(value)) == Limit() else limit, 5),
    "origin": members(Origin, "layer", layer=choice(LAYERS), name=line(64)),
    "tried": members(
        Tried, "attempts elapsed_ms stopped", attempts=count, elapsed_ms=count, stopped=choice(STOPS), equal_failures=count
    ),
    "incident": text(_ID),
    "request_id": request_id,
    "at": text(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)".replace(r"\d", "[0-9]")),
    "trace": text("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}"),
    "docs": address,
}
_kind = text("[a-z][a-z_]{1,39}")
_reason = text("[a-z][a-z0-9_]{0,39}/[a-z][a-z0-9_]{0,59}")


def read_fault(value: object, *, received: bool = True) -> Fault | None:
    """
    The fault in a JSON value; None if the value is not a fault. Its texts count as those of the sender, unless this program
    wrote the fault itself (`received=False`).
    """
    return _read(value, MAX_CAUSES, received)


def _read(value: object, depth: int, received: bool) -> Fault | None:
    if not isinstance(value, Mapping) or depth < 0 or value.get("v") != 1 or value.get("v") is True:
        return None
    kind, reason, message = _kind(value.get("kind")), _reason(value.get("reason")), line(240)(value.get("message"))
    class_ = KINDS[kind].class_ if kind in KINDS else choice(CLASSES)(value.get("class"))
    if kind is None or reason is None or message is None or class_ is None:
        return None
    known = known_kind(kind, class_)
    usual = KINDS[known].effect if known == kind else "possible"
    # A word that is not known may mean anything, so it counts as the least certain one.
    effect = choice(EFFECTS, "possible")(value.get("effect", usual))
    facts = MoveFacts(known, effect, retry_advice(value.get("retry")), items(_issue, 20)(value.get("issues")))
    moves = items(move, 3)(value.get("recourse")) or derive_moves(facts)
    rest = {name: read(value.get(wire_name(name))) for name, read in _READERS.items()}
    return Fault(
        kind=kind,
        class_=class_,
        reason=reason,
        message=message,
        recourse=permitted_moves(moves, facts) if received else moves,
        effect=effect,
        basis=choice(BASES, "guessed")(value.get("basis", "stated")),
        retry=facts.retry,
        issues=facts.issues,
        cause=_read(value.get("cause"), depth - 1, received),
        received=received,
        **{**rest, "origin": rest["origin"] or Origin()},
    )
