"""Turns a fault into what a model reads: what happened, what others said, and what to do next."""

from __future__ import annotations

import re
from dataclasses import replace
from unicodedata import category

from .fault import Fault, Issue, Move, Quote
from .says_what_to_do import says_duration, says_what_to_do
from .text import duration_text, in_quotes, length, quote_foreign, to_line

MAX_TEXT = 480
"""The longest text, without the lines about arguments."""
_MIN_MOVES = 160
_SPEAKERS = {"thrown": "The tool said", "peer": "Quote from the server", "upstream": "Quote from the service"}
_EFFECTS = {"possible": "The call may have taken effect", "applied": "The call has taken effect"}
_SUBJECTS = {
    "tool/not_found": "tool",
    "tool/unreachable": "tool",
    "resource/not_found": "resource",
    "resource/template_not_found": "resource template",
    "prompt/not_found": "prompt",
    "task/not_found": "task",
}
_BROKEN = {
    "required": "is required",
    "type": "has the wrong type",
    "format": "has the wrong format",
    "range": "is out of range",
    "length": "has the wrong length",
    "choice": "is not one of the choices",
    "unknown": "has an unknown argument",
    "duplicate": "is given twice",
    "custom": "is not accepted",
}
_UNSENT = ("transport/breaker_open", "transport/not_sent")


def render(fault: Fault) -> str:
    """The text for a model. The same fault always gives the same text."""
    report = _report(fault)
    most = MAX_TEXT - len(report) - 3
    problems = _inline_issues(fault)
    whole = fault.message if problems is None else _with_issues(fault.message, problems)
    is_inline = problems is not None and length(whole) + _MIN_MOVES <= most
    moves = _describe(fault, named=problems != "")
    message = to_line(whole if is_inline else fault.message, most - min(length(moves), _MIN_MOVES))
    following = to_line(moves, most - length(message))
    used = length(message) + length(following) + len(report) + 3
    said = _said(fault)
    quote = quotation(said, MAX_TEXT - used - 1) if said else ""
    ended = f"{message}." if message[-1:].isalnum() or message[-1:] == ")" else message
    line = " ".join(part for part in (ended, quote, following, report) if part)
    return line if is_inline else "\n".join([line, *(f"- {_phrase(issue, fault.received)}" for issue in fault.issues or ())])


def quotation(quote: Quote, most: int) -> str:
    """A quotation with its author, cut to a length; empty if too little of it would be left."""
    speaker = f"{_SPEAKERS[quote.from_]}: "
    room = most - len(speaker) - 2
    return "" if room < 20 else speaker + quote_foreign(to_line(quote.text, room))


def argument_name(pointer: str) -> str:
    """The name of an argument: `/items/0/sku` is `items[0].sku`."""
    name = ""
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        name = f"{name}[{key}]" if re.fullmatch("[0-9]{1,9}", key) else f"{name}.{key}" if name else key
    return name


def should_report(fault: Fault) -> bool:
    """Whether the operator has to hear of the failure even if no text was hidden."""
    return fault.row.reported and fault.basis != "guessed" and fault.reason not in _UNSENT


def _report(fault: Fault) -> str:
    if fault.incident is None and not should_report(fault):
        return ""
    ids = [fault.incident and f"incident {fault.incident}", fault.request_id and f"request id {fault.request_id}"]
    named = " and ".join(one for one in ids if one)
    return f"If you report this, give {named}." if named else ""


def _said(fault: Fault) -> Quote | None:
    """The quotation: with a received fault, also the names in its moves, since only the sender vouches for them."""
    if not fault.received:
        return fault.quote
    names = []
    for move in fault.recourse:
        names += [f"tool {in_quotes(move.tool)}"] if move.tool else []
        names += [f"suggested: {', '.join(map(in_quotes, move.candidates))}"] if move.candidates else []
        names += [f"link {move.link}"] if move.link else []
    parts = [fault.quote.text if fault.quote else "", f"({'; '.join(names)})" if names else ""]
    said = " ".join(part for part in parts if part)
    return Quote(said, "upstream" if fault.quote and fault.quote.from_ == "upstream" else "peer") if said else None


# What is wrong with the arguments


def _inline_issues(fault: Fault) -> str | None:
    """The problems that the message does not name yet; None if they need lines of their own."""
    left = [issue for issue in fault.issues or () if not _is_named(fault.message, issue)]
    text = "; ".join(_phrase(issue, fault.received) for issue in left)
    return None if len(left) > 3 or length(text) > 200 else text


def _is_named(message: str, issue: Issue) -> bool:
    said = issue.message or issue.expected
    if said is not None:
        return said in message
    return issue.pointer != "" and in_quotes(argument_name(issue.pointer)) in message


def _with_issues(message: str, problems: str) -> str:
    if not problems:
        return message
    is_one_sentence = message.endswith(".") and not re.search("[.!?…] ", message)
    return (f"{message[:-1]}: " if is_one_sentence else f"{message} ") + problems + ("" if problems[-1] in ".!?…" else ".")


def _phrase(issue: Issue, received: bool) -> str:
    """A problem with an argument, such as `quantity must be an integer`."""
    quoted = quote_foreign if received else str
    name = quoted(argument_name(issue.pointer)) if issue.pointer else ""
    meant = ""
    if issue.suggestion is not None:
        meant = f"the server suggests {quote_foreign(issue.suggestion)}" if received else f"did you mean {in_quotes(issue.suggestion)}?"
        meant = f" ({meant})"
    if issue.message is not None:
        is_named = not name or (not received and issue.message.startswith(f"{name} "))
        said = quote_foreign(issue.message) if received else issue.message.removesuffix(".")
        return f"{'' if is_named else f'{name}: '}{said}{meant}"
    expected = issue.expected
    if expected is None or issue.rule in ("required", "unknown", "duplicate"):
        bare = "an argument is unknown" if issue.rule == "unknown" else f"the call {_BROKEN[issue.rule]}"
        broken = f"{name} {_BROKEN[issue.rule]}" if name else bare
        return broken + (f" ({quoted(expected)})" if expected is not None else "") + meant
    subject = name or "the arguments"
    if re.match(r"must\b", expected) or [category(one) for one in expected[:2]] == ["Lu", "Ll"]:
        return f"{subject}: {quoted(expected)}{meant}"
    verb = "have" if issue.rule == "length" and re.match("at (?:least|most)|exactly|[0-9]", expected) else "be"
    return f"{subject} must {verb} {quoted(expected)}{meant}"


# What to do next


def _describe(fault: Fault, named: bool) -> str:
    # Wrong arguments are corrected and sent again, so a doubt about what the wrong ones did has no place there.
    is_about_arguments = fault.known_kind == "invalid_input" and fault.reason != "tool/result_too_large"
    if fault.effect == "possible" and is_about_arguments:
        fault = replace(fault, effect="none")
    moves = [_bare(move, fault, named) for move in fault.recourse]
    first = moves[0]
    if says_what_to_do(fault.message) and not _has_given_up(fault) and not any(_names_more(move, fault.message) for move in moves):
        return _risk(first, fault)
    other = _second_move(moves[1]) if len(moves) > 1 else ""
    parts = (_tried(fault), _effect(fault, first), _sentence(first, fault), f"If that fails, {other}." if other else "")
    return " ".join(part for part in parts if part)


def _has_given_up(fault: Fault) -> bool:
    """Whether a client has given up: the sentence of the author was written for the first failure."""
    return _tried(fault) != "" or (fault.tried is not None and fault.tried.stopped in ("attempts", "budget"))


def _names_more(move: Move, message: str) -> bool:
    """Whether a move names something that a message does not name."""
    names = (move.tool, move.link, *(move.candidates or ()), *(move.fields or ()))
    return any(name is not None and name not in message for name in names)


def _risk(move: Move, fault: Fault) -> str:
    """The wait that a message does not say, and what may have happened."""
    wait = _known_wait(move, fault)
    parts = [f"Wait {wait} before calling again."] if wait and not says_duration(fault.message, wait) else []
    if move.do == "refresh" and fault.effect != "none":
        is_refused = fault.retry is not None and not fault.retry.allowed
        parts.append(f"{_EFFECTS[fault.effect]}, so check {'instead of' if is_refused else 'before'} repeating it.")
    elif move.do == "stop" and fault.effect != "none":
        parts.append(_sentence(move, fault))
    else:
        parts.append(_effect(fault, move))
    return " ".join(part for part in parts if part)


def _known_wait(move: Move, fault: Fault) -> str:
    """The wait that the move or the service states, if it is worth a number."""
    stated = fault.retry.after_ms if fault.retry and fault.retry.allowed else None
    ms = (stated if move.after_ms is None else move.after_ms) or 0
    return duration_text(ms) if ms >= 1_000 else ""


def _bare(move: Move, fault: Fault, named: bool) -> Move:
    """The move with names of arguments, without what only a sender says."""
    names = tuple(map(argument_name, move.fields or ()))
    if fault.received:
        names = tuple(name and quote_foreign(name) for name in names)
        move = replace(move, tool=None, candidates=None, link=None)
    is_told = named and move.fields is not None and _is_first(move, fault)
    return replace(move, fields=None if is_told else names)


def _is_first(move: Move, fault: Fault) -> bool:
    return move.do == fault.recourse[0].do


def _sentence(move: Move, fault: Fault) -> str:
    match move.do:
        case "retry":
            return _repeat(move, fault)
        case "authenticate":
            return "Ask the user to sign in again, then repeat this call."
        case "fix_input":
            names = ", ".join(name for name in move.fields or () if name)
            return f"Correct {names or 'the arguments'} and call again."
        case "choose_another":
            return _choose(move, fault)
        case "refresh":
            look = f"call {in_quotes(move.tool)} to check the current state" if move.tool else "check the current state"
            wait = _known_wait(move, fault)
            if fault.effect == "none":
                return _as_sentence(f"wait {wait}, {look}, then decide again" if wait else f"{look}, then decide again")
            is_over = (fault.retry and not fault.retry.allowed) or (fault.tried and fault.tried.attempts > 1)
            first = f"wait {wait}, then " if wait else ""
            return _as_sentence(f"{first}{look} {'instead of' if is_over else 'before'} repeating the call")
        case "do_first":
            return f"Call {in_quotes(move.tool)} first, then call again." if move.tool else "Resolve that first, then call again."
        case "ask_user":
            if move.link:
                return f"Ask the user to open {move.link} to continue."
            if fault.known_kind == "approval_required":
                return "Ask the user to approve this call."
            return "Ask the user what to do; the same call will fail again."
        case "stop":
            return "Do not repeat this call." if fault.effect == "none" else f"{_EFFECTS[fault.effect]}, so do not repeat it."


def _as_sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _repeat(move: Move, fault: Fault) -> str:
    stopped, attempts = (fault.tried.stopped, fault.tried.attempts) if fault.tried else (None, 0)
    has_wait = (move.after_ms or 0) >= 1_000
    wait = duration_text(move.after_ms or 0) if has_wait else "a moment"
    if attempts == 0 and (has_wait or stopped not in ("attempts", "budget")):
        return f"Repeat this call in {wait}."
    if (stopped == "deadline" and has_wait) or stopped == "breaker":
        return f"Wait {wait} before calling again."
    return "Report the failure instead of calling again."


def _choose(move: Move, fault: Fault) -> str:
    subject = _SUBJECTS.get(fault.reason)
    if move.candidates:
        if all(in_quotes(name) in fault.message for name in move.candidates):
            return "Use a value from that list."
        names = _alternatives(move.candidates)
        return f"Did you mean {names}?" if subject else f"Use {names} instead."
    if subject:
        return f"Use another {subject}."
    return "Use another tool or operation." if fault.known_kind == "unsupported" else "Call again with a different name or id."


def _second_move(move: Move) -> str:
    match move.do:
        case "choose_another":
            return f"use {_alternatives(move.candidates)}" if move.candidates else ""
        case "refresh":
            return f"call {in_quotes(move.tool)} to check the current state" if move.tool else ""
        case "do_first":
            return f"call {in_quotes(move.tool)} first" if move.tool else ""
        case "ask_user":
            return f"ask the user to open {move.link} to continue" if move.link else "ask the user"
        case _:
            return ""


def _alternatives(names: tuple[str, ...]) -> str:
    *others, last = map(in_quotes, names)
    return f"{', '.join(others)} or {last}" if others else last


def _tried(fault: Fault) -> str:
    tried = fault.tried
    if tried is None:
        return ""
    if (tried.equal_failures or 0) > 1:
        return f"This call failed the same way {tried.equal_failures} times."
    spent = f" in {duration_text(tried.elapsed_ms)}" if tried.elapsed_ms >= 1_000 else ""
    return f"The call was tried {tried.attempts} times{spent}." if tried.attempts > 1 else ""


def _effect(fault: Fault, move: Move) -> str:
    if fault.effect == "none" or move.do in ("stop", "retry"):
        return ""
    is_another_call = move.do != "refresh" and fault.basis == "guessed" and fault.row.effect == "none"
    return "" if is_another_call else f"{_EFFECTS[fault.effect]}."
