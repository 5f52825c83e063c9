"""The vectors of the repository, answered by the door that the conformance runner uses."""

import json
import unittest
from pathlib import Path
from typing import Any

from recourse_faults.door import answer

VECTORS = Path(__file__).parents[2] / "conformance"


def cases(folder: str) -> list[dict[str, Any]]:
    found = [case for file in sorted((VECTORS / folder).glob("*.json")) for case in json.loads(file.read_text("utf-8"))["cases"]]
    assert found, f"no vectors in {folder}"
    return found


def plain(value: object) -> Any:
    return json.loads(json.dumps(value))


class Vectors(unittest.TestCase):
    maxDiff = None

    def test_reader(self) -> None:
        for case in cases("mcp"):
            with self.subTest(case["id"]):
                made = answer({"do": "decode", "dialect": "mcp", "wire": case["wire"], "context": case.get("context", {})})
                self.assertEqual(plain(made["fault"]), case["fault"])

    def test_advisor(self) -> None:
        for case in cases("advice/render"):
            with self.subTest(case["id"]):
                made = answer({"do": "render", "fault": case["fault"], "context": case.get("context", {})})
                self.assertEqual(made, {"text": case["text"]})
        for case in cases("advice/decide"):
            with self.subTest(case["id"]):
                made = answer({"do": "decide", "situation": case["situation"]})
                self.assertEqual(made, {"decision": case["decision"]})

    def test_writer(self) -> None:
        for case in cases("mcp"):
            if "back" not in case:
                continue
            with self.subTest(case["id"]):
                context = case.get("backContext", case.get("context", {}))
                made = answer({"do": "encode", "dialect": "mcp", "fault": case["fault"], "context": context})
                self.assertEqual(plain(made["wire"]), case["back"])
