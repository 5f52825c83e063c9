import { describe, expect, it } from "vitest";
import {
  type CheckCase,
  exchangeOf,
  OVER_HTTP,
  rpcError,
  rpcResult,
  saysOf,
  silence,
} from "../../test/support/make-recording.ts";
import type { RecordedAnswer } from "../recording/recording.ts";

const NEW = { revision: "2026-07-28" } as const;
const NOTHING = { capabilities: {} };
const read = (answer: RecordedAnswer, variant = "own-scheme") =>
  exchangeOf("unknown-resource", answer, { variant, method: "resources/read" });
const document = (text: string): RecordedAnswer => rpcResult({ contents: [{ uri: "shop://x", text }] });
const prompt = (answer: RecordedAnswer) => exchangeOf("unknown-prompt", answer, { method: "prompts/get" });
const withoutArgument = (answer: RecordedAnswer) =>
  exchangeOf("prompt-argument", answer, { method: "prompts/get", params: { name: "describe" } });
const completion = (answer: RecordedAnswer) =>
  exchangeOf("unknown-completion", answer, { method: "completion/complete" });
const PROMPTS = { prompts: [{ name: "describe", arguments: [{ name: "item", required: true }, { name: "tone" }] }] };

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "resource-not-found-code": [
    { about: "-32002 in the older era", exchanges: [read(rpcError(-32002, "no"))], says: "pass" },
    { about: "-32602", exchanges: [read(rpcError(-32602, "no"))], view: NEW, says: "pass" },
    {
      about: "-32002 in the newer era",
      exchanges: [read(rpcError(-32002, "no"))],
      view: NEW,
      says: "fails with -32002 instead of -32602.",
    },
    { about: "another code", exchanges: [read(rpcError(-32603, "no"))], says: "-32603 instead of -32602 or -32002" },
    { about: "a code that is none", exchanges: [read(rpcError("E1", "no"))], says: "a code that is no number" },
    { about: "no capability", exchanges: [read(rpcError(-32601, "no"))], view: NOTHING, says: "skipped" },
    { about: "accepted", exchanges: [read(document("x"))], says: "skipped" },
    {
      about: "refused credentials",
      exchanges: [read(rpcError(1, "no", { status: 403 }))],
      view: { target: OVER_HTTP },
      says: "skipped",
    },
  ],
  "resource-failure-channel": [
    { about: "an error", exchanges: [read(rpcError(-32602, "no"))], says: "pass" },
    { about: "a document", exchanges: [read(document("Lamps are made of glass."))], says: "pass" },
    { about: "isError", exchanges: [read(rpcResult({ isError: true, contents: [] }))], says: "a result with isError" },
    { about: "empty", exchanges: [read(rpcResult({ contents: [] }))], says: "an empty result" },
    { about: "empty for a template", exchanges: [read(rpcResult({ contents: [] }), "template")], says: "pass" },
    {
      about: "the text of an error",
      exchanges: [read(document("Error: no such item"))],
      says: 'is an error: "Error: no such item"',
    },
    { about: "JSON of an error", exchanges: [read(document('{"success":false}'))], says: "is an error" },
    { about: "a document about errors", exchanges: [read(document("Our error codes are listed here."))], says: "pass" },
    { about: "no capability", exchanges: [read(rpcResult({ contents: [] }))], view: NOTHING, says: "skipped" },
  ],
  "prompt-not-found-code": [
    { about: "-32602", exchanges: [prompt(rpcError(-32602, "no"))], says: "pass" },
    { about: "another code", exchanges: [prompt(rpcError(-32603, "no"))], says: "-32603 instead of -32602" },
    { about: "a result", exchanges: [prompt(rpcResult({ messages: [] }))], says: "gets a result" },
    { about: "silence is another finding", exchanges: [prompt(silence())], says: "skipped" },
    { about: "no capability", exchanges: [prompt(rpcError(-32601, "no"))], view: NOTHING, says: "skipped" },
  ],
  "prompt-argument-code": [
    {
      about: "named",
      exchanges: [withoutArgument(rpcError(-32602, "The argument item is missing."))],
      view: PROMPTS,
      says: "pass",
    },
    {
      about: "not named",
      exchanges: [withoutArgument(rpcError(-32602, "Bad."))],
      view: PROMPTS,
      says: 'does not name its missing argument: "Bad."',
    },
    {
      about: "another code",
      exchanges: [withoutArgument(rpcError(127, "item"))],
      view: PROMPTS,
      says: "127 instead of -32602",
    },
    {
      about: "rendered",
      exchanges: [withoutArgument(rpcResult({ messages: [] }))],
      view: PROMPTS,
      says: "gets a result",
    },
    { about: "not allowed", exchanges: [], says: "skipped" },
  ],
  "completion-ref-code": [
    { about: "-32602", exchanges: [completion(rpcError(-32602, "no"))], says: "pass" },
    { about: "another code", exchanges: [completion(rpcError(-32603, "no"))], says: "-32603 instead of -32602" },
    { about: "no values", exchanges: [completion(rpcResult({ completion: { values: [] } }))], says: "pass" },
    { about: "no capability", exchanges: [completion(rpcError(-32601, "no"))], view: NOTHING, says: "skipped" },
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("$about: $says", (one) => {
    expect(saysOf(id, one)).toContain(one.says);
  });
});
