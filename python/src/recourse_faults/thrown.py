"""
What the exceptions of libraries mean: replies of other services, databases, sockets, limits of time. What each code means is
shared with the other implementations (`codes.json`); how an exception is recognised is written here. Class names and members
decide, never a text, and no text of an exception is shown.
"""

from __future__ import annotations

import errno
import json
import re
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.resources import files
from inspect import getattr_static
from socket import gaierror
from typing import Any

from .fault import Fault, Retry
from .kinds import KINDS
from .reasons import library_fault

_MOST = 20
"""How many exceptions of a chain are read."""


@dataclass(frozen=True)
class Meaning:
    """
    What one exception means. `weight` says how much is known: 2 a reply, 1 a code, 0 a class. `unsent`: it proves that
    nothing was done. `unsure`: an attempt before it may have done it.
    """

    reason: str
    weight: int = 1
    unsent: bool = False
    unsure: bool = False
    after_ms: int | None = None


@cache
def _codes() -> dict[str, dict[str, str]]:
    """The reason of each code, by system."""
    tables: dict[str, dict[str, str]] = json.loads(files(__package__).joinpath("codes.json").read_text("utf-8"))
    return tables


def thrown_fault(error: BaseException) -> Fault | None:
    """The fault of an exception of a library. None for any other exception."""
    found = [meaning for one in _chain(error) if (meaning := _meaning(one))]
    if not found:
        return None
    # A reply says more than the socket below it; of exceptions that say as much, the innermost counts.
    best = max(enumerate(found), key=lambda item: (item[1].weight, item[0]))[1]
    unsent = all(one.unsent for one in found)
    retry = Retry(allowed=True, after_ms=best.after_ms) if best.after_ms is not None else None
    fault = library_fault(best.reason, retry=retry, basis="mapped")
    if unsent:
        return library_fault(best.reason, retry=retry, basis="mapped", effect="none")
    # A client that repeats by itself gets 409 for what its first attempt has done.
    assumed = best.unsure or fault.effect == "none" and KINDS[fault.kind].class_ in ("retryable", "dependency") and fault.retry is None
    return library_fault(best.reason, retry=retry, basis="mapped", effect="possible") if assumed else fault


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: list[BaseException] = [error]
    for one in seen:
        yield one
        inner = [one.__cause__, one.__context__, _own(one, "orig"), *getattr(one, "exceptions", ())]
        seen += [more for more in inner if isinstance(more, BaseException) and more not in seen][: _MOST - len(seen)]


def _own(value: object, name: str) -> Any:
    """A member of the exception or of its class. It runs no property."""
    try:
        members = vars(value)
    except TypeError:
        members = {}
    found = members.get(name, getattr_static(type(value), name, None))
    return None if isinstance(found, property) or callable(found) else found


def _names(error: BaseException) -> list[str]:
    return [one.__name__ for one in type(error).__mro__]


def _package(error: BaseException) -> str:
    return type(error).__module__.split(".")[0]


def _meaning(error: BaseException) -> Meaning | None:
    for read in (_reply, _rpc, _database, _connection, _waited):
        if found := read(error):
            return found
    return None


# Replies of other services


def _reply(error: BaseException) -> Meaning | None:
    for status, headers in _replies(error):
        if isinstance(status, int) and 400 <= status <= 599:
            reason = _codes()["status"].get(str(status), "rest/refused")
            refused = status < 500 and status not in (408, 409)
            return Meaning(reason, 2, unsent=refused, unsure=status == 409, after_ms=_wait(status, headers))
    return None


def _replies(error: BaseException) -> Iterator[tuple[object, object]]:
    """Status and headers, wherever a client keeps them."""
    response = _own(error, "response")
    if isinstance(response, Mapping):  # botocore
        meta = response.get("ResponseMetadata")
        if isinstance(meta, Mapping):
            is_limit = re.match(r"Throttl|TooMany|SlowDown|RequestLimit", str(_at(response, "Error", "Code")))
            status = meta.get("HTTPStatusCode")
            yield (429 if is_limit and isinstance(status, int) and status < 500 else status), meta.get("HTTPHeaders")
    elif response is not None:  # httpx, requests, openai, anthropic, slack_sdk
        yield _of_response(response, "status_code"), _of_response(response, "headers")
    if _own(error, "resp") is not None:  # googleapiclient
        yield _of_response(_own(error, "resp"), "status"), _own(error, "resp")
    meta = _own(error, "meta")
    if meta is not None:  # elasticsearch
        yield _of_response(meta, "status"), _of_response(meta, "headers")
    if _own(error, "headers") is not None or _own(error, "hdrs") is not None:  # aiohttp, urllib, stripe, PyGithub
        headers = _own(error, "headers") or _own(error, "hdrs")
        for name in ("status", "code", "http_status", "status_code", "_GithubException__status"):
            yield _own(error, name), headers


_RESPONSES = ("httpx", "requests", "aiohttp", "httplib2", "elastic_transport", "slack_sdk", "urllib3")
"""Packages whose responses keep status and headers behind properties."""


def _of_response(response: object, name: str) -> object:
    own = _own(response, name)
    if own is not None or type(response).__module__.split(".")[0] not in _RESPONSES:
        return own
    try:
        return getattr(response, name)
    except Exception:
        return None


def _wait(status: int, headers: object) -> int | None:
    if status not in (413, 429, 503):
        return None
    try:
        value = next((headers[name] for name in ("retry-after", "Retry-After") if name in headers), None)  # type: ignore[index,operator]
    except Exception:
        return None
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,9}(?:\.\d{1,6})?\s*", value):
        return round(float(value) * 1000)
    try:
        date = next(headers[name] for name in ("date", "Date") if name in headers)  # type: ignore[index,operator]
        left = parsedate_to_datetime(str(value)) - parsedate_to_datetime(str(date))
        return max(0, round(left.total_seconds() * 1000))
    except Exception:
        return None


def _at(value: object, *path: str) -> object:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _rpc(error: BaseException) -> Meaning | None:
    """gRPC keeps its code behind a method."""
    if "RpcError" not in _names(error) or _package(error) != "grpc":
        return None
    try:
        name = error.code().name  # type: ignore[attr-defined]
    except Exception:
        return None
    status = _codes()["rpc"].get(str(name))
    if status is None:
        return None
    refused = 400 <= int(status) < 500 and status not in ("408", "409", "499")
    return Meaning(_codes()["status"].get(status, "rest/upstream_failed"), 2, unsent=refused)


# Databases


def _database(error: BaseException) -> Meaning | None:
    codes = _codes()
    state = next((one for name in ("sqlstate", "pgcode") if isinstance(one := _own(error, name), str)), None)
    if state and re.fullmatch("[0-9A-Z]{5}", state):
        return _by_code(codes["sqlstate"].get(state) or codes["sqlstateClass"].get(state[:2]))
    names, package = _names(error), _package(error)
    if package == "sqlite3":
        return _by_code(_longest("sqlite", _own(error, "sqlite_errorname")))
    if package in ("pymysql", "MySQLdb", "mysql", "aiomysql"):
        number = _own(error, "errno") or next(iter(error.args), None)
        return _by_code(codes["mysql"].get(str(number)))
    if package == "pymongo" and "OperationFailure" in names:
        return _by_code(codes["mongo"].get(str(_own(error, "_OperationFailure__code"))))
    if package == "redis" and "ResponseError" in names:
        return _by_code(_redis(error, names))
    return None


_REDIS_CLASSES = {
    "AuthenticationError": "core/misconfigured", "NoPermissionError": "core/misconfigured",
    "ReadOnlyError": "core/unavailable", "BusyLoadingError": "core/unavailable", "ClusterDownError": "core/unavailable",
    "OutOfMemoryError": "core/overloaded", "TryAgainError": "core/overloaded",
}  # fmt: skip


def _redis(error: BaseException, names: list[str]) -> str | None:
    """Redis has a class for most codes. Of the others, the protocol puts the code before the text."""
    by_class = next((_REDIS_CLASSES[name] for name in names if name in _REDIS_CLASSES), None)
    word = re.match(r"[A-Z]{2,16}(?= )", str(next(iter(error.args), ""))[:20])
    return by_class or (_codes()["redis"].get(word.group()) if word else None)


def _longest(system: str, name: object) -> str | None:
    if not isinstance(name, str):
        return None
    return next((reason for end in range(len(name), 0, -1) if (reason := _codes()[system].get(name[:end]))), None)


def _by_code(reason: str | None) -> Meaning:
    # Any other code means a wrong statement, which is a bug of the server. Who is refused access has not run anything.
    return Meaning(reason or "core/internal", unsent=reason == "core/misconfigured")


# Sockets and limits of time

_WAITED = re.compile(r"Time[oO]ut(?:Error|Exception)?$")
_GAVE_UP = re.compile(r"^(?:ConnectError|NetworkError|.*Connection(?:Error|Failure)|APIConnectionError|RemoteProtocolError)$")


def _connection(error: BaseException) -> Meaning | None:
    if isinstance(error, gaierror):
        return Meaning("core/misconfigured", unsent=True)
    if isinstance(error, ssl.SSLCertVerificationError):
        return Meaning("core/misconfigured", unsent=True)
    if not isinstance(error, OSError) or error.errno is None:
        return None
    name = errno.errorcode.get(error.errno, "")
    reason = _codes()["socket"].get(name)
    return Meaning(reason, unsent=name in _codes()["unsent"]) if reason else None


def _waited(error: BaseException) -> Meaning | None:
    names = _names(error)
    if isinstance(error, TimeoutError) or any(_WAITED.search(name) for name in names):
        return Meaning("core/timeout", unsent=any("Connect" in name and _WAITED.search(name) for name in names[:1]))
    if any(_GAVE_UP.match(name) for name in names):
        return Meaning("core/unavailable", 0)
    return None
