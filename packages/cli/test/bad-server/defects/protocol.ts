import type { Defect } from "../defect.ts";
import { errorReply } from "./replies.ts";

/** Servers that break the rules of the conversation. */
export const PROTOCOL = {
  // As code with `request.id || null` does it.
  "id-kept": { on: "both", change: (message) => (message["id"] === 0 ? { ...message, id: null } : message) },
  "version-negotiated": {
    on: "both",
    answer: (incoming) =>
      incoming.text.includes("1900-01-01")
        ? errorReply(incoming, -32602, "This version is not served.", { status: 400 })
        : undefined,
  },
  "version-detail": {
    on: "http",
    era: "2025-11-25",
    answer: (incoming) =>
      incoming.http?.request.headers.get("mcp-protocol-version") === "1900-01-01" && incoming.revision === "2025-11-25"
        ? errorReply(incoming, -32600, "The request is malformed.", { status: 400 })
        : undefined,
  },
  "session-404": {
    on: "http",
    answer: (incoming) =>
      incoming.http?.request.headers.get("mcp-session-id") === "recourse-probe-missing"
        ? errorReply(incoming, -32600, "This session is not known.", { status: 400 })
        : undefined,
    respond(response, { method }) {
      if (method === "initialize") response.headers.set("mcp-session-id", "session-of-ada");
      return response;
    },
  },
  "capabilities-honest": {
    on: "both",
    answer: (incoming) =>
      incoming.method === "prompts/list" ? errorReply(incoming, -32601, "Prompts cannot be listed.") : undefined,
  },
  "notification-silent": {
    on: "both",
    answer: (incoming) =>
      incoming.method === "notifications/recourse-probe"
        ? { messages: [{ jsonrpc: "2.0", id: null, error: { code: -32601, message: "This is not known." } }] }
        : undefined,
  },
} as const satisfies Record<string, Defect>;
