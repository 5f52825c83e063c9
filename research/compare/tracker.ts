// What an error tracker learns about the ten failures, read from its source. It was not run.
import type { FailureName } from "./failures.ts";
import type { Reading, Repository } from "./sources.ts";

/** The error tracker: the MCP integration of Sentry's JavaScript SDK. */
export const TRACKER = {
  title: "Sentry",
  name: "getsentry/sentry-javascript",
  commit: "f7a6cc0c221c324026287a7218ed07e929eb69d4",
  date: "2026-07-01",
} as const satisfies Repository;

const MCP_SERVER = "packages/core/src/integrations/mcp-server";
const CODES = `${MCP_SERVER}/transport.ts:176`;
const HANDLERS = `${MCP_SERVER}/handlers.ts:71`;
const EDGE: Reading = {
  verdict: "no",
  text: "Nothing on the server: the call never reaches a handler. What your client reports is up to you.",
  at: [HANDLERS],
};
const RESULT: Reading = {
  verdict: "no",
  text: "Nothing: the handler does not throw, and the answer is not a JSON-RPC error.",
  at: [HANDLERS, CODES],
};

/** Whether the tracker learns about each failure, and what. */
export const TRACKED: Readonly<Record<FailureName, Reading>> = {
  "driver-error": {
    verdict: "yes",
    text: "The error, with text and stack. It is then rethrown, so the model still reads its text.",
    at: [`${MCP_SERVER}/handlers.ts:76`, `${MCP_SERVER}/errorCapture.ts:37`],
  },
  "unknown-tool": {
    verdict: "no",
    text: "Nothing: -32602 is not one of the reported codes.",
    at: [CODES],
  },
  "wrong-arguments": RESULT,
  "rate-limited": EDGE,
  "no-answer": { verdict: "no", text: "Nothing: the handler neither returns nor throws.", at: [HANDLERS] },
  "process-dies": { verdict: "not known", text: "The code for process exits was not read.", at: [] },
  "expired-token": EDGE,
  "tool-sentence": RESULT,
  "failing-server": EDGE,
  "same-payment": { verdict: "no", text: "Nothing: both calls succeed at the server.", at: [HANDLERS] },
};
