import { spawn } from "node:child_process";
import { arrayAt, objectAt, stringAt } from "@recourse/core/wire";
import type { Defect, Incoming } from "../defect.ts";
import { asError, callsUnknown, errorReply, findsNothing, nameIn, resultOf, resultReply, searches } from "./replies.ts";

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
      incoming.http?.request.headers.get("mcp-session-id") === "recourse-probe-session"
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

/** Servers whose answers do not have the form of the protocol, or come too often. */
export const ANSWERS = {
  "answer-form": {
    on: "both",
    also: { "tool-failure-channel": "The failure of a tool is an error, too." },
    change: (message, incoming) => (findsNothing(incoming) ? { ...message, error: { code: 0, message: "" } } : message),
  },
  "result-form": {
    on: "both",
    change: resultOf(
      (incoming) => searches(incoming),
      (result) => (result["isError"] === true ? result : { ...result, content: "red lamp" }),
    ),
  },
  "answered-once": {
    on: "stdio",
    change: (message, incoming) => {
      if (findsNothing(incoming)) incoming?.program?.stdout.write(`${JSON.stringify(message)}\n`);
      return message;
    },
  },
  "unknown-tool-refused": {
    on: "both",
    answer: (incoming) =>
      callsUnknown(incoming)
        ? resultReply(incoming, { content: [{ type: "text", text: "Done." }], resultType: "complete" })
        : undefined,
  },
  "ping-answered": {
    on: "both",
    era: "2025-11-25",
    answer: (incoming) =>
      incoming.method === "ping" ? errorReply(incoming, -32601, "This method is not known.") : undefined,
  },
  "lists-complete": {
    on: "both",
    change: resultOf(
      (incoming) => incoming?.method === "tools/list",
      (result) => ({ ...result, nextCursor: "next" }),
    ),
  },
  "tool-names": {
    on: "both",
    change: resultOf(
      (incoming) => incoming?.method === "tools/list",
      (result) => ({
        ...result,
        tools: arrayAt(result, "tools").flatMap((tool) =>
          stringAt(tool, "name") === "remove_item" ? [tool, tool] : [tool],
        ),
      }),
    ),
  },
} as const satisfies Record<string, Defect>;

function isEmptyPost({ bytes, http }: Incoming): boolean {
  return http?.request.method === "POST" && bytes.length === 0;
}

/** Servers that send failures where nobody looks. */
export const CHANNEL = {
  "unknown-tool-channel": {
    on: "both",
    change: (message, incoming) => {
      const error = objectAt(message, "error");
      if (error?.["code"] !== -32602 || !callsUnknown(incoming)) return message;
      const { error: _, ...rest } = message;
      const content = [{ type: "text", text: error["message"] }];
      return { ...rest, result: { content, isError: true, _meta: error["data"] ?? {}, resultType: "complete" } };
    },
  },
  "args-channel": { on: "both", change: asError(searches, -32602) },
  "tool-failure-channel": { on: "both", change: asError(findsNothing, -32603) },
  "error-has-text": { on: "both", change: resultOf(findsNothing, (result) => ({ ...result, content: [] })) },
  "error-structured-valid": {
    on: "both",
    change: resultOf(findsNothing, (result) => ({ ...result, structuredContent: { code: "missing" } })),
  },
  "http-error-json": {
    on: "http",
    answer: (incoming) =>
      isEmptyPost(incoming)
        ? { text: "The body is empty.", status: 400, headers: { "content-type": "text/plain" } }
        : undefined,
  },
  "http-no-5xx": {
    on: "http",
    answer: (incoming) =>
      isEmptyPost(incoming) ? errorReply(incoming, -32600, "The body is empty.", { status: 500 }) : undefined,
  },
  "http-status": {
    on: "http",
    answer: (incoming) =>
      incoming.http?.request.method === "PUT"
        ? errorReply(incoming, -32600, "This is not served here.", { status: 404 })
        : undefined,
  },
} as const satisfies Record<string, Defect>;

/** Connections that had to carry a long body. */
const used = new WeakSet<object>();

/** Servers that do not answer, or do not stay. */
export const ROBUSTNESS = {
  "no-hang": {
    on: "both",
    answer: ({ method }) => (method === "recourse/probe" ? { never: true } : undefined),
  },
  "no-crash": {
    on: "both",
    answer: ({ method, params }) =>
      method === "prompts/get" && params["name"] === "recourse-probe-value" && params["arguments"] === undefined
        ? { exit: 1 }
        : undefined,
  },
  "concurrent-answers": {
    on: "both",
    answer: (incoming) => (nameIn(incoming) === "recourse-probe-value-17" ? { never: true } : undefined),
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
    answer({ bytes, http }) {
      if (http === undefined) return undefined;
      // A body that was not read to its end stands before the next request.
      if (used.has(http.socket)) return { afterMs: 3_000 };
      if (bytes.length > 5_000_000) used.add(http.socket);
      return undefined;
    },
  },
} as const satisfies Record<string, Defect>;

/** Servers that break the pipe. */
export const STDIO = {
  "stdout-clean": { on: "stdio", starts: ({ stdout }) => void stdout.write("shop 1.0.0 is ready\n") },
  "line-limit": {
    on: "stdio",
    answer: ({ bytes }) => (bytes.length > 10_000_000 ? { exit: 0 } : undefined),
  },
  "children-end": {
    on: "stdio",
    ownProcess: true,
    starts: () => spawn("sleep", ["600"], { stdio: "ignore" }).unref(),
  },
  "exit-on-close": {
    on: "stdio",
    ownProcess: true,
    waits: { exitMs: 1_000 },
    starts: () => void setInterval(() => {}, 60_000),
  },
} as const satisfies Record<string, Defect>;

/** The answer with other headers. */
function withHeaders(response: Response, change: (headers: Headers) => void, status = response.status): Response {
  const headers = new Headers(response.headers);
  change(headers);
  return new Response(response.body, { status, headers });
}

const bearer = ({ http }: Incoming): string => http?.request.headers.get("authorization") ?? "";

/** Servers that ask the wrong way who calls. */
export const AUTH = {
  "auth-challenge": {
    on: "http",
    auth: true,
    also: { "auth-metadata": "The metadata is named in the challenge." },
    respond: (response) => withHeaders(response, (headers) => headers.delete("www-authenticate")),
  },
  "auth-invalid-401": {
    on: "http",
    auth: true,
    respond: (response, incoming) =>
      response.status === 401 && bearer(incoming) !== "" ? withHeaders(response, () => {}, 403) : response,
  },
  "auth-opaque": {
    on: "http",
    auth: true,
    async respond(response, incoming) {
      if (response.status !== 401 || bearer(incoming) === "") return response;
      const reply = errorReply(incoming, -32600, "The signature of the token does not match.");
      const [message] = "messages" in reply ? reply.messages : [];
      return Response.json(message, { status: 401, headers: { "www-authenticate": challengeOf(response) } });
    },
  },
  "auth-metadata": {
    on: "http",
    auth: true,
    respond: (response) =>
      response.headers.has("www-authenticate")
        ? withHeaders(response, (headers) => headers.set("www-authenticate", "Bearer"))
        : response,
  },
  "http-origin": {
    on: "http",
    answer({ http }) {
      http?.request.headers.delete("origin");
      return undefined;
    },
  },
  "http-host": {
    on: "http",
    answer({ http }) {
      http?.request.headers.set("host", "127.0.0.1");
      return undefined;
    },
  },
} as const satisfies Record<string, Defect>;

const challengeOf = (response: Response): string => response.headers.get("www-authenticate") ?? "";
