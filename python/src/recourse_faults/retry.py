"""Whether a failed call may be made again, and after how long."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Union

from .fault import Fault, Stopped
from .kinds import RetryWhen

Authorization = Literal["credentials", "approval"]
_AUTHORIZATION: dict[RetryWhen, Authorization] = {"after_credentials": "credentials", "after_approval": "approval"}
_RULES: dict[Stopped, int] = {
    "refused": 1, "final": 2, "guessed": 2, "unsafe": 3, "deadline": 4,
    "attempts": 5, "budget": 6, "breaker": 7, "aborted": 8, "looping": 9,
}  # fmt: skip


@dataclass(frozen=True)
class Policy:
    """How often and how long one call is retried. Times are in milliseconds."""

    attempts: int = 3
    """All attempts, the first one included."""
    base_ms: float = 200
    """The longest first wait if the server stated none. It doubles with every attempt."""
    overload_base_ms: float = 1_000
    """The same for a server that is overloaded or limits the rate of calls."""
    step_ms: float = 0
    """A fixed wait for each attempt made, if the contract of a system has one."""
    max_backoff_ms: float = 20_000
    max_wait_ms: float = 60_000
    """A longer wait ends the call, and the fault names it."""
    min_attempt_ms: float = 100
    """The time that an attempt needs before the deadline."""
    jitter: float = 0.2
    """The random part that is added to a stated wait, as a fraction."""


@dataclass(frozen=True)
class Repeat:
    """Make the call again after the wait."""

    wait_ms: int
    by: Literal["peer", "contract", "backoff", "reauthorized"]


@dataclass(frozen=True)
class Stop:
    """Do not make the call again."""

    why: Stopped
    wait_ms: int | None = None

    @property
    def rule(self) -> int:
        """The number of the rule that decided."""
        return _RULES[self.why]


def decide(
    fault: Fault,
    *,
    attempts: int,
    left_ms: float = math.inf,
    repeatable: bool = False,
    random: float = 0.0,
    reauthorized: Authorization | None = None,
    policy: Policy = Policy(),
) -> Union[Repeat, Stop]:
    """
    What to do after a failed attempt. `repeatable` says that making the call twice is safe: you know it, the server honours
    the idempotency key of this call, or a trusted server marked the tool as read-only or idempotent.
    """
    advice = fault.retry
    is_reauthorized = reauthorized is not None and _AUTHORIZATION.get(fault.row.retry_when) == reauthorized
    if advice and not advice.allowed and not is_reauthorized:
        return Stop("refused")
    if not (advice and advice.allowed) and not is_reauthorized and not fault.row.retryable:
        return Stop("final")
    if fault.basis == "guessed" and not (repeatable and fault.row.retryable):
        return Stop("guessed")
    if fault.effect != "none" and not repeatable:
        return Stop("unsafe")
    wait = _wait(fault, attempts, random, policy)
    if is_reauthorized:
        wait = Repeat(wait.wait_ms if wait.by == "peer" else 0, "reauthorized")
    if wait.wait_ms > policy.max_wait_ms or not wait.wait_ms + policy.min_attempt_ms <= left_ms:
        return Stop("deadline", wait.wait_ms)
    further = policy.attempts if advice is None or advice.max_attempts is None else advice.max_attempts
    return wait if attempts < min(policy.attempts, 1 + further) else Stop("attempts", wait.wait_ms)


def _wait(fault: Fault, attempts: int, random: float, policy: Policy) -> Repeat:
    advice, move = fault.retry, fault.recourse[0]
    stated = None if advice is None else advice.after_ms
    if stated is None and policy.step_ms > 0:
        return Repeat(_whole(policy.step_ms * attempts), "contract")
    base = policy.overload_base_ms if fault.row.retry_when == "after_wait" else policy.base_ms
    backoff = advice.backoff if advice else None
    chance = min(max(random, 0), 1)
    after = stated if stated is not None else move.after_ms if move.do in ("retry", "refresh") else None
    if after is None:
        most = min(base, policy.max_backoff_ms) if backoff == "fixed" else _doubled(base, attempts, policy.max_backoff_ms)
        return Repeat(_whole(chance * most), "backoff")
    least = _doubled(after, attempts, max(policy.max_backoff_ms, after)) if backoff == "exponential" else after
    share = policy.jitter if advice is None or advice.jitter is None else advice.jitter
    return Repeat(_whole(least + chance * share * max(least, base)), "contract" if stated is None else "peer")


def _whole(ms: float) -> int:
    return min(math.ceil(ms), 2**53 - 1)


def _doubled(first: float, attempts: int, most: float) -> float:
    return min(first * 2.0 ** min(attempts - 1, 1_000), most)
