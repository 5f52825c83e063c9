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
import type { RecordedAnswer } from "../recording/recording.ts";
import { normalise } from "./consistency.ts";

const unknown = (answer: RecordedAnswer, variant = "first") =>
  exchangeOf("unknown-tool", answer, { variant, params: { name: "recourse-probe-value" } });
const valid = (answer: RecordedAnswer) => exchangeOf("valid-call", answer, { tool: "find_item" });
const wrong = (answer: RecordedAnswer, variant: string) =>
  exchangeOf("wrong-arguments", answer, { variant, tool: "find_item" });
const proto = (answer: RecordedAnswer) =>
  exchangeOf("prototype-name", answer, { variant: "constructor", params: { name: "constructor" } });

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "failures-differ": [
    {
      about: "one text for all",
      exchanges: [unknown(toolFailure("No browser, try 1")), valid(toolFailure("No browser, try 2"))],
      says: "A valid call of find_item gets the same answer as a call of an unknown tool",
    },
    {
      about: "wrong arguments",
      exchanges: [unknown(rpcError(-32602, "Bad request")), wrong(toolFailure("Bad request"), "type")],
      says: "gets the same answer",
    },
    {
      about: "different texts",
      exchanges: [unknown(rpcError(-32602, "No tool")), valid(toolFailure("No item"))],
      says: "pass",
    },
    {
      about: "no permission",
      exchanges: [unknown(rpcError(-32600, "no", { status: 401 })), valid(rpcError(-32600, "no", { status: 401 }))],
      says: "skipped",
    },
    {
      about: "nothing else failed",
      exchanges: [unknown(rpcError(-32602, "No tool")), valid(toolSuccess("x"))],
      says: "skipped",
    },
    { about: "nothing", exchanges: [unknown(silence())], says: "skipped" },
  ],
  "stable-identity": [
    {
      about: "another text",
      exchanges: [unknown(rpcError(-32602, "No tool")), unknown(rpcError(-32602, "Nothing here"), "second")],
      says: "The text of the answer changes when a call of an unknown tool is sent again.",
    },
    {
      about: "another code",
      exchanges: [wrong(rpcError(1, "no"), "type"), wrong(rpcError(2, "no"), "type-again")],
      says: "The code of the answer changes",
    },
    {
      about: "ids and times",
      exchanges: [
        unknown(rpcError(-32602, "No tool, incident 01M7FB0R5TQ8ZJ3V4X6Y7A8B9C at 2026-11-16T05:00:00Z")),
        unknown(rpcError(-32602, "No tool, incident 01M7FB0R5TQ8ZJ3V4X6Y7A8B9D at 2026-11-16T05:00:01Z"), "second"),
      ],
      says: "pass",
    },
    { about: "one answer", exchanges: [unknown(rpcError(-32602, "No tool"))], says: "skipped" },
  ],
  "prototype-names": [
    {
      about: "another text",
      exchanges: [
        unknown(rpcError(-32602, "Tool recourse-probe-value not found")),
        proto(rpcError(-32602, "Tool constructor disabled")),
      ],
      says: "A call of a tool named constructor is not answered like an unknown tool",
    },
    {
      about: "a result",
      exchanges: [unknown(rpcError(-32602, "No tool")), proto(toolSuccess("x"))],
      says: "is answered with a result",
    },
    {
      about: "the same but for the name",
      exchanges: [
        unknown(rpcError(-32602, "Tool recourse-probe-value not found")),
        proto(rpcError(-32602, "Tool constructor not found")),
      ],
      says: "pass",
    },
    {
      about: "a suggestion",
      exchanges: [
        unknown(rpcError(-32602, "No tool recourse-probe-value.")),
        proto(rpcError(-32602, 'No tool constructor. Did you mean "constrain"?')),
      ],
      says: "pass",
    },
    { about: "nothing", exchanges: [unknown(silence()), proto(rpcError(-32602, "no"))], says: "skipped" },
    { about: "no such call", exchanges: [unknown(rpcError(-32602, "no"))], says: "skipped" },
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("says of $about: $says", (one) => {
    expect(saysOf(id, one)).toContain(one.says);
  });
});

it.each([
  ["Failed at 2026-11-16T05:31:55.123Z.", "Failed at 2026-11-16T06:00:00Z."],
  ["Incident 01M7FB0R5TQ8ZJ3V4X6Y7A8B9C", "Incident 01M7FB0R5TQ8ZJ3V4X6Y7A8B9D"],
  ["request 7d444840-9dc0-11d1-b245-5ffdce74fad2", "request 00000000-0000-0000-0000-000000000000"],
  ["id req_a1B2c3D4", "id req_Zz9911aa"],
  ["waited 12.5 s\n for 3", "waited 7 s for 40"],
  ["sha 5f2b8c9d1e3a", "sha 0f2b8c9d1e3b"],
])("takes %j and %j for the same", (one, other) => {
  expect(normalise(one)).toBe(normalise(other));
});

it.each([
  ["Unknown tool", "Invalid arguments"],
  ["decade", "facade"],
])("keeps %j and %j apart", (one, other) => {
  expect(normalise(one)).not.toBe(normalise(other));
});
