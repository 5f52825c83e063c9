"""What reading, building, rendering and deciding promise, beyond the vectors."""

import json
import unittest

from recourse_faults import Fault, Move, Retry, Stop, decide, decode, encode, fail, read_fault, render
from recourse_faults.text import duration_text, length, to_line


def fault(**members: object) -> dict[str, object]:
    return {"v": 1, "kind": "internal", "reason": "a/b", "message": "It failed.", **members}


class Reading(unittest.TestCase):
    def test_what_is_not_a_fault(self) -> None:
        for value in (None, 1, "x", [], {}, fault(v=2), fault(v=True), fault(kind="X"), fault(reason="b"), fault(message="")):
            self.assertIsNone(read_fault(value))

    def test_unknown_words_count_as_the_least_certain(self) -> None:
        read = read_fault(fault(effect="perhaps", basis="sure"))
        assert read is not None
        self.assertEqual((read.effect, read.basis), ("possible", "guessed"))

    def test_a_newer_kind_is_read_by_its_class(self) -> None:
        self.assertIsNone(read_fault(fault(kind="paused")))
        read = read_fault(fault(kind="paused", **{"class": "retryable"}))
        assert read is not None
        self.assertEqual((read.kind, read.known_kind, read.effect), ("paused", "overloaded", "possible"))

    def test_retry_does_not_stand_beside_an_effect_that_forbids_it(self) -> None:
        read = read_fault(fault(effect="possible", recourse=[{"do": "retry"}]))
        assert read is not None
        self.assertNotIn("retry", [move.do for move in read.recourse])

    def test_bounds(self) -> None:
        read = read_fault(
            fault(
                message="x" * 300,
                quote={"text": "a\n\u202eb\x00" + "c" * 600, "from": "peer"},
                issues=[{"pointer": "/a", "rule": "no"}] * 30,
                recourse=[{"do": "stop", "link": "https://u:p@host/"}] * 5,
            )
        )
        assert read is not None and read.quote is not None and read.issues is not None
        self.assertEqual((length(read.message), length(read.quote.text)), (240, 500))
        self.assertTrue(read.quote.text.startswith("a b ccc"))
        self.assertEqual((len(read.issues), read.issues[0].rule), (20, "custom"))
        self.assertEqual(read.recourse, (Move("stop"),) * 3)

    def test_causes_end_after_three(self) -> None:
        nested: dict[str, object] = fault()
        for _ in range(6):
            nested = fault(cause=nested)
        read, depth = read_fault(nested), 0
        while read is not None:
            read, depth = read.cause, depth + 1
        self.assertEqual(depth, 4)

    def test_any_json_is_read_without_an_exception(self) -> None:
        odd: list[object] = [None, True, -1, 1.5, 1e400, "\ud800", "", [], {}, [[]], {"a": {}}, "x" * 5_000]
        for name in fail("conflict", "No.").fault.to_dict():
            for value in odd:
                decode({"isError": True, "_meta": {"recourse/fault": fault(**{name: value})}})
                decode({"error": {"code": -32042, name: value, "data": value}})


class Sending(unittest.TestCase):
    def test_derived_moves_are_not_sent_and_come_back(self) -> None:
        derived = fail("conflict", "It is shipped.").fault
        self.assertNotIn("recourse", derived.to_wire())
        self.assertEqual(read_fault(derived.to_wire(), received=False), derived)
        self.assertEqual(derived.to_dict()["recourse"], [{"do": "refresh"}])

    def test_chosen_moves_are_sent(self) -> None:
        chosen = fail("conflict", "It is shipped.", recourse=[Move("stop")]).fault
        self.assertEqual(chosen.to_wire()["recourse"], [{"do": "stop"}])

    def test_the_fault_is_sent_once(self) -> None:
        result = encode(fail("conflict", "It is shipped.").fault)["result"]
        self.assertEqual(list(result), ["resultType", "content", "isError", "_meta"])


class Building(unittest.TestCase):
    def test_fail_derives_the_next_move(self) -> None:
        made = fail("rate_limited", "Slow down.", retry=Retry(True, after_ms=2_000)).fault
        self.assertEqual(made.recourse, (Move("retry", after_ms=2_000),))
        self.assertEqual(render(made), "Slow down. Repeat this call in 2 seconds.")

    def test_an_author_who_says_what_to_do_is_not_repeated(self) -> None:
        said = "No channel general. Call list_channels first."
        self.assertEqual(render(fail("not_found", said).fault), said)
        bare = fail("not_found", "Call 7 has ended.").fault
        self.assertEqual(render(bare), "Call 7 has ended. Call again with a different name or id.")
        late = fail("timeout", "The bank does not answer. Try again later.").fault
        self.assertRegex(render(late), "later\\. The call may have taken effect, so check before repeating it\\.$")

    def test_unknown_is_for_readers(self) -> None:
        with self.assertRaises(ValueError):
            fail("unknown", "What?")

    def test_what_is_written_is_read_again(self) -> None:
        made = fail("conflict", "It exists.", effect="applied", recourse=[Move("retry"), Move("refresh", tool="look")]).fault
        read = decode(json.loads(json.dumps(encode(made, method="tools/call"))))
        assert read is not None and read.quote is not None
        self.assertEqual((read.kind, read.effect, read.recourse), ("conflict", "applied", (Move("refresh", tool="look"),)))
        self.assertEqual(read.quote.text, "It exists.")


class Deciding(unittest.TestCase):
    def made(self, **members: object) -> Fault:
        read = read_fault(fault(**members), received=False)
        assert read is not None
        return read

    def test_a_call_that_may_have_taken_effect_is_not_repeated(self) -> None:
        possible = self.made(kind="timeout", effect="possible", retry={"allowed": True})
        self.assertEqual(decide(possible, attempts=1), Stop("unsafe"))
        self.assertNotIsInstance(decide(possible, attempts=1, repeatable=True), Stop)

    def test_the_rules_in_their_order(self) -> None:
        busy = self.made(kind="overloaded", effect="none")
        self.assertEqual(decide(self.made(kind="overloaded", retry={"allowed": False}), attempts=1), Stop("refused"))
        self.assertEqual(decide(self.made(kind="conflict"), attempts=1), Stop("final"))
        self.assertEqual(decide(self.made(kind="overloaded", basis="guessed"), attempts=1), Stop("guessed"))
        self.assertEqual(decide(busy, attempts=1, left_ms=99), Stop("deadline", 0))
        self.assertEqual(decide(busy, attempts=3, random=0.5), Stop("attempts", 2_000))


class Texts(unittest.TestCase):
    def test_lengths_are_counted_in_utf16_units(self) -> None:
        self.assertEqual(to_line("😀" * 10, 9), "😀😀😀😀…")

    def test_durations_are_rounded_up(self) -> None:
        shown = [duration_text(ms) for ms in (1, 999, 1_000, 1_001, 60_000, 61_000, 90_000, 120_000, 86_400_001)]
        expected = ["1 ms", "999 ms", "1 second", "1.1 seconds", "1 minute", "61 seconds", "90 seconds", "2 minutes", "25 hours"]
        self.assertEqual(shown, expected)
