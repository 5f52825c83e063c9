"""Whether a message itself says what to do, so that no move of ours may repeat or contradict it."""

from __future__ import annotations

import re

_CLEAR_VERBS = (
    "ask|avoid|choose|do not|don't|ensure|log in|make sure|please|provide|sign in|specify|try|use|verify|wait"
)
"""Verbs that are not nouns too. What they act on may be any word."""
_NOT_CLEAR = "of|case|count|failed|has|is|list|note|price|time|was"
"""What these words mean as nouns: `Use of the export is not allowed`, `Sign in failed`."""
_VERBS_OR_NOUNS = (
    "add|call|change|check|close|contact|correct|create|delete|enter|fetch|fix|get|give|include|list|look|omit|open|"
    "pass|pick|read|reconnect|reduce|remove|repeat|replace|request|restart|retry|run|search|select|send|set|shorten|"
    "split|start|stop|supply|update"
)
"""Verbs that are nouns too: `Call 7 has ended`. What they act on has to show which they are."""
_OBJECT_WORDS = (
    "a|after|again|all|an|another|any|before|each|fewer|first|if|instead|it|its|later|less|more|one|out|"
    "support|that|the|these|this|those|until|up|whether|your"
)
"""Words that no noun is followed by."""
_NAMED_OBJECT = (
    "(?:[\"'`“][^\"'`”]{1,80}[\"'`”]|\\w+[_.]\\w+|\\w+\\(\\))"
    "(?:[.,;:!)]|$| (?:after|and|before|first|for|in|instead|or|to|until|with)\\b)"
)
"""A name of a tool or a value, followed by what only stands behind an object: `"list_orders" first`, `list_orders.`"""
_SENTENCE_START = (
    "(?:^|[.!?;:…] | [–—-] |, (?:but |so |then )?)"
    "(?:(?:If|To|When|Before|For|Unless) [^.,;:!?]{1,120}, )?"
    "(?:(?:First|Instead|Otherwise|Then),? |[Yy]ou (?:can|could|have to|may|must|need to|should) )?(?:first |then )?"
)
"""Where a sentence or its main clause begins."""


def _any_case(words: str) -> str:
    """Words whose first letter may be a capital one."""
    return "|".join(f"[{word[0]}{word[0].upper()}]{word[1:]}" for word in words.split("|"))


_SAYS_WHAT_TO_DO = re.compile(
    f"{_SENTENCE_START}(?:(?:{_any_case(_CLEAR_VERBS)}) (?!(?:{_NOT_CLEAR})\\b)|"
    f"(?:{_any_case(_VERBS_OR_NOUNS)}) (?:(?:{_OBJECT_WORDS})\\b|{_NAMED_OBJECT}|\\w+ (?:again|first|instead)\\b))",
    re.ASCII,
)


def says_what_to_do(message: str) -> bool:
    """
    Whether a sentence of a message tells the reader what to do: `Call list_orders first.` It knows English only. A sentence
    that it does not know has our move behind it, which costs words and harms nothing.
    """
    return _SAYS_WHAT_TO_DO.search(message) is not None


def says_duration(message: str, duration: str) -> bool:
    """Whether a message has a duration with its number: `in 30 seconds` and `30s` say the same."""
    count, unit = duration.split(" ")
    return re.search(f"(?<![0-9.]){re.escape(count)}[ -]?{unit[0]}", message) is not None
