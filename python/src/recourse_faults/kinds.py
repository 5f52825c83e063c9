"""The 18 kinds of failure and what follows from each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal[
    "invalid_input", "invalid_request", "unauthenticated", "forbidden", "approval_required", "rate_limited",
    "overloaded", "timeout", "unavailable", "upstream_failed", "not_found", "conflict", "precondition_failed",
    "unsupported", "quota_exhausted", "cancelled", "internal", "unknown",
]  # fmt: skip
FaultClass = Literal["validation", "permission", "retryable", "dependency", "terminal"]
Effect = Literal["none", "possible", "applied"]
Verb = Literal["retry", "authenticate", "fix_input", "choose_another", "refresh", "do_first", "ask_user", "stop"]
RetryWhen = Literal["never", "after_credentials", "after_approval", "after_wait", "if_safe"]

CLASSES = get_args(FaultClass)
EFFECTS = get_args(Effect)
VERBS = get_args(Verb)


@dataclass(frozen=True)
class KindRow:
    """What follows from a kind alone."""

    class_: FaultClass
    first_move: Verb
    effect: Effect
    """The effect of the call, unless the fault states another one."""
    retry_when: RetryWhen
    """When the same call may be made again, if the server gave no advice."""
    reported: bool
    """Whether the operator hears of it even if no text was hidden."""
    message: str
    """The message of a fault that has no message of its own."""

    @property
    def retryable(self) -> bool:
        """Whether time alone can make the same call succeed."""
        return self.retry_when in ("after_wait", "if_safe")


KINDS: dict[Kind, KindRow] = {
    "invalid_input": KindRow("validation", "fix_input", "none", "never", False, "The arguments are wrong."),
    "invalid_request": KindRow("validation", "stop", "none", "never", False, "The request is malformed."),
    "unauthenticated": KindRow(
        "permission", "authenticate", "none", "after_credentials", False, "Valid credentials are required."
    ),
    "forbidden": KindRow("permission", "ask_user", "none", "never", False, "This call is not allowed."),
    "approval_required": KindRow(
        "permission", "ask_user", "none", "after_approval", False, "A person has to approve this call first."
    ),
    "rate_limited": KindRow("retryable", "retry", "none", "after_wait", False, "Too many calls in a short time."),
    "overloaded": KindRow("retryable", "retry", "none", "after_wait", True, "The service is too busy at the moment."),
    "timeout": KindRow("retryable", "refresh", "possible", "if_safe", True, "No answer came in time."),
    "unavailable": KindRow(
        "dependency", "retry", "possible", "if_safe", True, "A service that this call needs is not available."
    ),
    "upstream_failed": KindRow(
        "dependency", "retry", "possible", "if_safe", True, "A service that this call needs has failed."
    ),
    "not_found": KindRow(
        "terminal", "choose_another", "none", "never", False, "What the call asked for was not found."
    ),
    "conflict": KindRow("terminal", "refresh", "none", "never", False, "The call conflicts with the current state."),
    "precondition_failed": KindRow(
        "terminal", "do_first", "none", "never", False, "Something else has to happen first."
    ),
    "unsupported": KindRow("terminal", "choose_another", "none", "never", False, "This call is not supported here."),
    "quota_exhausted": KindRow(
        "terminal", "ask_user", "none", "never", False, "The quota is used up and does not come back soon."
    ),
    "cancelled": KindRow("terminal", "stop", "possible", "never", False, "The call was cancelled."),
    "internal": KindRow("terminal", "stop", "possible", "never", True, "The call failed because of an internal error."),
    "unknown": KindRow("terminal", "refresh", "possible", "never", False, "The call failed for an unknown reason."),
}

_FALLBACK: dict[FaultClass, Kind] = {
    "validation": "invalid_input",
    "permission": "forbidden",
    "retryable": "overloaded",
    "dependency": "upstream_failed",
    "terminal": "unknown",
}


def known_kind(kind: str, class_: FaultClass) -> Kind:
    """The kind itself, or a kind of the same class for one that only a newer version knows."""
    return kind if kind in KINDS else _FALLBACK[class_]
