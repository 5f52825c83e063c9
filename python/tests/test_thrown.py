"""Exceptions of libraries. Classes stand in for those of packages that are not installed: what is read of them is the same."""

import errno
import json
import socket
import sqlite3
import ssl
import unittest
from pathlib import Path
from typing import Any

from recourse_faults.thrown import thrown_fault

ROOT = Path(__file__).parents[2]


def of(package: str, name: str, bases: tuple[type, ...] = (Exception,), **members: Any) -> BaseException:
    """An exception of a package."""
    return type(name, bases, {**members, "__module__": package})("private: relation orders_private does not exist")


class Response:
    def __init__(self, status: int, headers: dict[str, str] | None = None) -> None:
        self.status_code = status
        self.headers = headers or {}


def http(status: int, headers: dict[str, str] | None = None) -> BaseException:
    error = of("httpx", "HTTPStatusError")
    error.response = Response(status, headers)  # type: ignore[attr-defined]
    return error


def said(error: BaseException) -> tuple[str, str, int | None]:
    fault = thrown_fault(error)
    assert fault is not None
    assert "private" not in json.dumps(fault.to_wire())
    return fault.reason, fault.effect, fault.retry.after_ms if fault.retry else None


class Thrown(unittest.TestCase):
    def test_codes_are_those_of_the_other_implementations(self) -> None:
        own = ROOT / "python/src/recourse_faults/codes.json"
        self.assertEqual(own.read_text("utf-8"), (ROOT / "conformance/codes.json").read_text("utf-8"))

    def test_replies(self) -> None:
        self.assertEqual(said(http(404)), ("rest/not_found", "none", None))
        self.assertEqual(said(http(409))[:2], ("core/conflict", "possible"))
        self.assertEqual(said(http(401))[:2], ("rest/upstream_auth", "none"))
        self.assertEqual(said(http(429, {"retry-after": "7"})), ("core/rate_limited", "none", 7000))
        self.assertEqual(said(http(503, {"Retry-After": "7"})), ("adapter/unavailable", "possible", 7000))
        self.assertEqual(said(http(500))[:2], ("rest/upstream_failed", "possible"))
        throttled = {"Error": {"Code": "ThrottlingException"}, "ResponseMetadata": {"HTTPStatusCode": 400, "HTTPHeaders": {}}}
        botocore = of("botocore", "ClientError", response=throttled)
        self.assertEqual(said(botocore)[:2], ("core/rate_limited", "none"))
        self.assertEqual(said(of("aiohttp", "ClientResponseError", status=404, headers={}))[0], "rest/not_found")

    def test_a_reply_says_more_than_the_socket_below_it(self) -> None:
        error = http(404)
        error.__cause__ = ConnectionResetError(errno.ECONNRESET, "private")
        self.assertEqual(said(error)[:2], ("rest/not_found", "none"))

    def test_databases(self) -> None:
        self.assertEqual(said(of("psycopg", "UniqueViolation", sqlstate="23505"))[:2], ("core/conflict", "none"))
        self.assertEqual(said(of("psycopg2", "NotNullViolation", pgcode="23502"))[0], "core/validation_failed")
        self.assertEqual(said(of("asyncpg", "SerializationError", sqlstate="40001"))[:2], ("core/busy", "possible"))
        self.assertEqual(said(of("asyncpg", "UndefinedTable", sqlstate="42P01"))[0], "core/internal")
        self.assertEqual(said(of("psycopg", "InvalidPassword", sqlstate="28P01"))[:2], ("core/misconfigured", "none"))
        mysql = type("IntegrityError", (Exception,), {"__module__": "pymysql.err"})(1062, "private")
        self.assertEqual(said(mysql)[0], "core/conflict")
        wrapped = of("sqlalchemy", "IntegrityError")
        wrapped.orig = mysql  # type: ignore[attr-defined]
        self.assertEqual(said(wrapped)[0], "core/conflict")
        self.assertEqual(said(of("redis", "ReadOnlyError", (type("ResponseError", (Exception,), {}),)))[0], "core/unavailable")

    def test_sqlite(self) -> None:
        base = sqlite3.connect(":memory:")
        base.execute("create table orders_private (id int primary key not null)")
        base.execute("insert into orders_private values (1)")
        for statement, reason in (("(1)", "core/conflict"), ("(null)", "core/validation_failed")):
            with self.assertRaises(sqlite3.IntegrityError) as caught:
                base.execute(f"insert into orders_private values {statement}")
            if hasattr(caught.exception, "sqlite_errorname"):
                self.assertEqual(said(caught.exception)[0], reason)

    def test_sockets_and_limits_of_time(self) -> None:
        self.assertEqual(said(ConnectionRefusedError(errno.ECONNREFUSED, "private"))[:2], ("core/unavailable", "none"))
        self.assertEqual(said(ConnectionResetError(errno.ECONNRESET, "private"))[:2], ("core/unavailable", "possible"))
        self.assertEqual(said(socket.gaierror(-2, "private"))[:2], ("core/misconfigured", "none"))
        self.assertEqual(said(ssl.SSLCertVerificationError("private"))[0], "core/misconfigured")
        self.assertEqual(said(TimeoutError("private"))[:2], ("core/timeout", "possible"))
        self.assertEqual(said(of("httpx", "ReadTimeout"))[:2], ("core/timeout", "possible"))
        self.assertEqual(said(of("httpx", "ConnectTimeout"))[:2], ("core/timeout", "none"))

    def test_what_no_library_threw(self) -> None:
        for error in (ValueError("private"), KeyError("private"), FileNotFoundError(errno.ENOENT, "private"), RuntimeError()):
            self.assertIsNone(thrown_fault(error))
        circle = ValueError("private")
        circle.__cause__ = circle
        self.assertIsNone(thrown_fault(circle))

    def test_no_property_is_read(self) -> None:
        read = []

        class Curious(Exception):
            @property
            def response(self) -> object:
                read.append("response")
                raise AssertionError

        self.assertIsNone(thrown_fault(Curious()))
        self.assertEqual(read, [])


if __name__ == "__main__":
    unittest.main()
