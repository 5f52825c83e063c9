"""A fault: one failed call, as plain data that any program can read and write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Union, get_args

from .kinds import KINDS, Effect, FaultClass, Kind, KindRow, Verb, known_kind

Scalar = Union[str, int, float, bool, None]
Param = Union[Scalar, Sequence[Scalar]]
Author = Literal["peer", "thrown", "upstream"]
Layer = Literal["client", "transport", "gateway", "server", "upstream"]
Basis = Literal["stated", "mapped", "guessed"]
Backoff = Literal["fixed", "exponential"]
Rule = Literal["required", "type", "format", "range", "length", "choice", "unknown", "duplicate", "custom"]
IssueCode = Literal["too_small", "too_big", "not_multiple_of", "invalid_union", "invalid_value"]
Stopped = Literal[
    "attempts", "budget", "deadline", "unsafe", "refused", "looping", "final", "guessed", "breaker", "aborted"
]

AUTHORS, LAYERS, BASES, BACKOFFS = get_args(Author), get_args(Layer), get_args(Basis), get_args(Backoff)
RULES, ISSUE_CODES, STOPS = get_args(Rule), get_args(IssueCode), get_args(Stopped)


@dataclass(frozen=True)
class Quote:
    """Text that neither the author of the server nor this library wrote."""

    text: str
    from_: Author


@dataclass(frozen=True)
class Move:
    """One next move, with the data that it needs."""

    do: Verb
    after_ms: int | None = None
    fields: tuple[str, ...] | None = None
    candidates: tuple[str, ...] | None = None
    tool: str | None = None
    approval: str | None = None
    link: str | None = None


@dataclass(frozen=True)
class Retry:
    """The advice of the server about repeating the call. `max_attempts` counts further attempts."""

    allowed: bool
    after_ms: int | None = None
    max_attempts: int | None = None
    backoff: Backoff | None = None
    jitter: float | None = None


@dataclass(frozen=True)
class Issue:
    """One problem with one argument. Only the sentence of an author may contain the value that was received."""

    pointer: str
    rule: Rule
    expected: str | None = None
    suggestion: str | None = None
    code: IssueCode | None = None
    keys: tuple[str, ...] | None = None
    message: str | None = None
    """What the author of the check says, in place of `expected`."""


@dataclass(frozen=True)
class Limit:
    """One limit that was reached, or that is near."""

    policy: str | None = None
    unit: str | None = None
    quota: int | None = None
    remaining: int | None = None
    window_ms: int | None = None
    reset_ms: int | None = None
    scope: str | None = None


@dataclass(frozen=True)
class Origin:
    """The part of the system that made the fault, and the public name of the program."""

    layer: Layer = "server"
    name: str | None = None


@dataclass(frozen=True)
class Tried:
    """What a client did before it gave up."""

    attempts: int
    elapsed_ms: int
    stopped: Stopped
    equal_failures: int | None = None


@dataclass(frozen=True)
class Fault:
    """One failed call: what happened, whether it took effect, and what to do next."""

    kind: str
    class_: FaultClass
    reason: str
    message: str
    recourse: tuple[Move, ...]
    effect: Effect
    v: int = 1
    params: Mapping[str, Param] | None = None
    quote: Quote | None = None
    retry: Retry | None = None
    issues: tuple[Issue, ...] | None = None
    limits: tuple[Limit, ...] | None = None
    origin: Origin = Origin()
    basis: Basis = "stated"
    tried: Tried | None = None
    incident: str | None = None
    request_id: str | None = None
    at: str | None = None
    trace: str | None = None
    docs: str | None = None
    cause: Fault | None = None
    received: bool = field(default=False, compare=False, repr=False, metadata={"wire": False})
    """Whether another program sent the fault. Its texts are then shown as quotations. It is not written."""

    @property
    def known_kind(self) -> Kind:
        """The kind, or a kind of the same class if a newer version sent one that this version does not know."""
        return known_kind(self.kind, self.class_)

    @property
    def row(self) -> KindRow:
        """What follows from the kind."""
        return KINDS[self.known_kind]

    def to_dict(self) -> dict[str, Any]:
        """The whole fault as JSON, with the names that it has on the wire."""
        whole: dict[str, Any] = _to_json(self)
        return whole

    def to_wire(self) -> dict[str, Any]:
        """The fault as it is sent: without the moves that every reader derives, in its causes too."""
        sent = self.to_dict()
        if self.recourse == derive_moves(MoveFacts(self.known_kind, self.effect, retry=self.retry, issues=self.issues)):
            del sent["recourse"]
        return sent if self.cause is None else {**sent, "cause": self.cause.to_wire()}


class FaultError(Exception):
    """Raise it in a tool to answer with a fault. Its sentences are yours, so the caller sees them."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def fail(
    kind: Kind,
    message: str,
    *,
    effect: Effect | None = None,
    reason: str | None = None,
    retry: Retry | None = None,
    issues: Iterable[Issue] = (),
    recourse: Iterable[Move] = (),
    params: Mapping[str, Param] | None = None,
) -> FaultError:
    """
    The error to raise for a failure that you describe yourself: `raise fail("not_found", f"There is no order {id}.")`.
    Write only what the caller may read: nothing in the sentence is filtered.
    """
    if kind == "unknown":
        raise ValueError("A failure that you describe has a kind: unknown is for readers.")
    from .text import to_line

    row = KINDS[kind]
    chosen, problems, stated = tuple(recourse), tuple(issues)[:20] or None, effect or row.effect
    facts = MoveFacts(kind, stated, retry=retry, issues=problems)
    moves = permitted_moves(chosen, facts) if chosen else derive_moves(facts)
    fault = Fault(
        kind=kind,
        class_=row.class_,
        reason=reason or f"adhoc/{kind}",
        message=to_line(message, 240) or row.message,
        recourse=moves,
        effect=stated,
        retry=retry,
        issues=problems,
        params=params,
    )
    return FaultError(fault)


# Which moves a fault may name. A call that may have taken effect is looked at before it is repeated.


@dataclass(frozen=True)
class MoveFacts:
    """What the next moves are derived from."""

    kind: Kind
    effect: Effect
    retry: Retry | None = None
    issues: tuple[Issue, ...] | None = None
    after_ms: int | None = None
    """A wait that the contract of the system names. A wait that the server stated comes first."""
    repeatable: bool = False

    @property
    def safe(self) -> bool:
        return self.effect == "none" or self.repeatable

    @property
    def allowed(self) -> bool | None:
        return None if self.retry is None else self.retry.allowed

    @property
    def stated_ms(self) -> int | None:
        return None if self.retry is None else self.retry.after_ms


def derive_moves(facts: MoveFacts) -> tuple[Move, ...]:
    """The next moves that follow from kind, effect and the advice of the server."""
    row = KINDS[facts.kind]
    usual: Verb = "retry" if row.retryable else row.first_move
    if not facts.safe and (usual == "retry" or (usual == "stop" and facts.allowed)):
        is_known_here = facts.allowed is not False and facts.stated_ms is None
        return (Move("refresh", after_ms=facts.after_ms if is_known_here else None),)
    if facts.allowed and facts.safe:
        again = _move("retry", facts)
        return (again,) if usual == "retry" else (again, _move(usual, facts))
    return (_move("stop" if facts.allowed is False and usual == "retry" else usual, facts),)


def permitted_moves(chosen: Sequence[Move], facts: MoveFacts) -> tuple[Move, ...]:
    """The chosen moves without `retry`, if the effect or the server forbids it."""
    may_retry = facts.safe and facts.allowed is not False
    kept = tuple(move for move in chosen if move.do != "retry" or may_retry)[:3]
    wait = facts.after_ms if facts.after_ms is not None or not chosen else chosen[0].after_ms
    return kept or derive_moves(replace(facts, after_ms=wait))


def _move(verb: Verb, facts: MoveFacts) -> Move:
    if verb == "retry":
        return Move(verb, after_ms=facts.after_ms if facts.stated_ms is None else facts.stated_ms)
    if verb == "fix_input" and facts.issues:
        return Move(verb, fields=tuple(dict.fromkeys(issue.pointer for issue in facts.issues))[:10])
    return Move(verb)


_EFFECT_ORDER: tuple[Effect, ...] = ("none", "possible", "applied")


def worse_effect(one: Effect, other: Effect) -> Effect:
    """The worse of two effects: a later attempt does not undo what an earlier one may have done."""
    return max(one, other, key=_EFFECT_ORDER.index)


def _to_json(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_to_json(one) for one in value]
    if isinstance(value, Mapping):
        return {name: _to_json(one) for name, one in value.items()}
    if not hasattr(value, "__dataclass_fields__"):
        return value
    shown = ((one, getattr(value, one.name)) for one in fields(value) if one.metadata.get("wire", True))
    return {wire_name(one.name): _to_json(member) for one, member in shown if member is not None}


def wire_name(name: str) -> str:
    """`after_ms` is `afterMs` on the wire, and `from_` is `from`."""
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), name.rstrip("_"))
