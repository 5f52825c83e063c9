import { describe, expect, it } from "vitest";
import {
  type CheckCase,
  exchangeOf,
  rpcError,
  saysOf,
  silence,
  toolFailure,
  toolSuccess,
} from "../../test/support/make-recording.ts";
import type { RecordedAnswer, WrongField } from "../recording/recording.ts";

const COLOUR: WrongField = { field: "colour", rule: "enum", schema: { type: "string", enum: ["red", "green"] } };
const LIMIT: WrongField = { field: "limit", rule: "type", schema: { type: "integer" } };
const TITLE: WrongField = { field: "title", rule: "type", schema: { type: "string" } };
const RANGE: WrongField = { field: "limit", rule: "range", schema: { type: "integer", maximum: 1000 } };

const valid = (answer: RecordedAnswer) => exchangeOf("valid-call", answer, { tool: "find_item" });
const wrong = (answer: RecordedAnswer, fields: readonly WrongField[] = [LIMIT], variant = "type") =>
  exchangeOf("wrong-arguments", answer, { variant, tool: "find_item", wrong: fields });
const says = (about: string, text: string, fields: readonly WrongField[], expected: string): CheckCase => ({
  about,
  exchanges: [wrong(toolFailure(text), fields)],
  says: expected,
});
const DENIED: CheckCase = {
  about: "no permission",
  exchanges: [wrong(rpcError(-32600, "no", { status: 403 }))],
  says: "skipped",
};
const NOTHING: CheckCase = {
  about: "nothing",
  exchanges: [wrong(silence()), wrong(toolSuccess("fine"))],
  says: "skipped",
};

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "args-checked-first": [
    {
      about: "the answer of a valid call",
      exchanges: [valid(toolFailure("No cluster, try 1")), wrong(toolFailure("No cluster, try 2"))],
      says: "is answered like a valid call",
    },
    {
      about: "a runtime text",
      exchanges: [wrong(toolFailure("limit.toFixed is not a function"))],
      says: "reaches the tool's own code",
    },
    {
      about: "a refusal",
      exchanges: [valid(toolFailure("No cluster")), wrong(toolFailure("limit must be an integer"))],
      says: "pass",
    },
    DENIED,
    NOTHING,
  ],
  "args-name-field": [
    says("no name", "Wrong arguments.", [LIMIT], "is refused without naming the field"),
    says("a part of another word", "The limits are wrong; time_limit too.", [LIMIT], "without naming the field"),
    says("the name", "limit: expected integer", [LIMIT], "pass"),
    says("one of two", "title is wrong", [LIMIT, TITLE], "pass"),
    says("an unknown key", "Unknown argument.", [{ field: "recourse_probe", rule: "extra-key" }], "skipped"),
    {
      about: "a failure that valid calls have too",
      exchanges: [valid(toolFailure("No cluster")), wrong(toolFailure("No cluster"))],
      says: "skipped",
    },
    says("a failure of the tool's own code", "getaddrinfo ENOTFOUND api.example.com", [LIMIT], "skipped"),
    {
      about: "a name beside the text",
      exchanges: [wrong(toolFailure("Wrong.", { error: { field: "limit" } }))],
      says: "without naming the field",
    },
    {
      about: "a name in the tool's name",
      exchanges: [
        exchangeOf("wrong-arguments", toolFailure("set-limit failed"), { tool: "set-limit", wrong: [LIMIT] }),
      ],
      says: "without naming the field",
    },
    DENIED,
    NOTHING,
  ],
  "args-name-all": [
    says("one of two", "title must be a string", [LIMIT, TITLE], "is refused without naming limit."),
    says("both", "title and limit are wrong", [LIMIT, TITLE], "pass"),
    says(
      "a long list",
      "a, b, c are wrong, and 2 more",
      ["a", "b", "c", "d", "e"].map((field) => ({ field, rule: "missing" as const })),
      "pass",
    ),
    says("one field", "Wrong.", [LIMIT], "skipped"),
    DENIED,
    NOTHING,
  ],
  "args-say-expected": [
    says("nothing", "limit is wrong", [LIMIT], "without saying what was expected"),
    says("a type", "limit must be an integer", [LIMIT], "pass"),
    says("one choice of two", "colour may be red", [COLOUR], "without saying"),
    says("two choices", "colour: red or green", [COLOUR], "pass"),
    says(
      "one constant of a union",
      "colour: expected red",
      [{ ...COLOUR, schema: { anyOf: [{ const: "red" }, { const: "green" }] } }],
      "pass",
    ),
    says("no bound", "limit is too large", [RANGE], "without saying"),
    says(
      "the bound that every integer has",
      "limit must be an integer",
      [{ ...RANGE, schema: { type: "integer", maximum: Number.MAX_SAFE_INTEGER } }],
      "pass",
    ),
    says("a bound", "limit must be at most 1,000", [RANGE], "pass"),
    says("a missing argument", "title is required", [{ ...TITLE, rule: "missing" }], "pass"),
    DENIED,
    NOTHING,
  ],
  "unknown-key-refused": [
    {
      about: "a success",
      exchanges: [wrong(toolSuccess("fine"), [], "extra-key")],
      says: "A call of find_item with an argument that its schema does not allow goes through.",
    },
    {
      about: "the answer of a valid call",
      exchanges: [valid(toolFailure("No item")), wrong(toolFailure("No item"), [], "extra-key")],
      says: "goes through",
    },
    { about: "a refusal", exchanges: [wrong(toolFailure("Unknown argument"), [], "extra-key")], says: "pass" },
    {
      about: "no permission",
      exchanges: [wrong(rpcError(-32600, "no", { status: 401 }), [], "extra-key")],
      says: "skipped",
    },
    { about: "nothing", exchanges: [wrong(toolSuccess("fine"))], says: "skipped" },
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("says of $about: $says", (one) => {
    expect(saysOf(id, one)).toContain(one.says);
  });
});
