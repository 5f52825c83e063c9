"""Faults for MCP: every failed call ends with one answer, what to do next."""

from .client import Outcome, call_tool, fault_of
from .fault import Fault, FaultError, Issue, Limit, Move, Origin, Quote, Retry, Tried, fail
from .kinds import KINDS, Effect, FaultClass, Kind, KindRow, Verb
from .mcp import decode, encode
from .reading import read_fault
from .render import render, should_report
from .retry import Policy, Repeat, Stop, decide

__version__ = "0.1.0"
__all__ = [
    "KINDS", "Effect", "Fault", "FaultClass", "FaultError", "Issue", "Kind", "KindRow", "Limit", "Move", "Origin",
    "Outcome", "Policy", "Quote", "Repeat", "Retry", "Stop", "Tried", "Verb", "call_tool", "decide", "decode", "encode",
    "fail", "fault_of", "read_fault", "render", "should_report",
]  # fmt: skip
