import { spawn } from "node:child_process";
import { arrayAt, isObject, type JsonObject, sleep } from "@recourse/core/wire";
import type { ProgramHost } from "../../support/inner-program.ts";
import type { Change, Incoming, Seed } from "../defect.ts";
import {
  argumentsIn,
  errorReply,
  findsNothing,
  nameIn,
  resultOf,
  resultReply,
  searches,
  withResult,
} from "./replies.ts";

const isCall = (incoming: Incoming | undefined): boolean => incoming?.method === "tools/call";
const opens = (incoming: Incoming | undefined): boolean => incoming?.method === "initialize";
/** A plain call of a tool that does not exist: short, and without arguments. */
const callsPlainly = (incoming: Incoming | undefined): boolean =>
  /^recourse-probe-[a-z]+$/.test(nameIn(incoming)) &&
  isObject(incoming?.params["arguments"]) &&
  Object.keys(argumentsIn(incoming)).length === 0 &&
  isCall(incoming);
const asksUnknown = ({ method }: Incoming): boolean => method === "recourse/probe";

/** Another form of the whole message. */
function reshaped(
  isMeant: (incoming: Incoming | undefined) => boolean,
  change: (message: JsonObject) => JsonObject,
): Change {
  return (message, incoming) => (isMeant(incoming) ? change(message) : message);
}

/** Servers whose messages do not have the form of JSON-RPC. */
const FORM_SEEDS = {
  "id-kept/text": {
    finds: "id-kept",
    on: "both",
    change: reshaped(findsNothing, (message) => ({ ...message, id: String(message["id"]) })),
  },
  "id-kept/none": {
    finds: "id-kept",
    on: "both",
    change: reshaped(findsNothing, ({ id, ...message }) => message),
  },
  "answer-form/neither": {
    finds: "answer-form",
    on: "http",
    answer: (incoming) =>
      searches(incoming) && isValidSearch(incoming) ? json({ jsonrpc: "2.0", id: incoming.id }) : undefined,
  },
  "answer-form/old-version": {
    finds: "answer-form",
    on: "http",
    change: reshaped(findsNothing, (message) => ({ ...message, jsonrpc: "1.0" })),
  },
  "answer-form/page": {
    finds: "answer-form",
    on: "http",
    answer: (incoming) => (findsNothing(incoming) ? page(200) : undefined),
  },
  "answer-form/empty": {
    finds: "answer-form",
    on: "http",
    answer: (incoming) => (findsNothing(incoming) ? { text: "", status: 200 } : undefined),
  },
  "answer-form/list": {
    finds: "answer-form",
    on: "http",
    answer: (incoming) =>
      findsNothing(incoming)
        ? json([{ jsonrpc: "2.0", id: incoming.id, result: failedResult("There is no such item.") }])
        : undefined,
  },
  "answer-form/error-text": {
    finds: "answer-form",
    on: "both",
    change: reshaped(callsPlainly, ({ error, ...message }) => ({ ...message, error: "There is no such tool." })),
  },
  "answer-form/error-without-message": {
    finds: "answer-form",
    on: "both",
    also: {
      "message-says-something": "There is no text.",
      "prototype-names": "Other unknown tools get a text.",
    },
    change: reshaped(callsPlainly, (message) => ({ ...message, error: { code: -32602 } })),
  },
  "answer-form/result-text": {
    finds: "answer-form",
    on: "both",
    change: reshaped(
      (incoming) => searches(incoming) && isValidSearch(incoming),
      ({ result, ...message }) => ({ ...message, result: "red lamp" }),
    ),
  },
  "http-no-5xx/unknown-method": {
    finds: "http-no-5xx",
    on: "http",
    shows: ["unknown-method"],
    answer: (incoming) =>
      asksUnknown(incoming) ? errorReply(incoming, -32601, "This method is not known.", { status: 500 }) : undefined,
    era: "2025-11-25",
  },
  "http-no-5xx/unknown-tool": {
    finds: "http-no-5xx",
    on: "http",
    also: { "prototype-names": "Other unknown tools get another text." },
    answer: (incoming) =>
      callsPlainly(incoming) ? errorReply(incoming, -32602, "There is no such tool.", { status: 500 }) : undefined,
  },
  "http-no-5xx/delete": {
    finds: "http-no-5xx",
    on: "http",
    answer: (incoming) =>
      incoming.http?.request.method === "DELETE"
        ? errorReply(incoming, -32600, "This session is not known.", { status: 500 })
        : undefined,
  },
  "http-no-5xx/get": {
    finds: "http-no-5xx",
    on: "http",
    answer: (incoming) =>
      incoming.http?.request.method === "GET"
        ? errorReply(incoming, -32600, "Nothing is streamed here.", { status: 500 })
        : undefined,
  },
  "http-error-json/page": {
    finds: "http-error-json",
    on: "http",
    shows: ["malformed-message"],
    also: { "parse-error-answered": "The page is not the error -32700." },
    answer: (incoming) => (incoming.text.includes("plain text") ? page(400) : undefined),
  },
  "http-status/put-served": {
    finds: "http-status",
    on: "http",
    answer: (incoming) => (incoming.http?.request.method === "PUT" ? resultReply(incoming, { tools: [] }) : undefined),
  },
  "http-status/text-served": {
    finds: "http-status",
    on: "http",
    answer: ({ http, id }) =>
      http?.request.headers.get("content-type") === "text/plain" ? resultReply({ id }, { tools: [] }) : undefined,
  },
  "body-limit/page": {
    finds: "body-limit",
    on: "http",
    answer: ({ bytes }) => (bytes.length > 5_000_000 ? page(413) : undefined),
  },
  "parse-error-answered/code": {
    finds: "parse-error-answered",
    on: "both",
    answer: (incoming) =>
      incoming.message === undefined && incoming.text.startsWith('{"token"')
        ? errorReply(incoming, -32000, "The message was not understood.", { status: 400 })
        : undefined,
    era: "2025-11-25",
  },
  "invalid-request-answered/served": {
    finds: "invalid-request-answered",
    on: "both",
    answer: (incoming) =>
      incoming.message !== undefined && incoming.message["jsonrpc"] === undefined
        ? resultReply(incoming, { tools: [], resultType: "complete" })
        : undefined,
  },
  "notification-silent/result": {
    finds: "notification-silent",
    on: "both",
    answer: (incoming) => (incoming.method === "notifications/cancelled" ? resultReply({ id: null }, {}) : undefined),
  },
} as const satisfies Record<string, Seed>;

function isValidSearch(incoming: Incoming | undefined): boolean {
  const { colour, limit } = argumentsIn(incoming);
  return (
    colour === "red" && typeof limit === "number" && limit <= 50 && Object.keys(argumentsIn(incoming)).length === 2
  );
}

const page = (status: number) =>
  ({
    text: "<!doctype html><title>Shop</title><p>Welcome.",
    status,
    headers: { "content-type": "text/html" },
  }) as const;
const json = (value: unknown) =>
  ({ text: JSON.stringify(value), headers: { "content-type": "application/json" } }) as const;
const failedResult = (text: string): JsonObject => ({
  content: [{ type: "text", text }],
  isError: true,
  _meta: { "shop/reason": { code: "no_such_item" } },
  resultType: "complete",
});

/** The version that the server says, whatever the client asked for. */
const agreesOn = (version: string): Change => resultOf(opens, (result) => ({ ...result, protocolVersion: version }));

/** Servers that break the rules of the conversation. */
const PROTOCOL_SEEDS = {
  "version-negotiated/echo": {
    finds: "version-negotiated",
    on: "both",
    era: "2025-11-25",
    change: resultOf(opens, (result, incoming) => ({
      ...result,
      protocolVersion: incoming?.params["protocolVersion"],
    })),
  },
  "version-negotiated/future": {
    finds: "version-negotiated",
    on: "both",
    era: "2025-11-25",
    change: agreesOn("2099-01-01"),
    answer({ http }) {
      http?.request.headers.delete("mcp-protocol-version");
      return undefined;
    },
  },
  "version-negotiated/no-supported": {
    finds: "version-negotiated",
    on: "http",
    era: "2026-07-28",
    answer: (incoming) =>
      incoming.text.includes("1900-01-01")
        ? errorReply(incoming, -32022, "This version is not served.", { status: 400 })
        : undefined,
  },
  "session-404/served": {
    finds: "session-404",
    on: "http",
    era: "2025-11-25",
    answer: (incoming) =>
      incoming.http?.request.headers.get("mcp-session-id")?.startsWith("recourse-probe") === true &&
      incoming.http.request.method === "POST"
        ? errorReply(incoming, -32602, "This session has ended.", { status: 200 })
        : undefined,
    respond(response, { method }) {
      if (method === "initialize") response.headers.set("mcp-session-id", "session-of-ada");
      return response;
    },
  },
  "ping-answered/silent": {
    finds: "no-hang",
    on: "http",
    shows: ["ping"],
    era: "2025-11-25",
    answer: ({ method }) => (method === "ping" ? { never: true } : undefined),
  },
  "answered-once/late": {
    finds: "answered-once",
    on: "stdio",
    shows: ["close-stdin"],
    change: (message, incoming) => {
      if (findsNothing(incoming))
        // The defect is that it comes late.
        void sleep(60).then(() => incoming?.program?.stdout.write(`${JSON.stringify(message)}\n`));
      return message;
    },
  },
  "answered-once/list": {
    finds: "answered-once",
    on: "stdio",
    change: (message, incoming) => {
      if (incoming?.method === "tools/list") incoming.program?.stdout.write(`${JSON.stringify(message)}\n`);
      return message;
    },
  },
  "answered-once/stream": {
    finds: "answered-once",
    on: "http",
    answer: (incoming) => {
      if (!findsNothing(incoming)) return undefined;
      const event = `data: ${JSON.stringify({ jsonrpc: "2.0", id: incoming.id, result: failedResult("There is no such item.") })}\n\n`;
      return { text: event + event, headers: { "content-type": "text/event-stream" } };
    },
  },
} as const satisfies Record<string, Seed>;

/** The list with one tool only. */
const oneTool: Change = (message, incoming) =>
  incoming?.method === "tools/list"
    ? withResult(message, (result) => ({
        ...result,
        tools: arrayAt(result, "tools").filter((tool) => isObject(tool) && tool["name"] === "find_item"),
      }))
    : message;

/** How many calls each program got. */
const calls = new WeakMap<ProgramHost, number>();

/** Servers that do not answer, or do not stay. */
const ROBUSTNESS_SEEDS = {
  "no-hang/only-tool": {
    finds: "no-hang",
    on: "both",
    change: oneTool,
    answer: (incoming) => (findsNothing(incoming) ? { never: true } : undefined),
  },
  "no-hang/one-of-three": {
    finds: "no-hang",
    on: "both",
    answer: (incoming) => (findsNothing(incoming) ? { never: true } : undefined),
  },
  "no-hang/list": {
    finds: "no-hang",
    on: "both",
    era: "2025-11-25",
    answer: ({ method }) => (method === "prompts/list" ? { never: true } : undefined),
  },
  "no-hang/stream-ends": {
    finds: "no-hang",
    on: "http",
    answer: (incoming) =>
      findsNothing(incoming) ? { text: ": nothing\n\n", headers: { "content-type": "text/event-stream" } } : undefined,
  },
  "no-crash/second-call": {
    finds: "no-crash",
    on: "stdio",
    answer: (incoming) => {
      const { program } = incoming;
      if (program === undefined || !isCall(incoming)) return undefined;
      const count = (calls.get(program) ?? 0) + 1;
      calls.set(program, count);
      return count === 2 ? { exit: 1 } : undefined;
    },
  },
  "no-crash/after-each-call": {
    finds: "no-crash",
    on: "stdio",
    shows: ["concurrent"],
    also: { "concurrent-answers": "The program may end while they are waited for." },
    change: (message, incoming) => {
      if (findsNothing(incoming)) setImmediate(() => incoming?.program?.exit(0));
      return message;
    },
  },
  "no-crash/after-each-start": {
    finds: "no-crash",
    on: "stdio",
    shows: ["notification"],
    also: { "concurrent-answers": "The program may end while they are waited for." },
    // Before it is certain that a notification gets no answer.
    starts: (program) => void sleep(200).then(() => program.exit(0)),
  },
  "no-crash/broken-json": {
    finds: "no-crash",
    on: "stdio",
    shows: ["malformed-message"],
    answer: ({ message, bytes }) => (message === undefined && bytes.length < 1_000 ? { exit: 1 } : undefined),
  },
  "no-crash/deep-json": {
    finds: "no-crash",
    on: "both",
    shows: ["deep-json"],
    answer: ({ text }) => (text.includes("[[[[[[[[") ? { exit: 134 } : undefined),
  },
  "no-crash/wrong-type": {
    finds: "no-crash",
    on: "both",
    shows: ["wrong-arguments"],
    answer: (incoming) =>
      nameIn(incoming) === "find_item" && Array.isArray(argumentsIn(incoming)["item"]) ? { exit: 1 } : undefined,
  },
  "concurrent-answers/half": {
    finds: "concurrent-answers",
    on: "both",
    answer: (incoming) => (/^recourse-probe-[a-z]+-[1-9]$/.test(nameIn(incoming)) ? { never: true } : undefined),
  },
  "stdout-clean/log-lines": {
    finds: "stdout-clean",
    on: "stdio",
    starts: ({ stdout }) => void stdout.write(`${JSON.stringify({ level: "info", message: "shop is ready" })}\n`),
  },
  "stdout-clean/between": {
    finds: "stdout-clean",
    on: "stdio",
    change: (message, incoming) => {
      if (findsNothing(incoming)) incoming?.program?.stdout.write("looking for an item\n");
      return message;
    },
  },
  "line-limit/deaf": {
    finds: "line-limit",
    on: "stdio",
    answer: ({ bytes, program }) => {
      if (program !== undefined && bytes.length > 10_000_000) deaf.add(program);
      return program !== undefined && deaf.has(program) ? { never: true } : undefined;
    },
  },
  "children-end/detached": {
    finds: "children-end",
    on: "stdio",
    ownProcess: true,
    starts: () => spawn("sleep", ["600"], { stdio: "ignore", detached: true }).unref(),
  },
} as const satisfies Record<string, Seed>;

/** Programs that got a long line. */
const deaf = new WeakSet<ProgramHost>();

const bearer = ({ http }: Incoming): string => http?.request.headers.get("authorization") ?? "";

/** Servers that ask the wrong way who calls. */
const AUTH_SEEDS = {
  "auth-invalid-401/unsigned-accepted": {
    finds: "auth-invalid-401",
    on: "http",
    auth: true,
    answer: (incoming) =>
      bearer(incoming).startsWith("Bearer ey")
        ? resultReply(incoming, { tools: [], resultType: "complete" })
        : undefined,
  },
  "auth-invalid-401/any-token": {
    finds: "auth-invalid-401",
    on: "http",
    auth: true,
    answer: (incoming) =>
      bearer(incoming) === "Bearer recourse-probe-wrong"
        ? resultReply(incoming, { tools: [], resultType: "complete" })
        : undefined,
  },
  "auth-challenge/forbidden": {
    finds: "auth-challenge",
    on: "http",
    auth: true,
    respond: (response, incoming) =>
      response.status === 401 && bearer(incoming) === ""
        ? new Response(response.body, { status: 403, headers: response.headers })
        : response,
  },
  "auth-opaque/challenge": {
    finds: "auth-opaque",
    on: "http",
    auth: true,
    respond(response, incoming) {
      if (response.status !== 401 || bearer(incoming) === "") return response;
      const headers = new Headers(response.headers);
      const challenge = headers.get("www-authenticate") ?? "Bearer";
      headers.set("www-authenticate", `${challenge}, error_description="kid 4 is not known"`);
      return new Response(response.body, { status: 401, headers });
    },
  },
  "auth-metadata/gone": {
    finds: "auth-metadata",
    on: "http",
    auth: true,
    respond(response) {
      const headers = new Headers(response.headers);
      const challenge = headers.get("www-authenticate");
      if (challenge === null) return response;
      headers.set("www-authenticate", challenge.replace("/.well-known/", "/gone/"));
      return new Response(response.body, { status: response.status, headers });
    },
  },
  "http-origin/echoed": {
    finds: "http-origin",
    on: "http",
    answer({ http }) {
      if (http?.request.headers.get("origin") !== null) http?.request.headers.set("origin", "http://localhost");
      return undefined;
    },
  },
} as const satisfies Record<string, Seed>;

/** Other forms of defects in conversations. */
export const CONVERSATION_SEEDS: Readonly<Record<string, Seed>> = {
  ...FORM_SEEDS,
  ...PROTOCOL_SEEDS,
  ...ROBUSTNESS_SEEDS,
  ...AUTH_SEEDS,
};
