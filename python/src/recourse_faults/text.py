"""Texts as they stand in a fault: one printable line, with bounds that every implementation counts alike."""

from __future__ import annotations

import math
import re
import secrets
import unicodedata

_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_WINDOW = 4096
_UNITS_OF_TIME = ((86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second"))
_SINGLE_MARKS = str.maketrans("“”„‟❝❞〝〞〟＂", "‘’‚‛❛❜‘’’＇")


def length(text: str) -> int:
    """The length in UTF-16 units, in which the bounds of a fault are counted."""
    return len(text) + sum(character > "\uffff" for character in text)


def cut(text: str, units: int) -> str:
    """The first characters of a text, at most so many UTF-16 units."""
    if length(text) <= units:
        return text
    taken = 0
    for at, character in enumerate(text):
        taken += 2 if character > "\uffff" else 1
        if taken > units:
            return text[:at]
    return text


def to_line(text: str, most: int) -> str:
    """The text as one printable line of at most `most` units. A cut text ends in an ellipsis."""
    head = cut(_SURROGATE.sub("\ufffd", text), _WINDOW)
    visible = "".join(one for one in _IGNORABLE.sub("", head) if one.isascii() or unicodedata.category(one) != "Cf")
    line = _SPACE.sub(" ", visible).strip(" ")
    if length(line) <= most and len(head) == len(text):
        return line
    return "" if most < 1 else cut(line, most - 1).rstrip(" ") + "…"


def in_quotes(value: object) -> str:
    """A value in quotation marks that it cannot close."""
    return '"' + str(value).replace('"', "'") + '"'


def quote_foreign(text: str) -> str:
    """Text of somebody else in quotation marks that it cannot contain."""
    return f"“{text.translate(_SINGLE_MARKS)}”"


def number_text(value: float) -> str:
    """A number without a needless fraction."""
    return str(int(value)) if value == int(value) else str(value)


def duration_text(ms: float) -> str:
    """Milliseconds in a unit that people use, rounded up."""
    for unit, name in _UNITS_OF_TIME:
        if ms < unit or (ms < 2 * unit and ms % unit != 0 and unit != 1_000):
            continue
        units = ms / unit
        shown = math.ceil(units * 10) / 10 if units < 10 else math.ceil(units)
        return f"1 {name}" if shown == 1 else f"{number_text(shown)} {name}s"
    return f"{math.ceil(ms)} ms"


def new_id(seconds: float) -> str:
    """An id that sorts by time: 48 bits of milliseconds and 80 random bits, in 26 characters."""
    value = (int(seconds * 1_000) << 80) | secrets.randbits(80)
    return "".join(_ALPHABET[(value >> shift) & 31] for shift in range(125, -1, -5))
