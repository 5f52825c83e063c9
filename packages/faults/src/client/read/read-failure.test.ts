import { expect, it } from "vitest";
import { mcp } from "../../dialects/mcp/dialect.ts";
import { qaqnuz } from "../../dialects/qaqnuz/dialect.ts";
import { conflict } from "../../reasons/library/core.ts";
import type { Ending } from "../send.ts";
import type { ExchangeRecord } from "../transport/types.ts";
import type { ReadContext } from "./context.ts";
import { readFailure } from "./read-failure.ts";

const CONTEXT: ReadContext = { session: false, limitMs: 30_000.4 };
const at = (phase: ExchangeRecord["phase"], exchanges = 1): ExchangeRecord => ({ phase, exchanges, startedMs: 0 });
const read = (ending: Ending, more: Partial<ReadContext> = {}) => readFailure(ending, { ...CONTEXT, ...more });
const said = (text: string) =>
  ({ how: "answered", result: { isError: true, content: [{ type: "text", text }] } }) as const;

it("a cancellation is the caller's, and nothing came of what never left", () => {
  expect(read({ how: "aborted" })).toMatchObject({
    reason: "core/cancelled",
    effect: "possible",
    origin: { layer: "client" },
  });
  expect(read({ how: "aborted" }, { record: at("connect") })).toMatchObject({ effect: "none" });
  // An earlier exchange of the same attempt may have been received.
  expect(read({ how: "aborted" }, { record: at("connect", 2) })).toMatchObject({ effect: "possible" });
});

it("a timeout tells how long was waited, and whether anything was sent", () => {
  expect(read({ how: "late" })).toMatchObject({
    reason: "core/timeout",
    params: { timeoutMs: 30_000 },
    effect: "possible",
    origin: { layer: "client" },
  });
  expect(read({ how: "late" }, { record: at("sent") })).toMatchObject({ reason: "core/timeout", effect: "possible" });
  expect(read({ how: "late" }, { record: at("connect") })).toMatchObject({
    reason: "transport/unreachable",
    effect: "none",
  });
});

it("a lost answer may have had an effect, whatever was record", () => {
  expect(read({ how: "lost", record: at("headers") })).toMatchObject({
    reason: "transport/connection_lost",
    effect: "possible",
    origin: { layer: "transport" },
  });
});

it("a fault that the server states is taken whole, whatever dialect it is known for", () => {
  const { result } = { result: mcp.encode(conflict.fault({}, { effect: "applied" }), { method: "tools/call" }) };
  const answer = (result as { result?: unknown }).result ?? result;
  expect(read({ how: "answered", result: answer }, { dialect: qaqnuz })).toMatchObject({
    reason: "core/conflict",
    effect: "applied",
    basis: "stated",
  });
});

it("the dialect that a server is known for counts before what could be guessed", () => {
  expect(read(said("rate limit"))).toMatchObject({ reason: "core/rate_limited", basis: "guessed" });
  expect(read(said("rate limit"), { dialect: qaqnuz })).toMatchObject({ reason: "core/rate_limited", basis: "mapped" });
});

it("a success is no fault", () => {
  expect(read({ how: "answered", result: { content: [], error: "only a word" } })).toBeUndefined();
});

it("what fetch rejected with is a failed connection, even where the runtime says no more", () => {
  const error = new Error("internal error; reference = ld5ccr3kgp8ilp1rlsp67uvm");
  expect(read({ how: "threw", error }, { record: { ...at("sent"), error } })).toMatchObject({
    reason: "transport/failed",
    effect: "possible",
    origin: { layer: "transport" },
  });
  expect(read({ how: "threw", error }, { record: at("sent") })).toMatchObject({ reason: "core/unrecognised" });
});

it("an answer that broke off is a lost connection, and one that says nothing is no answer of the protocol", () => {
  const begun = { ...at("body"), status: 200 };
  for (const error of [new Error("Network connection lost."), new Error("of a runtime that nobody knows")]) {
    const fault = read({ how: "threw", error }, { record: { ...begun, error } });
    expect(fault).toMatchObject({ reason: "transport/connection_lost", effect: "possible" });
  }
  const error = new Error("Network connection lost.");
  expect(read({ how: "threw", error }, { record: begun })).toMatchObject({ reason: "protocol/invalid_result" });
});
