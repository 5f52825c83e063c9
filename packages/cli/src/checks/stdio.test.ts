import { describe, expect, it } from "vitest";
import { type CheckCase, exchangeOf, rpcError, rpcResult, saysOf, silence } from "../../test/support/make-recording.ts";
import type { RecordedAnswer } from "../recording/recording.ts";

const CLOSED: RecordedAnswer = { kind: "closed", ms: 5, exitCode: 0, signal: null };
const first = exchangeOf("handshake", rpcResult({}));
const long = (answer: RecordedAnswer) => exchangeOf("long-message", answer, { text: "x" });

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "stdout-clean": [
    { about: "clean", exchanges: [first], says: "pass" },
    { about: "blank lines", exchanges: [first], view: { strayLines: ["", "  "] }, says: "pass" },
    {
      about: "a banner",
      exchanges: [first],
      view: { strayLines: ["ready"] },
      says: '1 line on stdout is no message: "ready"',
    },
    {
      about: "logs",
      exchanges: [first],
      view: { strayLines: ["a", "b"] },
      says: '2 lines on stdout are no message: "a"',
    },
    { about: "nothing sent", exchanges: [], says: "skipped" },
  ],
  "children-end": [
    { about: "nothing left", exchanges: [exchangeOf("close-stdin", CLOSED)], says: "pass" },
    {
      about: "a daemon",
      exchanges: [exchangeOf("close-stdin", CLOSED)],
      view: { leftBehind: [{ name: "node worker.js", pid: 7, ended: false }] },
      says: "The server leaves node worker.js (process 7) behind. It left the process group and still runs.",
    },
    {
      about: "children that the probe ended",
      exchanges: [exchangeOf("close-stdin", CLOSED)],
      view: {
        leftBehind: [
          { name: "a\u001b[31m", pid: 7, ended: true },
          { name: "b", pid: 8, ended: true },
        ],
      },
      says: "leaves a\\u{1b}[31m (process 7) and 1 more behind. The probe ended it.",
    },
    { about: "a server that runs on", exchanges: [exchangeOf("close-stdin", silence())], says: "skipped" },
  ],
  "line-limit": [
    {
      about: "a program that ends at other times too",
      exchanges: [long(CLOSED), exchangeOf("valid-call", CLOSED, { tool: "a" })],
      says: "pass",
    },
    {
      about: "a program that ends by a timer of its own",
      exchanges: [long(CLOSED), { ...exchangeOf("list", rpcResult({})), ended: { exitCode: 0, signal: null } }],
      says: "pass",
    },
    { about: "refused", exchanges: [long(rpcError(-32600, "no"))], says: "pass" },
    { about: "refused without an id", exchanges: [long(silence([{ error: {} }]))], says: "pass" },
    { about: "accepted", exchanges: [long(rpcResult({}))], says: "pass" },
    { about: "the process ends", exchanges: [long(CLOSED)], says: "ends the program" },
    { about: "silence", exchanges: [long(silence())], says: "gets no answer" },
    {
      about: "silence, and an answer to what follows",
      exchanges: [long(silence()), exchangeOf("long-message", rpcResult({}), { variant: "next" })],
      says: "pass",
    },
    {
      about: "nothing can be said",
      exchanges: [long({ kind: "inconclusive", ms: 1, because: "EPIPE" })],
      says: "skipped",
    },
  ],
  "exit-on-close": [
    { about: "ends", exchanges: [exchangeOf("close-stdin", CLOSED)], says: "pass" },
    { about: "runs on", exchanges: [exchangeOf("close-stdin", { ...silence(), ms: 5_000 })], says: "still runs 5 s" },
    { about: "not closed", exchanges: [], says: "skipped" },
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("$about: $says", (one) => {
    expect(saysOf(id, one)).toContain(one.says);
  });
});
