import { setTimeout as sleep } from "node:timers/promises";
import type { Defect } from "../defect.ts";
import { errorReply, nameIn } from "./replies.ts";

/** Connections that had to carry a long body. */
const used = new WeakSet<object>();

/** Servers that do not answer, or do not stay. */
export const ROBUSTNESS = {
  "no-hang": {
    on: "both",
    era: "2026-07-28",
    waits: { requestMs: 2_000 },
    answer: ({ method }) => (method === "recourse/probe" ? { never: true } : undefined),
  },
  "no-crash": {
    on: "both",
    answer: ({ method, params }) =>
      method === "prompts/get" && params["name"] === "recourse-probe-missing" && params["arguments"] === undefined
        ? { exit: 1 }
        : undefined,
  },
  "concurrent-answers": {
    on: "both",
    era: "2026-07-28",
    waits: { concurrentMs: 3_000 },
    answer: (incoming) => (nameIn(incoming) === "recourse-probe-missing-17" ? { never: true } : undefined),
  },
  "invalid-request-answered": {
    on: "both",
    answer: (incoming) =>
      incoming.message !== undefined && incoming.message["jsonrpc"] === undefined
        ? errorReply(incoming, -32603, "The request was not understood.", { status: 400 })
        : undefined,
  },
  "parse-error-answered": {
    on: "both",
    answer: (incoming) =>
      incoming.text.includes("plain text")
        ? errorReply(incoming, -32600, "The message was not understood.", { status: 400 })
        : undefined,
  },
  "deep-json": {
    on: "both",
    answer: (incoming) => {
      if (!incoming.text.includes("[[[[[[[[")) return undefined;
      return incoming.transport === "stdio"
        ? { never: true }
        : errorReply(incoming, -32603, "The request was not understood.", { status: 500 });
    },
  },
  "http-after-refusal": {
    on: "http",
    era: "2026-07-28",
    async answer({ bytes, http }) {
      if (http === undefined) return undefined;
      // A body that was not read to its end stands before the next request.
      if (used.has(http.socket)) await sleep(3_000);
      if (bytes.length > 5_000_000) used.add(http.socket);
      return undefined;
    },
  },
} as const satisfies Record<string, Defect>;
